"""`roundtable sessions` and `roundtable replay`, on a database that a session left behind."""

import json
import os
import sqlite3
from collections import deque
from dataclasses import replace
from pathlib import Path

import pytest
from typer import Typer
from typer.testing import CliRunner, Result

from bot.cli.database import sessions
from bot.cli.replay import replay
from core.domain.ids import SessionId
from tests.support.fakes import DEV, OWNER, DrivenClock, FakeStage
from tests.support.harness import Harness, small_table
from tests.support.model_calls import TWO, USED, ListedModels, asked, read

SLUG = "export-dashboard-as-pdf"

app = Typer()
app.command("sessions")(sessions)
app.command("replay")(replay)


@pytest.fixture(autouse=True)
def left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith(("SLACK_", "ROUNDTABLE_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ROUNDTABLE_DATABASE_URL", f"sqlite:///{tmp_path}/table.db")
    table = small_table(tmp_path)
    table.start()
    table.say("Because of the bank.", DEV)
    table.close()
    return tmp_path / "table.db"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def change(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as db:
        assert db.execute(statement).rowcount > 0
    db.close()


def test_a_session_is_listed_with_where_it_stands_and_for_whom_it_waits() -> None:
    listed = run("sessions")
    line = f"{SLUG}  choosing  1/3  01-01  C1  2027-01-15T08:00:00+00:00  waits for {OWNER}\n"
    assert listed.stdout == line
    (record,) = json.loads(run("sessions", "--format", "json").stdout)
    assert record == {
        "slug": SLUG, "id": "s1", "title": "Export dashboard as PDF", "channel": "C1",
        "owner": OWNER, "status": "choosing", "phase": "01-requirements", "step": "01-01",
        "done": 1, "total": 3, "waiting": [OWNER], "updated": "2027-01-15T08:00:00+00:00",
        "used": None,
    }  # fmt: skip


def test_a_session_that_language_models_read_is_listed_with_what_that_cost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = FakeStage(DrivenClock())
    models = ListedModels(stage.clock, deque([read(), asked(usage=replace(USED, usd=0.001))]))
    table = small_table(tmp_path / "read", stage=stage, offer=TWO, models=models)
    table.start()
    table.say("Because of the bank.", DEV)
    table.close()
    monkeypatch.setenv("ROUNDTABLE_DATABASE_URL", f"sqlite:///{tmp_path}/read/table.db")
    assert "+00:00  2,200 tokens  $0.0030  waits for" in run("sessions").stdout
    (record,) = json.loads(run("sessions", "--format", "json").stdout)
    assert record["used"] == {
        "input_tokens": 2_000, "output_tokens": 200, "usd": 0.003, "is_estimate": False,
    }  # fmt: skip


@pytest.mark.parametrize("name", ["r-s1", SLUG, "s1"])
def test_a_run_is_decided_again_by_its_id_and_by_its_session(name: str) -> None:
    done = run("replay", name)
    assert done.exit_code == 0
    assert done.stdout == f"{SLUG}: 8 events decided again, and all is the same.\n"


def test_the_same_as_json() -> None:
    found = json.loads(run("replay", SLUG, "--format", "json").stdout)
    assert found == {
        "session": "s1", "slug": SLUG, "events": 8, "compared": 8, "same": True, "differences": [],
    }  # fmt: skip


def test_what_differs_is_said_and_the_exit_code_is_1(left_behind: Path) -> None:
    renamed = "json_set(doc, '$.title', 'Another')"
    change(left_behind, f"UPDATE steps SET doc = {renamed} WHERE place = 0")
    done = run("replay", SLUG)
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        f"{SLUG}: 8 events decided again, and 1 thing differs:",
        "  step 01-01, title: Another; now First",
    ]
    found = json.loads(run("replay", SLUG, "--format", "json").stdout)
    assert found["same"] is False
    assert found["differences"] == [
        {"where": "step 01-01, title", "stored": "Another", "now": "First"}
    ]


def test_an_unknown_run_is_one_line_and_exit_code_2(left_behind: Path) -> None:
    done = run("replay", "no-such-run")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "There is no run or session 'no-such-run'. See: roundtable sessions\n"
    change(left_behind, "DELETE FROM journal")
    done = run("replay", SLUG)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"{SLUG} has no journal: it was not begun here.\n"


def test_a_slug_of_two_workspaces_is_asked_back(left_behind: Path) -> None:
    table = Harness(left_behind.parent, steps=left_behind.parent / "steps")
    table.id = SessionId("s2")
    table.start("Another")
    table.close()
    change(left_behind, "UPDATE sessions SET team = 'T2' WHERE id = 's2'")
    query = f"UPDATE sessions SET slug = '{SLUG}', doc = json_set(doc, '$.slug', '{SLUG}')"
    change(left_behind, f"{query} WHERE id = 's2'")
    done = run("replay", SLUG)
    assert done.exit_code == 2
    assert "Name one by its id: " in done.stderr
