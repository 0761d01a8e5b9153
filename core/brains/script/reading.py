"""The scripted brain: it sorts what people said into claims, and never adds a word of its own.

Deterministic and offline. Every sentence of every answer becomes a claim in the words it was said
in; what a step leaves unsaid becomes at most one question. The rules are described in
docs/reference/scripted-brain.md.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from core.brains.bookkeeping.drafting import drafted
from core.brains.bookkeeping.gaps import Claims, Gap
from core.brains.bookkeeping.refs import REF_PREFIX
from core.brains.bookkeeping.standing import standing
from core.brains.script.claims import said_in
from core.brains.script.criteria import gap_of
from core.brains.script.sizes import agreed, scan_of
from core.brains.script.topics import Topic, group_of, is_of_inception, topic_of
from core.domain.answers import Answer, Claim, ClaimKind, Draft, ReadRequest, Scan
from core.domain.ids import StepId

INCEPTION_PREFIX: Final[Mapping[ClaimKind, str]] = {"article": "ART"}
ANY_SCAN_TOPIC: Final[Topic] = "size"


def read(request: ReadRequest) -> Draft:
    """Sort the step's answers into claims. The same request gives the same draft."""
    about = topic_of(request)
    group = group_of(request, about)

    def estimate(points: Claims) -> Scan | None:
        return _scan(request, points) if group == "scan" else None

    def ask(claims: Claims, scan: Scan) -> Gap | None:
        return gap_of(request, about, claims, scan) if group else None

    prefixes = INCEPTION_PREFIX if is_of_inception(about) else REF_PREFIX
    lines = said_in(request, about)
    return drafted(request, lines, prefixes=prefixes, estimate=estimate, ask=ask)


# ── the quick scan ─────────────────────────────────────────────────────────────────────────────


def _scan(request: ReadRequest, points: Claims) -> Scan:
    """Made anew from every answer of the phase, so that what was withdrawn leaves no trace."""
    steps: dict[StepId, list[Answer]] = {}
    phase, _, _ = request.step.id.partition("-")
    for answer in request.other_answers:
        if answer.step.startswith(f"{phase}-") and not answer.withdrawn:
            steps.setdefault(answer.step, []).append(answer)
    parts = {step: _elsewhere(request, step, answers) for step, answers in steps.items()}
    parts[request.step.id] = points
    every = [claim for step in sorted(parts) for claim in parts[step]]
    people = {answer.id: answer.by for answer in (*request.other_answers, *request.answers)}
    return scan_of(agreed(every, people))


def _elsewhere(request: ReadRequest, step: StepId, answers: list[Answer]) -> tuple[Claim, ...]:
    """The lines of another step's answers that stand, read by what is known of its place."""
    bare = replace(request.step, id=step, sections={}, body="", extra={}, needs=())
    there = replace(request, step=bare, answers=tuple(sorted(answers, key=_when)))
    topic = topic_of(there)
    topic = topic if group_of(there, topic) == "scan" else ANY_SCAN_TOPIC
    return standing(said_in(there, topic), there)


def _when(answer: Answer) -> tuple[tuple[int, ...], str]:
    return tuple(int(part) for part in answer.ts.split(".") if part.isdecimal()), answer.id
