"""The commands of the page on operating are typed as they stand there, one after another."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.store.connection.sqlite import SqliteDatabase
from core.store.queries.reader import Reader
from tests.support.fakes import OWNER
from tests.support.harness import Harness, small_table
from tests.test_package import ROOT, WAIT_S_MAX, bare

pytestmark = pytest.mark.whole
HOW_TO = ROOT / "docs" / "how-to"
BLOCK = re.compile(r"^## (?P<heading>[^\n]+)$|^```bash\n(?P<body>.*?)^```$", re.M | re.S)
SETTINGS = {"SLACK_BOT_TOKEN": "xoxb-1-abcdefghij", "SLACK_APP_TOKEN": "xapp-1-abcdefghij"}


def blocks(page: str) -> dict[str, list[str]]:
    """The blocks to be typed, by heading."""
    found: dict[str, list[str]] = {}
    heading = ""
    for each in BLOCK.finditer((HOW_TO / page).read_text()):
        heading = each["heading"] or heading
        if each["body"]:
            found.setdefault(heading, []).append(each["body"])
    return found


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with a database, a session and its artifacts, as the page takes it to be."""
    made = tmp_path / "made"
    made.mkdir()
    table = small_table(made)
    table.start("Retry failed payments")
    table.say("Because of the bank.", OWNER)
    table.close()
    place = tmp_path / "home"
    place.mkdir()
    (made / "table.db").rename(place / "roundtable.db")
    (made / "artifacts").rename(place / "artifacts")
    return place


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A PATH on which `roundtable` and `python3` are those that run this test."""
    folder = tmp_path / "bin"
    folder.mkdir()
    python = shlex.quote(sys.executable)
    for name, what in (("roundtable", f"{python} -P -m bot"), ("python3", python)):
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec {what} "$@"\n')
        script.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def type_in(home: Path, path: str, *commands: str) -> str:
    said = ""
    for each in commands:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", each],
            cwd=home,
            env=bare(PATH=path, PYTHONPATH=str(ROOT), **SETTINGS),
            capture_output=True,
            text=True,
            timeout=WAIT_S_MAX,
            check=False,
        )
        assert done.returncode == 0, f"{each}\n{done.stdout}{done.stderr}"
        said += done.stdout
    return said


def answers(home: Path) -> list[str]:
    database = SqliteDatabase(f"sqlite:///{home}/roundtable.db")
    try:
        session = Reader(database).all_sessions()[0]
        return [answer.text for answer in Reader(database).answers(session.id)]
    finally:
        database.close()


def test_what_is_typed_to_operate_does_what_the_page_says(home: Path, path: str) -> None:
    page = blocks("operate.md")
    assert list(page) == ["Look", "Back up", "Restore", "Upgrade", "Take up a folder", "Delete"]
    assert "retry-failed-payments  choosing" in type_in(home, path, *page["Look"])

    assert "retry-failed-payments  choosing" in type_in(home, path, *page["Back up"])
    type_in(home, path, *page["Back up"])  # and again tomorrow
    later(home)
    assert "And the auditors." in answers(home)
    spec = home / "artifacts" / "T1" / "retry-failed-payments" / "requirements-spec.md"
    spec.write_text("Somebody broke it.")

    assert "The database is at revision" in type_in(home, path, *page["Restore"])
    assert answers(home) == ["Because of the bank."]
    assert "Because of the bank." in spec.read_text()
    assert "0 fail" in type_in(home, path, *page["Upgrade"])

    lay(home / "brought" / "export-dashboard")
    said = type_in(home, path, *page["Take up a folder"])
    assert said.count("  goes on at   00-quick-scan") == 2
    assert "It is taken up. Start the bot: it posts the card in C0123ABCD" in said

    export, one, compact, person, everything = page["Delete"]
    assert "retry-failed-payments.zip" in type_in(home, path, export)
    assert "It is deleted, and the database file was written anew." in type_in(home, path, one)
    assert not spec.parent.exists()
    assert "The database was" in type_in(home, path, compact)
    assert "No session names U0123ABCD." in type_in(home, path, person)
    type_in(home, path, everything)
    assert sorted(each.name for each in home.iterdir()) == [
        "backup", "brought", "replaced", "retry-failed-payments.zip",
    ]  # fmt: skip


def lay(folder: Path) -> None:
    """A folder of another machine."""
    example = ROOT / "docs" / "examples" / "artifacts" / "export-dashboard-as-pdf"
    shutil.copytree(example, folder)
    meta = json.loads((folder / "meta.json").read_text())
    begun = {"steps_completed": ["00-01"], "phases_completed": [], "acceptance": {}}
    (folder / "meta.json").write_text(json.dumps({**meta, **begun}))


def test_a_copy_made_while_the_bot_runs_holds_its_newest_commit(home: Path, path: str) -> None:
    (home / "roundtable.db").rename(home / "table.db")
    running = Harness(home, steps=home.parent / "made" / "steps")
    (home / "roundtable.db").symlink_to("table.db")
    running.clock.forward(3600)
    running.say("And the auditors.", OWNER)
    assert (home / "table.db-wal").stat().st_size > 0  # where the newest commits lie
    type_in(home, path, *blocks("operate.md")["Back up"])
    running.close()
    assert answers(home / "backup") == ["Because of the bank.", "And the auditors."]


def later(home: Path) -> None:
    """The bot goes on after the copy was made."""
    (home / "roundtable.db").rename(home / "table.db")
    table = Harness(home, steps=home.parent / "made" / "steps")
    table.clock.forward(3600)
    table.say("And the auditors.", OWNER)
    table.close()
    (home / "table.db").rename(home / "roundtable.db")


def test_what_is_typed_to_deploy_makes_a_setup_that_is_well(tmp_path: Path, path: str) -> None:
    said = type_in(tmp_path, path, *blocks("deploy.md")["Install"])
    assert "The database is at revision" in said
    assert "0 fail" in said
