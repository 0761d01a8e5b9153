"""Controls: buttons, lists to pick from, and the dialog that asks before one counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.views.kit.rich_text import Block
from bot.views.kit.text import short

ELEMENTS_PER_ACTIONS_MAX: Final = 25
BUTTON_CHARS_MAX: Final = 75
OPTIONS_PER_OVERFLOW_MAX: Final = 5
OPTIONS_PER_SELECT_MAX: Final = 100
ID_CHARS_MAX: Final = 255
OPENS: Final = "opens:"  # and what it opens: nothing is done about a click on it


@dataclass(frozen=True, slots=True)
class Option:
    """A line of an overflow."""

    label: str
    value: str


def actions(elements: Sequence[Block], block_id: str = "") -> Block | None:
    """A row of controls, or nothing if there are none."""
    if not elements:
        return None
    block: Block = {"type": "actions", "elements": list(elements[:ELEMENTS_PER_ACTIONS_MAX])}
    return {**block, "block_id": block_id[:ID_CHARS_MAX]} if block_id else block


def button(
    label: str, action_id: str, value: str, *, style: str = "", confirm: Block | None = None
) -> Block:
    block: Block = {
        "type": "button",
        "text": plain_text(short(label, BUTTON_CHARS_MAX)),
        "action_id": action_id[:ID_CHARS_MAX],
        "value": value,
    }
    extra = {"style": style, "confirm": confirm}
    return block | {key: value for key, value in extra.items() if value}


def link_button(label: str, url: str) -> Block:
    """A button that opens an address; one of a block at most."""
    return {
        "type": "button",
        "text": plain_text(short(label, BUTTON_CHARS_MAX)),
        "action_id": f"{OPENS}{short(label, BUTTON_CHARS_MAX)}",
        "url": url,
    }


def select(action_id: str, placeholder: str, options: Sequence[Option]) -> Block:
    """A list to pick one from; `options` is not empty."""
    return {
        "type": "static_select",
        "action_id": action_id[:ID_CHARS_MAX],
        "placeholder": plain_text(placeholder),
        "options": [option_block(option) for option in options[:OPTIONS_PER_SELECT_MAX]],
    }


def overflow(action_id: str, options: Sequence[Option]) -> Block:
    option_blocks = [option_block(option) for option in options[:OPTIONS_PER_OVERFLOW_MAX]]
    return {"type": "overflow", "action_id": action_id, "options": option_blocks}


def confirmation(title: str, text: str, yes: str, no: str) -> Block:
    return {
        "title": plain_text(title),
        "text": plain_text(text),
        "confirm": plain_text(yes),
        "deny": plain_text(no),
    }


def plain_text(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text or "…", "emoji": False}


def option_block(option: Option) -> Block:
    """An option as lists, overflows and forms take it."""
    return {"text": plain_text(short(option.label, BUTTON_CHARS_MAX)), "value": option.value}
