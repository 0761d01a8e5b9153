"""A PostgreSQL server, by psycopg: imported only where an address names one.

A pool of connections for what is written and one for what is read, so that whoever writes never
waits for a connection to read with that another writer holds. Isolation is READ COMMITTED: whoever
changes a session locks its row first, and sees what was committed until then.

Times are shorter than Slack's three seconds for a lock. A transaction that a suspended process left
open is ended by the workers: see `core.store.repository.lanes.LaneQueue.end_suspended`.
"""

import logging
import select
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, Final

from sqlalchemy import create_engine
from sqlalchemy.dialects.postgresql import psycopg as dialects
from sqlalchemy.engine import Dialect, Engine
from sqlalchemy.pool import NullPool

from core.domain.ids import SessionId
from core.store.connection.database import (
    WAIT_S_MAX,
    ConflictError,
    Database,
    DatabaseError,
    InUseError,
    StoreError,
)
from core.store.statements.sessions import PRUNE_DELIVERIES, VERSION_LOCKED
from core.store.statements.statement import Connection

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
    from psycopg.errors import DeadlockDetected, SerializationFailure, UniqueViolation
except ImportError as error:
    raise StoreError(f"{error}; install the extra: pip install 'roundtable[postgres]'") from error

WRITERS_MAX: Final = 8
DEFAULTS: Final[Mapping[str, str]] = {  # of what an address does not say
    "connect_timeout": "3",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
    "application_name": "roundtable",
}
IN_USE: Final = 7_264_002  # of the server: shared by all who have the database open
SETTINGS: Final = f"SET lock_timeout = '{WAIT_S_MAX}s'; SET client_encoding = 'UTF8'"
LOST_RACES: Final = (UniqueViolation, DeadlockDetected, SerializationFailure)
POSTGRESQL: Final[Dialect] = dialects.dialect()  # type: ignore[no-untyped-call]


# It warns of what failed last where an error is on its way already, and may quote a row.
logging.getLogger("psycopg").setLevel(logging.ERROR)


class PipelinedCursor(psycopg.Cursor[tuple[Any, ...]]):
    """Waits for its statement where somebody asks how many rows it changed."""

    @property
    def rowcount(self) -> int:
        self._fetch_pipeline()
        return super().rowcount


class PostgresConnection(psycopg.Connection[tuple[Any, ...]]):
    """Implements `core.store.connection.database.LentConnection`."""

    dialect: ClassVar[Dialect] = POSTGRESQL

    def commit(self) -> None:
        """Nothing: a transaction is ended by its words."""

    def rollback(self) -> None:
        """Nothing, as `commit`."""

    def close(self) -> None:
        """Nothing: see `shut`."""

    def is_alive(self) -> bool:
        """False if the server has said something: to an idle connection it says that it ends."""
        if self.closed:
            return False
        poll = select.poll()
        poll.register(self.fileno(), select.POLLIN)
        return not poll.poll(0)

    def shut(self) -> None:
        """Close it."""
        super().close()

    def __del__(self, *_: Any) -> None:
        """Close what a command line left open."""
        self.shut()


def connect(url: str) -> PostgresConnection:
    """A connection of one's own. Raises `StoreError` where the server refuses or is not there."""
    try:
        connection = PostgresConnection.connect(
            **_parts(url), autocommit=True, cursor_factory=PipelinedCursor
        )
        connection.execute(SETTINGS)
    except psycopg.Error as error:
        raise StoreError(f"{name_of(url)} cannot be reached: {words(error)}") from error
    return connection


@contextmanager
def exclusive_connection(url: str) -> Iterator[PostgresConnection]:
    """A connection that is the only one, until it is closed.

    Raises `InUseError`, and `DatabaseError` for what the server refuses.
    """
    connection = connect(url)
    try:
        with neutral_errors():
            (is_alone,) = connection.execute(f"SELECT pg_try_advisory_lock({IN_USE})").fetchall()[0]
            if not is_alone:
                raise InUseError
            yield connection
    finally:
        connection.shut()


@contextmanager
def neutral_errors() -> Iterator[None]:
    """Raises `DatabaseError` or `ConflictError` for what the server refuses inside."""
    try:
        yield
    except psycopg.Error as error:
        raise _neutral(error) from error


def _neutral(error: Exception) -> Exception:
    if isinstance(error, LOST_RACES):
        return ConflictError(words(error))
    return DatabaseError(words(error))


def _parts(url: str) -> dict[str, Any]:
    return {**DEFAULTS, **conninfo_to_dict(url)}


def engine_of(url: str) -> Engine:
    """SQLAlchemy's own, for what is done once: it connects anew each time."""
    return create_engine(
        PostgresDatabase.engine_url,
        creator=lambda: psycopg.connect(**_parts(url)),
        poolclass=NullPool,
        use_native_hstore=False,
    )


def name_of(url: str) -> str:
    """A database without its password, as it is called in messages."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error:
        return "the database"
    where = parts.get("host") or parts.get("hostaddr") or "this machine"
    return f"{parts.get('dbname') or parts.get('user') or 'postgres'} at {where}"


def words(error: Exception) -> str:
    """The server's own first line: what follows may quote a row."""
    primary = error.diag.message_primary if isinstance(error, psycopg.Error) else None
    return primary or next(iter(str(error).strip().splitlines()), type(error).__name__)


class PostgresDatabase(Database):
    engine_url = "postgresql+psycopg://"
    driver_error = psycopg.Error

    def __init__(self, url: str) -> None:
        self.url = url
        super().__init__(self._connect, use_native_hstore=False)
        self._writers = self._pool(self._connect, WRITERS_MAX)
        connect(url).shut()

    def _connect(self) -> PostgresConnection:
        connection = connect(self.url)
        with neutral_errors():
            connection.execute(f"SELECT pg_advisory_lock_shared({IN_USE})")
        return connection

    def neutral(self, error: Exception) -> Exception:
        return _neutral(error)

    @contextmanager
    def write(self, session: SessionId | None = None) -> Iterator[PostgresConnection]:
        """One transaction; rolled back if anything is raised.

        What is not asked for is not waited for: a statement that fails is said at the next one
        whose rows are wanted, or at the end. Raises `ConflictError` for a lost race,
        `DatabaseError` for all else.
        """
        with self._writers.lend() as connection:
            try:
                with connection.pipeline():
                    connection.execute("BEGIN")
                    if session is not None:
                        VERSION_LOCKED(connection, id=session)
                    yield connection
                    ended = connection.execute("COMMIT")
            except BaseException:
                connection.shut()  # what it holds as prepared may not have arrived
                raise
            _assert_committed(ended)

    def trouble(self) -> str:
        """Why nothing can be written; empty where it can. Nothing is."""
        try:
            with self.write() as connection:
                PRUNE_DELIVERIES(connection, before=0.0)
                return ""
        except DatabaseError as error:
            return str(error)

    @contextmanager
    def moment(self) -> Iterator[Connection]:
        """What this thread reads inside belongs together: no commit meanwhile is seen."""
        begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        with self._readers.lend() as connection:
            connection.execute(begin)
            try:
                yield connection
            finally:
                if not connection.closed:
                    connection.execute("ROLLBACK")

    def close(self) -> None:
        super().close()
        self._writers.close()


def _assert_committed(ended: psycopg.Cursor[Any]) -> None:
    """The server answers ROLLBACK where a statement failed inside and nobody said so."""
    if ended.statusmessage != "COMMIT":
        raise DatabaseError("a statement of the transaction had failed")
