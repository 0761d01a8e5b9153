"""Phases that language models read once more because somebody asked (`/roundtable enrich`)."""

from dataclasses import dataclass, replace
from typing import Literal

from core.domain.ids import MenuId, PhaseKey, StepId, UserId

Outcome = Literal["accepted", "kept"]


@dataclass(frozen=True, slots=True)
class Decided:
    """What somebody chose about the lines that a model read at a step."""

    step: StepId
    outcome: Outcome
    by: UserId


@dataclass(frozen=True, slots=True)
class EnrichedPhase:
    """What models read of a phase once more; nothing of it counts until somebody accepts it."""

    phase: PhaseKey
    key: str  # names its message
    awaited: tuple[StepId, ...] = ()  # one after the other; the message comes after the last
    offered: tuple[StepId, ...] = ()  # whose lines wait for somebody to decide
    unread: tuple[StepId, ...] = ()  # that no model could read
    decided: tuple[Decided, ...] = ()
    unwritten: tuple[StepId, ...] = ()  # accepted, and not written into the files yet
    menu: MenuId | None = None  # the one on its message, while it is open
    is_stepwise: bool = False

    @property
    def shown(self) -> tuple[StepId, ...]:
        """The steps that its menu is about."""
        return self.offered[:1] if self.is_stepwise else self.offered

    def came(self, step: StepId, *, is_read: bool, brings: bool) -> "EnrichedPhase":
        """A model read the step, or none could."""
        return replace(
            self,
            awaited=tuple(awaited for awaited in self.awaited if awaited != step),
            offered=(*self.offered, step) if brings else self.offered,
            unread=self.unread if is_read else (*self.unread, step),
        )

    def stopped(self) -> "EnrichedPhase":
        """Nothing more is read."""
        return replace(self, awaited=(), unread=(*self.unread, *self.awaited))

    def decide(self, outcome: Outcome, by: UserId) -> "EnrichedPhase":
        """Somebody decided about the steps that are shown."""
        steps = self.shown
        accepted = steps if outcome == "accepted" else ()
        return replace(
            self,
            offered=self.offered[len(steps) :],
            unwritten=(*self.unwritten, *(step for step in accepted if step not in self.unwritten)),
            decided=(*self.decided, *(Decided(step, outcome, by) for step in steps)),
        )
