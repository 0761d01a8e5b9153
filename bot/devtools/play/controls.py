"""The files by which a play steers its bot: they outlive a kill, and each is used up once.

The player writes them, the bot's process reads them. Nothing else passes between the two.
"""

import os
import shutil
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, get_args
from urllib.parse import quote, unquote

from bot.devtools.play.script import (
    COUNCIL_ALONE,
    BrainFails,
    BrainTrouble,
    CleanupFails,
    FolderTrouble,
    TeamRefuses,
    WriteFails,
)
from core.domain.ids import PersonaKey, PhaseKey, StepId, TaskId
from core.domain.playbook import FACILITATOR

ANYBODY: Final = "anybody"  # every persona but the facilitator, who steps in when one fails
TEAM: Final = "team"
CLEANUP: Final = "cleanup"
USED: Final = ".done"
KINDS: Final[dict[str, BrainTrouble]] = {kind: kind for kind in get_args(BrainTrouble)}
OF_READERS: Final = frozenset(KINDS.values()) - COUNCIL_ALONE


@dataclass(frozen=True, slots=True)
class Controls:
    root: Path

    def prepare(self) -> None:
        for place in (self._brains, self._folder, self._hanging):
            place.mkdir(parents=True)

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

    def take_brain_fault(
        self,
        persona: PersonaKey,
        place: StepId | PhaseKey,
        kinds: Collection[BrainTrouble] = OF_READERS,
    ) -> BrainTrouble | None:
        """The oldest fault of these kinds that is meant for this persona now, and uses it up.

        A member of a council is asked at a phase: "02-stack-debate" comes after all its steps.
        """
        mine = {persona} if persona == FACILITATOR.key else {persona, ANYBODY}
        for file in _waiting(self._brains):
            _, kind, whose, since = file.name.split(".")
            if whose in mine and since <= place and KINDS[kind] in kinds and _used_up(file):
                return KINDS[kind]
        return None

    def brain_faults_left(self) -> int:
        return len(_waiting(self._brains))

    # brains that say nothing

    @property
    def _hanging(self) -> Path:
        return self.root / "hanging"

    def hang(self, task: TaskId) -> None:
        """Nothing will come of that task in this life of the bot."""
        (self._hanging / quote(task, safe="")).touch()

    def begin_anew(self) -> None:
        """A new life: whoever hung before is asked again, and threads are read back."""
        shutil.rmtree(self._hanging, ignore_errors=True)
        self._hanging.mkdir()
        self._reading_back.touch()

    # threads that are read back after a start

    @property
    def _reading_back(self) -> Path:
        return self.root / "reading-back"

    def note_read_back(self) -> None:
        """All of them were read."""
        self._reading_back.unlink(missing_ok=True)

    def is_reading_back(self) -> bool:
        return self._reading_back.exists()

    def hanging(self) -> frozenset[TaskId]:
        try:
            return frozenset(TaskId(unquote(file.name)) for file in self._hanging.iterdir())
        except FileNotFoundError:  # a new life is beginning
            return frozenset()

    # the team and the artifact folder

    @property
    def _folder(self) -> Path:
        return self.root / "folder"

    def fail_folder(self, trouble: FolderTrouble) -> None:
        taken = len(list(self._folder.iterdir()))
        for number in range(trouble.times):
            (self._folder / f"{taken + number:06}.{_what(trouble)}").touch(exist_ok=False)

    def take_folder_fault(self, what: str) -> bool:
        """Whether that fails now. `what`: TEAM, CLEANUP, or the name of a file."""
        mine = (file for file in _waiting(self._folder) if file.name.partition(".")[2] == what)
        return any(_used_up(file) for file in mine)

    def folder_faults_left(self) -> int:
        return len(_waiting(self._folder))

    # crash points

    @property
    def points(self) -> Path:
        """One line for every point the bot passed where a crash could be, over all its lives."""
        return self.root / "points"

    def passed(self) -> tuple[str, ...]:
        return tuple(self.points.read_text().split()) if self.points.exists() else ()


def _what(trouble: FolderTrouble) -> str:
    match trouble:
        case TeamRefuses():
            return TEAM
        case CleanupFails():
            return CLEANUP
        case WriteFails(name):
            return name


def _waiting(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.suffix != USED)


def _used_up(file: Path) -> bool:
    try:
        file.rename(file.with_name(f"{file.name}{USED}"))
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
