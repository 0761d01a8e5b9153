"""Rows of a database as they are stored, asked for in SQL: the product itself has none by hand."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlmodel import SQLModel

from core.store.connection.database import Database
from core.store.connection.sqlite import SqliteConnection, SqliteDatabase
from core.store.statements.statement import SQLITE, Connection


class Rows(list[tuple[Any, ...]]):
    """All rows of a query, asked for as from a cursor."""

    def fetchone(self) -> Any:
        return self.pop(0) if self else None

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self


def run_query(database: Database, query: str, args: Sequence[object] = ()) -> Rows:
    """The rows of a query as of the last commit."""
    with database.reading() as connection:
        return Rows(execute(connection, query, args))


def execute(connection: Connection, query: str, args: Sequence[object] = ()) -> Any:
    """The cursor of a query, its parameters as SQLite has them."""
    if connection.dialect is not SQLITE:
        query = query.replace("%", "%%").replace("?", "%s")
    return connection.execute(query, args)


def write(database: Database, query: str, args: Sequence[object] = ()) -> int:
    """Change rows behind the product's back; how many."""
    with database.write() as connection:
        return int(execute(connection, query, args).rowcount)


def refuse(database: Database, change: str) -> None:
    """Have the database refuse a change, as "INSERT ON files", by a trigger `refused`."""
    action = "BEGIN SELECT RAISE(ABORT, 'no room'); END"
    if not database.has_one_writer:
        write(
            database,
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE EXCEPTION 'no room'; END $$",
        )
        action = "FOR EACH ROW EXECUTE FUNCTION refuse()"
    write(database, f"CREATE TRIGGER refused BEFORE {change} {action}")


def snapshot(database: Database) -> list[str]:
    """Every row of every table."""
    return [
        f"{table} {row}"
        for table in SQLModel.metadata.tables
        for row in sorted(map(repr, run_query(database, f"SELECT * FROM {table}")))
    ]


def file_of(database: Database) -> SqliteDatabase:
    """A database that is a file."""
    assert isinstance(database, SqliteDatabase)
    return database


@contextmanager
def traced(database: Database) -> Iterator[list[str]]:
    """The statements that this thread reads with inside."""
    statements: list[str] = []
    with database.reading() as connection:
        assert isinstance(connection, SqliteConnection)
        connection.set_trace_callback(statements.append)
        yield statements
        connection.set_trace_callback(None)
