"""One SQLite file: settings, the one writer, what a failed commit leaves, and the migrations."""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from core.store.connection.database import READERS_MAX, DatabaseError, DatabaseGoneError, StoreError
from core.store.connection.sqlite import SqliteDatabase
from core.store.maintenance import upgrade
from core.store.schema import workspace_tables as _  # noqa: F401 - all tables register themselves
from tests.migrations import add_revision
from tests.support.rows import run_query

MARK = "INSERT INTO deliveries(key, at) VALUES (?, ?)"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[SqliteDatabase]:
    url = f"sqlite:///{tmp_path}/a.db"
    upgrade.upgrade(url)
    found = SqliteDatabase(url)
    yield found
    found.close()


def keys(database: SqliteDatabase) -> list[str]:
    return [key for (key,) in run_query(database, "SELECT key FROM deliveries ORDER BY key")]


# ── how it is opened ──


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("sqlite://", "name a file"),
        ("sqlite:///:memory:", "name a file"),
        ("mysql://localhost/x", "mysql is not supported"),
        ("sqlite:////nowhere/at/all/a.db", "does not exist"),
    ],
)
def test_what_cannot_be_used_says_what_to_do(url: str, words: str) -> None:
    with pytest.raises(StoreError, match=words):
        SqliteDatabase(url)


def test_a_file_that_is_no_database_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_text("This is a letter, and no database at all. " * 50)
    with pytest.raises(StoreError, match="cannot be opened"):
        SqliteDatabase(f"sqlite:///{tmp_path}/a.db")


def test_every_connection_is_durable_and_strict(database: SqliteDatabase) -> None:
    with database.reading() as reader, database.write() as writer:
        connections = (reader, writer)
    for connection in connections:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
        assert connection.execute("PRAGMA busy_timeout").fetchone() == (1500,)


# ── writing ──


def test_a_full_disk_is_said_and_the_next_commit_works(database: SqliteDatabase) -> None:
    """`max_page_count` is how SQLite itself plays a full disk."""
    (pages,) = database._writer.execute("PRAGMA page_count").fetchone()
    database._writer.execute(f"PRAGMA max_page_count = {pages + 2}")
    many = [(f"key-{number}" * 40, 1.0) for number in range(2000)]
    with pytest.raises(DatabaseError, match="full"), database.write() as db:
        db.executemany(MARK, many)
    assert keys(database) == []
    database._writer.execute("PRAGMA max_page_count = 100000")
    with database.write() as db:
        db.execute(MARK, ("one", 1.0))
    assert keys(database) == ["one"]


def test_a_commit_that_fails_leaves_no_transaction_behind(database: SqliteDatabase) -> None:
    database._writer.executescript(
        "CREATE TABLE a(id PRIMARY KEY);"
        "CREATE TABLE b(a REFERENCES a(id) DEFERRABLE INITIALLY DEFERRED);"
    )
    with pytest.raises(DatabaseError), database.write() as db:
        db.execute("INSERT INTO b VALUES (7)")
    with database.write() as db:
        db.execute(MARK, ("one", 1.0))
    assert keys(database) == ["one"]


def test_a_file_another_process_holds_is_waited_for_and_then_said(
    database: SqliteDatabase, tmp_path: Path
) -> None:
    database._writer.execute("PRAGMA busy_timeout = 10")
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseError, match="locked"), database.write():
        raise AssertionError("never here")  # pragma: no cover
    other.execute("ROLLBACK")
    other.close()
    with database.write() as db:
        db.execute(MARK, ("one", 1.0))
    assert keys(database) == ["one"]


# ── files that are taken away ──


def elsewhere(database: SqliteDatabase) -> list[str]:
    """What another process finds in the files that are there."""
    with closing(sqlite3.connect(database.path)) as other:
        return [key for (key,) in other.execute("SELECT key FROM deliveries ORDER BY key")]


@pytest.mark.parametrize("gone", [("-wal",), ("-wal", "-shm")])
def test_a_log_that_was_deleted_is_noticed_and_saved_at_the_next_commit(
    database: SqliteDatabase, gone: tuple[str, ...]
) -> None:
    with database.write() as db:
        db.execute(MARK, ("one", 1.0))
    assert keys(database) == ["one"]
    for suffix in gone:
        Path(database.path + suffix).unlink()
    with database.write() as db:
        db.execute(MARK, ("two", 1.0))
    assert database.log_was_deleted
    assert elsewhere(database) == keys(database) == ["one", "two"]
    assert Path(f"{database.path}-wal").stat().st_size > 0
    with database.write() as db:
        db.execute(MARK, ("three", 1.0))
    assert elsewhere(database) == ["one", "three", "two"]


def test_nothing_is_written_once_the_database_itself_was_replaced(
    database: SqliteDatabase, tmp_path: Path
) -> None:
    Path(database.path).rename(tmp_path / "old.db")
    upgrade.upgrade(f"sqlite:///{database.path}")
    with pytest.raises(DatabaseGoneError, match="was replaced"), database.write():
        raise AssertionError("never here")  # pragma: no cover
    assert elsewhere(database) == []


def test_a_log_is_not_saved_while_somebody_reads_an_older_moment(database: SqliteDatabase) -> None:
    reading, may_end = threading.Event(), threading.Event()

    def read() -> None:
        with database.moment():
            reading.set()
            may_end.wait()

    with database.write() as db:
        db.execute(MARK, ("one", 1.0))
    reader = threading.Thread(target=read)
    reader.start()
    reading.wait()
    Path(f"{database.path}-wal").unlink()
    with pytest.raises(DatabaseGoneError, match="not given back"), database.write():
        raise AssertionError("never here")  # pragma: no cover
    may_end.set()
    reader.join()
    with database.write() as db:
        db.execute(MARK, ("two", 1.0))
    assert elsewhere(database) == ["one", "two"]


# ── reading ──


def test_however_many_threads_read_there_are_a_few_connections(database: SqliteDatabase) -> None:
    reading, may_end = threading.Barrier(READERS_MAX + 1), threading.Event()

    def read() -> None:
        with database.reading() as db:
            db.execute("SELECT 1").fetchone()
            reading.wait()
            may_end.wait()

    for _round in range(3):
        threads = [threading.Thread(target=read) for _number in range(READERS_MAX)]
        for thread in threads:
            thread.start()
        reading.wait()
        may_end.set()
        for thread in threads:
            thread.join()
        may_end.clear()
    for _number in range(100):
        thread = threading.Thread(target=keys, args=(database,))
        thread.start()
        thread.join()
    assert times_open(database.path) == READERS_MAX + 1  # and the one that writes


def times_open(path: str) -> int:
    links = Path("/proc/self/fd").iterdir()
    return sum(link.readlink() == Path(path) for link in links if link.is_symlink())


# ── whose it is ──


def test_the_database_and_what_lies_beside_it_are_their_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        upgrade.upgrade(f"sqlite:///{tmp_path}/a.db")
        open_one = SqliteDatabase(f"sqlite:///{tmp_path}/a.db")
        with open_one.write() as db:
            db.execute(MARK, ("one", 1.0))
        modes = {path.name: oct(path.stat().st_mode & 0o7777) for path in tmp_path.iterdir()}
        open_one.close()
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("a.db", "a.db-wal", "a.db-shm"), "0o600")


# ── migrations ──


@pytest.mark.parametrize("after", [100, 500, 1000])
def test_an_upgrade_that_is_cut_off_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    url = f"sqlite:///{tmp_path}/a.db"
    upgrade.upgrade(url)
    add_revision(monkeypatch, tmp_path)
    before = (tmp_path / "a.db").read_bytes()
    with pytest.raises(StoreError, match="interrupted"):
        upgrade_cut_off(url, after)
    assert (tmp_path / "a.db").read_bytes() == before
    upgrade.upgrade(url)
    assert upgrade.standing(url).kind == "current"


def upgrade_cut_off(url: str, after: int) -> None:
    """After so many times ten instructions of SQLite's on one connection."""

    def narrow(connection: sqlite3.Connection, _record: object) -> None:
        left = iter(range(after))
        connection.set_progress_handler(lambda: next(left, None) is None, 10)

    event.listen(Engine, "connect", narrow)
    try:
        upgrade.upgrade(url)
    finally:
        event.remove(Engine, "connect", narrow)


def test_an_empty_file_is_not_current(tmp_path: Path) -> None:
    SqliteDatabase(f"sqlite:///{tmp_path}/a.db").close()
    assert upgrade.standing(f"sqlite:///{tmp_path}/a.db").kind != "current"
    with pytest.raises(StoreError, match="does not exist"):
        upgrade.upgrade("sqlite:////nowhere/at/all/a.db")


def test_where_a_database_stands_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    url = f"sqlite:///{path}"
    assert upgrade.standing(url).kind == "missing"
    assert not path.exists()
    path.touch()
    assert upgrade.standing(url).kind == "empty"
    upgrade.upgrade(url)
    assert upgrade.standing(url).kind == "current"


def test_a_newer_database_is_left_as_it_is(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/a.db"
    upgrade.upgrade(url)
    with sqlite3.connect(tmp_path / "a.db") as db:
        db.execute("UPDATE alembic_version SET version_num = '9999'")
    db.close()
    before = (tmp_path / "a.db").read_bytes()
    with pytest.raises(StoreError, match="at revision 9999, newer than this version"):
        upgrade.upgrade(url)
    assert (tmp_path / "a.db").read_bytes() == before


def test_the_tables_of_another_program_get_none_of_ours_beside_them(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a.db") as other:
        other.execute("CREATE TABLE songs (title)")
    with pytest.raises(StoreError, match="the tables of another program; name another file"):
        upgrade.upgrade(f"sqlite:///{tmp_path}/a.db")
    assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("songs",)]
    other.close()


def test_a_file_that_cannot_be_upgraded_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_text("This is a letter, and no database at all. " * 50)
    with pytest.raises(
        StoreError, match=r"a\.db cannot be used: file is not a database; roundtable"
    ):
        upgrade.upgrade(f"sqlite:///{tmp_path}/a.db")
