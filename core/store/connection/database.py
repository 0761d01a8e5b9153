"""One SQLite file: how it is opened, written by one lock, read by many threads.

WAL, `synchronous=FULL`, foreign keys on, `busy_timeout` under Slack's three seconds, and
`BEGIN IMMEDIATE`, so that a writer never finds out late that another came first.

SQLite goes on with a file that was deleted under it: every commit succeeds and can be read, and all
of it is gone when the process is killed. So before each the files are looked at.
"""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool
from sqlmodel import Session

from core.store.statements.statement import SqlStatement, Value

BUSY_TIMEOUT_MS: Final = 1500
READERS_MAX: Final = 8  # connections; the listeners, lanes and commands together have more threads
CHECKPOINT_PAGES: Final = 4000  # 16 MB of log; a checkpoint holds up the commit that causes it
PRAGMAS: Final = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    f"wal_autocheckpoint={CHECKPOINT_PAGES}",
)
SQLITE: Final = "sqlite"
_PREFIX: Final = "sqlite:///"
LOG: Final = "-wal"
Identity = tuple[int, int]  # device and inode


class StoreError(Exception):
    """The database cannot be used. Its text says what to do."""


def path_of(url: str) -> str:
    """The file an SQLAlchemy URL names. ":memory:" is refused: connections do not share it.

    Raises `StoreError`.
    """
    plain = url.removeprefix(_PREFIX)
    if plain not in ("", url, ":memory:") and "?" not in plain and "#" not in plain:
        return plain
    from sqlalchemy.engine import make_url  # a tenth of a second, for what is no plain file

    parsed = make_url(url)
    if parsed.get_backend_name() != SQLITE:
        raise StoreError(f"{parsed.get_backend_name()} is not supported; use sqlite:///file.db")
    if not parsed.database or parsed.database == ":memory:":
        raise StoreError("name a file: sqlite:///roundtable.db")
    return parsed.database


class DatabaseGoneError(sqlite3.OperationalError):
    """The files that are open are not the ones that are there: what is written would be lost."""


class Connection(sqlite3.Connection):
    """A connection that SQLAlchemy may use, and only `Database` ends or closes."""

    def commit(self) -> None:
        """Nothing: a transaction is ended by its words."""

    def rollback(self) -> None:
        """Nothing, as `commit`."""

    def close(self) -> None:
        """Nothing: see `shut`."""

    def shut(self) -> None:
        """Close it."""
        super().close()


class Database:
    def __init__(self, url: str) -> None:
        self.path = path_of(url)
        self._lock = threading.RLock()
        self._readers = Readers(self._connect)
        self._engine = create_engine(
            "sqlite://", creator=self._readers.of_this_thread, poolclass=NullPool
        )
        self.log_was_deleted = False
        """The log was deleted under us, and what it held was saved: until somebody was told."""
        self._open_writer()

    def _open_writer(self) -> None:
        self._writer = self._connect()
        self._writer.execute("SELECT 1 FROM sqlite_master").fetchone()  # opens the log
        self._files = _identity(self.path), _identity(self.path + LOG)

    def _connect(self) -> Connection:
        if not Path(self.path).parent.is_dir():
            raise StoreError(f"the folder of {self.path} does not exist")
        try:
            connection = sqlite3.connect(
                self.path,
                timeout=BUSY_TIMEOUT_MS / 1000,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=256,
                factory=Connection,
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

    def trouble(self) -> str:
        """Why nothing can be written; empty where a write transaction can be begun."""
        try:
            with self.write():
                return ""
        except sqlite3.Error as error:
            return str(error)

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction under the process's one write lock; rolled back if anything is raised.

        Raises `DatabaseGoneError` where a commit would reach nobody.
        """
        with self._lock:
            files = _identity(self.path), _identity(self.path + LOG)
            if files != self._files:
                self._save_deleted_log(files)
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:  # SQLite itself rolls back when the disk is full
                    self._writer.execute("ROLLBACK")
                raise

    def _save_deleted_log(self, files: tuple[Identity | None, Identity | None]) -> None:
        """Copy into the database what only the deleted log holds, and begin a new one."""
        if files != (self._files[0], None):  # the log is gone, and nobody has begun another
            raise DatabaseGoneError(f"{self.path} or its log was replaced; stop the bot and look")
        with self._readers.all_returned():
            busy, *_ = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                raise DatabaseGoneError(f"the log of {self.path} was deleted and cannot be saved")
            self._readers.close()
            self._writer.shut()
            self._open_writer()
        self.log_was_deleted = True

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """A connection that sees the last commit, lent to this thread for the block.

        Nothing may be written inside: whoever writes may be waiting for a connection to read with.
        """
        return self._readers.lend()

    def run(self, statement: SqlStatement, **values: Value) -> list[tuple[Any, ...]]:
        """All rows of a single statement, as of the last commit; no connection is held after."""
        with self._readers.lend() as connection:
            return statement(connection, **values).fetchall()

    @contextmanager
    def session(self) -> Iterator[Session]:
        """What is asked seldom, through SQLModel, on the connection that is lent to this thread."""
        with self.reading(), Session(self._engine) as session:
            yield session

    @contextmanager
    def moment(self) -> Iterator[sqlite3.Connection]:
        """What this thread reads inside belongs together: no commit meanwhile is seen."""
        with self.reading() as db:
            db.execute("BEGIN")
            try:
                yield db
            finally:
                db.execute("ROLLBACK")

    def close(self) -> None:
        with self._lock:
            self._readers.close()
            self._writer.shut()


def _identity(path: str) -> Identity | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - on the way of every commit
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


class Readers:
    """At most `READERS_MAX` connections, opened when first needed, each lent to one thread.

    A thread that has one is given the same again; where all are lent, a thread waits.
    """

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._places = threading.BoundedSemaphore(READERS_MAX)
        self._idle: list[Connection] = []
        self._all: list[Connection] = []
        self._lent = threading.local()

    @contextmanager
    def lend(self) -> Iterator[sqlite3.Connection]:
        connection: Connection | None = getattr(self._lent, "connection", None)
        if connection is not None:
            yield connection
            return
        with self._places:
            connection = self._idle_one() or self._opened()
            self._lent.connection = connection
            try:
                yield connection
            finally:
                self._lent.connection = None
                self._idle.append(connection)

    @contextmanager
    def all_returned(self) -> Iterator[None]:
        """Nobody is lent a connection inside. Raises `DatabaseGoneError` if one stays out."""
        with ExitStack() as taken:
            for _ in range(READERS_MAX):
                if not self._places.acquire(timeout=BUSY_TIMEOUT_MS / 1000):
                    raise DatabaseGoneError("a connection is not given back")
                taken.callback(self._places.release)
            yield

    def close(self) -> None:
        for connection in self._all:
            connection.shut()
        self._all.clear()
        self._idle.clear()

    def of_this_thread(self) -> sqlite3.Connection:
        """The connection that is lent to this thread."""
        connection: sqlite3.Connection = self._lent.connection
        return connection

    def _idle_one(self) -> Connection | None:
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def _opened(self) -> Connection:
        connection = self._connect()
        self._all.append(connection)
        return connection
