"""What goes wrong in a simulated session, by one seed: Slack, brains, files and the process."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from bot.stage import SlackStage
from core.brains import scripted
from core.brains.council.consult import consult
from core.domain.answers import Claim, Draft, ReadRequest
from core.domain.council import ConsultRequest, Contribution
from core.domain.effects import Visible
from core.domain.ids import Ts
from core.ports import BrainError, Later, LaunchError, Order, Outcome, Unclear
from core.runtime import Runtime
from tests.chaos.slack import TROUBLES, SimSlack, Trouble, kindly
from tests.fakes import DrivenClock, Names, ScriptedBrain

LONG_CHARS: Final = 60_000


class Killed(BaseException):
    """The process is gone."""


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
    shown: list[Visible] = field(default_factory=list)
    waits: dict[int, float] = field(default_factory=dict)  # order → not before

    @property
    def runtime(self) -> Runtime | None:
        return None

    @runtime.setter
    def runtime(self, runtime: Runtime) -> None:
        """Another process: nothing of the stage outlives it but Slack."""
        self.real = SlackStage(
            runtime.reader,
            lambda _: self.slack.client,
            Names(),
            export_of=lambda *_: (("export.zip", b"zip"),),
        )

    def next_ts(self) -> Ts:
        return Ts(self.slack.workspace.next_ts())

    def is_post(self, order: Order) -> bool:
        assert self.real is not None
        return self.real.is_post(order)

    def channel_of(self, order: Order) -> object:
        assert self.real is not None
        return self.real.channel_of(order)

    def find(self, order: Order, since: float) -> Outcome:
        assert self.real is not None
        return self._noted(order, self.real.find(order, since))

    def perform(self, order: Order) -> Outcome:
        assert self.real is not None
        self.shown.append(order.effect)
        return self._noted(order, self.real.perform(order))

    def _noted(self, order: Order, outcome: Outcome) -> Outcome:
        earliest = self.waits.pop(order.id, 0.0)
        assert self.clock.now() >= earliest, f"{order.effect} was sent again too soon"
        if isinstance(outcome, Later | Unclear) and outcome.seconds:
            self.waits[order.id] = self.clock.now() + outcome.seconds
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


class StormyBrain(ScriptedBrain):
    """The scripted brain; or it crashes, is silent, errs, invents, or says far too much."""

    def __init__(self, storm: Storm) -> None:
        super().__init__()
        self._storm = storm

    def read(self, request: ReadRequest) -> Draft:
        if self._storm.strikes(self._storm.brain):
            return self._storm.random.choice(TURNS)(request)
        return scripted.read(request)


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
    draft = scripted.read(request)
    return Draft("x" * LONG_CHARS, draft.claims, "y" * LONG_CHARS)


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


class Disk:
    """Files that people or disks spoil: a folder in the place of a file, or a file of garbage."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.spoiled: set[str] = set()

    def spoil(self, folder: Path) -> None:
        files = sorted(path for path in folder.glob("*") if path.is_file())
        if not files:
            return
        path = self._random.choice(files)
        self.spoiled.add(path.name)
        if self._random.random() < 0.5:
            path.write_bytes(self._random.choice((b"{", b"\xff\xfe\x00", b"", b"[1, 2]")))
        else:
            path.unlink()
            path.mkdir()

    def mend(self, folder: Path) -> None:
        for path in folder.glob("*"):
            if path.is_dir() and path.name in self.spoiled:
                path.rmdir()
