"""JSON, YAML, CSV and plain text: files put together from the fragments of their steps.

Every file is valid with no content at all. A file of people that is not ours is replaced; keys that
they added to a file of ours stay.
"""

import csv
import html
import io
import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import yaml

from core.artifacts.api import fragment_of
from core.artifacts.plain import one_line
from core.artifacts.rows import Fragment

SCHEMA: Final = 1
MATRIX_COLUMNS: Final = (
    *("requirement", "story", "priority", "status", "source"),
    *("requirement_text", "story_text"),
)
CLAIM_COLUMNS: Final = ("step", "kind", "ref", "text", "confidence", "said_by", "source")
_FORMULA: Final = frozenset("=+-@−")  # and what NFKC makes of full-width and small signs

SHORT_CHARS_MAX: Final = 1_000
_NOT_OURS: Final = (
    yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, RecursionError,
)  # fmt: skip

Head = Mapping[str, str]  # title and slug
Parts = Sequence[tuple[str, str, Fragment]]  # step, its title, its fragment


def stories_file(head: Head, parts: Parts, existing: str | None) -> str:
    by_id = {row["id"]: row for row in _all(parts, "stories")}
    told = [by_id[name] for name in sorted(by_id)]
    own = {"schema": SCHEMA, **head, "stories": told, **_beside(parts)}
    return json_of(own, existing, {"schema": int, "stories": list})


def interfaces_file(head: Head, parts: Parts, existing: str | None) -> str:
    rows = _all(parts, "interfaces")
    endpoints = fragment_of(head["title"], rows)
    own = {"schema": SCHEMA, **head, **endpoints, "interfaces": rows, **_beside(parts)}
    ours = {**own, **dict.fromkeys(("openapi", "info", "paths"))}
    return yaml_of({**own, **_added(existing, ours, {"interfaces": list})})


def matrix_file(head: Head, parts: Parts, existing: str | None) -> str:
    rows = {(row[0], row[1]): row for row in _all(parts, "rows")}
    return _csv(MATRIX_COLUMNS, rows.values())


def json_file(head: Head, parts: Parts, existing: str | None) -> str:
    return json_of(_by_step(head, parts), existing, {"schema": int, "steps": list})


def yaml_file(head: Head, parts: Parts, existing: str | None) -> str:
    own = _by_step(head, parts)
    return yaml_of({**own, **_added(existing, own, {"schema": int, "steps": list})})


def csv_file(head: Head, parts: Parts, existing: str | None) -> str:
    return _csv(
        CLAIM_COLUMNS,
        (
            [step, row["kind"], row["ref"] or "", row["text"], row["confidence"], *_said(row)]
            for step, _, fragment in parts
            for row in fragment.get("claims", ())
        ),
    )


def text_file(head: Head, parts: Parts, existing: str | None) -> str:
    blocks = [head["title"]] if head["title"] else []
    for _, title, fragment in parts:
        rows = [_text_line(row) for row in fragment.get("claims", ())]
        blocks.append("\n".join((title, *(rows or ["Nothing is recorded for this step."]))))
    return "\n\n".join(blocks) + "\n"


def html_file(head: Head, parts: Parts, existing: str | None) -> str:
    """The plain text, so that no answer becomes a page's markup."""
    return f"<pre>{html.escape(text_file(head, parts, existing))}</pre>\n"


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


def _by_step(head: Head, parts: Parts) -> Fragment:
    steps = [{"step": step, "title": title, **fragment} for step, title, fragment in parts]
    return {"schema": SCHEMA, **head, "steps": steps}


def _beside(parts: Parts) -> Fragment:
    return {"notes": _all(parts, "notes"), "assumptions": _all(parts, "assumptions")}


def _all(parts: Parts, key: str) -> list[Any]:
    return [row for _, _, fragment in parts for row in fragment.get(key, ())]


# ── formats ────────────────────────────────────────────────────────────────────────────────────


def json_of(own: Fragment, existing: str | None, shape: Mapping[str, type]) -> str:
    """Our keys, then those that people added to a file of that shape."""
    return json_text({**own, **_foreign(_read_json(existing), own, shape)})


def json_text(content: Fragment) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def yaml_of(content: Fragment) -> str:
    return yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=100)


def _csv(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return page.getvalue()


def _cell(value: str) -> str:
    """One line that no spreadsheet takes for a formula."""
    plain = one_line(value)
    first = unicodedata.normalize("NFKC", plain[:1])[:1]
    return f"'{plain}" if first in _FORMULA else plain


def _foreign(found: object, own: Fragment, shape: Mapping[str, type]) -> Fragment:
    """Top-level keys that people added to a file of ours; nothing of a file that is not ours."""
    if not isinstance(found, dict):
        return {}
    if not all(type(found.get(key)) is kind for key, kind in shape.items()):
        return {}
    return {key: value for key, value in found.items() if isinstance(key, str) and key not in own}


def _read_json(text: str | None) -> object:
    try:
        return json.loads(text or "", parse_constant=_refused)
    except (ValueError, RecursionError):
        return None


def _refused(constant: str) -> object:
    raise ValueError(constant)


def _added(existing: str | None, own: Fragment, shape: Mapping[str, type]) -> Fragment:
    """What people added to a file of ours in YAML; nothing, where it could not be written again."""
    found = _foreign(_read_yaml(existing or ""), own, shape)
    try:
        return found if found and yaml.safe_dump(found) else {}
    except _NOT_OURS:
        return {}


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
    return yaml_of({**values, **_added(existing, dict(values), {})})


def mapping_in(text: str | None) -> Mapping[str, object]:
    found = _read_yaml(text or "")
    return found if isinstance(found, dict) else {}


def head_of(title: str, slug: str) -> Head:
    return {"title": one_line(title), "slug": one_line(slug)}
