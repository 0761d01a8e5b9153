"""A database to oneself, for what must not happen beside a running bot.

Whoever has the file open in WAL mode holds a shared lock on it, also while doing nothing. So an
exclusive one is to be had only where nobody else has it open, and while it is held nobody opens it.
On a server every connection of ours shares a lock of its own.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from core.store.connection.database import WAIT_S_MAX, InUseError
from core.store.connection.opening import is_postgres
from core.store.connection.sqlite import SqliteConnection, neutral_errors, path_of
from core.store.statements.statement import Connection


@contextmanager
def exclusive_connection(url: str) -> Iterator[Connection]:
    """A connection that is the only one, until it is closed.

    Raises `InUseError`, and `DatabaseError` for what the database refuses.
    """
    with (_of_server if is_postgres(url) else _of_file)(url) as connection:
        yield connection


@contextmanager
def _of_server(url: str) -> Iterator[Connection]:
    from core.store.connection.postgres import exclusive_connection as of_server

    with of_server(url) as connection:
        yield connection


@contextmanager
def _of_file(url: str) -> Iterator[Connection]:
    connection = sqlite3.connect(
        path_of(url), timeout=WAIT_S_MAX, isolation_level=None, factory=SqliteConnection
    )
    try:
        with neutral_errors():
            _lock(connection)
            yield connection
    finally:
        connection.shut()


def _lock(connection: SqliteConnection) -> None:
    connection.execute("PRAGMA locking_mode=EXCLUSIVE")
    try:
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise
        raise InUseError from error
    connection.execute("PRAGMA synchronous=FULL")


def is_free(url: str) -> bool:
    """True if nobody else has the database open just now."""
    try:
        with exclusive_connection(url):
            return True
    except InUseError:
        return False
