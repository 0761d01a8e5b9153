"""One way to have a brain perform a task: whom to ask, its deadline, its end, its fallback."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import structlog

from core.brains.tasks import Brain, BrainError, Task, Tier
from core.domain.ids import PersonaKey
from core.ports import Clock

Result = TypeVar("Result")
BrainKey = PersonaKey | None  # None: everybody without a brain of their own

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Brains:
    """The brains of a bot, by persona and by tier, and how long one may think."""

    of_persona: Mapping[BrainKey, Brain]
    clock: Clock
    deadline_s: float
    of_tier: Mapping[Tier, Brain] = field(default_factory=dict)

    def of(self, persona: BrainKey = None) -> Brain:
        """The persona's own brain, else everybody's."""
        return self.of_persona.get(persona) or self.of_persona[None]

    def run(self, task: Task[Result], persona: BrainKey = None, tier: Tier | None = None) -> Result:
        """The result of a tier's brain where one is named, else of the persona's or everybody's.

        Where the brain fails, what stands is the task's own `fallback`. Raises `BrainError`
        ("silent") past the deadline, else whatever the brain raises, for a task without one.
        """
        try:
            return self._perform(self.of_tier[tier] if tier else self.of(persona), task)
        except Exception as error:
            fallback = task.fallback(error)
            log.warning("brain.crashed", task=type(task).__name__, exc_info=True)
            return fallback

    def _perform(self, brain: Brain, task: Task[Result]) -> Result:
        """The brain's result. Past the deadline the task is cancelled; what hangs keeps only its
        thread."""
        condition, cancelled = threading.Condition(), threading.Event()
        outcomes: list[Result | BaseException] = []

        def perform() -> None:
            try:
                outcome: Result | BaseException = brain.perform(task, cancelled.is_set)
            except BaseException as error:  # noqa: BLE001 - handed over to the waiting thread
                outcome = error
            with condition:
                outcomes.append(outcome)
                condition.notify()

        deadline = self.clock.now() + self.deadline_s
        threading.Thread(target=perform, name="brain", daemon=True).start()
        with condition:
            while not outcomes:
                if self.clock.now() >= deadline:
                    cancelled.set()
                    raise BrainError("silent", f"no answer within {self.deadline_s:g} s")
                self.clock.wait(condition, deadline)
        if isinstance(outcomes[0], BaseException):
            raise outcomes[0]
        return outcomes[0]
