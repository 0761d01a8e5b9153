"""What brains do at the current step: they read its answers, and other personas join in."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.domain.ids import PersonaKey, StepId, TaskId


@dataclass(frozen=True, slots=True)
class Escalation:
    """Where a failure stands on its way through the tiers to a human (seed 002)."""

    category: str
    tier: str  # who looks into it now
    task: TaskId
    step: StepId
    reader: PersonaKey  # whose reading failed
    seen: str  # the failure in its own words, for whoever looks into it
    missing: str = ""  # what was not there
    routing: str = ""  # what is done when no tier can mend it
    retryable: bool = False
    handling: str = ""  # transient, permanent, retriable
    type: str = ""
    signature: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)  # as in a fault


@dataclass(frozen=True, slots=True)
class Reading:
    """The reading that is under way. The default is a session in which nothing is to be read."""

    task: TaskId | None = None  # the brain request whose result moves the session on
    attempts: int = 0  # failed tries of that request
    waited_s: float = 0.0  # before those tries, in all
    failures: tuple[str, ...] = ()  # signatures of those tries
    has_unread: bool = False  # answers came after the last reading began
    escalation: Escalation | None = None  # a failure on its way up the tiers

    @property
    def is_under_way(self) -> bool:
        """True if a result or a diagnosis is awaited; new answers are read after it."""
        return self.task is not None or self.escalation is not None

    def begun(self, task: TaskId, failures: tuple[str, ...] = ()) -> "Reading":
        """All answers are read by the brain request `task`, from the first try on."""
        return Reading(task, failures=failures, escalation=self.escalation)

    def answers_came(self) -> "Reading":
        """There are answers that the reading under way does not know."""
        return replace(self, has_unread=True)

    def failed(self, signature: str) -> "Reading":
        """One failure more. The same signature twice is not looked into again."""
        return replace(self, failures=(*self.failures, signature))

    def tried_again(self, task: TaskId, attempts: int, wait_s: float = 0.0) -> "Reading":
        """The request is sent once more as `task`, after `wait_s` seconds."""
        return replace(self, task=task, attempts=attempts, waited_s=self.waited_s + wait_s)

    def escalated(self, failure: Escalation) -> "Reading":
        """A tier looks into the failure; no result is awaited meanwhile."""
        return replace(self, task=None, escalation=failure)

    def diagnosed(self) -> "Reading":
        """The tier has answered."""
        return replace(self, escalation=None)

    def given_up(self) -> "Reading":
        """The request has failed for good: its failure is routed."""
        return replace(self, task=None, attempts=0)

    def succeeded(self) -> "Reading":
        """The result came."""
        return replace(self, task=None, attempts=0, failures=())

    def stopped(self) -> "Reading":
        """The session is interrupted: a later result is ignored, the answers are read at resume."""
        if not self.is_under_way:
            return self
        return replace(self, task=None, escalation=None, has_unread=True)

    def dropped(self) -> "Reading":
        """Nothing is to be read any more: the step is passed, or the session has ended."""
        return replace(self, task=None, has_unread=False)


@dataclass(frozen=True, slots=True)
class Elaboration:
    """The other personas in a step's thread. The default is a session without an elaboration."""

    is_open: bool = False
    speaking: TaskId | None = None  # the brain request for the turn that is awaited
    queue: tuple[PersonaKey, ...] = ()  # personas to speak next, in order

    @property
    def next_speaker(self) -> PersonaKey | None:
        """The persona to be asked now; None while one speaks, or with nobody in the queue."""
        return self.queue[0] if self.queue and self.speaking is None else None

    def queued(self, persona: PersonaKey) -> "Elaboration":
        """`persona` speaks after those in the queue, unless it is among them."""
        return replace(self, queue=tuple(dict.fromkeys((*self.queue, persona))))

    def asked_next(self, task: TaskId) -> "Elaboration":
        """The first in the queue is asked by the brain request `task`."""
        return replace(self, speaking=task, queue=self.queue[1:])

    def spoken(self) -> "Elaboration":
        """The turn that was awaited is over."""
        return replace(self, speaking=None)
