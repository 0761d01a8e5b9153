"""Rows of buttons. A menu's id is opaque; what a control means stands in its action id.

A button carries the menu's id as its value and the choice in `menu:{choice}`; an overflow carries
the menu's id in its block id and the choice as the option's value. Where several blocks serve one
menu, their block ids are told apart by what follows `|`.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from bot.views.kit.blocks import context
from bot.views.kit.controls import (
    ID_CHARS_MAX,
    Option,
    actions,
    button,
    confirmation,
    overflow,
    select,
)
from bot.views.kit.names import counted, listed
from bot.views.kit.rich_text import Block, paragraph
from bot.views.kit.text import short
from bot.views.kit.widget import Part
from bot.views.kit.wording import WORDING, of_kind
from bot.views.widgets.cards import Card, Cards
from core.domain.follow_ups import SIDES, WAYS
from core.domain.ids import DEPTHS, Depth, SessionId
from core.domain.session.menu import Menu
from core.domain.session.step import StepState

ACTION: Final = "menu:"
OVERFLOW: Final = "menu:overflow"
PICK: Final = "menu:pick"  # a select whose options are choices
PICK_WORDS: Final[Mapping[str, str]] = {"amend": "Amend another step", "back": "Go back to a step"}
CARD_PAUSE: Final = "card:pause"
CARD_RESUME: Final = "card:resume"
TAKE_BACK: Final = "Take it back"
CARD_EXPORT: Final = "card:export"
CARD_CATCHUP: Final = "card:catchup"
CARD_LABELS: Final[Mapping[str, str]] = {
    CARD_PAUSE: "Pause",
    CARD_RESUME: "Resume",
    CARD_EXPORT: "Export",
    CARD_CATCHUP: "Catch me up",
}
BUTTONS_IN_A_ROW_MAX: Final = 3
STALE_SHOWN_MAX: Final = 6
STALE_TITLE_CHARS_MAX: Final = 50
LEFT_OUT_NAMED_MAX: Final = 4  # a dialog holds 300 characters

STYLES: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("continue", "accept", "confirm", "party", "redact", "check", "retry", "take-in"), "primary"
    ),
    **dict.fromkeys(("cancel", "cancel-now", "delete"), "danger"),
}
CONFIRMATIONS: Final[Mapping[str, Block]] = {
    choice: confirmation(dialog.title, dialog.text, dialog.yes, dialog.no)
    for choice, dialog in WORDING.confirmations.items()
}
NEXT_DEPTH: Final = dict(zip(DEPTHS, (*DEPTHS[1:], DEPTHS[0]), strict=True))


def label_of(choice: str, kind: str = "") -> str:
    """A choice in words, as that kind of menu calls it; an unknown one as it is."""
    verb, _, _ = choice.partition(":")
    labels = (of_kind(WORDING.labels, kind, choice), of_kind(WORDING.labels, "", verb))
    return next(filter(None, labels), choice)


def accept_label(following: str | None) -> str:
    return f"Accept — continue to {following}" if following else "Accept — finish"


def prompt_controls(
    menu: Menu | None, depth: Depth | None, *, draft: bool, earlier: Sequence[StepState] = ()
) -> Block | None:
    """That's right, where the prompt offers a draft; and the way out of any step.

    `earlier`: steps of the phase that people can go back to.
    """
    if menu is None or menu.state != "open":
        return None
    deeper = f"depth:{NEXT_DEPTH[depth]}" if depth else ""
    wanted = ("skip-step", deeper, "back", "pause", "cancel")
    options = [Option(label_of(choice), choice) for choice in wanted if choice in menu.choices]
    elements = []
    if draft and "confirm" in menu.choices:
        elements.append(_button(menu, "confirm"))
    if "take-over" in menu.choices:
        elements.append(_button(menu, "take-over"))
    if options:
        # No dialog: Slack would ask it for every option of an overflow or for none.
        elements.append(overflow(OVERFLOW, options))
    return actions([*elements, *_picker(menu, "back", earlier)], block_id=menu.id)


def left_out(titles: Sequence[str]) -> str:
    """How many steps Skip rest drops, and which."""
    names = listed(titles, LEFT_OUT_NAMED_MAX, STALE_TITLE_CHARS_MAX)
    return f"{counted(len(titles), 'step')}: {names}"


def _skip_question(titles: Sequence[str]) -> Block:
    return confirmation(
        f"Leave out {counted(len(titles), 'step')}?",
        f"That leaves out {left_out(titles)}. They are listed as not asked.",
        "Leave them out",
        "Keep going",
    )


def menu_row(
    menu: Menu | None,
    *,
    following: str | None = None,
    steps: Sequence[StepState] = (),
    unasked: Sequence[str] = (),
) -> Block | None:
    """The buttons of a step, a phase or a question, in the order of the menu's choices.

    `steps`: those of the phase that can be amended; the button amends the last one. `unasked`: the
    titles of those that Skip rest would leave unasked.
    """
    if menu is None or menu.state != "open":
        return None
    labels = {"accept": accept_label(following)}
    # What asks before it acts stays a button: an overflow's dialog would be asked for every option.
    asks = {**CONFIRMATIONS, **({"skip": _skip_question(unasked)} if unasked else {})}
    can_fold = [choice for choice in menu.choices if choice not in asks]
    folded = can_fold[len(can_fold) - max(0, len(menu.choices) - BUTTONS_IN_A_ROW_MAX) :]
    elements = [
        _button(menu, choice, labels.get(choice), asks.get(choice))
        for choice in menu.choices
        if choice not in folded
    ]
    options = [Option(label_of(choice, menu.kind), choice) for choice in folded]
    more = [overflow(OVERFLOW, options)] if options else []
    return actions([*elements, *more, *_picker(menu, "amend", steps)], menu.id)


def summary_menu(
    menu: Menu | None, *, following: str | None, steps: Sequence[StepState]
) -> Part | None:
    """What can be chosen under a phase's summary; a council's decision as cards."""
    if menu is None or "changes" not in menu.choices:
        return menu_row(menu, following=following, steps=steps)
    return choice_cards(menu, WORDING.decision_choices, {"accept": accept_label(following)})


def choice_cards(
    menu: Menu, meanings: Mapping[str, str], labels: Mapping[str, str] = MappingProxyType({})
) -> Cards | None:
    """A card for each choice of an open menu, with what it means and its button.

    `labels`: of choices that are called something else here.
    """
    if menu.state != "open":
        return None
    called = {choice: labels.get(choice) or label_of(choice, menu.kind) for choice in menu.choices}
    return Cards(
        [
            Card(
                label,
                meanings.get(choice, ""),
                buttons=[_button(menu, choice, label)],
                block_id=f"{menu.id}|{choice}"[:ID_CHARS_MAX],
            )
            for choice, label in called.items()
        ]
    )


def _picker(menu: Menu, verb: str, steps: Sequence[StepState]) -> list[Block]:
    """A list of steps for a choice that its button makes for the nearest one."""
    if verb not in menu.choices or len(steps) < 2:
        return []
    options = [Option(short(step.title), f"{verb}:{step.id}") for step in steps]
    return [select(PICK, PICK_WORDS[verb], options)]


def joining(menu: Menu | None) -> Block | None:
    """What an elaboration is, while it is under way."""
    if menu is None or menu.kind != "elaboration" or menu.state != "open":
        return None
    return context("The others join in. Answer here, call one by name, or say done.")


def follow_up_rows(menu: Menu | None) -> list[Block]:
    """The buttons of an open follow-up: the sides of a difference in a row of their own."""
    if menu is None or menu.state != "open":
        return []
    rows = [[choice for choice in menu.choices if choice in group] for group in (SIDES, WAYS)]
    blocks = [
        actions([_button(menu, choice) for choice in row], block_id=f"{menu.id}|{number}")
        for number, row in enumerate(rows, start=1)
        if row
    ]
    return [block for block in blocks if block is not None]


def stale_rows(menu: Menu | None, stale: Sequence[StepState]) -> list[Block]:
    """Later steps that rest on what changed, each with its two buttons, and one for all of them."""
    if menu is None or menu.state != "open":
        return []
    intro = "These later steps rest on what has changed. Are they still right?"
    blocks: list[Block | None] = [paragraph(intro)]
    for number, step in enumerate(stale[:STALE_SHOWN_MAX], start=1):
        blocks.append(_stale_row(menu, step, number))
    hidden = len(stale) - STALE_SHOWN_MAX
    if hidden > 0:
        blocks.append(context(f"… and {hidden} more, which Keep all keeps as well."))
    if "keep-all" in menu.choices:
        blocks.append(actions([_button(menu, "keep-all")], block_id=f"{menu.id}|all"))
    return [block for block in blocks if block is not None]


def _stale_row(menu: Menu, step: StepState, number: int) -> Block | None:
    labels = {
        f"keep:{step.id}": f"Still right: {step.id} {step.title[:STALE_TITLE_CHARS_MAX]}",
        f"again:{step.id}": f"Ask again: {step.id}",
    }
    elements = [
        _button(menu, choice, labels[choice]) for choice in labels if choice in menu.choices
    ]
    return actions(elements, block_id=f"{menu.id}|{number}")


def card_controls(
    session: SessionId,
    *,
    pause: bool,
    export: bool,
    resume: bool = False,
    catchup: bool = False,
    take_back: bool = False,
) -> Block | None:
    labels = {**CARD_LABELS, CARD_RESUME: TAKE_BACK if take_back else CARD_LABELS[CARD_RESUME]}
    wanted = zip(labels.items(), (pause, resume or take_back, export, catchup), strict=True)
    return actions([button(label, action, session) for (action, label), on in wanted if on])


def resume_control(session: SessionId, label: str = CARD_LABELS[CARD_RESUME]) -> Block | None:
    return actions([button(label, CARD_RESUME, session)])


def _button(
    menu: Menu, choice: str, label: str | None = None, confirm: Block | None = None
) -> Block:
    verb, _, _ = choice.partition(":")
    return button(
        label or label_of(choice, menu.kind),
        f"{ACTION}{choice}",
        menu.id,
        style=STYLES.get(verb, ""),
        confirm=confirm or CONFIRMATIONS.get(choice),
    )
