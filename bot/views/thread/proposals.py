"""What people said before a session began: a card for each, with its author's buttons."""

from collections.abc import Sequence
from typing import Final

from bot.views.kit import menus
from bot.views.kit.blocks import Message, context, message
from bot.views.kit.controls import button, link_button
from bot.views.kit.leaves import Leaf, greeted, words
from bot.views.kit.names import Names, name_of
from bot.views.kit.rich_text import paragraph
from bot.views.kit.text import short
from bot.views.kit.wording import WORDING
from bot.views.widgets.cards import Card, Cards
from core.domain.answers import Answer
from core.domain.session.start import Proposal

CHOICES: Final[tuple[str, ...]] = ("confirm-mine", "leave-out")


def proposals(
    rows: Sequence[tuple[Proposal, Answer]], names: Names, *, more: bool = False
) -> Message:
    awaited = dict.fromkeys(proposal.by for proposal, _ in rows if not proposal.outcome)
    intro: list[list[Leaf]] = [[words(WORDING.proposals_intro, bold=True)]]
    if awaited:
        intro.append([*greeted(list(awaited)), words(": is this still right?")])
    cards = Cards([_card(proposal, answer, names) for proposal, answer in rows])
    return message(paragraph(*intro), cards, context(WORDING.proposals_more) if more else None)


def _card(proposal: Proposal, answer: Answer, names: Names) -> Card:
    files = ", ".join(short(file.name) for file in answer.files)
    original = [link_button("Original", answer.permalink)] if answer.permalink else []
    outcome, choices = "", CHOICES
    if proposal.outcome:
        by = name_of(names, proposal.chosen_by)
        outcome = WORDING.proposal_outcomes[proposal.outcome].format(name=short(by))
        choices = ()
    controls = [
        button(menus.label_of(choice), f"{menus.ACTION}{choice}", proposal.menu)
        for choice in choices
    ]
    return Card(
        name_of(names, proposal.by),
        answer.text if answer.text.strip() else files,
        subtitle=outcome,
        buttons=[*controls, *original],
        block_id=proposal.menu,
    )
