"""Brains and members that are silent, crash, err, invent or hang, as the seed wants it."""

import threading
from collections.abc import Callable, Collection
from typing import Any, Final

from core.brains.script import reading
from core.brains.script.performing import consult
from core.brains.tasks import BrainError, LaunchError
from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Claim, Draft, ReadRequest
from core.domain.follow_ups import FollowUp
from core.domain.ids import SessionId
from core.domain.party.contributions import ConsultRequest, Contribution
from core.runtime.commit import Handled
from core.store.repository.outbox import WaitingRow
from tests.chaos.models import StormyWire, runner_of
from tests.chaos.stormy import Storm
from tests.support.fakes import TEAM, DrivenClock, ReadingBrain
from tests.support.harness import Harness

COMMANDED: Final = (
    on.SessionResumed, on.SessionCancelled, on.DepthChosen, on.ExportRequested,
    on.EnrichRequested, on.BrainChosen,
)  # fmt: skip
LONG_CHARS: Final = 60_000
BRAIN_S: Final = 60.0
HANGS: Final = 0.15  # of what goes wrong with a brain
HANGS_S: Final = (BRAIN_S / 2, BRAIN_S * 1.5)  # in time, and too late


class StormyBrain(ReadingBrain):
    """The scripted brain; or it crashes, is silent, hangs, errs, invents, or says far too much."""

    def __init__(self, storm: Storm, clock: DrivenClock) -> None:
        super().__init__()
        self._storm, self._clock = storm, clock
        self._end = threading.Event()

    def read(self, request: ReadRequest) -> Draft:
        if not self._storm.strikes(self._storm.brain):
            return reading.read(request)
        if self._storm.random.random() < HANGS:
            self._hang()
        return self._storm.random.choice(TURNS)(request)

    def _hang(self) -> None:
        """Past its deadline, until the play is over. Nobody listens to this thread any more."""
        self._clock.forward(BRAIN_S + 1)
        self._end.wait()
        raise BrainError("silent")

    def let_go(self) -> None:
        self._end.set()


def _silent(_: ReadRequest) -> Draft:
    raise BrainError("silent")


def _invalid(_: ReadRequest) -> Draft:
    raise BrainError("invalid", "not what was asked for")


def _overflow(_: ReadRequest) -> Draft:
    raise BrainError("overflow")


def _crash(_: ReadRequest) -> Draft:
    raise RuntimeError("boom")


def _limited(_: ReadRequest) -> Draft:
    raise ConnectionError("429 too many requests, rate limit")


def _wrong_type(_: ReadRequest) -> Draft:
    return "no draft"  # type: ignore[return-value]


def _inventing(request: ReadRequest) -> Draft:
    claim = Claim(f"{request.step.id}/1", request.step.id, "fact", "We need 4711 parrots.", ())
    return Draft("Recorded what nobody said.", (claim,))


def _endless(request: ReadRequest) -> Draft:
    draft = reading.read(request)
    return Draft("x" * LONG_CHARS, draft.claims, FollowUp("missing", "y" * LONG_CHARS))


TURNS: Final[tuple[Callable[[ReadRequest], Draft], ...]] = (
    _silent, _invalid, _overflow, _crash, _limited, _wrong_type, _inventing, _endless,
)  # fmt: skip


def stormy_table(storm: Storm) -> Callable[[ConsultRequest], Contribution]:
    """A council whose members cannot be launched, are silent, or err."""

    def turn(request: ConsultRequest) -> Contribution:
        if storm.strikes(storm.brain):
            raise storm.random.choice(
                (LaunchError("no room"), BrainError("silent"), BrainError("invalid"), ValueError())
            )
        return consult(request)

    return turn


class SimTable(Harness):
    """A table at which some members of a council think for long, in time or past their deadline."""

    storm: Storm
    thinking: dict[int, float]  # row → until when
    wire: StormyWire | None  # to language models; None: the script reads alone

    def __init__(
        self, *args: Any, storm: Storm, wire: StormyWire | None = None, **options: Any
    ) -> None:
        self.storm, self.thinking, self.wire = storm, {}, wire
        super().__init__(*args, **options)
        self._options |= {"storm": storm, "wire": wire}
        if wire is not None:
            wire.forget()
            self.outbox_worker.model_runner = runner_of(self, wire)

    def take(self, event: on.Event, keys: Collection[str] = ()) -> Handled:
        """Slack does not say which session it is about; a command does."""
        about = self.id if isinstance(event, COMMANDED) else None
        self.handled = self.runtime.handle(event, team=TEAM, keys=keys, session=about)
        self.settle()
        return self.handled

    def _step(self, session: SessionId) -> bool:
        came = self.wire is not None and self.wire.deliver()
        return super()._step(session) or came

    def _brains_due(self, session: SessionId) -> tuple[WaitingRow, ...]:
        return tuple(row for row in super()._brains_due(session) if not self._thinks(row))

    def _thinks(self, row: WaitingRow) -> bool:
        now = self.clock.now()
        if isinstance(row.effect, fx.Consult) and row.id not in self.thinking:
            hangs = self.storm.strikes(self.storm.brain / 2)
            self.thinking[row.id] = now + (self.storm.random.choice(HANGS_S) if hangs else 0.0)
        return not self.storm.over and self.thinking.get(row.id, 0.0) > now
