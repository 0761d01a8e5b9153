"""Messages and their blocks, each within Slack's limits by construction."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.views.kit.controls import plain_text
from bot.views.kit.leaves import Leaf
from bot.views.kit.names import Names, name_of
from bot.views.kit.rich_text import Block, Row, bullets, fitting, heading, rich_text, size
from bot.views.kit.text import CUT, clean, cut, cut_bytes, escape, neutral, one_line, short
from core.domain.ids import UserId

BLOCKS_MAX: Final = 49  # Slack takes 50; one is kept for the persona's name
HEADER_CHARS_MAX: Final = 150
CONTEXT_CHARS_MAX: Final = 2_900
ELEMENTS_PER_CONTEXT_MAX: Final = 10
MARKDOWN_CHARS_MAX: Final = 6_000
FALLBACK_BYTES_MAX: Final = 3_800  # chat.update takes 4,000
BLOCKS_JSON_CHARS_MAX: Final = 12_800  # ~13,200 in all is refused; surfaces share this out


@dataclass(frozen=True, slots=True)
class Message:
    """What one message says: its blocks, and the text where no blocks are shown."""

    text: str
    blocks: tuple[Block, ...] = ()


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
    text = "\n".join(line for block in blocks if (line := _block_text(block, names)))
    return cut_bytes(escape(text), FALLBACK_BYTES_MAX)


def _within(blocks: Sequence[Block]) -> list[Block]:
    """The last guard: controls always stand; words go, the last ones first, if all is too much."""
    controls = [block for block in blocks if block["type"] in ("header", "actions")]
    room = BLOCKS_JSON_CHARS_MAX - sum(size(block) + 1 for block in controls)
    places = BLOCKS_MAX - len(controls)
    fitting_blocks = []
    for block in blocks:
        if block["type"] not in ("header", "actions"):
            room, places = room - size(block) - 1, places - 1
            if room < 0 or places < 0:
                continue
        fitting_blocks.append(block)
    return fitting_blocks


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


def listed_rows(title: str, rows: Sequence[Row], room: int, rest: str) -> list[Block]:
    """A list of the rows that fit, and how many more there are: "… and 3 {rest}"."""
    shown = fitting(rows, room)
    more = len(rows) - len(shown)
    block = rich_text(*([heading(title)] if title else []), bullets(shown))
    return [block, context(f"… and {more} {rest}")] if more else [block]


# ── reading blocks back ────────────────────────────────────────────────────────────────────────


def _block_text(block: Mapping[str, Any], names: Names) -> str:
    match block["type"]:
        case "header":
            return str(block["text"]["text"])
        case "markdown":
            return str(block["text"])
        case "context":
            return " ".join(str(element["text"]) for element in block["elements"])
        case "rich_text":
            return "\n".join(_part_text(part, names) for part in block["elements"])
        case _:
            return ""


def _part_text(part: Mapping[str, Any], names: Names) -> str:
    if part["type"] == "rich_text_list":
        return "\n".join(f"• {_part_text(row, names)}" for row in part["elements"])
    return "".join(_leaf_text(leaf, names) for leaf in part["elements"])


def _leaf_text(leaf: Leaf, names: Names) -> str:
    if leaf["type"] == "user":
        return name_of(names, leaf["user_id"])
    return str(leaf.get("text") or leaf.get("fallback", ""))
