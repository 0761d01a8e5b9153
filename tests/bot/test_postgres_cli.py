"""The command line on a PostgreSQL server: what there is, taken out, put in, deleted, upgraded."""

import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner, Result

from bot.cli import main
from bot.cli.doctor.command import examined
from core.domain.ids import SessionId
from core.store.connection.opening import open_database
from core.store.maintenance.upgrade import standing, upgrade
from tests.migrations import add_revision
from tests.support.databases import DATABASES
from tests.support.harness import Harness, close_all, small_table
from tests.support.postgres import Server
from tests.support.rows import run_query, snapshot

SLUG, WORD = "export-dashboard-as-pdf", "quokka"


@pytest.fixture(scope="module", autouse=True)
def mounted() -> None:
    if not main.app.registered_commands:
        main._mount()


@pytest.fixture
def table(
    postgres_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Harness]:
    """What a bot leaves behind on a server without a folder: two sessions."""
    for name in list(os.environ):
        if name.startswith(("SLACK_", "ROUNDTABLE_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    with DATABASES.on(postgres_server):
        table = small_table(tmp_path, rows=True)
        monkeypatch.setenv("ROUNDTABLE_DATABASE_URL", table.runtime.database.url)  # type: ignore[attr-defined]
        table.start()
        table.answer(f"Because of the {WORD}.")
        table.id = SessionId("s2")
        table.start("Another thing")
        yield table
        close_all()


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main.app, arguments)


def test_sessions_are_listed_replayed_and_exported(table: Harness, tmp_path: Path) -> None:
    assert SLUG in run("sessions").stdout
    assert "all is the same" in run("replay", SLUG).stdout
    done = run("export", SLUG)
    assert done.exit_code == 0, done.output
    names = zipfile.ZipFile(tmp_path / f"{SLUG}.zip").namelist()
    assert f"{SLUG}/requirements-spec.md" in names
    assert not (tmp_path / "artifacts").exists()


def test_a_file_is_read_changed_and_put_back(table: Harness, tmp_path: Path) -> None:
    assert "requirements-spec.md" in run("files", "list", SLUG).stdout.splitlines()
    assert run("files", "get", SLUG, "requirements-spec.md").exit_code == 0
    page = tmp_path / "requirements-spec.md"
    page.write_text(f"{page.read_text()}\nA line of our own.\n")
    assert run("files", "put", SLUG, str(page)).exit_code == 0
    table.id = SessionId("s1")
    folder = table.artifacts.of(table.session.team)
    assert "A line of our own." in (folder.read(table.session.slug, page.name) or "")


def test_what_cannot_be_read_or_put_is_said_in_a_line(table: Harness, tmp_path: Path) -> None:
    for arguments, words in (
        (("get", SLUG, "none.md"), "No such file"),
        (("get", SLUG, "../x"), "no plain name"),
        (("get", "nobody", "a.md"), "There is no run or session"),
        (("put", SLUG, str(tmp_path / "none")), "cannot be read"),
    ):
        done = run("files", *arguments)
        assert done.exit_code == 2
        assert words in done.stderr


def test_a_session_is_deleted_with_its_files_once_nobody_has_it_open(table: Harness) -> None:
    refused = run("delete", SLUG, "--yes")
    assert refused.exit_code == 2
    assert "The bot is running" in refused.stderr
    table.close()
    done = run("delete", SLUG, "--yes")
    assert done.exit_code == 0, done.output
    database = open_database(os.environ["ROUNDTABLE_DATABASE_URL"])
    assert WORD not in "\n".join(snapshot(database))
    slugs = run_query(database, "SELECT DISTINCT slug FROM files WHERE slug <> '_teams'")
    assert slugs == [("another-thing",)]
    database.close()


def test_room_is_given_back(table: Harness) -> None:
    table.close()
    done = run("db", "compact")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("The database was ")


def test_whom_rows_name_is_found_beside_tables_of_others(table: Harness) -> None:
    done = run("delete", "--person", table.cast.owner)
    assert done.exit_code == 0, done.output
    assert SLUG in done.stdout


def test_an_empty_database_is_said_and_made(
    postgres_server: Server, monkeypatch: pytest.MonkeyPatch, table: Harness
) -> None:
    monkeypatch.setenv("ROUNDTABLE_DATABASE_URL", postgres_server.database(None))
    refused = run("sessions")
    assert refused.exit_code == 2
    assert "Run: roundtable db upgrade" in refused.stderr
    for _ in range(2):
        assert run("db", "upgrade").stdout == "The database is at revision 0001.\n"
    assert run("sessions").stdout == "There is no session yet.\n"


def test_a_database_of_a_newer_version_or_another_program_is_left_as_it_is(
    postgres_server: Server, monkeypatch: pytest.MonkeyPatch, table: Harness
) -> None:
    for query, words in (
        ("CREATE TABLE alembic_version (version_num text); "
         "INSERT INTO alembic_version VALUES ('9999')", "newer than this version"),
        ("CREATE TABLE letters (text text)", "the tables of another program"),
    ):  # fmt: skip
        url = postgres_server.database(None)
        postgres_server.execute(query, url.partition("@/")[2].partition("?")[0])
        monkeypatch.setenv("ROUNDTABLE_DATABASE_URL", url)
        for command in (("db", "upgrade"), ("sessions",)):
            done = run(*command)
            assert done.exit_code == 2
            assert words in done.stderr


def test_upgrades_at_once_make_one_schema(postgres_server: Server) -> None:
    from concurrent.futures import ThreadPoolExecutor

    url = postgres_server.database(None)
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(upgrade, [url] * 3)) == ["0001"] * 3


def test_an_upgrade_says_that_somebody_keeps_a_table_and_leaves_all_as_it_was(
    table: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_revision(monkeypatch, tmp_path, "ALTER TABLE sessions ADD COLUMN mood TEXT")
    monkeypatch.setattr("core.store.maintenance.upgrade.LOCK_TIMEOUT", "SET LOCAL lock_timeout=50")
    url = os.environ["ROUNDTABLE_DATABASE_URL"]
    for locked, mode in (("sessions", "ACCESS SHARE"), ("alembic_version", "ACCESS EXCLUSIVE")):
        with psycopg.connect(url) as connection:
            connection.execute(f"LOCK TABLE {locked} IN {mode} MODE".encode())
            done = run("db", "upgrade")
            connection.rollback()
        assert done.exit_code == 2
        assert "a transaction keeps a table locked" in done.stderr
        assert "nothing was changed" in done.stderr
        assert standing(url).kind == "older"
    assert run("db", "upgrade").exit_code == 0


# ── the doctor ──


def looked(**now: float) -> dict[str, tuple[str, str]]:
    """What the doctor found of the database: state and words, by check."""
    clock = {"now": lambda: now["now"]} if now else {}
    found = examined(offline=True, **clock)
    return {check.name: (check.state, check.found) for check in found if check.group == "database"}


def test_the_doctor_looks_the_server_over(table: Harness, postgres_server: Server) -> None:
    found = looked()
    assert found["database"][0] == "ok"
    assert "PostgreSQL " in found["database"][1]
    assert {name for name, (state, _) in found.items() if state != "ok"} == {"durability"}
    assert found["durability"][1] == "fsync off, synchronous_commit off"
    assert looked(now=1.0)["server clock"][0] == "warn"


def test_the_doctor_warns_where_rows_wait_and_no_process_performs(
    table: Harness, postgres_server: Server
) -> None:
    name = os.environ["ROUNDTABLE_DATABASE_URL"].partition("@/")[2].partition("?")[0]
    assert looked()["workers"] == ("ok", "0 running, 0 rows due for over a minute")
    postgres_server.execute(
        "INSERT INTO outbox (session, id, lane, kind, rank, doc, since, due, attempts) "
        "VALUES ('s', 1, 'visible', 'Mark', 0, '{}', 0, 1, 0)",
        name,
    )
    assert looked()["workers"] == ("warn", "0 running, 1 rows due for over a minute")
    postgres_server.execute("INSERT INTO procrastinate_workers DEFAULT VALUES", name)
    assert looked()["workers"] == ("ok", "1 running, 1 rows due for over a minute")


def test_the_doctor_names_an_empty_database_and_one_that_is_not_there(
    postgres_server: Server, monkeypatch: pytest.MonkeyPatch, table: Harness
) -> None:
    monkeypatch.setenv("ROUNDTABLE_DATABASE_URL", postgres_server.database(None))
    assert looked()["schema"] == ("fail", "it is empty")
    nowhere = postgres_server.url("nowhere").replace("postgres@", "postgres:verysecret@")
    monkeypatch.setenv("ROUNDTABLE_DATABASE_URL", nowhere)
    found = looked()
    assert found["database"][0] == "fail"
    assert '"nowhere" does not exist' in found["database"][1]
    assert "verysecret" not in str(found)


def test_the_doctor_says_where_rights_or_connections_are_missing(
    postgres_server: Server, monkeypatch: pytest.MonkeyPatch, table: Harness
) -> None:
    postgres_server.execute("CREATE ROLE looker LOGIN")
    url = os.environ["ROUNDTABLE_DATABASE_URL"]
    name = url.partition("@/")[2].partition("?")[0]
    postgres_server.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO looker", name)
    monkeypatch.setenv("ROUNDTABLE_DATABASE_URL", url.replace("postgres@", "looker@"))
    state, words = looked()["writing"]
    assert (state, words) == ("fail", "permission denied for table deliveries")
