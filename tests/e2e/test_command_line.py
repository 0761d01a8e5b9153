"""The `roundtable` command as it is typed: one line and exit 2 where it cannot do what is asked."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.e2e.desk import desk


def roundtable(
    *arguments: str, env: dict[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("SLACK_", "ROUNDTABLE_"))}
    return subprocess.run(
        [sys.executable, "-P", "-m", "bot", *arguments],
        env={**kept, "PYTHONPATH": str(Path(__file__).parents[2]), **(env or {})},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=60,
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
        "ROUNDTABLE_DATABASE_URL": "postgresql://somewhere/else",
    }
    done = roundtable("serve", "--socket", env=env, cwd=tmp_path)
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
    assert roundtable("sessions", env=env, cwd=tmp_path).returncode == 0


def test_a_session_is_listed_and_exported(tmp_path: Path) -> None:
    with desk(tmp_path) as table:
        slug = table.start("Export dashboard as PDF").slug
        table.say("It is large, about 30 files.")
    env = {
        "ROUNDTABLE_DATABASE_URL": f"sqlite:///{tmp_path}/roundtable.db",
        "ROUNDTABLE_ARTIFACTS_DIR": str(tmp_path / "artifacts"),
    }
    assert slug in roundtable("sessions", env=env, cwd=tmp_path).stdout
    done = roundtable("export", slug, env=env, cwd=tmp_path)
    assert done.returncode == 0
    with zipfile.ZipFile(done.stdout.strip()) as packed:
        assert {"meta.json", "quick-scan.md"} <= {Path(name).name for name in packed.namelist()}
    unknown = roundtable("export", "no-such-item", env=env, cwd=tmp_path)
    assert (unknown.returncode, "no-such-item" in unknown.stderr) == (2, True)
