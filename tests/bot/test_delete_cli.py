"""`roundtable delete`: nothing of a session is left, and nothing of another is touched."""

import json
import os
import pty
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import SQLModel
from typer import Typer
from typer.testing import CliRunner, Result

from bot.cli import database
from bot.cli.delete.command import delete
from core.domain.ids import SessionId
from core.store.connection.database import DatabaseError
from core.store.connection.sqlite import SqliteConnection
from core.store.maintenance.stored_rows import SHARED, compact
from core.store.repository.erase import erase, tables_of_a_session
from core.store.schema import tables, workspace_tables  # noqa: F401 - tells SQLModel of them
from tests.support.fakes import CHANNEL, DEV, OPS, OWNER, TEAM
from tests.support.harness import Harness, small_table

SLUG, OTHER = "export-dashboard-as-pdf", "another-thing"
WORD, FIRST = "quokka", "wombat"  # what is grepped for: of an answer, and of what it was before
ROOT = Path(__file__).parents[2]

app = Typer()
app.command("delete")(delete)
app.add_typer(database.app, name="db")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a bot leaves behind: two sessions, and what was kept of one beside it."""
    place = tmp_path_factory.mktemp("made")
    table = small_table(place)
    table.start()
    ts = table.say(f"Because of the {FIRST}.", DEV)
    table.edit(ts, f"Because of the {WORD}.", DEV)
    table.answer(f"The {WORD} again, for the auditors.", OWNER)
    table.id = SessionId("s2")
    table.start("Another thing")
    table.say("Something of nobody else.", OPS)
    table.close()
    for name in ("_forensics", "_taken-up"):
        (place / "artifacts" / name / TEAM / SLUG / "one").mkdir(parents=True)
        (place / "artifacts" / name / TEAM / SLUG / "one" / "kept.json").write_text(WORD)
    (place / "artifacts" / "_teams" / "s1").mkdir(parents=True)
    return place


@pytest.fixture(autouse=True)
def home(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith(("SLACK_", "ROUNDTABLE_")):
            monkeypatch.delenv(name)
    place = shutil.copytree(made, tmp_path / "home")
    monkeypatch.setenv("ROUNDTABLE_DATABASE_URL", f"sqlite:///{place}/table.db")
    monkeypatch.setenv("ROUNDTABLE_ARTIFACTS_DIR", str(place / "artifacts"))
    return place


def run(*arguments: str, typed: str = "") -> Result:
    named = arguments if arguments[:1] == ("db",) else ("delete", *arguments)
    return CliRunner().invoke(app, named, input=typed)


def rows(home: Path, session: str) -> dict[str, int]:
    db = sqlite3.connect(home / "table.db")
    try:
        return {
            table: db.execute(
                f"SELECT count(*) FROM {table} WHERE "
                f"{'id' if table == 'sessions' else 'session'} = ?",
                (session,),
            ).fetchone()[0]
            for table in ("sessions", *tables_of_a_session())
        }
    finally:
        db.close()


def traces(home: Path, word: str) -> list[str]:
    """The files below that folder in which the word stands, the database's among them."""
    return sorted(
        path.relative_to(home).as_posix()
        for path in home.rglob("*")
        if path.is_file() and word.encode() in path.read_bytes()
    )


def everywhere(home: Path, session: str) -> None:
    """A row in every table of a session that has none there, so that none can be forgotten."""
    db = sqlite3.connect(home / "table.db")
    for table in tables_of_a_session():
        described = db.execute(f"PRAGMA table_info({table})").fetchall()
        names = [name for _, name, *_ in described]
        values = [
            session if name == "session" else f"{table}-{WORD}" if "TEXT" in kind or "CHAR" in kind
            else 99 for _, name, kind, *_ in described
        ]  # fmt: skip
        if table != "sessions":
            marks = ",".join("?" * len(names))
            db.execute(
                f"INSERT INTO {table}({','.join(names)}) VALUES ({marks})",
                values,
            )
    db.commit()
    db.close()


# ── all of it ──────────────────────────────────────────────────────────────────────────────────


def test_every_table_is_a_sessions_or_shared(home: Path) -> None:
    of_sessions = set(tables_of_a_session())
    assert set(SQLModel.metadata.tables) == {
        "sessions",
        *of_sessions,
        *SHARED,
        "files",
    }  # these go with the folder


def test_every_row_and_file_goes_and_nothing_of_another_session(home: Path) -> None:
    everywhere(home, "s1")
    before = rows(home, "s2")
    assert all(rows(home, "s1").values())
    done = run(SLUG, "--yes")
    assert done.exit_code == 0, done.output
    assert set(rows(home, "s1").values()) == {0}
    assert rows(home, "s2") == before
    left = {path.relative_to(home / "artifacts").parts for path in (home / "artifacts").rglob("*")}
    assert {parts for parts in left if SLUG in parts or "s1" in parts} == set()
    assert (home / "artifacts" / TEAM / OTHER / "meta.json").is_file()


def test_the_words_are_in_no_byte_of_the_database_afterwards(home: Path) -> None:
    before = found_in_the_file(home, stored(home, "s1"))
    assert len(before) > ENOUGH
    assert run(SLUG, "--yes").exit_code == 0
    assert found_in_the_file(home, before) == set()
    assert (traces(home, WORD), traces(home, FIRST)) == ([], [])
    assert len(found_in_the_file(home, stored(home, "s2"))) > ENOUGH


def test_deleting_the_rows_alone_would_have_left_the_words(home: Path) -> None:
    """Why the file is written anew: without it they can be read, as most builds of SQLite do it."""
    before = found_in_the_file(home, stored(home, "s1"))
    db = sqlite3.connect(home / "table.db", isolation_level=None, factory=SqliteConnection)
    db.execute("PRAGMA secure_delete=OFF")
    erase(db, SessionId("s1"))
    db.shut()
    assert len(found_in_the_file(home, before)) > ENOUGH
    done = run("db", "compact")
    assert done.exit_code == 0
    assert done.stdout.startswith("The database was ")
    assert found_in_the_file(home, before) == set()


ENOUGH = 10


def stored(home: Path, session: str) -> set[bytes]:
    """What a session's rows hold, as it is stored, as far as nobody else's rows hold it too."""
    db = sqlite3.connect(home / "table.db")
    own, others = set[bytes](), set[bytes]()
    every = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (table,) in every:
        key = "id" if table == "sessions" else "session"
        mine = key in [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        select = f"SELECT {key if mine else '1'}, * FROM {table}"
        for owner, *values in db.execute(select):
            raw = {v.encode() if isinstance(v, str) else v for v in values
                   if isinstance(v, str | bytes)}  # fmt: skip
            (own if owner == session else others).update(raw)
    db.close()
    return {value for value in own - others if LONG_ENOUGH <= len(value) <= WITHIN_A_PAGE}


LONG_ENOUGH, WITHIN_A_PAGE = 24, 900


def found_in_the_file(home: Path, values: set[bytes]) -> set[bytes]:
    """Those that stand in the database file, or in what lies beside it."""
    content = b"".join(path.read_bytes() for path in home.glob("table.db*"))
    return {value for value in values if value in content}


def test_the_bot_starts_and_goes_on_with_the_others(home: Path) -> None:
    run(SLUG, "--yes")
    table = Harness(home, steps=home / "steps")
    table.id = SessionId("s2")
    assert [each.slug for each in table.runtime.reader.all_sessions()] == [OTHER]
    assert table.runtime.reader.sessions_involving(table.session.team, DEV) == ()
    table.settle()
    table.forward()
    assert table.session.course.step == "01-02"


@pytest.mark.parametrize("name", ["s1", "r-s1"])
def test_it_can_be_named_by_its_id_and_by_a_run(home: Path, name: str) -> None:
    assert run(name, "--yes", "--channel", CHANNEL).exit_code == 0
    assert rows(home, "s1")["sessions"] == 0


def test_a_session_that_cannot_be_read_can_be_deleted(home: Path) -> None:
    with sqlite3.connect(home / "table.db") as db:
        db.execute("UPDATE sessions SET doc = 'broken' WHERE id = 's1'")
        db.execute("UPDATE answers SET doc = 'broken' WHERE session = 's1'")
    db.close()
    assert run(SLUG, "--yes").exit_code == 0
    assert set(rows(home, "s1").values()) == {0}


def test_what_was_cut_off_after_the_files_can_be_run_again(home: Path) -> None:
    for path in sorted((home / "artifacts" / TEAM / SLUG).iterdir()):
        path.unlink()
    (home / "artifacts" / TEAM / SLUG).rmdir()
    assert run(SLUG, "--yes").exit_code == 0
    assert traces(home, WORD) == []


# ── what is said ───────────────────────────────────────────────────────────────────────────────


def test_it_says_what_goes_and_what_stays_and_why(home: Path) -> None:
    counted, posts = sum(rows(home, "s1").values()), rows(home, "s1")["posts"]
    done = run(SLUG, "--yes")
    what, started, answers, numbers, files, *after = done.stdout.splitlines()
    assert what == f"{SLUG}: “Export dashboard as PDF”, asking, in {CHANNEL}"
    assert (started, answers) == (f"  started by  {OWNER}", f"  answers of  {DEV}, {OWNER}")
    assert numbers.startswith(f"  rows        {counted} (")
    assert files == "  files       4"
    assert after[:2] == ["It is deleted, and the database file was written anew.", "What stays:"]
    said = re.match(r"  (\d+) messages of the bot in C1, from https://test.slack.com/", after[2])
    assert said is not None
    assert int(said[1]) == posts
    assert after[2].endswith(
        "Slack keeps its messages on its own: what has to go there is deleted there"
    )
    assert after[3].startswith("  backups, exports and other copies")


def test_a_dry_run_says_so_and_deletes_nothing(home: Path) -> None:
    before = (rows(home, "s1"), traces(home, WORD))
    done = run(SLUG, "--dry-run")
    assert done.exit_code == 0
    assert "Nothing was deleted: this was a dry run." in done.stdout
    assert (rows(home, "s1"), traces(home, WORD)) == before


def test_as_json_it_is_all_there(home: Path) -> None:
    found = json.loads(run(SLUG, "--dry-run", "--format", "json").stdout)
    assert found["rows"] == {name: count for name, count in rows(home, "s1").items() if count}
    assert found["files"] == [
        f"{TEAM}/{SLUG}/meta.json", f"{TEAM}/{SLUG}/requirements-spec.md",
        f"_forensics/{TEAM}/{SLUG}/one/kept.json", f"_taken-up/{TEAM}/{SLUG}/one/kept.json",
    ]  # fmt: skip
    assert (found["state"], found["session"], found["people"]) == (
        "would be deleted", "s1", [DEV, OWNER],
    )  # fmt: skip
    assert json.loads(run(SLUG, "--yes", "--format", "json").stdout)["state"] == "deleted"


def test_without_a_terminal_and_without_yes_nothing_is_deleted(home: Path) -> None:
    done = run(SLUG, typed=f"{SLUG}\n")
    assert done.exit_code == 1
    assert done.stderr == "Nobody is there to be asked: add --yes.\n"
    assert done.stdout.splitlines()[-1] == "Nothing was deleted."
    assert rows(home, "s1")["sessions"] == 1


@pytest.mark.parametrize(("typed", "code"), [(SLUG, 0), ("yes", 1)])
def test_at_a_terminal_its_name_has_to_be_typed(home: Path, typed: str, code: int) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, f"{typed}\n".encode())
    done = subprocess.run(
        [sys.executable, "-P", "-m", "bot", "delete", SLUG],
        stdin=theirs,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=home,
        timeout=120,
        check=False,
    )
    os.close(ours)
    os.close(theirs)
    assert done.returncode == code, done.stderr
    assert f"To delete it, type {SLUG}" in done.stdout.decode()
    assert rows(home, "s1")["sessions"] == (0 if code == 0 else 1)


# ── what is refused ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Say which: roundtable delete SLUG, or roundtable delete --person U…"),
        ((SLUG, "--person", DEV), "Say which: roundtable delete SLUG"),
        (("no-such",), "There is no run or session 'no-such'. See: roundtable sessions"),
        ((SLUG, "--channel", "C9"), f"There is no run or session '{SLUG}' in C9."),
    ],
)
def test_what_is_not_there_is_one_line_and_exit_code_2(
    arguments: tuple[str, ...], words: str
) -> None:
    done = run(*arguments, "--yes")
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.fixture
def running(home: Path) -> Iterator[Harness]:
    table = Harness(home, steps=home / "steps")
    yield table
    table.close()


@pytest.mark.parametrize("arguments", [(SLUG, "--yes"), ("db", "compact")])
def test_it_is_refused_while_the_bot_has_the_database_open(
    home: Path, running: Harness, arguments: tuple[str, ...]
) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stderr == "The bot is running. Stop it, run this again, and start it.\n"
    assert rows(home, "s1")["sessions"] == 1
    assert (home / "artifacts" / TEAM / SLUG / "meta.json").is_file()
    assert running.runtime.reader.all_sessions()


def test_files_that_cannot_go_leave_every_row(home: Path) -> None:
    folder, elsewhere = home / "artifacts" / TEAM / SLUG, home / "elsewhere"
    folder.rename(elsewhere)
    folder.symlink_to(elsewhere)
    before = rows(home, "s1")
    done = run(SLUG, "--yes")
    assert done.exit_code == 2
    assert "Its files cannot be removed: " in done.stderr
    assert "No row is gone." in done.stderr
    assert rows(home, "s1") == before
    assert (elsewhere / "meta.json").is_file()


def test_a_file_that_cannot_be_written_anew_is_said(home: Path) -> None:
    db = sqlite3.connect(":memory:", isolation_level=None, factory=SqliteConnection)
    db.execute("BEGIN")
    with pytest.raises(DatabaseError, match="VACUUM"):
        compact(db)
    db.shut()


# ── a person ───────────────────────────────────────────────────────────────────────────────────


def test_what_somebody_wrote_is_found_and_how_it_goes_is_said(home: Path) -> None:
    before = traces(home, WORD)
    done = run("--person", DEV)
    assert done.exit_code == 0
    first, why, how, slack = done.stdout.splitlines()
    assert first.startswith(f"{SLUG}  {CHANNEL}  asking  1 answer, ")
    assert why.startswith("One answer alone cannot be taken out of the record")
    assert how == f"  roundtable delete {SLUG}"
    assert slack.startswith("Slack keeps its messages")
    assert traces(home, WORD) == before
    (found,) = json.loads(run("--person", DEV, "--format", "json").stdout)
    assert (found["slug"], found["answers"], found["started_it"]) == (SLUG, 1, False)
    assert {"answers", "journal", "sessions"} <= set(found["rows"])


def test_who_started_sessions_is_found_in_all_of_them() -> None:
    lines = run("--person", OWNER).stdout.splitlines()
    assert [line.split()[0] for line in lines[:2]] == [SLUG, OTHER]
    assert all(line.endswith(", started it") for line in lines[:2])


@pytest.mark.parametrize("nobody", ["UNOBODY", DEV[:-1], f"{DEV}2"])
def test_who_is_nowhere_is_nowhere(nobody: str) -> None:
    assert run("--person", nobody).stdout == f"No session names {nobody}.\n"


def test_a_person_is_looked_for_in_every_table(home: Path) -> None:
    with sqlite3.connect(home / "table.db") as db:
        db.execute("CREATE TABLE later (session TEXT, doc TEXT)")
        db.execute("INSERT INTO later VALUES ('s2', '{\"by\":\"UDEV\"}')")
    db.close()
    found = json.loads(run("--person", DEV, "--format", "json").stdout)
    assert [(each["slug"], each["rows"].get("later")) for each in found] == [
        (SLUG, None), (OTHER, 1),
    ]  # fmt: skip
