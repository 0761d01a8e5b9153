"""The folder of a demo: what is in it, whose it is now, and what becomes of what cannot be used.

Only what a demo makes is ever moved or removed.
"""

import contextlib
import fcntl
import json
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Final

from bot.devtools.workspace.persistence import STATE as STATE_FILE

FOLDER: Final = Path("roundtable-demo")
DATABASE: Final = "roundtable.db"
WORKSPACE: Final = "workspace"
ARTIFACTS: Final = "artifacts"
LOG: Final = "roundtable.log"
MEMORY: Final = "demo.json"
LOCK: Final = "lock"
IGNORE: Final = ".gitignore"
ASIDE: Final = "aside-"
STATE: Final = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", WORKSPACE, ARTIFACTS, MEMORY)
TOKEN_BYTES: Final = 16
OURS_ONLY: Final = 0o700


class NoDemoFolderError(Exception):
    """A demo cannot be kept here. Its text says why, and what to do."""


@dataclass(frozen=True, slots=True)
class DemoState:
    """What a demo remembers of itself. Links in what it wrote lead to its port."""

    token: str
    port: int = 0
    seeded: bool = False
    whole: bool = True  # it was ended, not cut off: workspace and bot know the same


@dataclass(slots=True)
class DemoFolder:
    folder: Path
    memory: DemoState
    lock: IO[str]

    @property
    def workspace(self) -> Path:
        return self.folder / WORKSPACE

    @property
    def artifacts(self) -> Path:
        return self.folder / ARTIFACTS

    @property
    def database(self) -> Path:
        return self.folder / DATABASE

    @property
    def log(self) -> Path:
        return self.folder / LOG

    def announce(self, url: str) -> None:
        """Whoever finds the folder taken reads where the demo is."""
        self.lock.seek(0)
        self.lock.truncate()
        self.lock.write(url)
        self.lock.flush()

    def remember(self, memory: DemoState) -> None:
        self.memory = memory
        path = self.folder / MEMORY
        beside = path.with_name(path.name + ".new")
        beside.write_text(json.dumps(asdict(self.memory)) + "\n")
        beside.replace(path)

    def clear(self) -> None:
        """Forget everything; what was kept aside stays."""
        for name in STATE:
            path = self.folder / name
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        self.memory = _new_memory()

    def put_aside(self) -> Path:
        """Move everything out of the way: a workspace and a bot that know different things are of
        no use to each other."""
        numbers = (path.name.removeprefix(ASIDE) for path in self.folder.glob(f"{ASIDE}*"))
        used_numbers = [int(number) for number in numbers if number.isdecimal()]
        aside = self.folder / f"{ASIDE}{max(used_numbers, default=0) + 1}"
        aside.mkdir()
        for name in STATE:
            if (self.folder / name).exists():
                (self.folder / name).rename(aside / name)
        self.memory = _new_memory()
        return aside

    def fault(self) -> str:
        """Why what is kept is of no use; empty when nothing speaks against it."""
        if not self.memory.seeded:
            return ""  # it was ended early: what is missing is made now
        for path in (self.database, self.workspace / STATE_FILE):
            if not path.exists():
                return f"{path} is missing"
        return _database_fault(self.database)


@contextlib.contextmanager
def opened(folder: Path = FOLDER, *, fresh: bool = False) -> Iterator[DemoFolder]:
    """The folder, made if need be, and nobody else's until the end. Raises `NoDemoFolderError`."""
    try:
        folder.mkdir(mode=OURS_ONLY, exist_ok=True)
        (folder / IGNORE).write_text("*\n")
        lock = (folder / LOCK).open("a+")
    except OSError as cause:
        why = cause.strerror or type(cause).__name__
        raise NoDemoFolderError(f"The demo cannot be kept in {folder}/: {why.lower()}.") from cause
    with lock:
        _claim(lock, folder)
        place = DemoFolder(folder, _memory(folder), lock)
        cut_off = not place.memory.seeded and not place.memory.whole
        if fresh or cut_off:  # nobody has seen anything yet that would be missed
            place.clear()
        yield place


def _claim(lock: IO[str], folder: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as cause:
        lock.seek(0)
        raise NoDemoFolderError(
            f"A demo is running in this folder already: {lock.read() or 'it is just starting'}\n"
            "End that one with Ctrl-C, or start this one in another folder."
        ) from cause


def _memory(folder: Path) -> DemoState:
    try:
        state = json.loads((folder / MEMORY).read_text())
        return DemoState(
            str(state["token"]), int(state["port"]), bool(state["seeded"]), bool(state["whole"])
        )
    except (OSError, ValueError, LookupError, TypeError):
        return _new_memory()


def _new_memory() -> DemoState:
    return DemoState(secrets.token_urlsafe(TOKEN_BYTES))


def _database_fault(path: Path) -> str:
    try:
        with contextlib.closing(sqlite3.connect(path)) as connection:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as cause:
        return f"{path} is damaged: {cause}"
    return "" if verdict == "ok" else f"{path} is damaged"
