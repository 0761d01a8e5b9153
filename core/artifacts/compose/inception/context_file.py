"""The context of an inception, gathered from all claims; and the file that is made of it.

Each step that writes the file gathers anew what was said in all steps, so the last one has it all.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from core.artifacts.compose.analysis.decisions import reason_of
from core.artifacts.compose.analysis.modules import module_in
from core.artifacts.compose.data_files import SCHEMA, Head, Parts
from core.artifacts.compose.inception import rows
from core.artifacts.compose.inception.context import DiscoveryContext, Mode
from core.artifacts.compose.inception.rows import stated
from core.artifacts.compose.lines.claims import REJECTED, detail, is_excluded, is_open, of_kind
from core.artifacts.compose.lines.sources import Sources
from core.artifacts.compose.view import SectionView
from core.artifacts.document import words
from core.artifacts.render.data import Fragment
from core.domain.answers import Claim, ClaimKind
from core.domain.assumptions import is_assumed

PARTY: Final[Mode] = "party"
CLASSIC: Final[Mode] = "classic"
SHAPE: Final[Mapping[str, type]] = {"schema": int, "project": dict}

# Which kinds a file of a party shows.
KINDS_OF_FILE: Final[Mapping[str, frozenset[ClaimKind]]] = {
    "project-brief.md": frozenset({"purpose", "user", "success", "scope", "domain"}),
    "tech-stack.md": frozenset({"stack", "trade-off"}),
    "architecture-overview.md": frozenset({"module", "interface", "option", "decision"}),
    "data-model.md": frozenset({"entity", "relation", "retention", "data"}),
    "test-strategy-outline.md": frozenset({"test"}),
    "constitution.md": frozenset({"article"}),
    "skills-report.md": frozenset({"skill"}),
}
# What a walkthrough says of these stands in a place of its own.
_OF_WALK: Final[frozenset[ClaimKind]] = frozenset(
    {"permission", "iteration", "next-step", "test-gap", "constraint"}
)
_PLACED: Final = _OF_WALK.union(*KINDS_OF_FILE.values()) - {"trade-off", "option", "data"}
_NOBODY: Final = Sources({}, {})


def fragment(view: SectionView) -> Fragment:
    """The context as far as it is known, but for the project: that is known when it is written."""
    mode = PARTY if view.request.mode == PARTY else CLASSIC
    walk = [claim for claim in view.everything if claim.step[:2] == view.step.id[:2]]
    context = _gathered(view.everything, view.sources, mode, walk)
    files = {*_files(view, mode), *view.step.outputs}
    return {**context, "artifacts": [name for name in words.row("context_files") if name in files]}


def value(head: Head, parts: Parts) -> Fragment:
    """The file, of which the last section gives all."""
    context = parts[-1][2] if parts else _gathered((), _NOBODY, CLASSIC, ())
    value = DiscoveryContext.model_validate({"schema": SCHEMA, "project": head, **context})
    return value.model_dump(mode="json", by_alias=True)


def _gathered(
    every: Sequence[Claim], sources: Sources, mode: Mode, walk: Sequence[Claim]
) -> Fragment:
    """All but the project. `walk`: what was said at the walkthrough itself."""
    return {
        "mode": mode,
        "brief": _brief(every),
        "stack": [
            {"area": row.area, "choice": row.name, "reason": row.reason, "consensus": row.vote}
            for row in rows.choices(every)
        ],
        "architecture": _architecture(every),
        "data_model": {
            "entities": [
                {"name": name, "fields": fields} for name, fields, _ in rows.things(every)
            ],
            "relations": _texts(every, "relation"),
            "retention": _texts(every, "retention"),
        },
        "testing": {
            "levels": [_level(claim) for claim in of_kind(every, "test")],
            "gaps": _texts(every, "test-gap"),
        },
        "constitution": [
            {"number": number, "article": stated(claim), "reason": reason_of(claim)}
            for number, claim in rows.articles(every)
        ],
        "skills": [
            {"skill": name, "status": status} for name, status, _ in rows.skills(every, every)
        ],
        "walkthrough": _walkthrough(every, walk),
        "open_questions": _unique(stated(claim) for claim in every if is_open(claim)),
        "assumptions": _unique(stated(claim) for claim in every if is_assumed(claim)),
        "sources": _sources(every, sources),
        "artifacts": [],
    }


def _texts(claims: Iterable[Claim], *kinds: ClaimKind) -> list[str]:
    return _unique(map(stated, of_kind(claims, *kinds)))


def _unique(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _brief(every: Sequence[Claim]) -> dict[str, Any]:
    included = [claim for claim in every if not is_excluded(claim)]
    return {
        "purpose": "\n".join(_texts(included, "purpose")),
        "users": _texts(included, "user"),
        "domain": _texts(included, "domain"),
        "constraints": _texts(included, "constraint"),
        "success": _texts(included, "success"),
        "scope": _texts(included, "scope"),
        "out_of_scope": _unique(stated(claim) for claim in every if is_excluded(claim)),
    }


def _architecture(every: Sequence[Claim]) -> dict[str, Any]:
    parts = [module_in(claim) or ("", stated(claim), "") for claim in of_kind(every, "module")]
    settled = [claim for claim in of_kind(every, "decision") if detail(claim, "choice") != REJECTED]
    return {
        "components": [{"name": name, "job": job, "leaves": leaves} for name, job, leaves in parts],
        "connections": _texts(every, "interface"),
        "decisions": [{"decision": stated(line), "reason": reason_of(line)} for line in settled],
    }


def _level(claim: Claim) -> dict[str, str]:
    return {"level": detail(claim, "level"), "covers": detail(claim, "covers") or stated(claim)}


def _walkthrough(every: Sequence[Claim], walk: Sequence[Claim]) -> dict[str, Any]:
    """`walk`: what was said at the walkthrough itself."""
    remarks = of_kind(every, "remark")
    settings = of_kind(every, "iteration")
    beside = [
        line
        for line in walk
        if line.kind not in _PLACED and not (is_assumed(line) or is_open(line) or is_excluded(line))
    ]
    length = next((length for setting in settings if (length := detail(setting, "length"))), "")
    return {
        "constitution_reviewed": any(
            detail(remark, "topic") == words.text("reviewed") for remark in remarks
        ),
        "permissions": _texts(every, "permission"),
        "iteration": {"length": length, "settings": _texts(every, "iteration")},
        "next_steps": _texts(every, "next-step"),
        "remarks": _unique(stated(remark) for remark in beside),
    }


def _sources(every: Iterable[Claim], sources: Sources) -> list[dict[str, str]]:
    """Everybody who said something, with each of their messages once."""
    rows = [row for claim in every for row in sources.rows(claim)]
    messages = dict.fromkeys((row["by"], row["permalink"]) for row in rows)
    return [{"who": person, "permalink": permalink} for person, permalink in messages]


def _files(view: SectionView, mode: Mode) -> set[str]:
    """The artifacts that are there: of each step, or each kind, that has recorded something."""
    if mode == PARTY:
        kinds = {claim.kind for claim in view.everything}
        return {file for file, shown_kinds in KINDS_OF_FILE.items() if shown_kinds & kinds}
    recorded = {claim.step for claim in view.everything}
    return {file for step in view.request.steps if step.id in recorded for file in step.outputs}
