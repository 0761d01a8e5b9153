"""Files of data: a step's fragment of one, and the file that is put together from them.

A fragment is JSON. Every file is valid with no content at all.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from core.artifacts.compose.lines.claims import checked_refs, is_guess, text_of
from core.artifacts.compose.lines.sources import Sources
from core.artifacts.compose.view import SectionView
from core.artifacts.document.plain import one_line
from core.artifacts.render.data import Fragment, Rows, added_keys, ending_of, names_and_links
from core.domain.answers import Claim, ClaimKind, Section
from core.domain.assumptions import is_assumed, is_left

SCHEMA: Final = 1
CLAIM_COLUMNS: Final = ("step", "kind", "ref", "text", "confidence", "said_by", "source")
DIFFERING_VIEWS: Final = "differing_views"  # what people think of each other's answers
MEASURED: Final = "measured"  # what a linked repository shows
OPEN_QUESTIONS: Final = "open_questions"  # follow-ups without an answer
REPLACED: Final = "replaced"  # lines that others stand in place of

Head = Mapping[str, str]  # title and slug
Parts = Sequence[tuple[str, str, Fragment]]  # step, its title, its fragment


def head_of(title: str, slug: str) -> Head:
    return {"title": one_line(title), "slug": one_line(slug)}


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of data: a mapping of our keys, or rows.

    `fragment`: what a step adds to it. `value`: the file, of all its fragments.
    `shape`: what a mapping must have to be taken for ours, so that what people added to it stays.
    `reserved`: keys of ours that are not always there.
    `rests_on`: kinds of other steps' claims that it shows.
    """

    fragment: Callable[[SectionView], Fragment]
    value: Callable[[Head, Parts], Fragment | Rows]
    shape: Mapping[str, type] = field(default_factory=dict)
    reserved: frozenset[str] = frozenset()
    rests_on: frozenset[ClaimKind] = frozenset()

    def bodies(self, view: SectionView, file: str) -> dict[str, str]:
        """What is stored of a step's part."""
        fragment = {**self.fragment(view), **replaced_lines(view)}
        return {file: json.dumps(fragment, ensure_ascii=False)}

    def content(
        self, file: str, head: Head, sections: Sequence[Section], existing: str | None
    ) -> Fragment | Rows:
        """The value, with the keys that people added to the file."""
        parts = [(part.step, one_line(part.title), json.loads(part.body)) for part in sections]
        own = self.value(head, parts)
        if not isinstance(own, dict):
            return own
        ours = {*own, *self.reserved, DIFFERING_VIEWS, MEASURED, OPEN_QUESTIONS, REPLACED}
        replaced = all_of(parts, REPLACED)
        own |= {REPLACED: replaced} if replaced else {}
        return {**own, **added_keys(ending_of(file), existing, ours, self.shape)}


# ── what several files have ────────────────────────────────────────────────────────────────────


def all_of(parts: Parts, key: str) -> list[Any]:
    """What all fragments have under a key, one after the other."""
    return [row for _, _, fragment in parts for row in fragment.get(key, ())]


def beside(claims: Sequence[Claim], row: Callable[[Claim], Fragment]) -> Fragment:
    """What belongs to the step and is no row of the file: it is kept, beside the rows."""
    questions = [text_of(claim) for claim in claims if is_left(claim)]
    return {
        "notes": [row(claim) for claim in claims if not is_assumed(claim)],
        "assumptions": [text_of(claim) for claim in claims if is_guess(claim)],
        **({OPEN_QUESTIONS: questions} if questions else {}),
    }


def named(claim: Claim) -> Fragment:
    """The name of a line that has one, and of a check the names of what it is of."""
    of = {"of": list(checked_refs(claim))} if claim.kind == "check" else {}
    return {"id": claim.ref, **of} if claim.ref else {}


def replaced_lines(view: SectionView) -> Fragment:
    """The step's lines that others stand in place of, with who said those, and when."""
    sources = view.sources
    rows = [
        {
            **_line(line, sources),
            "replaced_by": {**_line(newer, sources), "at": sources.time_of(newer)},
        }
        for line in view.own
        if (newer := sources.replaced.get(line.id))
    ]
    return {REPLACED: rows} if rows else {}


def _line(claim: Claim, sources: Sources) -> Fragment:
    return {"id": claim.ref or claim.id, "text": text_of(claim), "sources": sources.rows(claim)}


def all_beside(parts: Parts) -> Fragment:
    questions = all_of(parts, OPEN_QUESTIONS)
    return {
        **{key: all_of(parts, key) for key in ("notes", "assumptions")},
        **({OPEN_QUESTIONS: questions} if questions else {}),
    }


# ── files with no schema of their own: every claim, as it is ───────────────────────────────────


def claims_fragment(view: SectionView) -> Fragment:
    return {
        "claims": [
            {
                "id": claim.id,
                "kind": claim.kind,
                "ref": claim.ref,
                "text": text_of(claim),
                "confidence": claim.confidence,
                "sources": view.sources.rows(claim),
            }
            for claim in view.own
        ]
    }


def steps_value(head: Head, parts: Parts) -> Fragment:
    """The claims step by step."""
    steps = [{"step": step, "title": title, **fragment} for step, title, fragment in parts]
    return {"schema": SCHEMA, **head, "steps": steps}


def claim_rows(head: Head, parts: Parts) -> Rows:
    rows = (
        [step, row["kind"], row["ref"] or "", row["text"], row["confidence"], *names_and_links(row)]
        for step, _, fragment in parts
        for row in fragment.get("claims", ())
    )
    return [CLAIM_COLUMNS, *rows]


STEPS: Final = DataFile(claims_fragment, steps_value, {"schema": int, "steps": list})
CLAIM_TABLE: Final = DataFile(claims_fragment, claim_rows)
