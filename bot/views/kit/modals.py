"""The parts of a modal, within Slack's limits by construction. A field's name is its block id.

docs: reference/views, reference/block-kit/blocks/input-block, block-elements
"""

from collections.abc import Collection, Sequence
from typing import Any, Final

from bot.views.kit.controls import Option, option_block, plain_text
from bot.views.kit.rich_text import Block
from bot.views.kit.text import clean, cut, short
from bot.views.kit.widget import WIDGET_KINDS, Part, WidgetKind, drawn

View = dict[str, Any]
"""A modal or a Home tab. Its "blocks" are parts: `drawn_view` makes blocks of them."""

BLOCKS_MAX: Final = 100
TITLE_CHARS_MAX: Final = 24
LABEL_CHARS_MAX: Final = 150
HINT_CHARS_MAX: Final = 300
INPUT_CHARS_MAX: Final = 3_000
OPTIONS_MAX: Final = 100
RADIOS_MAX: Final = 10
KEPT_CHARS_MAX: Final = 2_900  # of 3,000: the rest is its seal


def modal(
    callback_id: str, title: str, submit: str, parts: Sequence[Part | None], *, metadata: str = ""
) -> View:
    """A form. `metadata` comes back with its submission."""
    assert len(metadata) <= KEPT_CHARS_MAX, "what a form keeps is ids"
    return {
        "type": "modal",
        "callback_id": callback_id,
        "title": plain_text(cut(title, TITLE_CHARS_MAX)),
        "submit": plain_text(cut(submit, TITLE_CHARS_MAX)),
        "close": plain_text("Cancel"),
        "private_metadata": metadata,
        "blocks": [part for part in parts if part is not None],
    }


def notice_of(title: str, parts: Sequence[Part], external_id: str = "") -> View:
    """What a form turns into when there is nothing left to fill in.

    `external_id`: by what it can be updated.
    """
    return {
        "type": "modal",
        "callback_id": "notice",
        "title": plain_text(cut(title, TITLE_CHARS_MAX)),
        "close": plain_text("Close"),
        "blocks": list(parts),
        **({"external_id": external_id} if external_id else {}),
    }


def drawn_view(view: View, plain: Collection[WidgetKind] = WIDGET_KINDS) -> View:
    """The view as Slack takes it. `plain`: kinds of widgets that are drawn plainly."""
    return {**view, "blocks": drawn(view["blocks"], plain)[:BLOCKS_MAX]}


def text_field(
    name: str,
    label: str,
    *,
    initial: str = "",
    hint: str = "",
    placeholder: str = "",
    most: int = INPUT_CHARS_MAX,
    long: bool = False,
    optional: bool = False,
) -> Block:
    element: Block = {
        "type": "plain_text_input",
        "action_id": name,
        "multiline": long,
        "max_length": most,
    }
    if initial:
        element["initial_value"] = clean(initial)[:most]
    if placeholder:
        element["placeholder"] = plain_text(placeholder)
    return _field(name, label, element, hint=hint, optional=optional)


def choice_field(
    name: str,
    label: str,
    options: Sequence[Option],
    *,
    initial: str | None = "",
    hint: str = "",
) -> Block:
    """One of several; the first where `initial` names none of them, none where it is None."""
    option_blocks = [option_block(option) for option in options[:OPTIONS_MAX]]
    element: Block = {"type": "static_select", "action_id": name, "options": option_blocks}
    if initial is not None:
        chosen = (option for option in option_blocks if option["value"] == initial)
        element["initial_option"] = next(chosen, option_blocks[0])
    return _field(name, label, element, hint=hint)


def radio_field(
    name: str, label: str, options: Sequence[Option], *, optional: bool = False
) -> Block:
    """One of a few, all of them seen; none is chosen beforehand. Ten at most, says Slack."""
    element: Block = {
        "type": "radio_buttons",
        "action_id": name,
        "options": [option_block(option) for option in options[:RADIOS_MAX]],
    }
    return _field(name, label, element, optional=optional)


def box_field(name: str, label: str, option: Option, *, ticked: bool = False) -> Block:
    """A box to tick; what it says stands beside it."""
    option_blocks = [option_block(option)]
    element: Block = {"type": "checkboxes", "action_id": name, "options": option_blocks}
    if ticked:
        element["initial_options"] = option_blocks
    return _field(name, label, element, optional=True)


def person_field(name: str, label: str, *, hint: str = "", optional: bool = False) -> Block:
    element: Block = {"type": "users_select", "action_id": name}
    return _field(name, label, element, hint=hint, optional=optional)


def channel_field(name: str, label: str, *, initial: str = "", hint: str = "") -> Block:
    """A channel; the one its person is looking at, where none is named.

    `response_url_enabled` lets us tell them even where we are not in that channel.
    """
    element: Block = {
        "type": "conversations_select",
        "action_id": name,
        "default_to_current_conversation": not initial,
        "response_url_enabled": True,
        "filter": {
            "include": ["public", "private"],
            "exclude_bot_users": True,
            "exclude_external_shared_channels": False,
        },
    }
    if initial:
        element["initial_conversation"] = initial
    return _field(name, label, element, hint=hint)


def _field(
    name: str, label: str, element: Block, *, hint: str = "", optional: bool = False
) -> Block:
    block: Block = {
        "type": "input",
        "block_id": name,
        "label": plain_text(short(label, LABEL_CHARS_MAX)),
        "element": element,
        "optional": optional,
    }
    return {**block, "hint": plain_text(cut(hint, HINT_CHARS_MAX))} if hint else block
