"""What one step adds to a file of data: stories, interfaces, traces, or its claims as they are.

A fragment is JSON; the files themselves are put together in `data.py`.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from core.artifacts.plain import lines, one_line
from core.artifacts.sources import Sources
from core.domain.answers import Claim

_REF: Final = re.compile(r"\b(?:FR|US)-[0-9]{3,}\b")

Fragment = dict[str, Any]  # JSON
Claims = Sequence[Claim]


def stories(own: Claims, everything: Claims, sources: Sources) -> Fragment:
    """All user stories told so far, and what else was said at this step."""
    told = [claim for claim in everything if claim.kind == "story"]
    rest = [claim for claim in own if claim.kind != "story"]
    return {
        "stories": [_story(claim, everything, sources) for claim in told],
        **_rest(rest, lambda claim: {"text": _text(claim), "sources": sources.rows(claim)}),
    }


def _story(claim: Claim, everything: Claims, sources: Sources) -> Fragment:
    ranked = _ranks(claim.ref, everything)
    through = [rank for ref in _linked(claim, everything) for rank in _ranks(ref, everything)]
    return {
        "id": claim.ref or claim.id,
        "role": one_line(claim.data.get("role", "")),
        "want": one_line(claim.data.get("want", "")) or _text(claim),
        "benefit": one_line(claim.data.get("benefit", "")),
        "acceptance_criteria": [],
        "priority": " / ".join(dict.fromkeys(ranked or through)) or None,
        "sources": sources.rows(claim),
    }


def interfaces(own: Claims, everything: Claims, sources: Sources) -> Fragment:
    """What this step says about interfaces; what else was said stands under notes."""

    def row(claim: Claim, name: str) -> Fragment:
        said = {"said_by": sources.names_of(claim), "source": sources.links_of(claim)}
        known = {key: one_line(claim.data[key]) for key in ("method", "path") if key in claim.data}
        return {name: _text(claim), **known, **said}

    found = [row(claim, "summary") for claim in own if claim.kind == "interface"]
    rest = [claim for claim in own if claim.kind != "interface"]
    return {"interfaces": found, **_rest(rest, lambda claim: row(claim, "text"))}


def matrix(own: Claims, everything: Claims, sources: Sources) -> Fragment:
    """Every requirement with its stories, then every story that belongs to none."""
    requirements = [claim for claim in everything if claim.kind == "requirement"]
    told = [claim for claim in everything if claim.kind == "story"]
    rows = [row for claim in requirements for row in _traced(claim, told, everything, sources)]
    lone = [claim for claim in told if not _linked(claim, everything)]
    for claim in lone:
        rank = " / ".join(_ranks(claim.ref, everything))
        rows.append(["", _ref(claim), rank, "no requirement", _source(claim, sources)])
    return {"rows": rows}


def _traced(claim: Claim, told: Claims, everything: Claims, sources: Sources) -> list[list[str]]:
    ref, source = _ref(claim), _source(claim, sources)
    rank = " / ".join(dict.fromkeys(_ranks(claim.ref, everything)))
    linked = {_ref(one): links[ref] for one in told if ref in (links := _linked(one, everything))}
    rows = [[ref, story, rank, status, source] for story, status in linked.items()]
    return rows or [[ref, "", rank, "no story", source]]


def claims(own: Claims, everything: Claims, sources: Sources) -> Fragment:
    """The layout of files with no schema of their own: every claim, as it is."""
    return {
        "claims": [
            {
                "id": claim.id,
                "kind": claim.kind,
                "ref": claim.ref,
                "text": _text(claim),
                "confidence": claim.confidence,
                "sources": sources.rows(claim),
            }
            for claim in own
        ]
    }


def _rest(rest: Claims, row: Callable[[Claim], Fragment]) -> Fragment:
    """What belongs to the step and is no row of the file: it is kept, beside the rows."""
    return {
        "notes": [row(claim) for claim in rest if claim.kind != "assumption"],
        "assumptions": [_text(claim) for claim in rest if claim.kind == "assumption"],
    }


def _text(claim: Claim) -> str:
    return "\n".join(lines(claim.text)) if "```" in claim.text else one_line(claim.text)


def _ref(claim: Claim) -> str:
    return claim.ref or claim.id


def _source(claim: Claim, sources: Sources) -> str:
    return "; ".join(f"{row['by']} {row['permalink']}".strip() for row in sources.rows(claim))


def _ranks(ref: str | None, everything: Claims) -> list[str]:
    ranked = [claim.data for claim in everything if claim.kind == "priority"]
    return [data["priority"] for data in ranked if ref and data.get("requirement") == ref]


def _linked(story: Claim, everything: Claims) -> dict[str, str]:
    """Requirement → status of the link: named by one of the two, or guessed by the brain."""
    known = {claim.ref: claim for claim in everything if claim.kind == "requirement" and claim.ref}
    links = {ref: _status(story) for ref in _names(story, "requirements") if ref in known}
    for ref, line in known.items():
        if story.ref in _names(line, "stories"):
            links.setdefault(ref, _status(line))
        if ref in _REF.findall(story.text) or story.ref in _REF.findall(line.text):
            links[ref] = "linked"
    return links


def _names(claim: Claim, key: str) -> list[str]:
    return _REF.findall(claim.data.get(key, ""))


def _status(claim: Claim) -> str:
    return "linked (inferred)" if claim.data.get("link") == "inferred" else "linked"
