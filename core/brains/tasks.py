"""The one port for brains: what a brain is asked, as typed tasks with typed results.

Any brain stands behind `Brain.perform`. Which one is asked, and for how long, is said by
`core.brains.running`; what stands where it fails, by the task itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from core.domain.answers import Claim, Draft, ReadRequest, TurnRequest
from core.domain.ids import PersonaKey
from core.domain.party import Question
from core.domain.party.contributions import ConsultRequest, Contribution, in_order

Result = TypeVar("Result")
Tier = str
"""How strong a brain is (seed 002: haiku, sonnet, opus); a failed reading goes one up."""
Cancelled = Callable[[], bool]
"""True once nobody waits for the result any more: a brain that can stop should."""

NumberedQuestions = tuple[tuple[int, PersonaKey, Question], ...]
Lines = tuple[tuple[str, str], ...]
"""Who, and in which words; the oldest first."""


class BrainError(Exception):
    """A brain said that it cannot: `why` is one of silent, invalid, overflow."""

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(f"{why}: {detail}")
        self.why = why
        self.detail = detail


class LaunchError(Exception):
    """A persona cannot be launched at all (seed 001, E-002). Its text says why."""


@dataclass(frozen=True, slots=True)
class Task(Generic[Result]):
    """One thing asked of a brain."""

    def fallback(self, error: Exception) -> Result:
        """What stands where the brain failed with `error`.

        Raises `error` where that is for the engine to decide: people see which way it takes.
        """
        raise error


@dataclass(frozen=True, slots=True)
class ReadStep(Task[Draft]):
    """Sort a step's answers into claims, estimate the scan, ask about one thing that is missing.

    It is one task, since what is asked rests on what was sorted; `core.brains.bookkeeping` makes
    the draft of any brain's lines.
    """

    request: ReadRequest


@dataclass(frozen=True, slots=True)
class TakeTurn(Task[str | None]):
    """Speak as another persona in an elaboration; None: it has nothing to add."""

    request: TurnRequest

    def fallback(self, error: Exception) -> str | None:
        """Nothing to add: nobody waits for it."""
        return None


@dataclass(frozen=True, slots=True)
class Synthesise(Task[tuple[str, ...]]):
    """Say line by line what an elaboration came to, from personas' turns and people's answers."""

    turns: Lines
    answers: Lines


@dataclass(frozen=True, slots=True)
class Contribute(Task[Contribution]):
    """Give one turn of a member in a council. It may raise `LaunchError` besides."""

    request: ConsultRequest


@dataclass(frozen=True, slots=True)
class SumUp(Task[tuple[Claim, ...]]):
    """Sort the answers to a council's numbered questions into claims."""

    request: ConsultRequest


@dataclass(frozen=True, slots=True)
class Merge(Task[NumberedQuestions]):
    """Make one list of all members' questions: each once, numbered from 1, in declared order."""

    contributions: tuple[Contribution, ...]
    order: tuple[PersonaKey, ...]

    def fallback(self, error: Exception) -> NumberedQuestions:
        """Every question as it was asked: two that are alike are better than none."""
        questions = [
            (contribution.persona, question)
            for contribution in in_order(self.contributions, self.order)
            for question in contribution.questions
        ]
        return tuple((number, *question) for number, question in enumerate(questions, start=1))


@dataclass(frozen=True, slots=True)
class DiagnosisRequest:
    """What a higher tier is given: the failure as it was reported, and what is really there."""

    step: str
    category: str
    seen: str
    missing: str  # a name that leads to nothing, or ""
    there: tuple[str, ...]  # names of the documents that could have been meant
    ours: frozenset[str] = frozenset()  # those of them that we wrote ourselves


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What a higher tier found; `corrections`: names as the step has them → as they are."""

    fixed: bool
    findings: str  # a sentence or two for people
    corrections: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class FindCause(Task[Diagnosis]):
    """Look into a failed reading, and mend it where that is only a wrong name."""

    request: DiagnosisRequest

    def fallback(self, error: Exception) -> Diagnosis:
        """A tier that fails itself has mended nothing."""
        return Diagnosis(False, f"Looking into it failed as well: {type(error).__name__}.")


class Brain(Protocol):
    """Whoever thinks for a persona. It may be slow, and several tasks may run at once."""

    def perform(self, task: Task[Result], cancelled: Cancelled) -> Result:
        """Raises `BrainError` where it says that it cannot; anything else is a crash."""
