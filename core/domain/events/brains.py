"""Results and failures of brains: readings, turns and diagnoses."""

from dataclasses import dataclass
from typing import Literal

from core.domain.answers import Draft, Section
from core.domain.ids import PersonaKey, StepId, TaskId, UserId
from core.taxonomy.observation import Observation


@dataclass(frozen=True, slots=True)
class BrainReplied:
    at: float
    task: TaskId
    step: StepId
    draft: Draft
    basis: tuple[str, ...]  # "answer@revision" of what was read
    elsewhere: tuple[Section, ...] = ()  # sections of other steps that show this one's claims
    mentioned: tuple[tuple[UserId, str], ...] = ()  # names of those mentioned in answers


@dataclass(frozen=True, slots=True)
class PersonaSpoke:
    """A turn in an elaboration. `text` is None where the persona has nothing to add."""

    at: float
    task: TaskId
    step: StepId
    persona: PersonaKey
    text: str | None


@dataclass(frozen=True, slots=True)
class BrainFailed:
    at: float
    task: TaskId
    step: StepId
    why: Literal["crash", "silent", "invalid", "overflow"]
    detail: str = ""
    seen: Observation | None = None  # what is known of the failure
    missing: str = ""  # a source that is not there
    trace: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """A higher tier looked into a failure. `corrections`: what is named → what is there."""

    at: float
    task: TaskId
    step: StepId
    tier: str
    fixed: bool
    findings: str
    corrections: tuple[tuple[str, str], ...] = ()


FromBrains = BrainReplied | PersonaSpoke | BrainFailed | Diagnosed
