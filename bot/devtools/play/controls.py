"""The files by which a play steers its bot: they outlive a kill, and each is used up once.

The player writes them, the bot's process reads them. Nothing else passes between the two.
"""

import shutil
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args
from urllib.parse import quote, unquote

from bot.devtools.play.script.entries import COUNCIL_ALONE, BrainFails, BrainTrouble, FolderTrouble
from core.domain.ids import PersonaKey, PhaseKey, StepId, TaskId
from core.domain.steps.playbook import FACILITATOR

Transport = Literal["socket", "http"]

LOOPBACK: Final = "127.0.0.1"
ANYBODY: Final = "anybody"  # every persona but the facilitator, who steps in when one fails
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
        self.note_busy(False)

    # threads that are read back after a start

    @property
    def _reading_back(self) -> Path:
        return self.root / "reading-back"

    def note_read_back(self) -> None:
        """All of them were read."""
        self._reading_back.unlink(missing_ok=True)

    def is_reading_back(self) -> bool:
        return self._reading_back.exists()

    # jobs beside the listeners: what is told to one person alone is said after the acknowledgement

    @property
    def _busy(self) -> Path:
        return self.root / "busy"

    def note_busy(self, is_busy: bool) -> None:
        """Jobs are under way, or the last of them has ended."""
        if is_busy:
            self._busy.touch()
        else:
            self._busy.unlink(missing_ok=True)

    def is_busy(self) -> bool:
        return self._busy.exists()

    # where it serves in HTTP mode

    @property
    def _port(self) -> Path:
        return self.root / "port"

    def note_port(self, port: int) -> None:
        """The bot listens there."""
        new = self.root / "port.new"
        new.write_text(str(port))
        new.replace(self._port)

    def forget_port(self) -> None:
        """A new life listens elsewhere."""
        self._port.unlink(missing_ok=True)

    def port(self) -> int | None:
        """Where the bot listens, as soon as it does."""
        return int(self._port.read_text()) if self._port.exists() else None

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
        self.folder.add(trouble.failing, trouble.times)

    def take_folder_fault(self, failing: str) -> bool:
        """True if that fails now. `failing`: as the trouble has it."""
        return self.folder.take(lambda name: name == failing) is not None


def _used_up(file: Path) -> bool:
    try:
        file.rename(file.with_name(f"{file.name}{USED}"))
    except FileNotFoundError:  # somebody was faster
        return False
    return True
