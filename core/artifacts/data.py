"""JSON, YAML, CSV and plain text: files put together from the fragments of their steps.

Every file is valid with no content at all. A file of people that is not ours is replaced; keys that
they added to a file of ours stay.
"""

import csv
import html
import io
import json
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePath
from typing import Any, Final

import yaml

from core.artifacts import words
from core.artifacts.api import fragment_of
from core.artifacts.plain import one_line
from core.artifacts.rows import Fragment

SCHEMA: Final = 1
MATRIX_COLUMNS: Final = (
    *("requirement", "story", "priority", "status", "source"),
    *("requirement_text", "story_text"),
)
CLAIM_COLUMNS: Final = ("step", "kind", "ref", "text", "confidence", "said_by", "source")
JSON: Final = frozenset({".json"})
YAML: Final = frozenset({".yaml", ".yml"})
DIFFERING_VIEWS: Final = "differing_views"  # what people think of each other's answers
_FORMULA: Final = frozenset("=+-@−")  # and what NFKC makes of full-width and small signs

SHORT_CHARS_MAX: Final = 1_000
_NOT_OURS: Final = (
    yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, RecursionError,
)  # fmt: skip

Head = Mapping[str, str]  # title and slug
Parts = Sequence[tuple[str, str, Fragment]]  # step, its title, its fragment
Rows = Sequence[Sequence[str]]  # the first names the columns


@dataclass(frozen=True, slots=True)
class DataFile:
    """What a file of data holds: a mapping of our keys, or rows.

    `shape`: what a mapping must have to be taken for ours, so that what people added to it stays.
    `reserved`: keys of ours that are not always there.
    """

    value: Callable[[Head, Parts], Fragment | Rows]
    shape: Mapping[str, type] = field(default_factory=dict)
    reserved: frozenset[str] = frozenset()

    def content(
        self, file: str, head: Head, parts: Parts, existing: str | None, more: Fragment
    ) -> Fragment | Rows:
        """The value, with the keys that people added to the file, then `more`."""
        own = self.value(head, parts)
        if not isinstance(own, dict):
            return own
        ours = {*own, *self.reserved, DIFFERING_VIEWS}
        return {**own, **added_keys(_ending(file), existing, ours, self.shape), **more}


def stories_value(head: Head, parts: Parts) -> Fragment:
    by_id = {row["id"]: row for row in _all(parts, "stories")}
    stories = [by_id[name] for name in sorted(by_id)]
    return {"schema": SCHEMA, **head, "stories": stories, **_beside(parts)}


def interfaces_value(head: Head, parts: Parts) -> Fragment:
    rows = _all(parts, "interfaces")
    endpoints = fragment_of(head["title"], rows)
    return {"schema": SCHEMA, **head, **endpoints, "interfaces": rows, **_beside(parts)}


def matrix_rows(head: Head, parts: Parts) -> Rows:
    rows = {(row[0], row[1]): row for row in _all(parts, "rows")}
    return [MATRIX_COLUMNS, *rows.values()]


def steps_value(head: Head, parts: Parts) -> Fragment:
    """The layout of files with no schema of their own: every claim, step by step."""
    steps = [{"step": step, "title": title, **fragment} for step, title, fragment in parts]
    return {"schema": SCHEMA, **head, "steps": steps}


def claim_rows(head: Head, parts: Parts) -> Rows:
    rows = (
        [step, row["kind"], row["ref"] or "", row["text"], row["confidence"], *_said(row)]
        for step, _, fragment in parts
        for row in fragment.get("claims", ())
    )
    return [CLAIM_COLUMNS, *rows]


# ── formats ────────────────────────────────────────────────────────────────────────────────────


def written(file: str, value: Fragment | Rows) -> str:
    """The file's text, by the ending of its name; plain text for one that is not known."""
    writer: Callable[[Any], str] = _WRITERS.get(_ending(file), text_of_steps)
    return writer(value)


def _ending(file: str) -> str:
    return PurePath(file).suffix.lower()


def text_of_steps(value: Fragment) -> str:
    blocks = [value["title"]] if value["title"] else []
    for step in value["steps"]:
        rows = [_text_line(row) for row in step.get("claims", ())]
        blocks.append("\n".join((step["title"], *(rows or [words.NOTHING]))))
    return "\n\n".join(blocks) + "\n"


def html_of_steps(value: Fragment) -> str:
    """The plain text, so that no answer becomes a page's markup."""
    return f"<pre>{html.escape(text_of_steps(value))}</pre>\n"


def _text_line(row: Fragment) -> str:
    names, links = _said(row)
    ref = f"{row['ref']} " if row["ref"] else ""
    mark = f" ({row['confidence']})" if row["confidence"] != "stated" else ""
    said = f" — said by {names}" + (f" ({links})" if links else "") if names else ""
    return f"- {ref}{one_line(row['text'])}{said}{mark}"


def _said(row: Fragment) -> tuple[str, str]:
    names = dict.fromkeys(source["by"] for source in row["sources"])
    links = dict.fromkeys(source["permalink"] for source in row["sources"] if source["permalink"])
    return ", ".join(names), " ".join(links)


def _beside(parts: Parts) -> Fragment:
    return {"notes": _all(parts, "notes"), "assumptions": _all(parts, "assumptions")}


def _all(parts: Parts, key: str) -> list[Any]:
    return [row for _, _, fragment in parts for row in fragment.get(key, ())]


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


def head_of(title: str, slug: str) -> Head:
    return {"title": one_line(title), "slug": one_line(slug)}
