"""What the Inception Party says in Slack: its mode menu, its questions, its debate, its vote."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.views.kit import menus
from bot.views.kit.blocks import Message, context, message
from bot.views.kit.leaves import Leaf, greeted, words
from bot.views.kit.names import Names, known_name, listed
from bot.views.kit.rich_text import Block, bullets, heading, paragraph, rich_text
from bot.views.kit.text import short
from bot.views.kit.wording import WORDING
from bot.views.thread.lines import introduced
from core.domain.ids import UserId
from core.domain.party import Question
from core.domain.party.contributions import Contribution
from core.domain.session.menu import Menu
from core.domain.steps.playbook import Persona

TURN_CHARS_MAX: Final = 1_500
QUESTION_CHARS_MAX: Final = 300
TRADE_OFFS_MAX: Final = 4
OPTION_CHARS_MAX: Final = 60
STAND_INS_MAX: Final = 6

TO_ALL: Final = "the others"


def mode_menu(menu: Menu, names: Names) -> Message:
    """A card for each mode, with a line about what it will be like; then what was chosen."""
    if menu.state != "open":
        name = known_name(names, menu.used_by)
        label = menus.label_of(menu.chosen or "")  # "recommended" has been taken, or not
        chose = f"{name} chose {label}." if name else f"{label} was chosen."
        return message(paragraph(chose))
    question = [words("How shall we do this?", bold=True)]
    return message(paragraph(question), menus.choice_cards(menu, WORDING.modes))


def questions(
    persona: Persona,
    numbered: Sequence[tuple[int, Question]],
    others: Sequence[str],
    *,
    mention: Sequence[UserId] = (),
    menu: Menu | None = None,
) -> Message:
    """One persona's part of the questions. They are numbered through all threads."""
    called = [*greeted(mention), words(" ")] if mention else []
    opening = f"{introduced(persona)} {_how_many(len(numbered))}"
    rows: list[list[Leaf]] = [[*called, words(opening)]]
    rows += [
        [words(f"{number}. {short(question.text, QUESTION_CHARS_MAX)}")]
        for number, question in numbered
    ]
    heard = f"{listed(others)} read what you say here, too." if others else ""
    hint = f"Answer once, in any of our threads; a number says which question you mean. {heard}"
    return message(
        paragraph(*rows),
        context(hint.strip()),
        menus.prompt_controls(menu, None, draft=False),
    )


def _how_many(count: int) -> str:
    return "I have one question for you." if count == 1 else f"I have {count} questions for you."


def turn(contribution: Contribution, to: str = "") -> Message:
    """A turn of the debate: what it is, to whom, and the words."""
    kind = WORDING.turns[contribution.want].format(to=short(to) or TO_ALL)
    if contribution.want == "vote" and contribution.agrees is not None:
        kind = "Agrees" if contribution.agrees else "Dissents"
    head = [words(kind, italic=True)]
    return message(paragraph(head, short(contribution.text, TURN_CHARS_MAX)))


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a table decided: in words, who dissents, and what it costs."""

    consensus: str
    options: Sequence[str] = ()  # that people named, and each voted on
    dissenters: Sequence[str] = ()
    trade_offs: Sequence[str] = ()
    away: Sequence[str] = ()
    unwritten: Sequence[str] = ()
    stand_ins: Sequence[tuple[str, str]] = ()  # who took whose part


def verdict_blocks(verdict: Verdict) -> list[Block]:
    """What stands under a recommendation: consensus, trade-offs, who was missing, E-007."""
    rows: list[list[Leaf]] = []
    if verdict.consensus:
        rows.append([words(_agreement(verdict), bold=True)])
    if verdict.away:
        rows.append([words(f"Without {listed(verdict.away)}, who could not take part.")])
    rows += [[words(f"{short(stand_in)} took the part of {short(whose)}.")]
             for stand_in, whose in verdict.stand_ins[:STAND_INS_MAX]]  # fmt: skip
    blocks: list[Block] = [paragraph(*rows)] if rows else []
    if verdict.trade_offs:
        costs = [
            [words(short(trade_off, 300))] for trade_off in verdict.trade_offs[:TRADE_OFFS_MAX]
        ]
        blocks.append(rich_text(heading("What it costs"), bullets(costs)))
    if verdict.unwritten:
        blocks.append(context(f"Not written as a file, but kept: {listed(verdict.unwritten)}."))
    return blocks


def _agreement(verdict: Verdict) -> str:
    agreement = WORDING.consensus.get(verdict.consensus, "")
    if verdict.consensus == "none":
        return agreement
    quoted = listed([f"“{short(option, OPTION_CHARS_MAX)}”" for option in verdict.options])
    return f"{agreement} {quoted or 'what people said'}.{_against(verdict.dissenters)}"


def _against(dissenters: Sequence[str]) -> str:
    verb = "dissents" if len(dissenters) == 1 else "dissent"
    return f" {listed(dissenters)} {verb}." if dissenters else ""
