"""A database file to oneself, for what must not happen beside a running bot.

Whoever has the file open in WAL mode holds a shared lock on it, also while doing nothing. So an
exclusive one is to be had only where nobody else has it open, and while it is held nobody opens it.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from core.store.connection.database import WAIT_S_MAX, StoreError
from core.store.connection.sqlite import SqliteConnection, neutral_errors, path_of
from core.store.statements.statement import Connection


class InUseError(StoreError):
    """Another process has the file open, most likely the bot."""

    def __init__(self) -> None:
        super().__init__("another process has the database open, most likely the bot")


@contextmanager
def exclusive_connection(url: str) -> Iterator[Connection]:
    """A connection that is the only one, until it is closed.

    Raises `InUseError`, and `DatabaseError` for what the database refuses.
    """
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
    """True if nobody else has the file open just now."""
    try:
        with exclusive_connection(url):
            return True
    except InUseError:
        return False
