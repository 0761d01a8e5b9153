"""The points of a bot's life where a crash could be: each commit and each send of the runtime's."""

import fcntl
import os
import signal
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class CrashPlan:
    """The file with a line for each point passed, and the number of the one that is a crash."""

    file: Path
    crash_at: int | None = None

    def passed(self) -> tuple[str, ...]:
        """The names of the points that the bot passed, over all its lives."""
        return tuple(self.file.read_text().split()) if self.file.exists() else ()

    def is_crash_past(self) -> bool:
        return self.crash_at is not None and len(self.passed()) >= self.crash_at


@dataclass(frozen=True, slots=True)
class CrashPoints:
    """The checkpoint of a bot's processes: they count, and at the n-th point there is a crash.

    That is a SIGKILL of the whole process group: nothing gets a chance to tidy up.
    """

    plan: CrashPlan

    def __call__(self, name: str) -> None:
        with self.plan.file.open("ab+", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(f"{name}\n".encode())
            os.fsync(file.fileno())
            file.seek(0)
            if file.read().count(b"\n") == self.plan.crash_at:
                os.killpg(os.getpgrp(), signal.SIGKILL)
