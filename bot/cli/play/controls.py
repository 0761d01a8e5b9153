"""The files by which a play steers its bot: they outlive a kill, and each is used up once.

The player writes them, the bot's process reads them. Nothing else passes between the two.
"""

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bot.cli.play.script import BrainFails, BrainTrouble
from core.domain.ids import PersonaKey, StepId
from core.domain.playbook import FACILITATOR

ANYBODY: Final = "anybody"  # every persona but the facilitator, who steps in when one fails
_KINDS: Final[dict[str, BrainTrouble]] = {
    "crash": "crash",
    "silent": "silent",
    "invalid": "invalid",
}


@dataclass(frozen=True, slots=True)
class Controls:
    root: Path

    def prepare(self) -> None:
        self._brains.mkdir(parents=True)

    # the clock

    @property
    def clock(self) -> Path:
        """How many seconds the bot's clock is ahead; `core.clock.ShiftedClock` reads it."""
        return self.root / "clock"

    def shift(self) -> float:
        return float(self.clock.read_text()) if self.clock.exists() else 0.0

    def move_clock(self, seconds: float) -> None:
        new = self.root / "clock.new"
        new.write_text(repr(self.shift() + seconds))
        new.replace(self.clock)

    # brains

    @property
    def _brains(self) -> Path:
        return self.root / "brain"

    def fail_brain(self, fault: BrainFails, since: StepId) -> None:
        """From that step on: what is read of the steps before it goes well."""
        taken = len(list(self._brains.iterdir()))
        for number in range(fault.times):
            name = f"{taken + number:06}.{fault.kind}.{fault.persona or ANYBODY}.{since}"
            (self._brains / name).touch(exist_ok=False)

    def take_brain_fault(self, persona: PersonaKey, step: StepId) -> BrainTrouble | None:
        """The oldest fault that is meant for this persona now; taking it uses it up."""
        mine = {persona} if persona == FACILITATOR.key else {persona, ANYBODY}
        for file in self._waiting():
            _, kind, whose, since = file.name.split(".")
            if whose in mine and since <= step and _used_up(file):
                return _KINDS[kind]
        return None

    def brain_faults_left(self) -> int:
        return len(self._waiting())

    def _waiting(self) -> list[Path]:
        return sorted(file for file in self._brains.iterdir() if file.suffix != ".done")

    # crash points

    @property
    def points(self) -> Path:
        """One line for every point the bot passed where a crash could be, over all its lives."""
        return self.root / "points"

    def passed(self) -> tuple[str, ...]:
        return tuple(self.points.read_text().split()) if self.points.exists() else ()


def _used_up(file: Path) -> bool:
    try:
        file.rename(file.with_name(f"{file.name}.done"))
    except FileNotFoundError:  # somebody was faster
        return False
    return True


@dataclass(slots=True)
class Points:
    """Counts the points where a crash could be, and has one at the n-th."""

    controls: Controls
    crash_at: int | None
    crash: Callable[[], object]
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _count: int = field(init=False)

    def __post_init__(self) -> None:
        self._count = len(self.controls.passed())

    def __call__(self, name: str) -> None:
        with self._lock:
            with self.controls.points.open("ab", buffering=0) as file:
                file.write(f"{name}\n".encode())
                os.fsync(file.fileno())
            self._count += 1
            if self._count == self.crash_at:
                self.crash()
