"""`roundtable serve` where Slack does not say who we are: one line that names what to look at."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bot.devtools.workspace import LocalWorkspace
from tests.support.serving import database_in
from tests.test_package import ROOT, WAIT_S_MAX, bare

Ran = subprocess.CompletedProcess[str]


def run(home: Path, *arguments: str, **settings: str) -> Ran:
    """In a process of its own: what is served sets up logging for all of it."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "bot", *arguments],
        cwd=home,
        env=bare(PYTHONPATH=str(ROOT), **settings),
        capture_output=True,
        text=True,
        timeout=WAIT_S_MAX,
        check=False,
    )


@pytest.fixture
def home(tmp_path: Path) -> Path:
    database_in(tmp_path)
    return tmp_path


def started(home: Path, api_url: str) -> Ran:
    tokens = {"SLACK_BOT_TOKEN": "xoxb-1-abcdefghij", "SLACK_APP_TOKEN": "xapp-1-abcdefghij"}
    return run(home, "serve", "--socket", SLACK_API_URL=api_url, **tokens)


def test_a_token_that_slack_refuses_is_what_one_is_told_to_look_at(home: Path) -> None:
    with LocalWorkspace(people=["pm"]) as slack:
        found = started(home, slack.api_url)
    assert found.returncode == 2
    assert found.stderr == (
        "Slack refused us (invalid_auth). Look at SLACK_BOT_TOKEN, or ask: roundtable doctor\n"
    )


def test_where_nobody_answers_the_network_is_what_one_is_told_to_look_at(home: Path) -> None:
    with socket.socket() as taken:  # bound and not listening: refused at once
        taken.bind(("127.0.0.1", 0))
        found = started(home, f"http://127.0.0.1:{taken.getsockname()[1]}/api/")
    assert found.returncode == 2
    assert "Slack does not answer (ConnectionRefusedError)." in found.stderr
    assert "Look at the network, SLACK_API_URL, or ask: roundtable doctor" in found.stderr


def test_an_upgrade_says_one_line_and_nothing_else(tmp_path: Path) -> None:
    done = run(tmp_path, "db", "upgrade")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("The database is at revision ")
    assert len(done.stdout.splitlines()) == 1
