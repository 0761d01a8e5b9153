"""Files of data: what each holds, put together from the fragments of its steps.

Every file is valid with no content at all.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from core.artifacts.compose.data.openapi import fragment_of
from core.artifacts.document.plain import one_line
from core.artifacts.render.data import Fragment, Rows, added_keys, ending_of, names_and_links

SCHEMA: Final = 1
MATRIX_COLUMNS: Final = (
    *("requirement", "story", "priority", "status", "source"),
    *("requirement_text", "story_text"),
)
CLAIM_COLUMNS: Final = ("step", "kind", "ref", "text", "confidence", "said_by", "source")
DIFFERING_VIEWS: Final = "differing_views"  # what people think of each other's answers

Head = Mapping[str, str]  # title and slug
Parts = Sequence[tuple[str, str, Fragment]]  # step, its title, its fragment


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
        return {**own, **added_keys(ending_of(file), existing, ours, self.shape), **more}


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
        [step, row["kind"], row["ref"] or "", row["text"], row["confidence"], *names_and_links(row)]
        for step, _, fragment in parts
        for row in fragment.get("claims", ())
    )
    return [CLAIM_COLUMNS, *rows]


def _beside(parts: Parts) -> Fragment:
    return {"notes": _all(parts, "notes"), "assumptions": _all(parts, "assumptions")}


def _all(parts: Parts, key: str) -> list[Any]:
    return [row for _, _, fragment in parts for row in fragment.get(key, ())]


def head_of(title: str, slug: str) -> Head:
    return {"title": one_line(title), "slug": one_line(slug)}
