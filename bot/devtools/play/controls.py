"""The files by which a play steers its bot: they outlive a kill, and each is used up once.

The player writes them, the bot's process reads them. Nothing else passes between the two.
"""

import json
import os
import shutil
import threading
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, Literal, Self, get_args
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

Transport = Literal["socket", "http"]

LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Config:
    controls: str  # the folder of the files by which the play steers it
    transport: Transport
    counts: bool = False  # whether it notes the points where a crash could be
    crash_at: int | None = None  # the number of the point where it crashes

    @classmethod
    def read(cls, path: Path) -> Self:
        return cls(**json.loads(path.read_text()))

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self)))


ANYBODY: Final = "anybody"  # every persona but the facilitator, who steps in when one fails
TEAM: Final = "team"
CLEANUP: Final = "cleanup"
USED: Final = ".done"
KINDS: Final[dict[str, BrainTrouble]] = {kind: kind for kind in get_args(BrainTrouble)}
OF_READERS: Final = frozenset(KINDS.values()) - COUNCIL_ALONE


@dataclass(frozen=True, slots=True)
class TroubleQueue:
    """A folder with a file for each trouble to come, the oldest first; each is used up once."""

    folder: Path

    def add(self, name: str, times: int) -> None:
        number = len(list(self.folder.iterdir()))
        for place in range(number, number + times):
            (self.folder / f"{place:06}.{name}").touch(exist_ok=False)

    def take(self, is_meant: Callable[[str], bool]) -> str | None:
        """The name of the oldest that is meant, and use it up."""
        for file in self._waiting():
            _, _, name = file.name.partition(".")
            if is_meant(name) and _used_up(file):
                return name
        return None

    def left(self) -> int:
        return len(self._waiting())

    def _waiting(self) -> list[Path]:
        return sorted(file for file in self.folder.iterdir() if file.suffix != USED)


@dataclass(frozen=True, slots=True)
class Controls:
    root: Path

    def prepare(self) -> None:
        for place in (self.brains.folder, self.folder.folder, self._hanging):
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
    def brains(self) -> TroubleQueue:
        return TroubleQueue(self.root / "brain")

    def fail_brain(self, fault: BrainFails, since: StepId) -> None:
        """From that step on: what is read of the steps before it goes well."""
        self.brains.add(f"{fault.kind}.{fault.persona or ANYBODY}.{since}", fault.times)

    def take_brain_fault(
        self,
        persona: PersonaKey,
        place: StepId | PhaseKey,
        kinds: Collection[BrainTrouble] = OF_READERS,
    ) -> BrainTrouble | None:
        """The oldest fault of these kinds that is meant for this persona now, and uses it up.

        A member of a council is asked at a phase: "02-stack-debate" comes after all its steps.
        """
        names = {persona} if persona == FACILITATOR.key else {persona, ANYBODY}

        def is_meant(name: str) -> bool:
            kind, whose, since = name.split(".")
            return whose in names and since <= place and KINDS[kind] in kinds

        name = self.brains.take(is_meant)
        return KINDS[name.partition(".")[0]] if name else None

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
    def folder(self) -> TroubleQueue:
        return TroubleQueue(self.root / "folder")

    def fail_folder(self, trouble: FolderTrouble) -> None:
        self.folder.add(_failing(trouble), trouble.times)

    def take_folder_fault(self, failing: str) -> bool:
        """Whether that fails now. `failing`: TEAM, CLEANUP, or the name of a file."""
        return self.folder.take(lambda name: name == failing) is not None

    # crash points

    @property
    def points(self) -> Path:
        """One line for every point the bot passed where a crash could be, over all its lives."""
        return self.root / "points"

    def passed(self) -> tuple[str, ...]:
        return tuple(self.points.read_text().split()) if self.points.exists() else ()


def _failing(trouble: FolderTrouble) -> str:
    match trouble:
        case TeamRefuses():
            return TEAM
        case CleanupFails():
            return CLEANUP
        case WriteFails(name):
            return name


def _used_up(file: Path) -> bool:
    try:
        file.rename(file.with_name(f"{file.name}{USED}"))
    except FileNotFoundError:  # somebody was faster
        return False
    return True


@dataclass(slots=True)
class CrashPoints:
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
