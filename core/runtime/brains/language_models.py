"""The port through which language models are asked: a request is handed over, and nobody waits."""

from collections.abc import Callable
from typing import Protocol

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import SessionId
from core.store.statements.statement import Connection

Apply = Callable[[on.Event, Callable[[Connection], object] | None], None]
"""Takes in what came of a request, with what else is written in that commit."""
Done = Callable[[Exception | None], None]
"""Called once when a request is over, with the error if what came of it could not be stored."""


class Models(Protocol):
    """Whoever sends requests to language models; no thread waits for what comes of one."""

    deadline_s: float  # of one request

    def begin(self, session: SessionId, effect: fx.AskModel, apply: Apply, done: Done) -> None:
        """Send it once. `apply` is called with what came of it and `done` after that, unless the
        bot is stopped. Neither is called later if this raises."""

    def cancel_unneeded(self, session: SessionId) -> None:
        """Cut off the requests of a session that nobody waits for any more."""

    def free_at(self, effect: fx.AskModel) -> float:
        """When its provider may be asked again, by its own word."""

    def take_slot(self, session: SessionId, effect: fx.AskModel) -> float | None:
        """Take a place at its provider. When to come back, where there is none."""

    def stop(self) -> None:
        """What is under way is left: its rows are taken up after the start."""
