"""`roundtable db copy`: all of a file and its folder, or nothing, on an empty server's database."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner, Result

from bot.cli import main
from core.artifacts.files.folder import Folder
from core.artifacts.files.stored_folder import StoredFolder
from core.domain.ids import SessionId, Slug
from core.store.connection.opening import open_database
from core.store.journal.replay import replayed
from core.store.repository.artifact_rows import ArtifactRows
from tests.support.fakes import TEAM
from tests.support.harness import small_table
from tests.support.postgres import Server
from tests.support.rows import run_query, snapshot

SLUG = Slug("export-dashboard-as-pdf")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a bot leaves behind on one machine: two sessions, and what was kept of one beside it."""
    if not main.app.registered_commands:
        main._mount()
    place = tmp_path_factory.mktemp("made")
    table = small_table(place)
    table.start()
    table.edit(table.say("Because of the bank."), "Because of the bank, and the board.")
    table.forward()
    table.artifacts.of(TEAM).preserve(SLUG, 1, {"state.json": "{}"})
    table.artifacts.of(TEAM).keep_aside(SLUG, "20260301")
    table.teams.create(SessionId("s1"), [])
    table.id = SessionId("s2")
    table.start("Another thing")
    table.close()
    return place


@pytest.fixture
def home(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith(("SLACK_", "ROUNDTABLE_")):
            monkeypatch.delenv(name)
    place = shutil.copytree(made, tmp_path / "home")
    monkeypatch.setenv("ROUNDTABLE_ARTIFACTS_DIR", str(place / "artifacts"))
    return place


@pytest.fixture
def target(postgres_server: Server) -> Iterator[str]:
    url = postgres_server.database()
    yield url
    postgres_server.drop(url)


def copy(home: Path, target: str, *more: str) -> Result:
    source = f"sqlite:///{home}/table.db"
    return CliRunner().invoke(main.app, ["db", "copy", "--from", source, "--to", target, *more])


def rows_of(url: str, *, files: bool = True) -> list[str]:
    database = open_database(url)
    rows = snapshot(database)
    database.close()
    return [row for row in rows if files or not row.startswith("files ")]


def test_every_row_and_file_is_there_and_decides_the_same(home: Path, target: str) -> None:
    done = copy(home, target)
    assert done.exit_code == 0, done.output
    assert "2 sessions decide the same on both." in done.stdout
    assert rows_of(target, files=False) == rows_of(f"sqlite:///{home}/table.db", files=False)
    database = open_database(target)
    on_disk, in_rows = Folder(home / "artifacts"), StoredFolder(ArtifactRows(database))
    for slug in (SLUG, Slug("another-thing")):
        names = on_disk.of(TEAM).kept_of(slug)
        assert names == in_rows.of(TEAM).kept_of(slug)
        for name in on_disk.of(TEAM).listing(slug):
            assert in_rows.of(TEAM).content(slug, name) == on_disk.of(TEAM).content(slug, name)
    assert run_query(database, "SELECT name FROM files WHERE slug = '_teams'") == [
        ("s1/roster.json",)
    ]
    assert replayed(database, SessionId("s1")).differences == ()
    database.close()


def test_a_database_without_tables_is_given_them(home: Path, postgres_server: Server) -> None:
    url = postgres_server.database(None)
    assert copy(home, url).exit_code == 0
    assert len(rows_of(url)) > 10
    postgres_server.drop(url)


def test_artifacts_may_stay_in_their_folder(home: Path, target: str) -> None:
    done = copy(home, target, "--without-files")
    assert done.exit_code == 0, done.output
    assert "and 0 files" in done.stdout


def test_a_target_with_rows_is_left_as_it_is(home: Path, target: str) -> None:
    assert copy(home, target).exit_code == 0
    before = rows_of(target)
    done = copy(home, target)
    assert done.exit_code == 2
    assert "the target has rows in " in done.stderr
    assert rows_of(target) == before


def test_a_running_bot_at_either_end_is_named(home: Path, target: str) -> None:
    for url in (target, f"sqlite:///{home}/table.db"):
        bot = open_database(url)
        with bot.write():
            pass
        done = copy(home, target)
        bot.close()
        assert done.exit_code == 2
        assert "The bot is running" in done.stderr
    assert rows_of(target) == []


def test_the_wrong_way_round_is_refused(home: Path, target: str) -> None:
    source = f"sqlite:///{home}/table.db"
    done = CliRunner().invoke(main.app, ["db", "copy", "--from", target, "--to", source])
    assert done.exit_code == 2
    assert "name a SQLite file to copy from" in done.stderr


DAMAGED = {
    "UPDATE answers SET doc = x'ff00'": "answers, row 1",
    "UPDATE menus SET doc = 'a' || char(0) || 'b'": "menus, row 1: a character U+0000",
    "INSERT INTO deliveries VALUES ('msg:1', 'never')": "deliveries: invalid input",
    "UPDATE runs SET started_at = 'first'": "runs: invalid input",
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_row_that_cannot_be_kept_leaves_the_target_empty(
    home: Path, target: str, damage: str
) -> None:
    with closing(sqlite3.connect(home / "table.db")) as db:
        db.execute(damage)
        db.commit()
    done = copy(home, target)
    assert done.exit_code == 2, done.output
    assert DAMAGED[damage] in done.stderr
    assert "Nothing was kept of it." in done.stderr
    assert rows_of(target) == []


def test_a_document_that_says_nothing_is_copied_as_it_is(home: Path, target: str) -> None:
    """A session that is halted for it stays so: damage is no difference between the two."""
    with closing(sqlite3.connect(home / "table.db")) as db:
        db.execute("UPDATE sessions SET doc = '{half' WHERE id = 's1'")
        db.commit()
    assert copy(home, target).exit_code == 0
    assert any("{half" in row for row in rows_of(target))


def test_a_copy_that_is_cut_off_leaves_the_target_empty(
    home: Path, target: str, postgres_server: Server
) -> None:
    with psycopg.connect(target) as other:
        other.execute("LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE")
        done = copy(home, target)
    assert done.exit_code == 2
    assert rows_of(target) == []


def test_a_copy_that_differs_is_not_kept(home: Path, target: str) -> None:
    with psycopg.connect(target, autocommit=True) as db:
        db.execute(
            "CREATE FUNCTION changed() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN NEW.title := 'Another'; RETURN NEW; END $$"
        )
        db.execute(
            "CREATE TRIGGER changes BEFORE INSERT ON sessions"
            " FOR EACH ROW EXECUTE FUNCTION changed()"
        )
    done = copy(home, target)
    assert done.exit_code == 2
    assert "The copy differs: sessions, row 1. Nothing was kept of it." in done.stderr
    assert rows_of(target) == []
