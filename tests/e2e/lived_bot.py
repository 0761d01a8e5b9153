"""The real bot as a process of its own that may not do everything and may run out of room.

It has none of root's powers, for root reads what nobody may read. Its artifacts or its database lie
on a file system of a few megabytes, which no other process sees and which ends with it; where a
machine does not let us have one, permissions and a limit on the size of files do instead. A
database of PostgreSQL is one that nothing may be written to.
"""

import contextlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bot.devtools.play.controls import Controls
from bot.devtools.workspace import LocalWorkspace
from core.store.connection.database import Database
from core.store.connection.opening import open_database
from core.store.queries.reader import Reader
from core.store.repository.outbox import Outbox
from tests.e2e.lived_room import (
    BALLAST,
    FULL,
    INSTEAD,
    Cramped,
    can_mount,
    fill,
    let_write,
    limit_files,
    restricted,
)
from tests.support.databases import DATABASES
from tests.support.serving import (
    address_in,
    bare_environment,
    database_in,
    environment,
    migrated_database,
)
from tests.support.waiting import wait_until

ROOT: Final = Path(__file__).parents[2]
PEOPLE: Final = ("pm", "dev")
CALM_LOOKS: Final = 3
RETRY_DELAYS_S: Final = (0.0, 0.5, 1.0, 2.0)


@dataclass(slots=True)
class Bot:
    """A bot under way, read where it keeps things: Slack, its folders, its database."""

    place: Path
    slack: LocalWorkspace
    cramped: Cramped
    mounts: bool
    process: subprocess.Popen[bytes] = field(init=False)
    _database: Database | None = None

    @property
    def steps(self) -> Path:
        return self.place / "steps"

    @property
    def artifacts(self) -> Path:
        return self._seen("artifacts")

    @property
    def store(self) -> Path:
        return self._seen("store")

    def _seen(self, folder: Cramped) -> Path:
        """A folder as the bot sees it: nobody else has its file system."""
        if not self.mounts:
            return self.place / folder
        return Path(f"/proc/{self.process.pid}/root") / self.place.relative_to("/") / folder

    @property
    def controls(self) -> Controls:
        return Controls(self.place / "control")

    @property
    def log(self) -> str:
        return (self.place / "bot.log").read_text()

    @property
    def database(self) -> Database:
        """The bot's own; or a copy as it is now, for SQLite follows no path into other mounts."""
        if self.mounts and self.cramped == "store" and not DATABASES.is_postgres:
            self._close_database()
            copy = self.place / "copy"
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(self.store, copy, ignore=shutil.ignore_patterns("*-shm", BALLAST))
            self._database = open_database(f"sqlite:///{copy}/roundtable.db")
        elif self._database is None:
            self._database = open_database(address_in(self.place / "store"))
        return self._database

    @property
    def reader(self) -> Reader:
        return Reader(self.database)

    # ── life ──

    def start(self) -> None:
        for folder in ("artifacts", "store", "steps"):
            (self.place / folder).mkdir()
        self.controls.prepare()
        # Copied to where nobody else sees it.
        (self.place / "new.db").write_bytes(migrated_database())
        database_in(self.place / "store")
        with (self.place / "bot.log").open("wb") as log:
            self.process = subprocess.Popen(
                self._command(), stdin=subprocess.PIPE, stdout=log, stderr=log,
                env=self._environment(), start_new_session=True,
            )  # fmt: skip
        assert self.process.stdin is not None
        self.process.stdin.write(b"go\n")
        self.process.stdin.flush()
        self.wait_for(lambda: self.slack.connections > 0 or self.process.poll() is not None)
        assert self.process.poll() is None, self.log[-2000:]

    def _command(self) -> list[str]:
        python = [
            sys.executable,
            "-P",
            "-m",
            "bot.devtools.play.child",
            str(self.controls.root),
            "socket",
        ]
        return restricted(python, mounts=self.mounts)

    def _environment(self) -> dict[str, str]:
        return bare_environment() | environment(
            self.slack,
            self.place,
            SLACK_SIGNING_SECRET=None,
            PYTHONPATH=str(ROOT),
            PLACE=str(self.place),
            CRAMPED=self.cramped,
            ROUNDTABLE_DATABASE_URL=address_in(self.place / "store"),
            ROUNDTABLE_STEPS_DIR=str(self.steps),
        )

    def stop(self) -> None:
        self._close_database()
        if hasattr(self, "process"):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            assert self.process.stdin is not None
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.close()

    def _close_database(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    # ── waiting ──

    def wait_for(self, reached: Callable[[], object]) -> None:
        wait_until(reached)

    def settle(self) -> None:
        """Until nothing is under way on either side, some looks in a row."""
        calm = 0

        def looks_calm() -> bool:
            nonlocal calm
            busy = not self.slack.idle() or Outbox(self.database).pending(time.time())
            calm = 0 if busy else calm + 1
            return calm >= CALM_LOOKS

        self.wait_for(looks_calm)

    def let_in(self, channel: str, member: bool) -> None:
        """True if the bot is in that channel from now on."""
        self.slack.set_bot_in(channel, is_in=member)

    # ── room ──

    def fill(self) -> str:
        """From now on nothing more can be written to the cramped folder. Why that is, in words."""
        if self._let_write(allowed=False):
            return "a server that takes no writes"
        if self.mounts:
            fill(self._seen(self.cramped))
            return FULL
        if self.cramped == "artifacts":
            let_write(self.artifacts, 0o555)
        else:
            wal = self.store / "roundtable.db-wal"
            limit_files(self.process.pid, wal.stat().st_size)
        return INSTEAD[self.cramped]

    def _let_write(self, *, allowed: bool) -> bool:
        """False where the cramped folder is not a database of PostgreSQL."""
        if self.cramped != "store" or DATABASES.server is None:
            return False
        self._close_database()
        DATABASES.server.let_write(address_in(self.place / "store"), allowed=allowed)
        return True

    def make_room(self) -> None:
        if self._let_write(allowed=True):
            return
        if self.mounts:
            (self._seen(self.cramped) / BALLAST).unlink()
        elif self.cramped == "artifacts":
            let_write(self.artifacts, 0o755)
        else:
            limit_files(self.process.pid, resource.RLIM_INFINITY)


@contextmanager
def bot(
    channels: Sequence[str],
    *,
    cramped: Cramped = "artifacts",
    mounts: bool | None = None,
) -> Iterator[Bot]:
    """A bot from start to end. `mounts`: whether it gets a file system of its own, if it can."""
    place = Path(tempfile.mkdtemp(prefix="roundtable-lived-")).resolve()
    slack = LocalWorkspace(people=PEOPLE, channels=channels, retry_delays=RETRY_DELAYS_S)
    try:
        with slack:
            found = Bot(place, slack, cramped, can_mount() if mounts is None else mounts)
            try:
                found.start()
                yield found
            finally:
                found.stop()
    finally:
        shutil.rmtree(place)
