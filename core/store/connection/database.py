"""What a database does for the runtime and for whoever reads, whichever of the two it is.

What it refuses comes as a `DatabaseError` with its own words, a race that was lost as a
`ConflictError`: nobody outside names a driver.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

from sqlalchemy import create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool
from sqlmodel import Session

from core.domain.ids import SessionId
from core.store.statements.statement import Connection, SqlStatement, Value

TRIES_MAX: Final = 5  # of a save that lost a race
READERS_MAX: Final = 8  # connections; the listeners, lanes and commands together have more threads
WAIT_S_MAX: Final = 1.5  # for a lock, or for a connection to come back: under Slack's three seconds

T = TypeVar("T")


class StoreError(Exception):
    """The database cannot be used. Its text says what to do."""


class InUseError(StoreError):
    """Another process has the database open, most likely the bot."""

    def __init__(self) -> None:
        super().__init__("another process has the database open, most likely the bot")


class DatabaseError(Exception):
    """The database did not do what was asked of it. Its text is the database's own."""


class DatabaseGoneError(DatabaseError):
    """The files that are open are not the ones that are there: what is written would be lost."""


class ConflictError(Exception):
    """Somebody else was quicker. Load and decide again."""


def retry_lost_races(label: str, commit: Callable[[], T]) -> T:
    """What `commit` returns, tried again where another save was first.

    Raises `ConflictError` after `TRIES_MAX` lost races. A loop, for tenacity costs a tenth of a
    commit.
    """
    for _ in range(TRIES_MAX - 1):
        with suppress(ConflictError):
            return commit()
    try:
        return commit()
    except ConflictError as error:
        raise ConflictError(f"{label} lost {TRIES_MAX} races") from error


class LentConnection(Connection, Protocol):
    """A connection that SQLAlchemy may use, and only its pool ends or closes."""

    def is_alive(self) -> bool:
        """False if the other end has closed it."""

    def shut(self) -> None:
        """Close it."""


C = TypeVar("C", bound=LentConnection)


class Connections(Generic[C]):
    """At most `most` connections, opened when first needed, each lent to one thread.

    A thread that has one is given the same again; where all are lent, a thread waits `WAIT_S_MAX`.
    """

    def __init__(
        self,
        connect: Callable[[], C],
        most: int,
        driver_error: type[Exception],
        neutral: Callable[[Exception], Exception],
    ) -> None:
        self._connect = connect
        self._most = most
        self._driver_error = driver_error
        self._neutral = neutral
        self._places = threading.BoundedSemaphore(most)
        self._idle: list[C] = []
        self._ours: set[C] = set()
        self._is_closed = False
        self._lock = threading.Lock()
        self._lent = threading.local()

    @contextmanager
    def lend(self) -> Iterator[C]:
        """A connection for the block. Raises `DatabaseError` or `ConflictError`."""
        connection: C | None = getattr(self._lent, "connection", None)
        if connection is not None:
            yield connection
            return
        if not self._places.acquire(timeout=WAIT_S_MAX):
            raise DatabaseError("every connection is in use")
        try:
            connection = self._idle_one() or self._opened()
            self._lent.connection = connection
            try:
                yield connection
            except self._driver_error as error:
                raise self._neutral(error) from error
            finally:
                self._lent.connection = None
                self._take_back(connection)
        finally:
            self._places.release()

    @property
    def lent(self) -> int:
        """Connections that threads have now."""
        return len(self._ours) - len(self._idle)

    @contextmanager
    def all_returned(self) -> Iterator[None]:
        """Nobody is lent a connection inside. Raises `DatabaseGoneError` if one stays out."""
        with ExitStack() as places:
            for _ in range(self._most):
                if not self._places.acquire(timeout=WAIT_S_MAX):
                    raise DatabaseGoneError("a connection is not given back")
                places.callback(self._places.release)
            yield

    def close(self) -> None:
        """Close them all, and whatever is opened from now on, once it comes back."""
        self._is_closed = True
        self.renew()

    def renew(self) -> None:
        """Close them all; the next ones are opened anew. One that is lent is closed when it
        comes back: closed under the thread that uses it, SQLite would crash the process."""
        with self._lock:
            idle = self._idle.copy()
            self._idle.clear()
            self._ours.clear()
        for connection in idle:
            connection.shut()

    def of_this_thread(self) -> C:
        """The connection that is lent to this thread."""
        connection: C = self._lent.connection
        return connection

    def _idle_one(self) -> C | None:
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:  # another thread took it
                return None
            if connection.is_alive():
                return connection
            self._ours.discard(connection)
            connection.shut()
        return None

    def _take_back(self, connection: C) -> None:
        with self._lock:
            is_ours = connection in self._ours
            if is_ours:
                self._idle.append(connection)
        if not is_ours:
            connection.shut()

    def _opened(self) -> C:
        try:
            connection = self._connect()
        except StoreError as error:
            raise DatabaseError(str(error)) from error
        if not self._is_closed:
            self._ours.add(connection)
        return connection


class Database(ABC):
    """One of `core.store.connection.sqlite` and `core.store.connection.postgres`."""

    engine_url: ClassVar[str]
    driver_error: type[Exception]
    has_one_writer: ClassVar[bool] = False
    """Transactions that write come one after the other."""

    log_was_deleted = False
    """The log was deleted under us, and what it held was saved: until somebody was told."""

    def __init__(self, connect: Callable[[], Any], **engine_options: Any) -> None:
        self._pools: list[Connections[Any]] = []
        self._readers: Connections[Any] = self._pool(connect, READERS_MAX)
        self._engine = create_engine(
            self.engine_url,
            creator=self._readers.of_this_thread,
            poolclass=NullPool,
            **engine_options,
        )

    def _pool(self, connect: Callable[[], C], most: int) -> Connections[C]:
        pool = Connections(connect, most, self.driver_error, self.neutral)
        self._pools.append(pool)
        return pool

    @property
    def connections_lent(self) -> int:
        """Connections of its pools that threads have now."""
        return sum(pool.lent for pool in self._pools)

    @abstractmethod
    def write(self, session: SessionId | None = None) -> AbstractContextManager[Connection]:
        """One transaction; rolled back if anything is raised.

        `session`: nobody else changes that session until its end. Raises `ConflictError` for a lost
        race and `DatabaseError` for all else.
        """

    @abstractmethod
    def moment(self) -> AbstractContextManager[Connection]:
        """What this thread reads inside belongs together: no commit meanwhile is seen."""

    @abstractmethod
    def neutral(self, error: Exception) -> Exception:
        """What a driver's error is called outside."""

    def trouble(self) -> str:
        """Why nothing can be written; empty where a write transaction can be begun."""
        try:
            with self.write():
                return ""
        except DatabaseError as error:
            return str(error)

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection that sees the last commit, lent to this thread for the block.

        Nothing may be written inside: whoever writes may be waiting for a connection to read with.
        Raises `DatabaseError`.
        """
        return self._readers.lend()

    def run(self, statement: SqlStatement, **values: Value) -> list[tuple[Any, ...]]:
        """All rows of a single statement, as of the last commit; no connection is held after.

        Raises `DatabaseError`.
        """
        with self._readers.lend() as connection:
            return statement(connection, **values).fetchall()

    @contextmanager
    def session(self) -> Iterator[Session]:
        """What is asked seldom, through SQLModel, on the connection that is lent to this thread.

        Raises `DatabaseError`.
        """
        try:
            with self.reading(), Session(self._engine) as session:
                yield session
        except DBAPIError as error:
            raise self.neutral(error.orig or error) from error

    def close(self) -> None:
        self._readers.close()
