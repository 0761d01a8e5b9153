"""What a linked repository shows of a step, in its message: each line with its place."""

from collections.abc import Sequence
from typing import Final

from bot.views.kit.controls import Option, actions, select
from bot.views.kit.leaves import Leaf, link, words
from bot.views.kit.menus import PICK
from bot.views.kit.rich_text import Block, bullets, fitting, heading, rich_text
from bot.views.kit.text import short
from core.domain.session.menu import Menu
from core.domain.steps.code import MeasuredLine

ROOM: Final = 2_000
TEXT_CHARS_MAX: Final = 200
PLACE_CHARS_MAX: Final = 180
TITLE: Final = "Measured in the code"
DROP: Final = "Drop a measured line"


def measured_parts(lines: Sequence[MeasuredLine], menu: Menu | None) -> list[Block]:
    """The lines under their title; with an open menu, a list from which one can be dropped."""
    if not lines:
        return []
    rows = fitting([_row(line) for line in lines], ROOM)
    block = rich_text(heading(TITLE), bullets(rows))
    return [block, *_dropping(lines[: len(rows)], menu)]


def _row(line: MeasuredLine) -> list[Leaf]:
    text = words(short(line.text, TEXT_CHARS_MAX))
    if not line.at:
        return [text]
    at = short(line.at, PLACE_CHARS_MAX)
    place = link(line.url, at) if line.url else words(at, code=True)
    return [text, words(" · "), place]


def _dropping(lines: Sequence[MeasuredLine], menu: Menu | None) -> list[Block]:
    if menu is None or menu.state != "open":
        return []
    options = [
        Option(short(_name(line)), choice)
        for line, choice in zip(lines, menu.choices, strict=False)
    ]
    row = actions([select(PICK, DROP, options)], f"{menu.id}|measured")
    return [row] if row else []


def _name(line: MeasuredLine) -> str:
    """What a line is called in a list: its path first."""
    return line.at.partition(":")[2] or line.text
