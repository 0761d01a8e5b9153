"""What people said before a session began, each with the buttons that are its author's."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.views.kit import menus
from bot.views.kit.blocks import Message, context, message
from bot.views.kit.controls import actions, button
from bot.views.kit.names import Names, name_of
from bot.views.kit.rich_text import Block, Leaf, greeted, link, paragraph, words
from bot.views.kit.text import clean, cut, short
from core.domain.answers import Answer
from core.domain.session import Proposal, ProposalOutcome

SAID_CHARS_MAX: Final = 240  # ten of them with their buttons fill a message
CHOICES: Final = ("confirm-mine", "leave-out")
INTRO: Final = (
    "This was said in the thread where it began. What is yours counts once you confirm it."
)
MORE: Final = (
    "There is more in that thread than I can take along. Whatever should count, please say it here."
)
OUTCOMES: Final[Mapping[ProposalOutcome, str]] = {
    "confirmed": "Confirmed by {name}: it counts.",
    "left-out": "Left out by {name}.",
    "gone": "Its message is gone, so it is left out.",
}


def proposals(
    shown: Sequence[tuple[Proposal, Answer]], names: Names, *, more: bool = False
) -> Message:
    asked = dict.fromkeys(each.by for each, _ in shown if not each.outcome)
    intro: list[list[Leaf]] = [[words(INTRO, bold=True)]]
    if asked:
        intro.append([*greeted(list(asked)), words(": is this still right?")])
    blocks = [block for each, answer in shown for block in _proposal(each, answer, names)]
    return message(paragraph(*intro), *blocks, context(MORE) if more else None)


def _proposal(proposal: Proposal, answer: Answer, names: Names) -> list[Block | None]:
    name = short(name_of(names, proposal.by))
    said = cut(clean(answer.text), SAID_CHARS_MAX)
    files = ", ".join(short(file.name) for file in answer.files)
    row: list[Leaf] = [words(f"{name}: ", bold=True), words(said or files)]
    row += [words(" "), link(answer.permalink, "original")]
    if proposal.outcome:
        by = name_of(names, proposal.chosen_by)
        outcome = OUTCOMES[proposal.outcome].format(name=short(by))
        return [paragraph(row), context(outcome)]
    controls = [
        button(menus.label_of(choice), f"{menus.ACTION}{choice}", proposal.menu)
        for choice in CHOICES
    ]
    return [paragraph(row), actions(controls, block_id=proposal.menu)]
