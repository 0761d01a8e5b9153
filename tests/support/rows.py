"""Rows of a database as they are stored, asked for in SQL: the product itself has none by hand."""

from collections.abc import Sequence
from typing import Any

from core.store.connection.database import Database


class Rows(list[tuple[Any, ...]]):
    """All rows of a query, asked for as from a cursor."""

    def fetchone(self) -> Any:
        return self.pop(0) if self else None

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self


def run_query(database: Database, query: str, args: Sequence[object] = ()) -> Rows:
    """The rows of a query as of the last commit."""
    with database.reading() as connection:
        return Rows(connection.execute(query, args))
