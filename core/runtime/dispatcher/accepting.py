"""A process that accepts events, and leaves what they lead to to others."""

from typing import Protocol

from core.domain.ids import SessionId
from core.ports import Dispatcher


class ProcessDispatcher(Dispatcher, Protocol):
    """What performs, or leaves to others, for as long as its process is there."""

    @property
    def threads(self) -> int:
        """Threads that perform lanes."""

    @property
    def lanes_busy(self) -> int:
        """Lanes that a thread works on now."""

    def start(self) -> None:
        """Begin, with whatever an earlier run left behind."""

    def end(self) -> None:
        """Take nothing new from now on."""

    def stop(self) -> None:
        """Finish what is being done and take nothing new."""


class AcceptingDispatcher:
    """Nothing to do: a commit leaves a job for whoever performs."""

    threads = 0
    lanes_busy = 0

    def start(self) -> None: ...
    def end(self) -> None: ...
    def stop(self) -> None: ...
    def wake(self, session: SessionId) -> None: ...
