"""What the Inception Party's team reported."""

from dataclasses import dataclass
from typing import Literal

from core.domain.ids import PersonaKey, TaskId
from core.domain.party import Question
from core.domain.party.contributions import Contribution


@dataclass(frozen=True, slots=True)
class TeamCreated:
    at: float


@dataclass(frozen=True, slots=True)
class TeamRefused:
    at: float
    detail: str


@dataclass(frozen=True, slots=True)
class TeamDeleted:
    at: float
    ok: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class StateWritten:
    """`state.json` was written, or not. `final`: the one that must not fail (E-008)."""

    at: float
    ok: bool
    final: bool = False
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Consulted:
    at: float
    task: TaskId
    contribution: Contribution


@dataclass(frozen=True, slots=True)
class ConsultFailed:
    at: float
    task: TaskId
    why: Literal["refused", "silent", "error", "invalid"]
    detail: str = ""


@dataclass(frozen=True, slots=True)
class DeadlinePassed:
    """A member did not answer in time."""

    at: float
    task: TaskId


@dataclass(frozen=True, slots=True)
class QuestionsMerged:
    at: float
    task: TaskId
    questions: tuple[tuple[int, PersonaKey, Question], ...]


FromParty = (
    TeamCreated
    | TeamRefused
    | TeamDeleted
    | StateWritten
    | Consulted
    | ConsultFailed
    | DeadlinePassed
    | QuestionsMerged
)
