"""What goes wrong in a party when a test says so: its members, and time."""

import threading
from dataclasses import dataclass, field

from core.brains.script.performing import consult as perform_scripted
from core.brains.tasks import Brain
from core.clock import SystemClock
from core.domain.party.contributions import ConsultRequest, Contribution
from tests.support.fakes import ActingBrain


@dataclass(slots=True)
class TroubledTable:
    """The scripted council, of which a member fails where a test says so.

    A turn is an exception to raise, a function of what was given, an event to wait for in silence,
    or None for the usual.
    """

    turns: dict[tuple[str, str], list[object]] = field(default_factory=dict)
    asked: list[ConsultRequest] = field(default_factory=list)
    hung: int = 0  # how often a member fell silent
    lock: threading.Lock = field(default_factory=threading.Lock)

    def on(self, persona: str, want: str, *turns: object) -> None:
        self.turns[persona, want] = list(turns)

    def over(self, scripted: Brain) -> Brain:
        def consult(request: ConsultRequest) -> Contribution:
            with self.lock:
                self.asked.append(request)
                waiting = self.turns.get((request.member.key, request.want), [])
                turn = waiting.pop(0) if waiting else None
                self.hung += isinstance(turn, threading.Event)
            if isinstance(turn, threading.Event):
                turn.wait()
            if isinstance(turn, BaseException):
                raise turn
            given = perform_scripted(request)
            return turn(given) if callable(turn) else given

        return ActingBrain(consult=consult, other=scripted)

    def prompts(self, persona: str) -> list[str]:
        """What that member was told beside the request, request by request."""
        return [each.prompt for each in self.asked if each.member.key == persona]


class Hastened(SystemClock):
    """The machine's clock, which a test moves on. Whoever waits looks again every few moments."""

    def __init__(self) -> None:
        self._ahead_s = 0.0

    def now(self) -> float:
        return super().now() + self._ahead_s

    def wait(self, condition: threading.Condition, until: float | None) -> None:
        left = None if until is None else max(0.0, until - self.now())
        condition.wait(0.02 if left is None else min(0.02, left))

    def forward(self, seconds: float) -> None:
        self._ahead_s += seconds
