"""What people said before a session began, each with the buttons that are its author's."""

from collections.abc import Sequence
from typing import Final

from bot.views.kit import menus
from bot.views.kit.blocks import Message, context, message
from bot.views.kit.controls import actions, button
from bot.views.kit.leaves import Leaf, greeted, link, words
from bot.views.kit.names import Names, name_of
from bot.views.kit.rich_text import Block, paragraph
from bot.views.kit.text import clean, cut, short
from bot.views.kit.wording import WORDING
from core.domain.answers import Answer
from core.domain.session import Proposal

SAID_CHARS_MAX: Final = 240  # ten of them with their buttons fill a message
CHOICES: Final = ("confirm-mine", "leave-out")


def proposals(
    shown: Sequence[tuple[Proposal, Answer]], names: Names, *, more: bool = False
) -> Message:
    asked = dict.fromkeys(proposal.by for proposal, _ in shown if not proposal.outcome)
    intro: list[list[Leaf]] = [[words(WORDING.proposals_intro, bold=True)]]
    if asked:
        intro.append([*greeted(list(asked)), words(": is this still right?")])
    blocks = [block for proposal, answer in shown for block in _proposal(proposal, answer, names)]
    return message(paragraph(*intro), *blocks, context(WORDING.proposals_more) if more else None)


def _proposal(proposal: Proposal, answer: Answer, names: Names) -> list[Block | None]:
    name = short(name_of(names, proposal.by))
    text = cut(clean(answer.text), SAID_CHARS_MAX)
    files = ", ".join(short(file.name) for file in answer.files)
    row: list[Leaf] = [words(f"{name}: ", bold=True), words(text or files)]
    row += [words(" "), link(answer.permalink, "original")]
    if proposal.outcome:
        by = name_of(names, proposal.chosen_by)
        outcome = WORDING.proposal_outcomes[proposal.outcome].format(name=short(by))
        return [paragraph(row), context(outcome)]
    controls = [
        button(menus.label_of(choice), f"{menus.ACTION}{choice}", proposal.menu)
        for choice in CHOICES
    ]
    return [paragraph(row), actions(controls, block_id=proposal.menu)]
