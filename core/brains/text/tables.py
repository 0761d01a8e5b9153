"""Tables in an answer: rows between bars, rows with bars or tabs between their cells."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core import patterns
from core.brains import lexicon

CELLS_MIN: Final = 2
HEAD_WORDS_MAX: Final = 4  # of a cell of a head row
CELL_END: Final = " | "

_BARRED: Final = patterns.compile(r"\|.*\|")
_RULE: Final = patterns.compile(r"[|:\-=+\s]*[-=|][|:\-=+\s]*")
_BAR: Final = patterns.compile(r"\s+\|\s+|\s*\t\s*")
_HEAD_CELL: Final = lexicon.pattern("head-cell")


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table: its cells as they were said, with bars between them; none of a rule."""

    cells: str
    is_head: bool = False


def table_rows(lines: Sequence[str]) -> Iterator[TableRow | None]:
    """For each line the row that it is; None for a line of no table.

    Lines without bars at their ends are rows where two that follow each other have as many cells.
    The first row is a head where a rule follows it, or where its cells are words of a head.
    """
    kinds = [_cells(line) for line in lines]
    for place, cells in enumerate(kinds):
        above = kinds[place - 1] if place else None
        below = kinds[place + 1] if place + 1 < len(kinds) else None
        barred = bool(_BARRED.fullmatch(lines[place]))
        if cells is None or not (barred or cells == [] or _fits(cells, above, below)):
            yield None
        elif not cells:
            yield TableRow("") if above else None
        else:
            opens = above is None or (above != [] and len(above) != len(cells))
            head = below == [] or (opens and _is_head(cells) and below is not None)
            yield TableRow(CELL_END.join(cells) if not barred else lines[place].strip("| \t"), head)


def _cells(line: str) -> list[str] | None:
    """The cells of a line, none of the rule below a head; None: it is no row."""
    if "|" not in line and "\t" not in line and "-" not in line:
        return None
    if _RULE.fullmatch(line):
        return [] if "|" in line else None
    if _BARRED.fullmatch(line):
        return [cell.strip() for cell in line.strip("|").split("|")] if line.strip("| \t") else []
    cells = [cell.strip() for cell in _BAR.split(line)]
    return cells if len(cells) >= CELLS_MIN else None


def _fits(cells: list[str], *neighbours: list[str] | None) -> bool:
    return any(
        neighbour == [] or (neighbour and len(neighbour) == len(cells)) for neighbour in neighbours
    )


def _is_head(cells: list[str]) -> bool:
    """True if half of the cells are words that stand in heads, and no cell is a sentence."""
    if any(len(cell.split()) > HEAD_WORDS_MAX for cell in cells):
        return False
    head_cells = sum(bool(_HEAD_CELL.fullmatch(cell.strip("*"))) for cell in cells)
    return head_cells * 2 >= len(cells)
