"""Databases as an older version left them: `old` holds them as SQL, played with that version."""

import json
import lzma
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from core.domain.ids import PhaseKey, SessionId
from core.store import migrate
from core.store.database import Database, StoreError
from core.store.packing import plain
from core.store.reading import Reader
from core.store.replay import replayed
from core.store.sections import versions
from tests.table import small_table

OLD = Path(__file__).parent / "old"
WAITING = "0004-waiting.sql"  # one session, answered once, its menu open
PLAYED = "0004-played.sql.xz"  # an analysis with edits and a way back, and a whole party
AS_BEFORE = ("answers", "steps", "contributions", "posts", "threads", "runs", "faults")


def planted(path: Path, name: str) -> Path:
    """The database of that name at that path."""
    raw = (OLD / name).read_bytes()
    text = (lzma.decompress(raw) if name.endswith(".xz") else raw).decode()
    with sqlite3.connect(path) as db:
        db.executescript(text)
    db.close()
    return path


@pytest.fixture(params=[WAITING, PLAYED])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return planted(tmp_path / "old.db", request.param)


@pytest.fixture
def upgraded(old: Path, tmp_path: Path) -> Iterator[Database]:
    path = tmp_path / "new.db"
    path.write_bytes(old.read_bytes())
    migrate.upgrade(f"sqlite:///{path}")
    found = Database(f"sqlite:///{path}")
    yield found
    found.close()


def sessions(database: Database) -> list[SessionId]:
    return [SessionId(row[0]) for row in database.read.execute("SELECT id FROM sessions")]


def rows(path: str | Path, query: str) -> list[dict[str, Any]]:
    with sqlite3.connect(path) as db:
        db.row_factory = sqlite3.Row
        found = [dict(row) for row in db.execute(query)]
    db.close()
    return [{name: read(value) for name, value in row.items()} for row in found]


def read(value: Any) -> Any:
    try:
        return json.loads(plain(value)) if isinstance(value, str | bytes) else value
    except ValueError:
        return value


def test_every_session_is_decided_again_as_it_was(upgraded: Database) -> None:
    """But for what that version did not do yet: an analysis ends with a page of its own now."""
    for session in sessions(upgraded):
        came = replayed(upgraded, session)
        newly = [found.now.removeprefix("leads to ") for found in came.differences]
        before = [found.stored.removeprefix("led to ") for found in came.differences]
        assert newly == [f"{effects}, ShowResult" for effects in before]
        assert len(newly) <= 1
        # Nothing is compared past a difference, and that one ends the analysis.
        assert came.events - came.compared == 2 * len(newly)
        assert came.compared > 0


@pytest.mark.parametrize("table", AS_BEFORE)
def test_the_rows_say_what_they_said(upgraded: Database, old: Path, table: str) -> None:
    query = f"SELECT * FROM {table} ORDER BY 1, 2, 3"
    before, after = rows(old, query), rows(upgraded.path, query)
    assert [
        {name: row[name] for name in then} for row, then in zip(after, before, strict=True)
    ] == (before)


def test_menus_say_what_they_said(upgraded: Database, old: Path) -> None:
    for row in rows(old, "SELECT id, doc FROM menus"):
        found = Reader(upgraded).menu(row["id"])
        assert found is not None
        assert (found.session, list(found.choices)) == (
            row["doc"]["session"],
            row["doc"]["choices"],
        )


def test_claims_and_sections_say_what_they_said(upgraded: Database, old: Path) -> None:
    reader = Reader(upgraded)
    for session in sessions(upgraded):
        of = f"WHERE session = '{session}'"
        claims = rows(old, f"SELECT doc FROM claims {of} ORDER BY step, place")
        assert [claim.text for claim in reader.claims(session)] == [
            row["doc"]["text"] for row in claims
        ]
        sections = rows(old, f"SELECT step, file, version, current, doc FROM sections {of}")
        assert {
            key: (now, json.loads(text)) for key, now, text in versions(upgraded.read, session)
        } == {
            (row["step"], row["file"], row["version"]): (bool(row["current"]), row["doc"])
            for row in sections
        }


def test_what_was_accepted_is_still_known(upgraded: Database, old: Path) -> None:
    reader = Reader(upgraded)
    accepted = rows(old, "SELECT session, phase, doc FROM baselines")
    for row in accepted:
        found = reader.baseline(SessionId(row["session"]), PhaseKey(row["phase"]))
        assert found is not None
        assert [claim.text for claim in found] == [claim["text"] for claim in row["doc"]]
    assert reader.baseline(sessions(upgraded)[0], PhaseKey("99-never")) is None


def test_it_takes_less_room_and_is_sound(upgraded: Database, old: Path) -> None:
    def used(path: str | Path) -> int:
        with sqlite3.connect(path) as db:
            db.execute("VACUUM")
            (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.close()
        return int(pages)

    assert upgraded.read.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert upgraded.read.execute("PRAGMA foreign_key_check").fetchall() == []
    if used(old) > 100:  # of a small one, the empty pages of its tables are the most
        assert used(upgraded.path) < 0.7 * used(old)


def test_a_session_that_waited_goes_on(tmp_path: Path) -> None:
    path = planted(tmp_path / "table.db", WAITING)
    migrate.upgrade(f"sqlite:///{path}")
    table = small_table(tmp_path)
    table.say("And the auditors ask for it.")
    table.finish()
    assert table.session.status == "completed"
    assert replayed(table.runtime.database, table.id).differences == ()


@pytest.mark.parametrize("after", [1, 2, 5])
def test_an_upgrade_that_is_cut_off_leaves_everything_as_it_was(old: Path, after: int) -> None:
    before = old.read_bytes()
    with pytest.raises(StoreError, match="interrupted"):
        upgrade_cut_off(old, after)
    assert old.read_bytes() == before
    migrate.upgrade(f"sqlite:///{old}")
    assert migrate.standing(f"sqlite:///{old}").kind == "current"


def upgrade_cut_off(path: Path, after: int) -> None:
    """So many thousand instructions of SQLite's after it has begun."""
    left = iter(range(after))

    def narrow(connection: sqlite3.Connection, _: object) -> None:
        connection.set_progress_handler(lambda: next(left, None) is None, 1000)

    event.listen(Engine, "connect", narrow)
    try:
        migrate.upgrade(f"sqlite:///{path}")
    finally:
        event.remove(Engine, "connect", narrow)
