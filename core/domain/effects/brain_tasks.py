"""What is asked of brains and of Slack, side by side."""

from dataclasses import dataclass

from core.domain.effects.declaration import IN_ORDER, Effect
from core.domain.ids import PersonaKey, PhaseKey, StepId, TaskId, Ts
from core.domain.party.contributions import Want


@dataclass(frozen=True)
class ReadAnswers(Effect, lane="brain", rank=IN_ORDER, key=None):
    """Have a persona read what was said to a step."""

    task: TaskId
    step: StepId
    persona: PersonaKey  # who reads; "facilitator" after ERR-INT-001
    attempt: int = 1
    less: bool = False  # it was too much: this time only what cannot be left out
    wait_s: float = 0.0  # before it is asked: the back-off of a failed try
    council: bool = False  # what the council came to is read with the answers
    keep: bool = False  # no brain is asked: its claims stand, with what was said of assumptions


@dataclass(frozen=True)
class Speak(Effect, lane="brain", rank=IN_ORDER, key=None):
    """Have another persona take its turn in an elaboration."""

    task: TaskId
    step: StepId
    persona: PersonaKey
    addressed: bool = False


@dataclass(frozen=True)
class Diagnose(Effect, lane="brain", rank=IN_ORDER, key=None):
    """Have a higher tier look into a failed reading."""

    task: TaskId
    step: StepId
    persona: PersonaKey
    tier: str
    category: str
    seen: str
    missing: str = ""


@dataclass(frozen=True)
class Consult(Effect, lane="brain", rank=IN_ORDER, key=None):
    """Ask a member of the council for its turn."""

    task: TaskId
    phase: PhaseKey
    persona: PersonaKey
    want: Want
    neighbour: PersonaKey | None = None
    prompt: str = ""


@dataclass(frozen=True)
class MergeQuestions(Effect, lane="brain", rank=IN_ORDER, key=None):
    """Have the questions of a council's members made one list."""

    task: TaskId
    phase: PhaseKey


@dataclass(frozen=True)
class ReadThread(Effect, lane="brain", rank=IN_ORDER, key=None):
    """Read what people said in the thread of a message, in one call; not a brain's, but as slow."""

    task: TaskId
    step: StepId  # the first one asked: what was said there is proposed to it
    thread_ts: Ts
