"""Who is compared, each in a process of its own that takes its turn when told to, over a pipe.

In one process the threads, the log and the garbage of one would be a load of the others. And a
process can be killed before what it kept is counted by another.
"""

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, redirect_stdout
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

Item = TypeVar("Item")

SESSIONS: Final = 16  # each gets one answer in a turn


class TurnError(Exception):
    """A contestant ended, or did not answer what was asked. Its standard error says why."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a contestant is, and what SQLite says of the connection that it writes with."""

    version: str
    journal_mode: str
    synchronous: int

    @property
    def durable(self) -> bool:
        """True if a commit is on the disk when it returns: a log, and an fsync for each."""
        return (self.journal_mode, self.synchronous) == ("wal", 2)


def facts(version: str, db: sqlite3.Connection) -> Facts:
    (journal_mode,) = db.execute("PRAGMA journal_mode").fetchone()
    (synchronous,) = db.execute("PRAGMA synchronous").fetchone()
    return Facts(version, journal_mode, synchronous)


@dataclass(frozen=True, slots=True)
class Turn:
    """Seconds of one step, until it is durable; and those of them that took a processor.

    A busy machine stretches the first, and hardly the second. That is of all threads, so it can
    be the longer one.
    """

    seconds: float
    processor_s: float


def timed(act: Callable[[Item], object], items: Sequence[Item]) -> Turn:
    """The mean of one after the other."""
    began, worked = time.perf_counter(), time.process_time()
    for item in items:
        act(item)
    many = len(items)
    return Turn((time.perf_counter() - began) / many, (time.process_time() - worked) / many)


class Contestant(Protocol):
    facts: Facts

    def turn(self) -> Turn:
        """Answer once in each of `SESSIONS` sessions. What follows later is not timed."""

    def kept(self) -> int:
        """How many answers can be read back, word for word."""


# ── in the process of a contestant ──


def serve(opened: Callable[[Path], AbstractContextManager[Contestant]]) -> None:
    """Take turns, and count, until standard input ends. What else is printed goes elsewhere."""
    pipe = sys.stdout
    with redirect_stdout(sys.stderr), opened(Path(sys.argv[1])) as contestant:
        _tell(pipe, asdict(contestant.facts))
        for line in sys.stdin:
            _tell(pipe, asdict(contestant.turn()) if line == "turn\n" else contestant.kept())


def _tell(pipe: Any, value: object) -> None:
    pipe.write(f"{json.dumps(value)}\n")
    pipe.flush()


# ── in the process that compares ──


class Seat:
    """A contestant seen from outside: `module` is run with a folder that keeps its database."""

    def __init__(self, module: str, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self._module = module
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            self.facts = Facts(**json.loads(self._heard()))
        except BaseException:
            self.kill()
            raise

    def turn(self) -> Turn:
        return Turn(**json.loads(self._asked("turn")))

    def kept(self) -> int:
        return int(self._asked("kept"))

    def kill(self) -> None:
        """SIGKILL: whatever it still holds in memory is gone."""
        self._process.kill()
        self._process.communicate()

    def _asked(self, what: str) -> str:
        assert self._process.stdin is not None, "it was opened with a pipe"
        try:
            self._process.stdin.write(f"{what}\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise TurnError(self._module) from error
        return self._heard()

    def _heard(self) -> str:
        assert self._process.stdout is not None, "it was opened with a pipe"
        line = self._process.stdout.readline()
        if not line:
            raise TurnError(self._module)
        return line
