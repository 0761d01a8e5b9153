"""`roundtable demo`: one command, and there is a page with a bot behind it, kept between runs."""

import json
import os
import pty
import select
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.devtools.workspace.state import TEAM_ID
from tests.support.demo_process import (
    POLL_S,
    READY,
    RETURNED,
    Demo,
    begun,
    demo,
    environment,
)
from tests.support.ports import free_port
from tests.support.waiting import WAIT_S_MAX, wait_until

pytestmark = pytest.mark.whole
ANSWER = "The job that sends the subscriptions, once a night."


@pytest.fixture(scope="module")
def played_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a demo has been ready once, and ended."""
    folder = tmp_path_factory.mktemp("demo")
    with demo(folder) as running:
        running.until(READY)
        code, out, err = running.end()
    assert (code, out, err) == (0, "\nEnded. Everything is kept in roundtable-demo/.\n", "")
    return folder


@pytest.fixture
def folder(played_in: Path, tmp_path: Path) -> Path:
    """A copy of it, for one test."""
    return copied(played_in, tmp_path)


def copied(played_in: Path, into: Path) -> Path:
    subprocess.run(["cp", "-a", played_in / "roundtable-demo", into], check=True)
    memory = into / "roundtable-demo" / "demo.json"
    memory.write_text(json.dumps(json.loads(memory.read_text()) | {"port": free_port()}))
    return into


def test_its_people_rank_what_they_asked_for(played_in: Path) -> None:
    specs = sorted(played_in.glob("roundtable-demo/artifacts/*/*/requirements-spec.md"))
    ranked = [
        line.removeprefix("| FR-").partition(" | ")[0][len("001 ") :]
        for spec in specs
        for line in spec.read_text().splitlines()
        if line.startswith("| FR-")
    ]
    assert len(ranked) == 6
    assert [line for line in ranked if "must" not in line] == []


@pytest.fixture
def back(folder: Path) -> Iterator[Demo]:
    with demo(folder) as running:
        running.until(RETURNED)
        yield running


@pytest.fixture(scope="module")
def standing(played_in: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """One that came back, for the tests that only look."""
    with demo(copied(played_in, tmp_path_factory.mktemp("standing"))) as running:
        running.until(RETURNED)
        yield running


def thread_of(running: Demo, persona: str, channel: str) -> str:
    """The thread a persona leads there, once there is one; its root says so."""

    def led() -> str | None:
        texts = running.messages(channel).items()
        return next(
            (ts for ts, text in texts if f"{persona} App" in text and " leads " in text), None
        )

    return wait_until(led, f"{persona} leads no thread in #{channel}")


def test_it_says_where_the_page_is_and_what_there_is_in_it(standing: Demo) -> None:
    said = standing.printed
    for words in (standing.url, "not Slack", "#payments", "#dashboards", "#start-here", "--fresh"):
        assert words in said
    status, html = standing.ask()
    assert status == 200
    assert "not Slack" in html


def test_one_session_is_finished_one_half_way_and_one_channel_is_empty(standing: Demo) -> None:
    assert "24 of 24 steps done" in standing.sees("Completed.", "payments")
    assert "Alex Rivera" in standing.sees("13 of 24 steps done", "dashboards")
    assert standing.messages("start-here") == {}


def test_the_sessions_are_the_bots_own(folder: Path) -> None:
    artifacts = folder / "roundtable-demo" / "artifacts" / TEAM_ID
    finished = "let-the-caller-decide-whether-a-failed-payment-is-retried"
    assert {path.name for path in artifacts.iterdir()} >= {finished, "export-dashboard-as-pdf"}
    assert "queue" in (artifacts / finished / "design-summary.md").read_text()
    log = (folder / "roundtable-demo" / "roundtable.log").read_text()
    levels = [json.loads(line)["level"] for line in log.splitlines()]
    assert set(levels) == {"info"}


def test_what_was_half_way_goes_on_after_a_restart(back: Demo) -> None:
    thread = thread_of(back, "Alex Rivera", "dashboards")
    back.say("Cleo", "dashboards", ANSWER, thread)
    back.sees("From Cleo: “", "dashboards", thread=thread)


@pytest.fixture
def _a_terminal() -> Iterator[None]:
    """Whoever runs the tests with nohup hands it on to what they start: here it is not meant."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("_a_terminal")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_what_was_said_is_there_after_the_next_start(folder: Path, number: signal.Signals) -> None:
    with demo(folder) as running:
        running.until(RETURNED)
        thread = thread_of(running, "Alex Rivera", "dashboards")
        running.say("Ben", "start-here", "Something <b>new</b> & odd")
        running.say("Cleo", "dashboards", ANSWER, thread)
        running.sees("From Cleo: “", "dashboards", thread=thread)
        before = running.messages("dashboards", thread=thread)
        address = running.url
        kept = folder / "roundtable-demo" / "workspace" / "workspace.json"
        wait_for(kept, r"\u201cThe job that sends")
        assert running.end(number)[0] == (-9 if number == signal.SIGKILL else 0)
    with demo(folder) as running:
        running.until(RETURNED)
        assert running.url == address
        assert running.messages("dashboards", thread=thread) == before
        running.sees("Something <b>new</b> & odd", "start-here")


def test_a_demo_that_is_to_outlive_its_terminal_does(folder: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        with demo(folder) as running:
            running.until(RETURNED)
            running.process.send_signal(signal.SIGHUP)
            running.say("Ben", "start-here", "Still here")
            running.sees("Still here", "start-here")
            assert running.end()[0] == 0
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_demo_that_ends_while_sessions_are_played_in_has_each_of_them_once(
    tmp_path: Path,
) -> None:
    for number in (signal.SIGINT, signal.SIGKILL):
        with demo(tmp_path) as running:
            thread = thread_of(running, "Maya Chen", "payments")
            running.sees("Scope Estimation", "payments", thread=thread)
            assert READY not in running.printed
            running.end(number)
    with demo(tmp_path) as running:
        running.until(READY)
        for channel, done in (("payments", "24 of 24 steps"), ("dashboards", "13 of 24 steps")):
            shown = running.messages(channel).values()
            assert [done in text for text in shown if "steps done" in text] == [True]


def test_whoever_is_quicker_than_the_bot_is_served_all_the_same(folder: Path) -> None:
    with demo(folder) as running:  # the page answers; the bot is still being loaded
        running.say("Ben", "start-here", "/roundtable analyze Retry failed card payments")
        running.sees("0 of 24 steps done", "start-here", by="Ben")


def test_fresh_forgets_what_there_was(folder: Path) -> None:
    with demo(folder) as running:
        running.until(RETURNED)
        running.say("Ben", "start-here", "To be forgotten")
        running.sees("To be forgotten", "start-here")
        running.end()
    with demo(folder, "--fresh", "--port", str(free_port())) as running:
        assert running.messages("start-here") == {}
        running.until("Two sessions are being played in")


# ── what is refused ──


def test_a_taken_port_is_refused_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        code, out, err = ended(begun(tmp_path, "--port", str(port)))
    assert (code, out) == (2, "")
    assert err == f"Port {port} is taken. Give another one: roundtable demo --port {port + 1}\n"


def test_the_usual_port_gives_way_when_it_is_taken_and_says_so(folder: Path) -> None:
    memory = json.loads((folder / "roundtable-demo" / "demo.json").read_text())
    with socket.create_server(("127.0.0.1", memory["port"])), demo(folder) as running:
        assert f"Port {memory['port']} is taken; this is port " in running.printed
        assert f":{memory['port']}/" not in running.url
        running.until(RETURNED)
        assert running.ask()[0] == 200


def test_two_demos_in_one_folder_are_one_too_many(standing: Demo) -> None:
    code, out, err = ended(begun(standing.folder))
    assert (code, out) == (2, "")
    assert standing.url in err
    assert standing.ask()[0] == 200


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "roundtable-demo").write_text("somebody's file")
    code, out, err = ended(begun(tmp_path))
    assert (code, out) == (2, "")
    assert err == "The demo cannot be kept in roundtable-demo/: file exists.\n"


def ended(running: Demo) -> tuple[int, str, str]:
    out, err = running.process.communicate(timeout=WAIT_S_MAX)
    return running.process.returncode, out.decode(), err.decode()


# ── what is damaged ──


@pytest.mark.parametrize("name", ["workspace/workspace.json", "roundtable.db"])
@pytest.mark.parametrize("harm", ["cut", "gone"])
def test_what_is_damaged_is_kept_aside_and_the_demo_begins_anew(
    folder: Path, name: str, harm: str
) -> None:
    path = folder / "roundtable-demo" / name
    if harm == "cut":
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    else:
        path.unlink()
    with demo(folder, "--port", str(free_port())) as running:
        first = running.printed.splitlines()[0]
        assert first.startswith(f"roundtable-demo/{name}")
        assert first.endswith(
            "All of it is kept aside in roundtable-demo/aside-1/, and the demo begins anew."
        )
        running.until("Two sessions are being played in")
    aside = folder / "roundtable-demo" / "aside-1"
    assert (aside / "artifacts" / TEAM_ID / "export-dashboard-as-pdf").is_dir()


def test_a_database_of_another_version_is_said_in_one_line(folder: Path) -> None:
    import sqlite3

    with sqlite3.connect(folder / "roundtable-demo" / "roundtable.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    with demo(folder) as running:
        _, err = running.process.communicate(timeout=WAIT_S_MAX)
    assert running.process.returncode == 1
    assert err.decode().startswith("The bot did not start: ")
    assert err.count(b"\n") == 1
    assert b"--fresh" in err


# ── the browser ──


@pytest.fixture
def browser(tmp_path: Path) -> Path:
    """A browser that writes down what it is to open."""
    path = tmp_path / "browser"
    path.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def in_a_terminal(
    folder: Path, *arguments: str, opens: bool = False, **environ: str
) -> tuple[int, str]:
    """Run it until the sessions are there, and end it; the exit code and what was shown."""
    ours, its = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "demo", *arguments],
        cwd=folder,
        env=environment(**environ),
        stdin=its,
        stdout=its,
        stderr=its,
    )
    os.close(its)
    shown = shown_until(RETURNED, ours)
    if opens:
        wait_for(folder / "opened", "http")
    process.send_signal(signal.SIGINT)
    shown += shown_until("Ended.", ours)
    code = process.wait(WAIT_S_MAX)
    os.close(ours)
    return code, shown


def shown_until(words: str, terminal: int) -> str:
    shown, until = "", time.monotonic() + WAIT_S_MAX
    while words not in shown:
        assert time.monotonic() < until, shown
        if select.select([terminal], [], [], POLL_S)[0]:
            shown += os.read(terminal, 65_536).decode()
    return shown


def wait_for(path: Path, words: str) -> None:
    wait_until(
        lambda: path.exists() and words in path.read_text(), f"{words!r} never came into {path}"
    )


def test_on_a_desktop_the_page_is_opened(folder: Path, browser: Path, tmp_path: Path) -> None:
    code, shown = in_a_terminal(folder, opens=True, DISPLAY=":0", BROWSER=f"{browser} %s")
    assert code == 0
    assert (tmp_path / "opened").read_text().strip() in shown
    assert "Traceback" not in shown


@pytest.mark.parametrize(
    ("arguments", "environ"),
    [(("--no-open",), {"DISPLAY": ":0"}), ((), {"DISPLAY": ":0", "CI": "1"})],
)
def test_without_a_desktop_or_a_wish_for_it_nothing_is_opened(
    folder: Path, browser: Path, tmp_path: Path, arguments: tuple[str, ...], environ: dict[str, str]
) -> None:
    code, _ = in_a_terminal(folder, *arguments, **environ, BROWSER=f"{browser} %s")
    assert code == 0
    assert not (tmp_path / "opened").exists()


def test_nothing_is_opened_where_nobody_looks(folder: Path, browser: Path, tmp_path: Path) -> None:
    with demo(folder, DISPLAY=":0", BROWSER=f"{browser} %s") as running:
        running.until(RETURNED)
        running.end()
    assert not (tmp_path / "opened").exists()
