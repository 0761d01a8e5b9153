"""Every row of a session: which tables have some, and taking them out."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from sqlalchemy import Column, Table, delete
from sqlmodel import SQLModel

from core.domain.ids import SessionId
from core.store.statements.files import ERASE_OF_SESSION
from core.store.statements.statement import Connection, SqlStatement, is_param


def session_column(table: Table) -> Column[Any]:
    """The column that says whose row it is."""
    return table.c.id if table.name == "sessions" else table.c.session


@cache
def _erasers() -> Mapping[str, SqlStatement]:
    """A statement for each table with a `session`: one that is added later cannot be forgotten."""
    return {
        name: SqlStatement(delete(table).where(is_param(session_column(table), "id")))
        for name, table in sorted(SQLModel.metadata.tables.items())
        if name == "sessions" or "session" in table.c
    }


def tables_of_a_session() -> tuple[str, ...]:
    """The tables that hold rows of a session, besides `sessions` itself."""
    return tuple(name for name in _erasers() if name != "sessions")


def erase(db: Connection, session: SessionId) -> None:
    """Remove every row of a session and of its files, within the caller's transaction.

    Asking how many rows went waits for each table, so what the database refuses is raised here and
    not at the commit.
    """
    # the files are found by the session's row, and go before it
    for statement in (ERASE_OF_SESSION, *_erasers().values()):
        _ = statement(db, id=session).rowcount
