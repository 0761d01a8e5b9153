"""One SQLite file: how it is opened, written by one lock, read by many threads.

WAL, `synchronous=FULL`, foreign keys on, `busy_timeout` under Slack's three seconds, and
`BEGIN IMMEDIATE`, so that a writer never finds out late that another came first.

SQLite goes on with a file that was deleted under it: every commit succeeds and can be read, and all
of it is gone when the process is killed. So before each the files are looked at.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, Final

from sqlalchemy.engine import Dialect

from core.domain.ids import SessionId
from core.store.connection.database import (
    WAIT_S_MAX,
    Database,
    DatabaseError,
    DatabaseGoneError,
    StoreError,
)
from core.store.statements.statement import SQLITE, Connection

CHECKPOINT_PAGES: Final = 4000  # 16 MB of log; a checkpoint holds up the commit that causes it
PRAGMAS: Final = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    f"wal_autocheckpoint={CHECKPOINT_PAGES}",
)
_PREFIX: Final = "sqlite:///"
LOG: Final = "-wal"
Identity = tuple[int, int]  # device and inode


def path_of(url: str) -> str:
    """The file an SQLAlchemy URL names. ":memory:" is refused: connections do not share it.

    Raises `StoreError`.
    """
    plain = url.removeprefix(_PREFIX)
    if plain not in ("", url, ":memory:") and "?" not in plain and "#" not in plain:
        return plain
    from sqlalchemy.engine import make_url  # a tenth of a second, for what is no plain file

    parsed = make_url(url)
    if parsed.get_backend_name() != SQLITE.name:
        raise StoreError(
            f"{parsed.get_backend_name()} is not supported; use sqlite:///file.db or postgresql://…"
        )
    if not parsed.database or parsed.database == ":memory:":
        raise StoreError("name a file: sqlite:///roundtable.db")
    return parsed.database


@contextmanager
def neutral_errors() -> Iterator[None]:
    """What SQLite raises inside comes out as `DatabaseError`."""
    try:
        yield
    except sqlite3.Error as error:
        raise DatabaseError(str(error)) from error


class SqliteConnection(sqlite3.Connection):
    """Implements `core.store.connection.database.LentConnection`."""

    dialect: ClassVar[Dialect] = SQLITE

    def commit(self) -> None:
        """Nothing: a transaction is ended by its words."""

    def rollback(self) -> None:
        """Nothing, as `commit`."""

    def close(self) -> None:
        """Nothing: see `shut`."""

    def is_alive(self) -> bool:
        """Always: there is no other end."""
        return True

    def shut(self) -> None:
        """Close it."""
        super().close()


class SqliteDatabase(Database):
    engine_url = "sqlite://"
    driver_error = sqlite3.Error
    has_one_writer = True

    def __init__(self, url: str) -> None:
        self.path = path_of(url)
        self._lock = threading.RLock()
        super().__init__(self._connect)
        self._open_writer()

    def _open_writer(self) -> None:
        self._writer = self._connect()
        self._writer.execute("SELECT 1 FROM sqlite_master").fetchone()  # opens the log
        self._files = _identity(self.path), _identity(self.path + LOG)

    def _connect(self) -> SqliteConnection:
        if not Path(self.path).parent.is_dir():
            raise StoreError(f"the folder of {self.path} does not exist")
        try:
            connection = sqlite3.connect(
                self.path,
                timeout=WAIT_S_MAX,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=256,
                factory=SqliteConnection,
            )
        except sqlite3.Error as error:
            raise StoreError(f"{self.path} cannot be opened: {error}") from error
        try:
            for pragma in PRAGMAS:
                connection.execute(f"PRAGMA {pragma}")
        except sqlite3.Error as error:
            connection.shut()
            raise StoreError(f"{self.path} cannot be opened: {error}") from error
        return connection

    def neutral(self, error: Exception) -> Exception:
        return DatabaseError(str(error))

    @contextmanager
    def write(self, session: SessionId | None = None) -> Iterator[SqliteConnection]:
        """One transaction under the process's one write lock; rolled back if anything is raised.

        Raises `DatabaseError`, and `DatabaseGoneError` where a commit would reach nobody.
        """
        try:
            with self._lock:
                files = _identity(self.path), _identity(self.path + LOG)
                if files != self._files:
                    self._save_deleted_log(files)
                self._writer.execute("BEGIN IMMEDIATE")
                try:
                    yield self._writer
                    self._writer.execute("COMMIT")
                except BaseException:
                    if self._writer.in_transaction:  # a full disk: SQLite itself rolls back
                        self._writer.execute("ROLLBACK")
                    raise
        except sqlite3.Error as error:
            raise self.neutral(error) from error

    def _save_deleted_log(self, files: tuple[Identity | None, Identity | None]) -> None:
        """Copy into the database what only the deleted log holds, and begin a new one."""
        if files != (self._files[0], None):  # the log is gone, and nobody has begun another
            raise DatabaseGoneError(f"{self.path} or its log was replaced; stop the bot and look")
        with self._readers.all_returned():
            busy, *_ = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                raise DatabaseGoneError(f"the log of {self.path} was deleted and cannot be saved")
            self._readers.renew()
            self._writer.shut()
            self._open_writer()
        self.log_was_deleted = True

    @contextmanager
    def moment(self) -> Iterator[Connection]:
        """What this thread reads inside belongs together: no commit meanwhile is seen."""
        with self.reading() as db:
            db.execute("BEGIN")
            try:
                yield db
            finally:
                db.execute("ROLLBACK")

    def close(self) -> None:
        with self._lock:
            super().close()
            self._writer.shut()


def _identity(path: str) -> Identity | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - on the way of every commit
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino
