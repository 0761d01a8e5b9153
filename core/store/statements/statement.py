"""A statement of SQLAlchemy Core that runs as text on the driver's own connection.

Executing Core costs two to four times a commit, executing its text costs what the text costs. So an
expression is compiled once per dialect, at its first use, and run with bound parameters. That is
right because columns are text, integers and reals without defaults in Python, and no statement
binds a list (`IN` is spelt out).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, Final, Protocol

from sqlalchemy import (
    Column,
    Executable,
    Table,
    bindparam,
    case,
    delete,
    func,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.compiler import SQLCompiler

Value = str | int | float | bytes | None
Insert = Callable[[Table], Any]
Build = Callable[[Insert], Executable]

SQLITE: Final[Dialect] = sqlite.dialect(paramstyle="named")


class Cursor(Protocol):
    """What a statement leads to, as both drivers have it."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """A driver's own connection, and how statements are spelt for it."""

    dialect: ClassVar[Dialect]

    def execute(self, query: Any, parameters: Any = ..., /) -> Any: ...


def insert_of(dialect: str) -> Insert:
    """A dialect's own INSERT: what a conflict leads to is no part of Core's."""
    if dialect == "sqlite":
        return sqlite.insert
    from sqlalchemy.dialects import postgresql

    return postgresql.insert


class SqlStatement:
    """One statement. Call it with a connection and its parameters, by name."""

    __slots__ = ("_build", "_texts")

    def __init__(self, build: Executable | Build) -> None:
        self._build = build
        self._texts: dict[str, tuple[str, dict[str, Value]]] = {}

    def __call__(self, db: Connection, **values: Value) -> Cursor:
        try:
            text, constants = self._texts[db.dialect.name]
        except KeyError:
            text, constants = self._texts[db.dialect.name] = self.compiled(db.dialect)
        cursor: Cursor = db.execute(text, constants | values if constants else values)
        return cursor

    def expression(self, dialect: Dialect) -> Executable:
        """The statement in Core."""
        if isinstance(self._build, Executable):
            return self._build
        return self._build(insert_of(dialect.name))

    def compiled(self, dialect: Dialect) -> tuple[str, dict[str, Value]]:
        """The text for a dialect, and the values that the expression itself binds."""
        compiled: Any = self.expression(dialect).compile(dialect=dialect)  # type: ignore[attr-defined]
        assert isinstance(compiled, SQLCompiler)
        bound = compiled.bind_names.items()
        constants = {name: param.value for param, name in bound if not param.required}
        return str(compiled), constants


def is_param(column: Column[Any], name: str = "") -> Any:
    """`column = :name`; the column's own name where none is given."""
    return column == bindparam(name or column.name)


def are_params(table: Table, *names: str) -> tuple[Any, ...]:
    """`column = :column` for each of these columns."""
    return tuple(is_param(table.c[name]) for name in names)


def select_docs(table: Table, *keys: str, where: Any = (), order_by: Any = ()) -> SqlStatement:
    """Select the documents of the rows with these values of `keys`."""
    return select_columns(table, "doc", keys=keys, where=where, order_by=order_by)


def select_columns(
    table: Table, *columns: str, keys: Iterable[str], where: Any = (), order_by: Any = ()
) -> SqlStatement:
    """Select columns of the rows with these values of `keys`."""
    chosen = select(*(table.c[name] for name in columns))
    conditions = (*are_params(table, *keys), *where)
    return SqlStatement(chosen.where(*conditions).order_by(*order_by))


def select_locked(table: Table, *columns: str, keys: Iterable[str]) -> SqlStatement:
    """Select columns of the rows with these values of `keys`, and lock the rows."""
    chosen = select(*(table.c[name] for name in columns))
    return SqlStatement(chosen.where(*are_params(table, *keys)).with_for_update())


def delete_rows(table: Table, *keys: str, where: Any = ()) -> SqlStatement:
    """Delete the rows with these values of `keys`."""
    return SqlStatement(delete(table).where(*are_params(table, *keys), *where))


def update_rows(table: Table, *keys: str, where: Any = (), **columns: Any) -> SqlStatement:
    """Set columns of the rows with these values of `keys`: each to an expression."""
    return SqlStatement(update(table).where(*are_params(table, *keys), *where).values(columns))


def next_number(column: Column[Any], session: Column[Any]) -> Any:
    """One more than the highest number that the session's rows have; 1 for the first."""
    highest = func.coalesce(func.max(column), literal_column("0"))
    return select(highest + literal_column("1")).where(is_param(session)).scalar_subquery()


def insert_row(table: Table, **computed: Any) -> SqlStatement:
    """Insert a row of parameters, one for each column that is not `computed`."""
    return SqlStatement(table.insert().values(_bound(table, computed)).inline())


def insert_new(table: Table, **computed: Any) -> SqlStatement:
    """Insert a row unless there is one of its key."""
    return SqlStatement(
        lambda insert: insert(table).values(_bound(table, computed)).on_conflict_do_nothing()
    )


def upsert(table: Table, *columns: str, **updates: Callable[[Any], Any]) -> SqlStatement:
    """Insert a row of `columns` (all, where none are named), or update the one of its key.

    `updates` say how a column changes, given the row that was not inserted.
    """
    names = columns or tuple(table.columns.keys())
    key = [column.name for column in table.primary_key]

    def build(insert: Insert) -> Executable:
        row = insert(table).values({name: bindparam(name) for name in names})
        changed = {name: row.excluded[name] for name in names if name not in key}
        changed |= {name: update(row.excluded) for name, update in updates.items()}
        statement: Executable = row.on_conflict_do_update(index_elements=key, set_=changed)
        return statement

    return SqlStatement(build)


def unless_negative(column: Column[Any]) -> Callable[[Any], Any]:
    """An update by the new value, where that is not negative; otherwise nothing changes."""
    return lambda row: case(
        (row[column.name] < literal_column("0"), column), else_=row[column.name]
    )


def _bound(table: Table, computed: Mapping[str, Any]) -> dict[str, Any]:
    return {name: bindparam(name) for name in table.columns.keys()} | dict(computed)  # noqa: SIM118
