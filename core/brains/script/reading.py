"""The scripted brain: it sorts what people said into claims, and never adds a word of its own.

Deterministic and offline. Every sentence of every answer becomes a claim in the words it was said
in; what a step leaves unsaid becomes at most one question. The rules are described in
docs/reference/scripted-brain.md.
"""

from dataclasses import replace
from typing import Final

from core.brains.bookkeeping.conflicts import differences, marked
from core.brains.bookkeeping.recorded import recorded
from core.brains.bookkeeping.refs import attached, linked, numbered
from core.brains.bookkeeping.standing import standing
from core.brains.bookkeeping.unanswered import assumptions
from core.brains.script.claims import said_in
from core.brains.script.criteria import gap_of
from core.brains.script.inception import reading as inception
from core.brains.script.inception.topics import PARTY_PHASES, PHASES
from core.brains.script.readings import QUICK_SCAN
from core.brains.script.sizes import agreed, scan_of
from core.domain.answers import Answer, Claim, Draft, ReadRequest, Scan
from core.domain.ids import StepId

SCAN_STEPS: Final = "00-"


def read(request: ReadRequest) -> Draft:
    """Sort the step's answers into claims. The same request gives the same draft."""
    if request.phase in PHASES | PARTY_PHASES:
        return inception.read(request)
    lines = standing(attached(numbered(said_in(request), request)), request)
    said = marked(linked(lines, request), request)
    claims = (*said, *assumptions(request, start=len(said) + 1))
    scan = _scan(request, said) if request.phase == QUICK_SCAN else None
    gap = gap_of(request, claims, scan or request.scan)
    return Draft(
        recorded=recorded(request, claims, differences(request, claims), gap),
        claims=claims,
        question=gap.question if gap else None,
        scan=scan,
    )


# ── the quick scan ─────────────────────────────────────────────────────────────────────────────


def _scan(request: ReadRequest, said: tuple[Claim, ...]) -> Scan:
    """Made anew from every answer of phase 00, so that what was withdrawn leaves no trace."""
    steps: dict[StepId, list[Answer]] = {}
    for answer in request.other_answers:
        if answer.step.startswith(SCAN_STEPS) and not answer.withdrawn:
            steps.setdefault(answer.step, []).append(answer)
    parts = {step: _elsewhere(request, step, answers) for step, answers in steps.items()}
    parts[request.step.id] = said
    every = [claim for step in sorted(parts) for claim in parts[step]]
    people = {one.id: one.by for one in (*request.other_answers, *request.answers)}
    return scan_of(agreed(every, people))


def _elsewhere(request: ReadRequest, step: StepId, answers: list[Answer]) -> tuple[Claim, ...]:
    """The lines of another step's answers that stand."""
    ordered = tuple(sorted(answers, key=_when))
    there = replace(request, step=replace(request.step, id=step), answers=ordered)
    return standing(said_in(request, step=step, answers=ordered), there)


def _when(answer: Answer) -> tuple[tuple[int, ...], str]:
    return tuple(int(part) for part in answer.ts.split(".") if part.isdecimal()), answer.id
