"""The primitives of Block Kit, each within Slack's limits by construction.

What people or models wrote goes into `plain_text` and into text elements of `rich_text`, where
nothing is live. The one live mention there is: `person`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from bot.views.kit.names import Names, name_of
from bot.views.kit.text import CUT, clean, cut, cut_bytes, escape, neutral, one_line, pieces, short
from core.domain.ids import UserId

Block = dict[str, Any]
Leaf = dict[str, Any]

BLOCKS_MAX: Final = 49  # Slack takes 50; one is kept for the persona's name
HEADER_CHARS_MAX: Final = 150
CONTEXT_CHARS_MAX: Final = 2_900
ELEMENTS_PER_CONTEXT_MAX: Final = 10
ELEMENTS_PER_ACTIONS_MAX: Final = 25
BUTTON_CHARS_MAX: Final = 75
OPTIONS_PER_OVERFLOW_MAX: Final = 5
OPTIONS_PER_SELECT_MAX: Final = 100
ID_CHARS_MAX: Final = 255
PIECE_CHARS_MAX: Final = 2_900
MARKDOWN_CHARS_MAX: Final = 6_000
FALLBACK_BYTES_MAX: Final = 3_800  # chat.update takes 4,000
MENTIONS_MAX: Final = 20
BLOCKS_JSON_CHARS_MAX: Final = 12_800  # ~13,200 in all is refused; surfaces share this out


@dataclass(frozen=True, slots=True)
class Message:
    """What one message says: its blocks, and the text where no blocks are shown."""

    text: str
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """A line of an overflow."""

    label: str
    value: str


def message(*blocks: Block | None) -> Message:
    """A message of these blocks. Its fallback text is read off them, and escaped."""
    present = _within([block for block in blocks if block is not None])
    return Message(_fallback(present, {}), tuple(present))


def with_mentions(message: Message, names: Names) -> Message:
    """The message with names for its mentions in the fallback text; blocks name people by id."""
    return Message(_fallback(message.blocks, names), message.blocks)


def mentioned(message: Message) -> tuple[UserId, ...]:
    """Everybody the message notifies."""
    parts = (part for block in message.blocks for part in block.get("elements", ()))
    leaves = (leaf for part in parts for leaf in _leaves(part))
    return tuple(UserId(leaf["user_id"]) for leaf in leaves if leaf.get("type") == "user")


def _leaves(part: Mapping[str, Any]) -> Iterator[Leaf]:
    for element in part.get("elements", ()):
        yield element
        yield from _leaves(element)


def _fallback(blocks: Sequence[Block], names: Names) -> str:
    read = "\n".join(line for block in blocks if (line := _read(block, names)))
    return cut_bytes(escape(read), FALLBACK_BYTES_MAX)


def _within(blocks: Sequence[Block]) -> list[Block]:
    """The last guard: controls always stand; words go, the last ones first, if all is too much."""
    controls = [block for block in blocks if block["type"] in ("header", "actions")]
    room = BLOCKS_JSON_CHARS_MAX - sum(size(block) + 1 for block in controls)
    places = BLOCKS_MAX - len(controls)
    kept = []
    for block in blocks:
        if block["type"] not in ("header", "actions"):
            room, places = room - size(block) - 1, places - 1
            if room < 0 or places < 0:
                continue
        kept.append(block)
    return kept


def size(value: object) -> int:
    """What a block or a part of one weighs as JSON, counted the strict way."""
    shown = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(shown) + sum(char > "\uffff" for char in shown)


def fitting(rows: Sequence[Sequence[Leaf]], room: int) -> Sequence[Sequence[Leaf]]:
    """The first rows of a list, as many as fit."""
    used = 0
    for number, row in enumerate(rows):
        used += size(line(*row)) + 1
        if used > room:
            return rows[:number]
    return rows


# ── blocks ─────────────────────────────────────────────────────────────────────────────────────


def header(text: str, suffix: str = "") -> Block:
    """One line in large letters. `suffix` is kept whole when the text has to be cut."""
    room = HEADER_CHARS_MAX - len(suffix)
    return {"type": "header", "text": plain_text(short(text, room) + suffix)}


def context(*texts: str) -> Block:
    """Small grey words, as plain text."""
    shown = [plain_text(cut(clean(text), CONTEXT_CHARS_MAX)) for text in texts if text.strip()]
    return {"type": "context", "elements": shown[:ELEMENTS_PER_CONTEXT_MAX]}


def code_element(text: str) -> dict[str, str]:
    """A word in code style for a context block: the one place where mrkdwn cannot be avoided."""
    return {"type": "mrkdwn", "text": f"`{escape(one_line(text).replace('`', ''))}`"}


def markdown(text: str, room: int = MARKDOWN_CHARS_MAX, tail: str = CUT) -> Block:
    """Text of our own files. All markdown of a message has to fit in 12,000 characters."""
    return {"type": "markdown", "text": cut(neutral(text), room, tail) or "…"}


def actions(elements: Sequence[Block], block_id: str = "") -> Block | None:
    """A row of controls, or nothing if there are none."""
    if not elements:
        return None
    block: Block = {"type": "actions", "elements": list(elements[:ELEMENTS_PER_ACTIONS_MAX])}
    return {**block, "block_id": block_id[:ID_CHARS_MAX]} if block_id else block


def rich_text(*parts: Block) -> Block:
    return {"type": "rich_text", "elements": list(parts)}


def prose(text: str, room: int = PIECE_CHARS_MAX, tail: str = CUT) -> list[Block]:
    """What people or models wrote, as it is, split over blocks and cut to the room."""
    whole = cut(clean(text), room, tail)
    return [rich_text(line(words(part))) for part in pieces(whole, PIECE_CHARS_MAX)]


# ── parts and leaves of rich text ──────────────────────────────────────────────────────────────


def line(*leaves: Leaf) -> Block:
    return {"type": "rich_text_section", "elements": [leaf for leaf in leaves if _full(leaf)]}


def lines(rows: Iterable[Sequence[Leaf]]) -> Block:
    """Rows one under the other. Parted by line ends: clients set sections apart differently."""
    leaves: list[Leaf] = []
    for row in rows:
        leaves += [words("\n"), *row] if leaves else row
    return line(*leaves)


def quote(*leaves: Leaf) -> Block:
    return {"type": "rich_text_quote", "elements": [leaf for leaf in leaves if _full(leaf)]}


def bullets(rows: Iterable[Sequence[Leaf]], *, indent: int = 0) -> Block:
    elements = [line(*row) for row in rows]
    return {"type": "rich_text_list", "style": "bullet", "indent": indent, "elements": elements}


def words(text: str, *, bold: bool = False, italic: bool = False, code: bool = False) -> Leaf:
    style = {name: True for name, on in _styles(bold, italic, code) if on}
    leaf: Leaf = {"type": "text", "text": clean(text)}
    return {**leaf, "style": style} if style else leaf


def person(user: str) -> Leaf:
    """A mention that notifies."""
    return {"type": "user", "user_id": user}


def link(url: str, text: str) -> Leaf:
    """A link to a place we composed; plain words if there is no such place."""
    return {"type": "link", "url": url, "text": clean(text)} if url else words(text)


def moment(at: float) -> Leaf:
    """A time, as each reader's clock shows it; in UTC where it is read as plain text."""
    fallback = f"{datetime.fromtimestamp(at, UTC):%-d %B %Y, %H:%M} UTC"
    form = "{date_short_pretty}, {time}"
    return {"type": "date", "timestamp": int(at), "format": form, "fallback": fallback}


def greeted(users: Sequence[str]) -> list[Leaf]:
    """Mentions in a row, and how many more there would be."""
    leaves: list[Leaf] = []
    for user in users[:MENTIONS_MAX]:
        leaves += [words(" "), person(user)] if leaves else [person(user)]
    more = len(users) - MENTIONS_MAX
    return [*leaves, words(f" and {more} more")] if more > 0 else leaves


# ── controls ───────────────────────────────────────────────────────────────────────────────────


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


def select(action_id: str, placeholder: str, options: Sequence[Option]) -> Block:
    """A list to pick one from; `options` is not empty."""
    return {
        "type": "static_select",
        "action_id": action_id[:ID_CHARS_MAX],
        "placeholder": plain_text(placeholder),
        "options": [_option(option) for option in options[:OPTIONS_PER_SELECT_MAX]],
    }


def _option(option: Option) -> Block:
    return {
        "text": plain_text(short(option.label, BUTTON_CHARS_MAX)),
        "value": option.value,
    }


def overflow(action_id: str, options: Sequence[Option]) -> Block:
    shown = [_option(option) for option in options[:OPTIONS_PER_OVERFLOW_MAX]]
    return {"type": "overflow", "action_id": action_id, "options": shown}


def confirmation(title: str, text: str, yes: str, no: str) -> Block:
    return {
        "title": plain_text(title),
        "text": plain_text(text),
        "confirm": plain_text(yes),
        "deny": plain_text(no),
    }


def plain_text(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text or "…", "emoji": False}


def _styles(bold: bool, italic: bool, code: bool) -> tuple[tuple[str, bool], ...]:
    return ("bold", bold), ("italic", italic), ("code", code)


def _full(leaf: Leaf) -> bool:
    return leaf["type"] != "text" or bool(leaf["text"])


# ── reading blocks back ────────────────────────────────────────────────────────────────────────


def _read(block: Mapping[str, Any], names: Names) -> str:
    match block["type"]:
        case "header":
            return str(block["text"]["text"])
        case "markdown":
            return str(block["text"])
        case "context":
            return " ".join(str(element["text"]) for element in block["elements"])
        case "rich_text":
            return "\n".join(_read_part(part, names) for part in block["elements"])
        case _:
            return ""


def _read_part(part: Mapping[str, Any], names: Names) -> str:
    if part["type"] == "rich_text_list":
        return "\n".join(f"• {_read_part(row, names)}" for row in part["elements"])
    return "".join(_read_leaf(leaf, names) for leaf in part["elements"])


def _read_leaf(leaf: Leaf, names: Names) -> str:
    if leaf["type"] == "user":
        return name_of(names, leaf["user_id"])
    return str(leaf.get("text") or leaf.get("fallback", ""))
