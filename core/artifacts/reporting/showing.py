"""Files of data as something to read: tables and lists in place of JSON, YAML and CSV.

Two files have a layout of their own, the user stories and the traceability matrix; all others are
shown by their shape. What is no data of the kind its name says is shown as it is, in a code block.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, Final

import yaml

from core import patterns
from core.artifacts.markdown import escape, joined, messages, table, titled
from core.artifacts.plain import link, one_line
from core.artifacts.reporting.surgery import as_code

DEPTH_MAX: Final = 4
ROWS_MAX: Final = 5_000
LEVELS_MAX: Final = 20
_SKIPPED: Final = frozenset({"schema", "title", "slug"})  # the report says these itself
_ADDRESS: Final = patterns.compile(r"https?://[^\s;,<>()\"']+")
_NONE: Final = "–"

Row = Mapping[str, Any]  # JSON


def shown(file: str, text: str) -> str:
    """The file as Markdown, headings from the third level down."""
    named = _BY_NAME.get(file)
    reader = _BY_ENDING.get(PurePath(file).suffix.lower())
    try:
        found = reader(text) if reader else None
        body = (named or _any)(found) if found is not None else ""
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, yaml.YAMLError,
            csv.Error):  # fmt: skip
        body = ""  # people may have edited it into anything
    return body or as_code(text)


def mapping_table(values: Mapping[str, Any]) -> str:
    """Plain values by name."""
    return table(
        ("", ""), [[f"**{_name(key)}**", _cell(key, each)] for key, each in values.items()]
    )


# ── user stories ───────────────────────────────────────────────────────────────────────────────

_STORY_COLUMNS: Final = ("Story", "As", "I want", "So that", "Priority", "Said by")


def _stories(found: Any) -> str:
    told = [each for each in found["stories"] if isinstance(each, dict)]
    rows = [
        [
            f"**{_text(each.get('id'))}**",
            _text(each.get("role")),
            _text(each.get("want")) + _mark(each),
            _text(each.get("benefit")),
            _text(each.get("priority")),
            _cell("sources", each.get("sources")),
        ]
        for each in told
    ]
    accepted = [line for each in told for line in _accepted(each)]
    rest = {key: value for key, value in found.items() if key not in ("stories", *_SKIPPED)}
    return joined(
        (
            table(_STORY_COLUMNS, rows) or "Nobody has told a story yet.",
            titled("Accepted when", "\n".join(accepted)),
            _mapping(rest, 3),
        )
    )


def _accepted(story: Row) -> Iterator[str]:
    criteria = [each for each in story.get("acceptance_criteria") or () if str(each).strip()]
    needs = [_linked(each) for each in story.get("requirements") or ()]
    serves = f" serves {', '.join(needs)}" if needs else ""
    if criteria or serves:
        yield f"- **{_text(story.get('id'))}**{serves}"
        yield from (f"  - {escape(str(each))}" for each in criteria)


def _linked(requirement: Any) -> str:
    inferred = " *(inferred)*" if "inferred" in str(requirement.get("link", "")) else ""
    return f"{_text(requirement.get('id'))}{inferred}"


def _mark(row: Row) -> str:
    sure = row.get("confidence") in (None, "", "stated")
    return "" if sure else f" *({escape(str(row['confidence']))})*"


# ── the traceability matrix ────────────────────────────────────────────────────────────────────


def _matrix(found: Any) -> str:
    rows = [
        [
            _both(row, "requirement"),
            _both(row, "story"),
            _text(row["priority"]),
            _text(row["status"]),
            _cell("source", row["source"]),
        ]
        for row in found
    ]
    columns = ("Requirement", "Story", "Priority", "Status", "Said by")
    return table(columns, rows) or "There is nothing to trace yet."


def _both(row: Row, name: str) -> str:
    ref = _text(row[name])
    return f"**{ref}** {escape(str(row[f'{name}_text'] or ''))}".strip() if row[name] else _NONE


# ── others with a name ─────────────────────────────────────────────────────────────────────────

ENDPOINTS: Final = "The file says the same of its endpoints as a fragment of OpenAPI."


def _interfaces(found: Any) -> str:
    """Without the fragment of OpenAPI, which is made of the same lines."""
    fragment = frozenset({"openapi", "info", "paths"})
    rest = {key: found[key] for key in found if key not in fragment | _SKIPPED}
    return joined((ENDPOINTS if found.get("paths") else "", _mapping(rest, 3)))


def _context(found: Any) -> str:
    """Without what the report has chapters of its own for."""
    known = frozenset({"sources", "artifacts"})
    return _mapping({key: found[key] for key in found if key not in known | _SKIPPED}, 3)


# ── by shape ───────────────────────────────────────────────────────────────────────────────────


def _any(value: Any) -> str:
    if isinstance(value, dict):
        return _mapping({key: value[key] for key in value if key not in _SKIPPED}, 3)
    if isinstance(value, list):
        return _listed(value)
    return _text(value)


def _mapping(values: Mapping[str, Any], level: int) -> str:
    """What is short in one table; each larger part under a heading. What is empty is left out."""
    told = {key: value for key, value in values.items() if value not in (None, "", [], {})}
    short = {key: value for key, value in told.items() if not isinstance(value, dict | list)}
    parts = [mapping_table(short)]
    for key, value in told.items():
        if key in short:
            continue
        if isinstance(value, dict) and level < LEVEL_DEEPEST:
            body = _mapping(value, level + 1)
        else:
            body = _listed(value if isinstance(value, list) else [value])
        parts.append(titled(_name(key), body or _NONE, level))
    return joined(parts)


LEVEL_DEEPEST: Final = 2 + DEPTH_MAX


def _listed(values: Sequence[Any]) -> str:
    """Rows of one kind as a table, else a list."""
    if values and all(isinstance(each, dict) for each in values):
        values = [_with_voice(each) for each in values]
        columns = list(dict.fromkeys(key for each in values for key in each))
        used = [
            key for key in columns if any(each.get(key) not in (None, "", []) for each in values)
        ]
        rows = [[_cell(key, each.get(key)) for key in used] for each in values[:ROWS_MAX]]
        return table([_name(key) for key in used], rows)
    return "\n".join(f"- {_cell('', each)}" for each in values[:ROWS_MAX]) or _NONE


def _with_voice(row: Row) -> Row:
    """Who said it and where, in one cell."""
    if not {"said_by", "source"} <= set(row):
        return row
    where = _linking(str(row["source"])) if row["source"] else ""
    said = Rendered(" ".join(filter(None, (escape(str(row["said_by"])), where))))
    return {**{key: each for key, each in row.items() if key != "source"}, "said_by": said}


class Rendered(str):
    """Markdown already."""

    __slots__ = ()


def _cell(key: str, value: Any) -> str:
    """One line, whatever it is; who said something, with a link to where."""
    if isinstance(value, Rendered):
        return value or _NONE
    if isinstance(value, dict):
        if {"by", "permalink"} >= set(value):
            return _voice(value)
        pairs = (f"{_name(name)}: {_cell(name, each)}" for name, each in value.items() if each)
        return "; ".join(pairs) or _NONE
    if isinstance(value, list):
        return "; ".join(_cell(key, each) for each in value) or _NONE
    return _linking(str(value)) if isinstance(value, str) else _text(value)


def _voice(value: Row) -> str:
    where = messages(filter(None, [link(str(value.get("permalink") or ""))]))
    who = _text(value.get("by"))
    return f"{who} ({where})" if where else who


def _linking(text: str) -> str:
    """Addresses in a line become links with a short name."""
    plain, parts, at = one_line(text), list[str](), 0
    for found in _ADDRESS.finditer(plain):
        url = link(found[0])
        if not url:
            continue
        before = plain[at : found.start()].strip()
        parts += [escape(before), f"([message]({url}))" if before else f"[message]({url})"]
        at = found.end()
    parts.append(escape(plain[at:]))
    return " ".join(part for part in parts if part) or _NONE


def _text(value: Any) -> str:
    if value is None or value == "":
        return _NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    return escape(str(value)) or _NONE


def _name(key: object) -> str:
    spoken = one_line(str(key)).replace("_", " ").replace("-", " ")
    return escape(spoken[:1].upper() + spoken[1:]) or _NONE


# ── reading them ───────────────────────────────────────────────────────────────────────────────


def _read_json(text: str) -> Any:
    found, level = json.loads(text), 0
    inner: list[Any] = [found]
    while inner := [one for each in inner for one in _inside(each)]:
        level += 1
        if level > LEVELS_MAX:
            raise ValueError("too deep")
    return found


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


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
    """By column; a row that is longer than the first keeps what is over in a column of its own."""
    rows = [row for row in csv.reader(io.StringIO(text), strict=True) if row]
    if not rows:
        return []
    columns = [name or _NONE for name in rows[0]]
    width = max(map(len, rows))
    columns += [f"{number}" for number in range(len(columns) + 1, width + 1)]
    return [dict(zip(columns, [*row, *[""] * (width - len(row))], strict=True)) for row in rows[1:]]


_BY_NAME: Final[Mapping[str, Callable[[Any], str]]] = {
    "user-stories.json": _stories,
    "traceability-matrix.csv": _matrix,
    "interface-spec.yaml": _interfaces,
    "discovery-context.json": _context,
}
_BY_ENDING: Final[Mapping[str, Callable[[str], Any]]] = {
    ".json": _read_json,
    ".yaml": _read_yaml,
    ".yml": _read_yaml,
    ".csv": _read_csv,
}
