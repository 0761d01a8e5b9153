"""One SQLite file: how it is opened, written by one lock, read by many threads.

WAL, `synchronous=FULL`, foreign keys on, `busy_timeout` under Slack's three seconds, and
`BEGIN IMMEDIATE`, so that a writer never finds out late that another came first.
"""

import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from core.store.packing import readable

BUSY_TIMEOUT_MS: Final = 1500
CHECKPOINT_PAGES: Final = 4000  # 16 MB of log; a checkpoint holds up the commit that causes it
PRAGMAS: Final = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    f"wal_autocheckpoint={CHECKPOINT_PAGES}",
)
SQLITE: Final = "sqlite"
_PLAIN: Final = re.compile(r"sqlite:///([^?#]+)")


class StoreError(Exception):
    """The database cannot be used. Its text says what to do."""


def path_of(url: str) -> str:
    """The file an SQLAlchemy URL names. ":memory:" is refused: connections do not share it."""
    plain = _PLAIN.fullmatch(url)
    if plain is not None and plain[1] != ":memory:":
        return plain[1]
    from sqlalchemy.engine import make_url  # a tenth of a second, for what is no plain file

    parsed = make_url(url)
    if parsed.get_backend_name() != SQLITE:
        raise StoreError(f"{parsed.get_backend_name()} is not supported; use sqlite:///file.db")
    if not parsed.database or parsed.database == ":memory:":
        raise StoreError("name a file: sqlite:///roundtable.db")
    return parsed.database


class Database:
    def __init__(self, url: str) -> None:
        self.path = path_of(url)
        self._lock = threading.RLock()
        self._local = threading.local()
        self._readers: list[sqlite3.Connection] = []
        self._writer = self._connect()

    def _connect(self) -> sqlite3.Connection:
        if not Path(self.path).parent.is_dir():
            raise StoreError(f"the folder of {self.path} does not exist")
        try:
            connection = sqlite3.connect(
                self.path,
                timeout=BUSY_TIMEOUT_MS / 1000,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=256,
            )
        except sqlite3.Error as error:
            raise StoreError(f"{self.path} cannot be opened: {error}") from error
        try:
            for pragma in PRAGMAS:
                connection.execute(f"PRAGMA {pragma}")
            connection.create_function("plain", 1, readable, deterministic=True)
        except sqlite3.Error as error:
            connection.close()
            raise StoreError(f"{self.path} cannot be opened: {error}") from error
        return connection

    def trouble(self) -> str:
        """Why nothing can be written; empty where a write transaction can be begun."""
        try:
            with self.write():
                return ""
        except sqlite3.Error as error:
            return str(error)

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction under the process's one write lock; rolled back if anything is raised."""
        with self._lock:
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:  # SQLite itself rolls back when the disk is full
                    self._writer.execute("ROLLBACK")
                raise

    @property
    def read(self) -> sqlite3.Connection:
        """This thread's own connection; it sees the last commit."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._connect()
            with self._lock:
                self._readers.append(connection)
        return connection

    @contextmanager
    def moment(self) -> Iterator[None]:
        """What this thread reads inside belongs together: no commit meanwhile is seen."""
        self.read.execute("BEGIN")
        try:
            yield
        finally:
            self.read.execute("ROLLBACK")

    def close(self) -> None:
        with self._lock:
            for connection in (*self._readers, self._writer):
                connection.close()
            self._readers.clear()
