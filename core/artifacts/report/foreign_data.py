"""Reading a file of data that people put beside ours."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

import yaml

from core.artifacts.report.data_tables import LEVELS_MAX

_NO_NAME: Final = "–"


def value_in(ending: str, text: str) -> Any:
    """What the file holds; None for a kind that is not data, or a text that is not of that kind."""
    read = _READERS.get(ending)
    try:
        return read(text) if read else None
    except (ValueError, RecursionError, yaml.YAMLError, csv.Error):
        return None


def _read_yaml(text: str) -> Any:
    """Values that name each other can be told in a line and be read for ever: they are refused."""
    depth = 0
    for event in yaml.parse(text, yaml.CSafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent) or depth > LEVELS_MAX:
            raise yaml.YAMLError("an alias, or too deep")
    return yaml.load(text, yaml.CSafeLoader)


def _read_csv(text: str) -> list[dict[str, str]]:
    rows = [row for row in csv.reader(io.StringIO(text), strict=True) if row]
    return by_column(rows)


def by_column(rows: list[list[str]]) -> list[dict[str, str]]:
    """The rows as mappings; what is longer than the first keeps the rest in columns of its own."""
    if not rows:
        return []
    columns = [name or _NO_NAME for name in rows[0]]
    width = max(map(len, rows))
    columns += [f"{number}" for number in range(len(columns) + 1, width + 1)]
    return [dict(zip(columns, [*row, *[""] * (width - len(row))], strict=True)) for row in rows[1:]]


_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    ".json": json.loads,
    ".yaml": _read_yaml,
    ".yml": _read_yaml,
    ".csv": _read_csv,
}
