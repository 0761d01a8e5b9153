"""Everything of a SQLite file, and of the folder beside it, into an empty PostgreSQL database.

One transaction: what is compared afterwards, row by row and by deciding every journal once more, is
not committed yet. Any difference leaves the target as empty as it was.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Table, select
from sqlmodel import SQLModel

from core.domain.ids import SessionId
from core.ports import Gone
from core.store.connection.database import Database, DatabaseError, StoreError
from core.store.connection.opening import is_postgres, neutral_errors
from core.store.journal.replay import Replayed, replayed
from core.store.maintenance.exclusive_lock import exclusive_connection
from core.store.maintenance.upgrade import standing, upgrade
from core.store.statements.statement import Connection, SqlStatement

FILES: Final = "files"
BESIDE: Final = ("_forensics", "_taken-up")  # as `core.artifacts.files` names them
TEAMS: Final = "_teams"
ROWS_SHOWN: Final = 3


class DiffersError(Exception):
    """The copy is not the same. Its text says where; nothing of it was kept."""


@dataclass(frozen=True, slots=True)
class Copied:
    rows: Mapping[str, int]  # by table
    sessions: int  # whose journals were decided again, on both

    @property
    def files(self) -> int:
        return self.rows.get(FILES, 0)


def copy_database(source: str, target: str, artifacts: Path | None) -> Copied:
    """Copy all rows, and the files of `artifacts` as rows.

    Raises `StoreError` for what cannot be copied from or to, `InUseError` where a bot runs,
    `DatabaseError` for what the server refuses, and `DiffersError`.
    """
    _look(source, target)
    with exclusive_connection(source) as old, exclusive_connection(target) as new:
        if occupied := [name for name, table in _tables() if _rows(new, table).fetchone()]:
            raise StoreError(f"the target has rows in {', '.join(occupied[:ROWS_SHOWN])}")
        with neutral_errors(new):
            new.execute("BEGIN")
            try:
                counts = {name: _copy(old, new, table) for name, table in _tables()}
                counts[FILES] += _insert(new, _table(FILES), _files(artifacts))
                _compare(old, new, with_files=artifacts is None)
                sessions = _replay(old, new)
            except BaseException:
                new.execute("ROLLBACK")
                raise
            new.execute("COMMIT")
    return Copied({name: count for name, count in counts.items() if count}, sessions)


def _look(source: str, target: str) -> None:
    if is_postgres(source) or not is_postgres(target):
        raise StoreError("name a SQLite file to copy from and a PostgreSQL database to copy to")
    place = standing(source)
    if place.kind != "current":
        raise StoreError(f"{place.name} is not at the newest schema: run roundtable db upgrade")
    upgrade(target)


def _tables() -> Iterable[tuple[str, Table]]:
    return sorted(SQLModel.metadata.tables.items())


def _table(name: str) -> Table:
    return SQLModel.metadata.tables[name]


def _rows(db: Connection, table: Table) -> Any:
    return SqlStatement(select(table).order_by(*table.primary_key))(db)


def _copy(old: Connection, new: Connection, table: Table) -> int:
    return _insert(new, table, _rows(old, table))


def _insert(new: Any, table: Table, rows: Iterable[Iterable[Any]]) -> int:
    """How many. Raises `DatabaseError`, with the table, for a row that the server refuses."""
    count, columns = 0, ", ".join(table.columns.keys())
    try:
        with (
            neutral_errors(new),
            new.cursor().copy(f"COPY {table.name} ({columns}) FROM STDIN") as copy,
        ):
            for row in rows:
                copy.write_row([_value(value) for value in row])
                count += 1
    except ValueError as error:
        raise DatabaseError(f"{table.name}, row {count + 1}: {error}") from error
    except (DatabaseError, sqlite3.Error) as error:
        raise DatabaseError(f"{table.name}: {error}") from error
    return count


def _value(value: Any) -> Any:
    """Raises `ValueError` for what PostgreSQL has no text for."""
    if isinstance(value, str) and "\x00" in value:
        raise ValueError("a character U+0000 stands in it")
    return value


def _compare(old: Connection, new: Connection, *, with_files: bool) -> None:
    for name, table in _tables():
        if name == FILES and not with_files:
            continue
        for number, (before, after) in enumerate(
            zip_longest(_rows(old, table), _rows(new, table)), 1
        ):
            if before != after:
                raise DiffersError(f"{name}, row {number}")


def _replay(old: Connection, new: Connection) -> int:
    """How many sessions decide the same on both. Raises `DiffersError` for one that does not."""
    rows = SqlStatement(select(_table("sessions").c.id))(old).fetchall()
    for (session,) in rows:
        if _replayed(old, session) != _replayed(new, session):
            raise DiffersError(f"session {session} decides otherwise")
    return len(rows)


def _replayed(db: Connection, session: SessionId) -> Replayed | None:
    try:
        return replayed(OneConnection(db), session)
    except Gone:
        return None


class OneConnection(Database):
    """A transaction that is open, for whoever only reads."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def reading(self) -> AbstractContextManager[Connection]:
        return nullcontext(self._connection)

    def run(self, statement: SqlStatement, **values: Any) -> list[tuple[Any, ...]]:
        return statement(self._connection, **values).fetchall()

    def moment(self) -> AbstractContextManager[Connection]:
        return nullcontext(self._connection)

    def write(self, session: SessionId | None = None) -> AbstractContextManager[Connection]:
        """Raises `DatabaseError`: here one reads."""
        raise DatabaseError("read only")

    def neutral(self, error: Exception) -> Exception:
        return error


# ── the folder ──


def _files(root: Path | None) -> Iterator[tuple[str, str, str, bytes]]:
    """Team, slug, name and content of every file below the root; no link is followed."""
    if root is None:
        return
    for path in sorted(root.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        parts = path.relative_to(root).parts
        if any((root / Path(*parts[:depth])).is_symlink() for depth in range(1, len(parts))):
            continue
        place = _place(parts)
        if place is not None:
            yield (*place, path.read_bytes())


def _place(parts: tuple[str, ...]) -> tuple[str, str, str] | None:
    """Where a file lies among the rows; None for what is no artifact."""
    match parts:
        case (beside, team, slug, *rest) if beside in BESIDE and rest:
            return team, slug, "/".join((beside, *rest))
        case (teams, session, *rest) if teams == TEAMS and rest:
            return "", TEAMS, "/".join((session, *rest))
        case (team, slug, *rest) if rest and not team.startswith(("_", ".")):
            return team, slug, "/".join(rest)
        case _:
            return None
