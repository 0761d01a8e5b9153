"""The `roundtable` command as it is typed: one line and exit 2 where it cannot do what is asked."""

import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from core.store.maintenance.upgrade import upgrade
from tests.support.command import roundtable
from tests.support.served_bot import served_bot
from tests.support.serving import bare_environment, folders
from tests.support.waiting import WAIT_S_MAX


def process(*arguments: str, env: dict[str, str], cwd: Path) -> subprocess.CompletedProcess[str]:
    """The same command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "bot", *arguments],
        env=bare_environment() | {"PYTHONPATH": str(Path(__file__).parents[2])} | env,
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=WAIT_S_MAX,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("serve",), "--socket"),
        (("serve", "--socket", "--http"), "--socket"),
        (("worker",), "PostgreSQL"),
        (("steps", "check", "no/such/folder"), "no/such/folder"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    done = roundtable(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_all_settings_that_are_wrong_are_said_at_once(tmp_path: Path) -> None:
    env = {
        "SLACK_BOT_TOKEN": "xapp-not-this-one",
        "ROUNDTABLE_PACE_SECONDS": "soon",
        "ROUNDTABLE_DATABASE_URL": "mysql://somewhere/else",
    }
    done = process("serve", "--socket", env=env, cwd=tmp_path)
    assert done.returncode == 2
    for name in (*env, "SLACK_APP_TOKEN"):
        assert name in done.stderr
    assert "not-this-one" not in done.stderr


def test_a_database_is_made_by_one_command_and_asked_for_by_the_others(tmp_path: Path) -> None:
    env = {"ROUNDTABLE_DATABASE_URL": f"sqlite:///{tmp_path}/roundtable.db"}
    before = roundtable("sessions", env=env, cwd=tmp_path)
    assert (before.returncode, "roundtable db upgrade" in before.stderr) == (2, True)
    assert roundtable("db", "upgrade", env=env, cwd=tmp_path).returncode == 0
    assert roundtable("db", "upgrade", env=env, cwd=tmp_path).returncode == 0
    after = roundtable("sessions", env=env, cwd=tmp_path)
    assert (after.returncode, after.stdout) == (0, "There is no session yet.\n")


@pytest.mark.parametrize(
    "arguments", [("db", "upgrade"), ("sessions",), ("serve", "--socket"), ("serve", "--http")]
)
def test_a_database_that_no_upgrade_fits_is_refused_by_every_command_in_one_line(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    env = {
        "SLACK_BOT_TOKEN": "xoxb-1-abcdefghij",
        "SLACK_APP_TOKEN": "xapp-1-abcdefghij",
        "SLACK_SIGNING_SECRET": "0123456789abcdef0123456789abcdef",
    }
    upgrade(f"sqlite:///{tmp_path}/roundtable.db")
    with sqlite3.connect(tmp_path / "roundtable.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    done = roundtable(*arguments, env=env, cwd=tmp_path)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "is at revision 9999, newer than this version" in line
    assert "install the Roundtable that made it" in line


def test_a_session_is_listed_and_exported(tmp_path: Path) -> None:
    with served_bot(tmp_path) as table:
        slug = table.start("Export dashboard as PDF").slug
        table.say("It is large, about 30 files.")
    env = folders(tmp_path)
    assert slug in roundtable("sessions", env=env, cwd=tmp_path).stdout
    done = roundtable("export", slug, env=env, cwd=tmp_path)
    assert done.returncode == 0
    with zipfile.ZipFile(done.stdout.strip()) as packed:
        assert {"meta.json", "quick-scan.md"} <= {Path(name).name for name in packed.namelist()}
    unknown = roundtable("export", "no-such-item", env=env, cwd=tmp_path)
    assert (unknown.returncode, "no-such-item" in unknown.stderr) == (2, True)
