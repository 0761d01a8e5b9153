"""Rich text: the parts of a block, and the leaves they are made of.

What people or models wrote stands in text leaves, where nothing is live. The one live mention there
is: `person`. A row is a list of leaves, or a plain text.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from bot.views.kit.text import CUT, clean, cut, pieces

Block = dict[str, Any]
Leaf = dict[str, Any]
Row = Sequence[Leaf] | str

PIECE_CHARS_MAX: Final = 2_900
MENTIONS_MAX: Final = 20


# ── leaves ─────────────────────────────────────────────────────────────────────────────────────


def words(text: str, *, bold: bool = False, italic: bool = False, code: bool = False) -> Leaf:
    styles = (("bold", bold), ("italic", italic), ("code", code))
    style = {name: True for name, is_on in styles if is_on}
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


def separated(leaves: Iterable[Leaf]) -> list[Leaf]:
    """Leaves in a row, with a dot between them."""
    return [part for leaf in leaves for part in (words(" · "), leaf)][1:]


# ── parts ──────────────────────────────────────────────────────────────────────────────────────


def line(*leaves: Leaf) -> Block:
    return {"type": "rich_text_section", "elements": [leaf for leaf in leaves if _full(leaf)]}


def lines(rows: Iterable[Row]) -> Block:
    """Rows one under the other. Parted by line ends: clients set sections apart differently."""
    leaves: list[Leaf] = []
    for row in rows:
        leaves += [words("\n"), *_leaves(row)] if leaves else _leaves(row)
    return line(*leaves)


def bullets(rows: Iterable[Row], *, indent: int = 0) -> Block:
    elements = [line(*_leaves(row)) for row in rows]
    return {"type": "rich_text_list", "style": "bullet", "indent": indent, "elements": elements}


def heading(text: str) -> Block:
    """A line in bold, above the parts it belongs to."""
    return line(words(text, bold=True))


def fitting(rows: Sequence[Row], room: int) -> Sequence[Row]:
    """The first rows of a list, as many as fit."""
    used = 0
    for number, row in enumerate(rows):
        used += size(line(*_leaves(row))) + 1
        if used > room:
            return rows[:number]
    return rows


def size(value: object) -> int:
    """What a block or a part of one weighs as JSON, counted the strict way."""
    shown = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(shown) + sum(char > "\uffff" for char in shown)


# ── blocks ─────────────────────────────────────────────────────────────────────────────────────


def rich_text(*parts: Block) -> Block:
    return {"type": "rich_text", "elements": list(parts)}


def paragraph(*rows: Row) -> Block:
    """Rows one under the other."""
    return rich_text(lines(rows))


def prose(text: str, room: int = PIECE_CHARS_MAX, tail: str = CUT) -> list[Block]:
    """What people or models wrote, as it is, split over blocks and cut to the room."""
    whole = cut(clean(text), room, tail)
    return [rich_text(line(words(part))) for part in pieces(whole, PIECE_CHARS_MAX)]


def _full(leaf: Leaf) -> bool:
    return leaf["type"] != "text" or bool(leaf["text"])


def _leaves(row: Row) -> Sequence[Leaf]:
    return [words(row)] if isinstance(row, str) else row
