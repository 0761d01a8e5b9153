"""A disk that spoils files, is full, or takes nothing more.

A full database is SQLite's own (`max_page_count`), a read-only and a locked one as well. A server
is read-only, as a standby is, or somebody else holds what is written to. A file is
refused at the lowest place that writes one, with the error that the system gives: as root nothing
is read-only, and not everybody may mount a small disk. Real ones are in `tests/e2e/lived_room.py`.
"""

import errno
import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

from core.artifacts.files import safe_dir
from core.store.connection.database import Database
from core.store.connection.sqlite import SqliteDatabase
from tests.support.harness import Harness

FAILURES_MAX: Final = 6  # then somebody makes room
_REPLACE: Final = safe_dir.replace


class Disk:
    """Under the seed's drive. `calm` puts everything right."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.spoiled: set[str] = set()
        self.left = 0  # failures of the database until somebody makes room
        self._database: sqlite3.Connection | None = None
        self._holder: sqlite3.Connection | None = None
        self._server: RefusingServer | None = None

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

    # ── files ──

    def mend(self, folder: Path) -> None:
        for path in folder.glob("*"):
            if path.is_dir() and path.name in self.spoiled:
                path.rmdir()

    # ── the disk of the artifacts ──

    def refuse(self) -> str:
        """From now on no file of an artifact can be written."""
        number = self._random.choice((errno.ENOSPC, errno.EROFS, errno.EIO))

        def refused(folder: int, name: str, content: bytes) -> None:
            raise OSError(number, os.strerror(number), name)

        safe_dir.replace = refused
        return os.strerror(number)

    @property
    def refuses(self) -> bool:
        return safe_dir.replace is not _REPLACE

    def take_again(self) -> None:
        safe_dir.replace = _REPLACE

    # ── the disk of the database ──

    def fill(self, table: Harness) -> str:
        """From now on a few transactions fail, as SQLite says it, or the server."""
        database = table.runtime.database
        if isinstance(database, SqliteDatabase):
            name, act = self._random.choice(
                (("full", self._full), ("read-only", _read_only), ("locked", self._lock))
            )
            self._database = database._writer
            act(self._database)
        else:
            name = self._random.choice(("read-only", "locked"))
            self._server = RefusingServer(database, name)
        self.left = self._random.randint(1, FAILURES_MAX)
        return name

    @property
    def fails(self) -> bool:
        """True if the database takes nothing for now."""
        return self._database is not None or self._server is not None

    def felt(self) -> bool:
        """A transaction failed. Whether that was our doing; after a few there is room again."""
        ours = self.fails
        self.left -= 1
        if self.left <= 0:
            self.make_room()
        return ours

    def make_room(self) -> None:
        writer, self._database = self._database, None
        server, self._server = self._server, None
        if server is not None:
            server.end()
        if self._holder is not None:
            self._holder.close()
            self._holder = None
        if writer is not None:
            with suppress(sqlite3.ProgrammingError):  # its process is gone
                writer.execute("PRAGMA max_page_count = 1073741823")
                writer.execute("PRAGMA query_only = OFF")

    def calm(self) -> None:
        self.take_again()
        self.make_room()

    def _full(self, writer: sqlite3.Connection) -> None:
        (pages,) = writer.execute("PRAGMA page_count").fetchone()
        writer.execute(f"PRAGMA max_page_count = {pages}")

    def _lock(self, writer: sqlite3.Connection) -> None:
        """Somebody else writes for longer than we wait; here we do not wait."""
        writer.execute("PRAGMA busy_timeout = 0")
        (_, _, path) = writer.execute("PRAGMA database_list").fetchone()
        self._holder = sqlite3.connect(path, isolation_level=None)
        self._holder.execute("BEGIN IMMEDIATE")


def _read_only(writer: sqlite3.Connection) -> None:
    writer.execute("PRAGMA query_only = ON")


class RefusingServer:
    """A database of a server that takes nothing: it is read-only, or somebody else holds it."""

    def __init__(self, database: Database, name: str) -> None:
        from core.store.connection.postgres import PostgresDatabase, connect

        assert isinstance(database, PostgresDatabase)
        self._database = database
        self._connection = connect(database.url)
        if name == "locked":
            self._connection.execute("BEGIN; LOCK TABLE sessions IN EXCLUSIVE MODE")
        else:
            self._set("SET default_transaction_read_only = on")

    def end(self) -> None:
        self._connection.execute("ROLLBACK; SET default_transaction_read_only = off")
        self._set("RESET default_transaction_read_only")
        self._connection.shut()

    def _set(self, setting: str) -> None:
        """For all connections that are made from now on."""
        name = self._connection.info.dbname
        self._connection.execute(f"ALTER DATABASE {name} {setting}".encode())
        self._database._writers.renew()
