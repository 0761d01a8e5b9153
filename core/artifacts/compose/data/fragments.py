"""What one step adds to a file of data: stories, traces, or its claims as they are.

A fragment is JSON; the files themselves are put together in `data.py`.
"""

from collections.abc import Callable

from core.artifacts.compose.links import NO_REQUIREMENT, NO_STORY, Claims, ranks, requirements_of
from core.artifacts.compose.sources import Sources
from core.artifacts.compose.view import SectionView, criteria, is_assumed
from core.artifacts.document.plain import lines, one_line
from core.artifacts.render.data import Fragment
from core.domain.answers import Claim, ClaimKind


def stories(view: SectionView) -> Fragment:
    """All user stories told so far, and what else was said at this step."""
    sources = view.sources
    rest = [claim for claim in view.own if claim.kind != "story"]
    return {
        "stories": [_story(claim, view.everything, sources) for claim in _of_kind(view, "story")],
        **beside(rest, lambda claim: {"text": text_of(claim), "sources": sources.rows(claim)}),
    }


def _of_kind(view: SectionView, kind: ClaimKind) -> list[Claim]:
    return [claim for claim in view.everything if claim.kind == kind]


def _story(claim: Claim, everything: Claims, sources: Sources) -> Fragment:
    links = requirements_of(claim, everything)
    through = [rank for ref in links for rank in ranks(ref, everything)]
    own = [one_line(claim.data.get("priority", ""))]
    found = [rank for rank in ranks(claim.ref, everything) or own if rank] or through
    return {
        "id": claim.ref or claim.id,
        "role": one_line(claim.data.get("role", "")),
        "want": one_line(claim.data.get("want", "")) or text_of(claim),
        "benefit": one_line(claim.data.get("benefit", "")),
        "acceptance_criteria": criteria(claim),
        "priority": " / ".join(dict.fromkeys(found)) or None,
        "requirements": [{"id": ref, "link": status} for ref, status in links.items()],
        "confidence": claim.confidence,
        "sources": sources.rows(claim),
    }


def matrix(view: SectionView) -> Fragment:
    """Every requirement with its stories, then every story that belongs to none."""
    stories = _of_kind(view, "story")
    links = {story.id: requirements_of(story, view.everything) for story in stories}
    table = []
    for claim in _of_kind(view, "requirement"):
        ref = _ref(claim)
        linked = [(story, links[story.id][ref]) for story in stories if ref in links[story.id]]
        pairs: list[tuple[Claim | None, str]] = [*linked] or [(None, NO_STORY)]
        table += [_trace(claim, story, claim, status, view) for story, status in pairs]
    return {
        "rows": [
            *table,
            *(
                _trace(None, story, story, NO_REQUIREMENT, view)
                for story in stories
                if not links[story.id]
            ),
        ]
    }


def _trace(
    requirement: Claim | None, story: Claim | None, ranked: Claim, status: str, view: SectionView
) -> list[str]:
    pair = [claim for claim in (requirement, story) if claim]
    said = dict.fromkeys(row for claim in pair for row in _sources(claim, view.sources))
    return [
        _ref(requirement) if requirement else "",
        _ref(story) if story else "",
        " / ".join(ranks(ranked.ref, view.everything)),
        status,
        "; ".join(said),
        text_of(requirement) if requirement else "",
        text_of(story) if story else "",
    ]


def claims(view: SectionView) -> Fragment:
    """The layout of files with no schema of their own: every claim, as it is."""
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


def beside(rest: Claims, row: Callable[[Claim], Fragment]) -> Fragment:
    """What belongs to the step and is no row of the file: it is kept, beside the rows."""
    return {
        "notes": [row(claim) for claim in rest if not is_assumed(claim)],
        "assumptions": [text_of(claim) for claim in rest if is_assumed(claim)],
    }


def text_of(claim: Claim) -> str:
    return "\n".join(lines(claim.text)) if "```" in claim.text else one_line(claim.text)


def _ref(claim: Claim) -> str:
    return claim.ref or claim.id


def _sources(claim: Claim, sources: Sources) -> list[str]:
    return [f"{row['by']} {row['permalink']}".strip() for row in sources.rows(claim)]
