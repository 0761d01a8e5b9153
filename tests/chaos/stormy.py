"""What goes wrong in a simulated session, by one seed; Slack and time, which outlive a process."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from bot.publish.stage import SlackStage
from core.artifacts.files.exported import Exported
from core.domain.effects import Effect, ShowReading
from core.domain.ids import Export, SessionId, Ts
from core.domain.session.session import Session
from core.ports import Later, Order, Outcome, Prepared, Sent, Unclear
from core.runtime.commit import Runtime
from tests.chaos.slack import TROUBLES, SimSlack, Trouble, kindly
from tests.support.fakes import DrivenClock, Names


class Killed(BaseException):
    """The process is gone."""


def _nothing(_session: SessionId, _wanted: Export) -> Exported:
    return Exported((("export.zip", b"zip"),))


def _nobody_looks(_session: Session) -> None:
    """No Home tab is open."""


@dataclass(slots=True)
class Storm:
    """How likely each kind of trouble is, per occasion. Nothing goes wrong once it is over."""

    random: Random
    slack: float = 0.0
    brain: float = 0.0
    crash: float = 0.0
    over: bool = False
    revoked: bool = False  # the app was taken out of the workspace, until it is installed again

    def strikes(self, chance: float) -> bool:
        return not self.over and chance > 0 and self.random.random() < chance

    def fate(self, method: str) -> Trouble | None:
        if self.revoked:
            return "revoked"
        hit = self.strikes(self.slack) and method != "views.open"
        return self.random.choice(TROUBLES) if hit else None

    def kills(self) -> bool:
        return self.strikes(self.crash)


@dataclass(slots=True)
class SimStage:
    """The bot's own stage over Slack in this process. Holds it to the waits it was told."""

    clock: DrivenClock
    slack: SimSlack
    real: SlackStage | None = None
    shown: list[Effect] = field(default_factory=list)
    waits: dict[tuple[SessionId, int], float] = field(default_factory=dict)  # order → not before
    last: tuple[SessionId, int] | None = None  # the order that was answered last
    export_of: Callable[[SessionId, Export], Exported] = _nothing  # the worker's own
    painted: Callable[[Session], None] = _nobody_looks

    @property
    def runtime(self) -> Runtime | None:
        return None

    @runtime.setter
    def runtime(self, runtime: Runtime) -> None:
        """Another process: of the last answer the one before may not have remembered the wait."""
        if self.last is not None:
            self.waits.pop(self.last, None)
        self.real = SlackStage(
            runtime.reader,
            lambda _: self.slack.client,
            Names(),
            export_of=lambda session, wanted: self.export_of(session, wanted),
            painted=lambda session: self.painted(session),
        )

    def next_ts(self) -> Ts:
        return Ts(self.slack.workspace.next_ts())

    def prepare(self, order: Order, session: Session, pace_s: float) -> Prepared:
        assert self.real is not None
        if isinstance(order.effect, ShowReading):  # asked of Slack in a thread of its own
            return Prepared(None, False, (), Sent)
        prepared = self.real.prepare(order, session, pace_s)

        def send() -> Outcome:
            self.shown.append(order.effect)
            return self._noted(order, prepared.send())

        return replace(prepared, send=send)

    def find(self, order: Order, session: Session) -> Outcome:
        assert self.real is not None
        return self._noted(order, self.real.find(order, session))

    def _noted(self, order: Order, outcome: Outcome) -> Outcome:
        self.last = (order.session, order.id)
        earliest = self.waits.pop(self.last, 0.0)
        assert self.clock.now() >= earliest, f"{order.effect} was sent again too soon"
        if isinstance(outcome, Later | Unclear) and outcome.seconds:
            self.waits[self.last] = self.clock.now() + outcome.seconds
        return outcome


@dataclass(slots=True)
class SimWorld:
    """What outlives a process."""

    clock: DrivenClock = field(default_factory=DrivenClock)
    slack: SimSlack = field(init=False)
    stage: SimStage = field(init=False)

    def __post_init__(self) -> None:
        self.slack = SimSlack(self.clock)
        self.stage = SimStage(self.clock, self.slack)

    def calm(self) -> None:
        self.slack.web.fate = kindly
