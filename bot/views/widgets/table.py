"""Rows of cells under a header row, in sight or folded.

docs: https://docs.slack.dev/reference/block-kit/blocks/table-block (2026-11-23): messages only; at
most 100 rows of 20 cells, none of them empty. Slack takes one table a message, also inside a
container, and 10,000 characters in its cells.
docs: https://docs.slack.dev/reference/block-kit/blocks/data-table-block (2026-11-26): a table with
a caption that people turn the pages of and sort; messages only, pages of 1 to 100 rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from bot.views.kit.blocks import context
from bot.views.kit.leaves import words
from bot.views.kit.rich_text import Block, paragraph, size
from bot.views.kit.text import short
from bot.views.kit.widget import Widget, WidgetKind
from bot.views.widgets.fold import container, fold_title, text_children

ROWS_MAX: Final = 100  # with the header row
CELL_CHARS_MAX: Final = 500
PAGE_ROWS_MAX: Final = 10
ROOM: Final = 4_000  # of a message, as JSON
UNKNOWN: Final = "–"

Cells = Sequence[str]


@dataclass(frozen=True, slots=True)
class Rows:
    """Every row has as many cells as the header. `rest`: as in "… and 3 more, in the files".

    `hidden`: how many more there are than `rows` holds.
    """

    header: Cells
    rows: Sequence[Cells]
    rest: str = "more"
    room: int = ROOM
    hidden: int = 0

    def block(self) -> Block:
        settings = [{"is_wrapped": True} for _ in self.header]
        return {"type": "table", "rows": self._drawn_rows(), "column_settings": settings}

    def pages(self, caption: str) -> Block:
        """The same as a table that has pages and can be sorted."""
        settings = {"caption": caption, "page_size": PAGE_ROWS_MAX}
        return {"type": "data_table", **settings, "rows": self._drawn_rows()}

    @property
    def is_long(self) -> bool:
        """True if the rows that fit are more than one page."""
        return len(self._fitting()) > PAGE_ROWS_MAX

    def lines(self) -> list[str]:
        """The header and the rows as lines of text."""
        return [" · ".join(map(_text, row)) for row in (self.header, *self._fitting())]

    def more(self) -> list[Block]:
        """How many rows found no room."""
        more = len(self.rows) - len(self._fitting()) + self.hidden
        return [context(f"… and {more} {self.rest}")] if more else []

    def lighter(self) -> "Rows | None":
        """In half of the room; None where that is no row less."""
        less = replace(self, room=min(self.room, size(list(map(_cells, self._fitting())))) // 2)
        return less if len(less._fitting()) < len(self._fitting()) else None

    def _drawn_rows(self) -> list[list[Block]]:
        return [_cells(row) for row in (self.header, *self._fitting())]

    def _fitting(self) -> Sequence[Cells]:
        """As many of the rows as a message has room for; at least one."""
        room = self.room - size(_cells(self.header))
        for number, row in enumerate(self.rows[: ROWS_MAX - 1]):
            room -= size(_cells(row)) + 1
            if room < 0:
                return self.rows[: max(number, 1)]
        return self.rows[: ROWS_MAX - 1]


@dataclass(frozen=True, slots=True)
class OpenTable(Widget):
    """A table in sight. `caption`: what a long one is called, which has pages then."""

    kind: ClassVar[WidgetKind] = "table"
    single_block: ClassVar[str] = "table"
    rows: Rows
    caption: str = ""

    def today(self) -> list[Block]:
        has_pages = self.caption and self.rows.is_long
        table = self.rows.pages(self.caption) if has_pages else self.rows.block()
        return [table, *self.rows.more()]

    def lighter(self) -> "OpenTable | None":
        rows = self.rows.lighter()
        return replace(self, rows=rows) if rows else None

    def plain(self) -> list[Block]:
        header, *lines = self.rows.lines()
        caption = [[words(self.caption, bold=True)]] if self.rows.is_long and self.caption else []
        return [paragraph(*caption, [words(header, bold=True)], *lines), *self.rows.more()]


@dataclass(frozen=True, slots=True)
class FoldedTable(Widget):
    """A fold that holds a table. `key`: as of a fold."""

    kind: ClassVar[WidgetKind] = "fold"
    single_block: ClassVar[str] = "table"
    key: str
    title: str
    rows: Rows

    def today(self) -> list[Block]:
        return [self._folded([self.rows.block()])]

    def plain(self) -> list[Block]:
        title = words(fold_title(self.title), bold=True)
        return [paragraph([title], *self.rows.lines()), *self.rows.more()]

    def lighter(self) -> "FoldedTable | None":
        rows = self.rows.lighter()
        return replace(self, rows=rows) if rows else None

    def beside_another(self) -> list[Block]:
        return [self._folded(text_children("\n".join(self.rows.lines())))]

    def _folded(self, children: Sequence[Block]) -> Block:
        return container(self.key, self.title, [*children, *self.rows.more()])


def _cells(row: Cells) -> list[Block]:
    return [{"type": "raw_text", "text": _text(cell)} for cell in row]


def _text(cell: str) -> str:
    return short(cell, CELL_CHARS_MAX) or UNKNOWN
