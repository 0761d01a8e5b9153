"""What every database does alike: one transaction, one moment, few connections, one schema."""

import resource
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Index, inspect
from sqlmodel import SQLModel

from core.store.connection.database import READERS_MAX, WAIT_S_MAX, Database, DatabaseError
from core.store.connection.opening import engine_over, open_database
from core.store.maintenance import upgrade
from core.store.schema import workspace_tables as _  # noqa: F401 - all tables register themselves
from core.store.statements import sessions
from core.store.statements.statement import Connection
from tests.migrations import add_revision
from tests.support.databases import EACH_DATABASE
from tests.support.rows import run_query
from tests.support.serving import database_in

pytestmark = EACH_DATABASE

SHARED = {"outbox_due", "timers_due"}  # for looks that several processes take


@pytest.fixture
def url(tmp_path: Path) -> str:
    return database_in(tmp_path)


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    opened = open_database(url)
    yield opened
    opened.close()


def keys(database: Database) -> list[str]:
    return [key for (key,) in run_query(database, "SELECT key FROM deliveries ORDER BY key")]


def save(db: Connection, key: str) -> None:
    sessions.SAVE_DELIVERY(db, key=key, at=1.0)


def test_what_is_raised_inside_takes_everything_back(database: Database) -> None:
    def interrupted() -> None:
        with database.write() as db:
            save(db, "one")
            raise KeyError

    with pytest.raises(KeyError):
        interrupted()
    assert keys(database) == []
    with database.write() as db:
        save(db, "two")
    assert keys(database) == ["two"]


def test_a_reader_sees_nothing_before_the_commit(database: Database) -> None:
    with database.write() as db:
        save(db, "one")
        assert keys(database) == []
    assert keys(database) == ["one"]


def test_threads_write_one_after_another(database: Database) -> None:
    def write(thread: int) -> None:
        for number in range(20):
            with database.write() as db:
                save(db, f"{thread}-{number}")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(keys(database)) == 160


@contextmanager
def all_lent(database: Database) -> Iterator[None]:
    """Threads hold every connection to read with."""
    may_end, begun = threading.Event(), threading.Barrier(READERS_MAX + 1)

    def hold() -> None:
        with database.reading():
            begun.wait()
            may_end.wait()

    holders = [threading.Thread(target=hold) for _number in range(READERS_MAX)]
    for holder in holders:
        holder.start()
    begun.wait()
    try:
        yield
    finally:
        may_end.set()
        for holder in holders:
            holder.join()


def test_a_thread_that_finds_every_connection_lent_waits_for_one(database: Database) -> None:
    found: list[list[str]] = []
    late = threading.Thread(target=lambda: found.append(keys(database)))
    with all_lent(database):
        late.start()
        with database.write() as db:
            save(db, "one")
        assert found == []
    late.join()
    assert found == [["one"]]


def test_a_thread_waits_for_a_connection_as_long_as_for_a_lock_and_no_longer(
    database: Database,
) -> None:
    with all_lent(database):
        begun = time.monotonic()
        with pytest.raises(DatabaseError, match="every connection is in use"):
            keys(database)
        assert WAIT_S_MAX <= time.monotonic() - begun < 2 * WAIT_S_MAX
    assert keys(database) == []


@contextmanager
def no_file_opens() -> Iterator[None]:
    """This process may open no further file or socket."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_a_connection_that_cannot_be_opened_is_the_database_s_error(database: Database) -> None:
    with no_file_opens(), pytest.raises(DatabaseError):
        keys(database)
    assert keys(database) == []


def test_a_connection_that_is_lent_while_all_are_closed_is_closed_when_it_comes_back(
    database: Database,
) -> None:
    with database.reading() as connection:
        closing = threading.Thread(target=database.close)
        closing.start()
        closing.join()
        assert connection.execute("SELECT 1").fetchone() == (1,)
    with pytest.raises(Exception, match="closed"):
        connection.execute("SELECT 1")
    with database.reading() as later:  # of a thread that has not ended yet
        assert later.execute("SELECT 1").fetchone() == (1,)
    with pytest.raises(Exception, match="closed"):
        later.execute("SELECT 1")


def test_a_thread_is_lent_the_same_connection_again_and_sees_one_moment(
    database: Database,
) -> None:
    with database.moment() as db:
        assert keys(database) == []
        with database.write() as writer:
            save(writer, "one")
        with database.reading() as again:
            assert again is db
        assert keys(database) == []
    assert keys(database) == ["one"]


def ours(database: Database) -> set[Index]:
    """The indexes that this database is to have: some are of one dialect alone."""
    with database.reading() as db:
        left_out = set() if db.dialect.name == "postgresql" else SHARED
    tables = SQLModel.metadata.tables.values()
    return {index for table in tables for index in table.indexes if index.name not in left_out}


def test_the_migrations_give_the_tables_of_the_code(database: Database) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    indexes = {index.name for index in ours(database)}

    def is_ours(item: Any, name: str | None, kind: str, *more: object) -> bool:
        """The tables of the job engine are its own."""
        if kind == "index":
            return name in indexes
        return kind != "table" or name in SQLModel.metadata.tables

    options = {"compare_type": True, "include_object": is_ours}
    with database.reading() as db, engine_over(db).connect() as connection:
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, SQLModel.metadata) == []


def test_every_index_of_the_code_is_there(database: Database) -> None:
    with database.reading() as db, engine_over(db).connect() as connection:
        found = {
            index["name"]
            for table in SQLModel.metadata.tables
            for index in inspect(connection).get_indexes(table)
        }
    assert {index.name for index in ours(database)} <= found


def test_migrating_twice_is_migrating_once(url: str) -> None:
    head = upgrade.upgrade(url)
    assert upgrade.upgrade(url) == head
    assert upgrade.standing(url).stored == upgrade.standing(url).newest == head
    assert upgrade.standing(url).kind == "current"


def test_an_older_database_is_behind_and_keeps_its_rows(
    database: Database, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.write() as db:
        save(db, "one")
    add_revision(monkeypatch, tmp_path)
    assert upgrade.standing(url).kind == "older"
    assert upgrade.upgrade(url) == "9000"
    assert upgrade.standing(url).kind == "current"
    assert keys(database) == ["one"]
