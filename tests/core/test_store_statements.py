"""Every statement of the hot path means the same as text on the driver and through SQLAlchemy."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pytest_mock import MockerFixture
from sqlalchemy import BindParameter, Float, Integer, LargeBinary, Select, create_engine
from sqlalchemy.dialects import postgresql
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.visitors import cloned_traverse
from sqlmodel import SQLModel

from core.store.connection.postgres import PostgresDatabase
from core.store.connection.sqlite import SqliteConnection
from core.store.maintenance.copying import copy_database
from core.store.statements import answers, calls, files, installations, outbox, sessions, steps
from core.store.statements.statement import SQLITE, Connection, SqlStatement
from tests.support.harness import small_table
from tests.support.postgres import Server

MODULES: tuple[ModuleType, ...] = (answers, calls, files, installations, outbox, sessions, steps)
STATEMENTS = {
    f"{module.__name__.rpartition('.')[2]}.{name}": value
    for module in MODULES
    for name, value in vars(module).items()
    if isinstance(value, SqlStatement)
}
OTHERS = {"base": "another", "first": "another-0", "last": "another-:", "unchanged": "",
          "now": 9e12, "before": 9e12, "since": "0", "read_version": 1, "many": 2}  # fmt: skip


NEW = {"id": "new", "slug": "new", "place": 99, "version": 99}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session with rows in most tables, and something in its outbox."""
    folder = tmp_path_factory.mktemp("played")
    table = small_table(folder)
    table.start()
    table.answer("Because of the bank.")
    with table.runtime.database.write() as db:
        outbox.INSERT_EFFECT(
            db, session="s1", id=99, lane="visible", kind="PaintCard", target="card", rank=2,
            doc="{}", due=1.0,
        )  # fmt: skip
        outbox.SAVE_TIMER(db, session="s1", kind="quiet", step="01-01", due=1.0)
    table.runtime.database.close()
    return folder / "table.db"


def values_of(statement: SqlStatement, path: Path) -> dict[str, Any]:
    """A value for each parameter: of a row that is there, or one of its type."""
    compiled: Any = statement.expression(SQLITE).compile(dialect=SQLITE)  # type: ignore[attr-defined]
    names = {name: bind.type for bind, name in compiled.bind_names.items() if bind.required}
    tables = [table for table in SQLModel.metadata.tables if f" {table}" in str(compiled)]
    row: dict[str, Any] = {}
    with closing(sqlite3.connect(path)) as db:
        db.row_factory = sqlite3.Row
        for table in reversed(tables):
            row |= dict(db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchone() or {})
    if str(compiled).startswith("INSERT") and "CONFLICT" not in str(compiled):
        row |= NEW | ({"id": 100} if isinstance(names.get("id"), Integer) else {})
    return {name: OTHERS.get(name, row.get(name, _made(kind))) for name, kind in names.items()}


def _made(kind: Any) -> Any:
    if isinstance(kind, LargeBinary):
        return b"made up"
    return 7 if isinstance(kind, Integer) else 7.5 if isinstance(kind, Float) else "made up"


def filled(statement: SqlStatement, values: Mapping[str, Any]) -> Any:
    """The expression with its values: given beside it, SQLAlchemy takes them for columns to set."""

    def fill(bind: BindParameter[Any]) -> None:
        if bind.required:
            bind.value, bind.required = values[bind.key], False

    expression: Any = statement.expression(SQLITE)
    return cloned_traverse(expression, {}, {"bindparam": fill})


def everything(path: Path) -> Iterator[tuple[str, list[Any]]]:
    with closing(sqlite3.connect(path)) as db:
        for table in SQLModel.metadata.tables:
            yield table, sorted(map(repr, db.execute(f"SELECT * FROM {table}")))


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement_does_the_same_on_the_driver_and_through_sqlalchemy(
    name: str, played: Path, tmp_path: Path
) -> None:
    statement = STATEMENTS[name]
    values = values_of(statement, played)
    paths = tmp_path / "driver.db", tmp_path / "core.db"
    for path in paths:
        path.write_bytes(played.read_bytes())
    with closing(sqlite3.connect(paths[0])) as db:
        on_driver = db.execute(
            statement.compiled(SQLITE)[0], statement.compiled(SQLITE)[1] | values
        )
        first = (on_driver.fetchall(), on_driver.rowcount)
        db.commit()
    engine = create_engine(f"sqlite:///{paths[1]}")
    with engine.begin() as connection:
        result: Any = connection.execute(filled(statement, values))
        second = ([tuple(row) for row in result] if result.returns_rows else [], result.rowcount)
    engine.dispose()
    assert first == second
    assert dict(everything(paths[0])) == dict(everything(paths[1]))


@pytest.mark.parametrize("name", STATEMENTS)
@pytest.mark.parametrize("dialect", [SQLITE, postgresql.dialect()], ids=["sqlite", "postgresql"])
def test_a_statement_can_be_said_in_both_dialects_and_binds_no_list(
    name: str, dialect: Dialect
) -> None:
    text, _ = STATEMENTS[name].compiled(dialect)
    assert "POSTCOMPILE" not in text
    assert "REPLACE" not in text
    assert "rowid" not in text.lower()


@pytest.mark.parametrize("table", SQLModel.metadata.tables.values(), ids=lambda table: table.name)
def test_columns_are_text_numbers_and_bytes_without_defaults_in_python(table: Any) -> None:
    for column in table.columns:
        assert column.type.compile(dialect=SQLITE) in ("VARCHAR", "INTEGER", "FLOAT", "BLOB")
        assert column.default is None or column.nullable
        assert column.onupdate is None


def test_a_statement_is_compiled_at_its_first_use_and_not_again(
    played: Path, mocker: MockerFixture
) -> None:
    write = mocker.Mock(return_value=sessions.SESSION.expression(SQLITE))
    statement = SqlStatement(write)
    with sqlite3.connect(played, factory=SqliteConnection) as db:
        rows = [statement(db, id="s1").fetchone() for _ in range(3)]
    db.shut()
    assert rows[0] is not None
    write.assert_called_once()


@pytest.fixture(scope="module")
def on_server(played: Path, postgres_server: Server) -> Iterator[PostgresDatabase]:
    """The same rows on a PostgreSQL server."""
    url = postgres_server.database()
    copy_database(f"sqlite:///{played}", url, None)
    database = PostgresDatabase(url)
    yield database
    database.close()
    postgres_server.drop(url)


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement_does_the_same_on_both_databases(
    name: str, played: Path, tmp_path: Path, on_server: PostgresDatabase
) -> None:
    statement = STATEMENTS[name]
    values = values_of(statement, played)
    path = tmp_path / "copy.db"
    path.write_bytes(played.read_bytes())
    with sqlite3.connect(path, factory=SqliteConnection) as db:
        in_file = outcome(statement, db, values)
    db.shut()
    on_the_server = []
    with suppress(KeyError), on_server.write() as connection:
        on_the_server.append(outcome(statement, connection, values))
        raise KeyError("nothing is to stay")
    assert on_the_server == [in_file]


def outcome(statement: SqlStatement, db: Connection, values: dict[str, Any]) -> list[Any] | int:
    """The rows of a query, else how many were changed."""
    cursor = statement(db, **values)
    is_query = isinstance(statement.expression(db.dialect), Select)
    return sorted(map(repr, cursor.fetchall())) if is_query else cursor.rowcount
