"""Lines of people as lines of a file: where they stand, whom they rest on, what nobody said."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from core.brains.bookkeeping.unanswered import NOT_ANSWERED
from core.brains.script.council.hearing import CouncilLine
from core.brains.text.wording import plain
from core.domain.answers import Claim, ClaimKind, Confidence
from core.domain.ids import StepId
from core.domain.party import PartyPhase

NO_PLACE: Final = StepId("00-00")  # of a claim that has not been numbered yet
OPEN_DATA: Final[Mapping[str, str]] = {"topic": "open-question"}


def step_of(phase: PartyPhase, file: str) -> StepId:
    """Where the claims of a file stand: the phase's number, then the file's place in its outputs.

    `02-01` is the first file of phase 02; a file that the phase does not list counts as its first.
    """
    place = phase.outputs.index(file) + 1 if file in phase.outputs else 1
    return StepId(f"{phase.key[:2]}-{place:02d}")


def claim_of(
    line: CouncilLine,
    kind: ClaimKind,
    data: Mapping[str, str] | None = None,
    confidence: Confidence = "stated",
) -> Claim:
    """A line in the words it was said in; `numbered` gives it its id."""
    return Claim("", NO_PLACE, kind, line.text, (line.answer.id,), confidence, data=data or {})


def open_or_fact(line: CouncilLine) -> Claim:
    return claim_of(line, "question", OPEN_DATA) if line.is_open else claim_of(line, "fact")


def numbered(claims: Iterable[Claim], step: StepId) -> tuple[Claim, ...]:
    """The claims with their ids; what two people said alike is one line with both as its source."""
    found: dict[tuple[object, ...], Claim] = {}
    for one in claims:
        same = (one.kind, plain(one.text), frozenset(one.data.items()))
        known = found.get(same, one)
        sources = tuple(dict.fromkeys((*known.sources, *one.sources)))
        found[same] = replace(known, sources=sources)
    return tuple(
        replace(one, id=f"{step}/{number}", step=step)
        for number, one in enumerate(found.values(), start=1)
    )


def not_answered(step: StepId, start: int, questions: Iterable[str]) -> tuple[Claim, ...]:
    """What stays open: by nobody, and marked so wherever it is shown."""
    return tuple(
        Claim(f"{step}/{number}", step, "assumption", NOT_ANSWERED.format(one), (), "assumed")
        for number, one in enumerate(dict.fromkeys(questions), start=start)
    )
