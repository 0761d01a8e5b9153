"""Rich text: blocks and the parts they are made of. A row is a list of leaves, or a plain text."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from bot.views.kit.leaves import Leaf, words
from bot.views.kit.text import CUT, clean, cut, pieces, utf16_units

Block = dict[str, Any]
Row = Sequence[Leaf] | str

PIECE_CHARS_MAX: Final = 2_900


# ── parts ──────────────────────────────────────────────────────────────────────────────────────


def line(*leaves: Leaf) -> Block:
    return {"type": "rich_text_section", "elements": [leaf for leaf in leaves if _full(leaf)]}


def lines(rows: Iterable[Row]) -> Block:
    """Rows one under the other. Parted by line ends: clients set sections apart differently."""
    leaves: list[Leaf] = []
    for row in rows:
        leaves += [words("\n"), *_leaves(row)] if leaves else _leaves(row)
    return line(*leaves)


def bullets(rows: Iterable[Row]) -> Block:
    elements = [line(*_leaves(row)) for row in rows]
    return {"type": "rich_text_list", "style": "bullet", "indent": 0, "elements": elements}


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
    return utf16_units(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


# ── blocks ─────────────────────────────────────────────────────────────────────────────────────


def rich_text(*parts: Block) -> Block:
    return {"type": "rich_text", "elements": list(parts)}


def paragraph(*rows: Row) -> Block:
    """Rows one under the other."""
    return rich_text(lines(rows))


def prose(text: str, room: int = PIECE_CHARS_MAX) -> list[Block]:
    """What people or models wrote, as it is, split over blocks and cut to the room."""
    text = cut(clean(text), room, CUT)
    return [rich_text(line(words(part))) for part in pieces(text, PIECE_CHARS_MAX)]


def _full(leaf: Leaf) -> bool:
    return leaf["type"] != "text" or bool(leaf["text"])


def _leaves(row: Row) -> Sequence[Leaf]:
    return [words(row)] if isinstance(row, str) else row
