"""The elaboration that is under way: whose turn it is, and who speaks next."""

from dataclasses import dataclass, replace

from core.domain.ids import PersonaKey, TaskId


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
