"""A value as a file of data: JSON, YAML, CSV and plain text; what people added to one; and theirs.

A file of people that is not ours is replaced; keys that they added to a file of ours stay. What
they put beside our files is only read.
"""

import csv
import html
import io
import json
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePath
from typing import Any, Final

import yaml

from core.artifacts.document import words
from core.artifacts.document.plain import one_line

JSON: Final = frozenset({".json"})
YAML: Final = frozenset({".yaml", ".yml"})
SHORT_CHARS_MAX: Final = 1_000
LEVELS_MAX: Final = 20
_NO_NAME: Final = "–"
_FORMULA: Final = frozenset("=+-@−")  # and what NFKC makes of full-width and small signs
_NOT_OURS: Final = (
    yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, RecursionError,
)  # fmt: skip

Fragment = dict[str, Any]  # JSON
Rows = Sequence[Sequence[str]]  # the first names the columns


def written(file: str, value: Fragment | Rows) -> str:
    """The file's text, by the ending of its name; plain text for one that is not known."""
    writer: Callable[[Any], str] = _WRITERS.get(ending_of(file), text_of_steps)
    return writer(value)


def ending_of(file: str) -> str:
    return PurePath(file).suffix.lower()


def text_of_steps(value: Fragment) -> str:
    blocks = [value["title"]] if value["title"] else []
    for step in value["steps"]:
        rows = [_text_line(row) for row in step.get("claims", ())]
        blocks.append("\n".join((step["title"], *(rows or [words.text("nothing")]))))
    return "\n\n".join(blocks) + "\n"


def html_of_steps(value: Fragment) -> str:
    """The plain text, so that no answer becomes a page's markup."""
    return f"<pre>{html.escape(text_of_steps(value))}</pre>\n"


def _text_line(row: Fragment) -> str:
    names, links = names_and_links(row)
    ref = f"{row['ref']} " if row["ref"] else ""
    mark = f" ({row['confidence']})" if row["confidence"] != "stated" else ""
    source = f" — said by {names}" + (f" ({links})" if links else "") if names else ""
    return f"- {ref}{one_line(row['text'])}{source}{mark}"


def names_and_links(row: Fragment) -> tuple[str, str]:
    names = dict.fromkeys(source["by"] for source in row["sources"])
    links = dict.fromkeys(source["permalink"] for source in row["sources"] if source["permalink"])
    return ", ".join(names), " ".join(links)


def json_text(content: Fragment) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def yaml_of(content: Fragment) -> str:
    return yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=100)


def csv_text(rows: Rows) -> str:
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(rows[0])
    writer.writerows([_cell(value) for value in row] for row in rows[1:])
    return page.getvalue()


def _cell(value: str) -> str:
    """One line that no spreadsheet takes for a formula."""
    plain = one_line(value)
    first = unicodedata.normalize("NFKC", plain[:1])[:1]
    return f"'{plain}" if first in _FORMULA else plain


_WRITERS: Final[Mapping[str, Callable[[Any], str]]] = {
    ".json": json_text,
    ".yaml": yaml_of,
    ".yml": yaml_of,
    ".csv": csv_text,
    ".html": html_of_steps,
    ".htm": html_of_steps,
}


# ── what people added ──────────────────────────────────────────────────────────────────────────


def added_keys(
    ending: str, existing: str | None, ours: Collection[str], shape: Mapping[str, type] = {}
) -> Fragment:
    """Top-level keys that people added to a file of ours; nothing of a file that is not ours."""
    if existing is None or ending not in JSON | YAML:
        return {}
    value = _read_json(existing) if ending in JSON else _read_yaml(existing)
    if not isinstance(value, dict):
        return {}
    if not all(type(value.get(key)) is kind for key, kind in shape.items()):
        return {}
    keys = {key: item for key, item in value.items() if isinstance(key, str) and key not in ours}
    return keys if ending in JSON or _is_writable(keys) else {}


def _is_writable(keys: Fragment) -> bool:
    """False for what could not be written again as YAML."""
    try:
        return bool(yaml.safe_dump(keys))
    except _NOT_OURS:
        return False


def _read_json(text: str) -> object:
    try:
        return json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None


def _refused(constant: str) -> object:
    raise ValueError(constant)


def _read_yaml(text: str) -> object:
    """Whatever goes wrong in a file that people may have edited, it is only not ours then."""
    return _short_yaml(text) if len(text) <= SHORT_CHARS_MAX else _any_yaml(text)


# Not by libyaml, whose loader dies of what is nested deep enough. To be looked at, not changed.
def _any_yaml(text: str) -> object:
    try:
        return yaml.safe_load(text)
    except _NOT_OURS:
        return None


_short_yaml: Final = lru_cache(maxsize=256)(_any_yaml)  # front matter is read again and again


def front_matter(values: Mapping[str, object], existing: str | None) -> str:
    """The YAML of a front matter block: our values, then the keys that people added."""
    return yaml_of({**values, **added_keys(".yaml", existing, values)})


def mapping_in(text: str | None) -> Mapping[str, object]:
    value = _read_yaml(text or "")
    return value if isinstance(value, dict) else {}


# ── files that people put beside ours ──────────────────────────────────────────────────────────


def value_in(ending: str, text: str) -> Any:
    """What the file holds; None for a kind that is not data, or a text that is not of that kind."""
    read = _READERS.get(ending)
    try:
        return read(text) if read else None
    except (ValueError, RecursionError, yaml.YAMLError, csv.Error):
        return None


def _read_plain_yaml(text: str) -> Any:
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
    ".yaml": _read_plain_yaml,
    ".yml": _read_plain_yaml,
    ".csv": _read_csv,
}
