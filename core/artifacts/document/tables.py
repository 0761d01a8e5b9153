"""Tables of what people said, without the columns of which nobody said anything."""

from collections.abc import Iterable, Sequence
from typing import Final

from core.artifacts.document import tree, words
from core.artifacts.document.tree import Blocks, Inline

_NOT_SAID: Final[Inline] = (words.text("not_said"),)


def told_table(name: str, rows: Iterable[Sequence[str | Inline]]) -> Blocks:
    """A table with the columns of that name, and below it which of them nobody filled."""
    table = tree.table(words.columns(name), rows)
    return tuple(part for block in table if isinstance(block, tree.Table) for part in _told(block))


def _told(table: tree.Table) -> Blocks:
    cells = list(zip(*table.rows, strict=True))
    columns = [place for place, column in enumerate(cells) if set(column) != {_NOT_SAID}]
    untold = [text for place, text in enumerate(table.columns) if place not in columns]
    names = ", ".join(tree.spoken(text) for text in untold)
    note = tree.paragraph(words.text("columns_left_out").format(names)) if untold else ()
    rows = tuple(tuple(row[place] for place in columns) for row in table.rows)
    return (tree.Table(tuple(table.columns[place] for place in columns), rows), *note)
