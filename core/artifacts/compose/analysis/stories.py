"""`user-stories.json` and `traceability-matrix.csv`: who wants what, and what each story serves."""

from typing import Final

from core.artifacts.compose.claims import (
    NO_REQUIREMENT,
    NO_STORY,
    Claims,
    criteria,
    detail,
    ranks,
    requirements_of,
    text_of,
)
from core.artifacts.compose.data_files import SCHEMA, Head, Parts, all_beside, all_of, beside
from core.artifacts.compose.sources import Sources
from core.artifacts.compose.view import SectionView
from core.artifacts.render.data import Fragment, Rows
from core.domain.answers import Claim, ClaimKind

SHAPE: Final = {"schema": int, "stories": list}
MATRIX_COLUMNS: Final = (
    *("requirement", "story", "priority", "status", "source"),
    *("requirement_text", "story_text"),
)


def _of_kind(view: SectionView, kind: ClaimKind) -> list[Claim]:
    return [claim for claim in view.everything if claim.kind == kind]


# ── user-stories.json ──────────────────────────────────────────────────────────────────────────


def stories_fragment(view: SectionView) -> Fragment:
    """All user stories told so far, and what else was said at this step."""
    sources = view.sources
    rest = [claim for claim in view.own if claim.kind != "story"]
    return {
        "stories": [_story(claim, view.everything, sources) for claim in _of_kind(view, "story")],
        **beside(rest, lambda claim: {"text": text_of(claim), "sources": sources.rows(claim)}),
    }


def _story(claim: Claim, everything: Claims, sources: Sources) -> Fragment:
    links = requirements_of(claim, everything)
    own = ranks(claim.ref, everything) or [detail(claim, "priority")]
    through = [rank for ref in links for rank in ranks(ref, everything)]
    return {
        "id": claim.ref or claim.id,
        "role": detail(claim, "role"),
        "want": detail(claim, "want") or text_of(claim),
        "benefit": detail(claim, "benefit"),
        "acceptance_criteria": criteria(claim),
        "priority": " / ".join(dict.fromkeys(list(filter(None, own)) or through)) or None,
        "requirements": [{"id": ref, "link": status} for ref, status in links.items()],
        "confidence": claim.confidence,
        "sources": sources.rows(claim),
    }


def stories_value(head: Head, parts: Parts) -> Fragment:
    by_id = {row["id"]: row for row in all_of(parts, "stories")}
    stories = [by_id[name] for name in sorted(by_id)]
    return {"schema": SCHEMA, **head, "stories": stories, **all_beside(parts)}


# ── traceability-matrix.csv ────────────────────────────────────────────────────────────────────


def matrix_fragment(view: SectionView) -> Fragment:
    """Every requirement with its stories, then every story that belongs to none."""
    stories = _of_kind(view, "story")
    links = {story.id: requirements_of(story, view.everything) for story in stories}
    table = []
    for claim in _of_kind(view, "requirement"):
        ref = claim.ref or claim.id
        linked = [(story, links[story.id][ref]) for story in stories if ref in links[story.id]]
        pairs: list[tuple[Claim | None, str]] = [*linked] or [(None, NO_STORY)]
        table += [_trace(claim, story, status, view) for story, status in pairs]
    alone = (story for story in stories if not links[story.id])
    return {"rows": [*table, *(_trace(None, story, NO_REQUIREMENT, view) for story in alone)]}


def _trace(
    requirement: Claim | None, story: Claim | None, status: str, view: SectionView
) -> list[str]:
    pair = [claim for claim in (requirement, story) if claim]
    rows = (row for claim in pair for row in view.sources.rows(claim))
    sources = dict.fromkeys(f"{row['by']} {row['permalink']}".strip() for row in rows)
    return [
        (requirement.ref or requirement.id) if requirement else "",
        (story.ref or story.id) if story else "",
        " / ".join(ranks(pair[0].ref, view.everything)),
        status,
        "; ".join(sources),
        text_of(requirement) if requirement else "",
        text_of(story) if story else "",
    ]


def matrix_rows(head: Head, parts: Parts) -> Rows:
    rows = {(row[0], row[1]): row for row in all_of(parts, "rows")}
    return [MATRIX_COLUMNS, *rows.values()]
