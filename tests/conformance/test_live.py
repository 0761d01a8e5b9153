"""The command for a real workspace, pointed at a local one that it takes for real."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.devtools.workspace import SCOPES_ALL, LocalWorkspace
from tests.conformance.cases.building import MARK
from tests.conformance.live import main
from tests.conformance.running import run as run_cases
from tests.conformance.scene import local_place
from tests.conformance.table import CASES

ROOT = Path(__file__).parents[2]
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def local() -> Iterator[LocalWorkspace]:
    with LocalWorkspace(people=["Ada"], channels=["general"]) as running:
        yield running


@pytest.fixture
def env(local: LocalWorkspace) -> dict[str, str]:
    return {
        "SLACK_API_URL": local.api_url,
        "SLACK_BOT_TOKEN": local.bot_token,
        "SLACK_APP_TOKEN": local.app_token,
        "ROUNDTABLE_CONFORMANCE_CHANNEL": local.channel_id("general"),
    }


@pytest.fixture
def run(env: dict[str, str], capsys: pytest.CaptureFixture[str]) -> Run:
    def ran(*ids: str, **changed: str) -> tuple[int, str]:
        code = main(ids, env | changed)
        return code, capsys.readouterr().out

    return ran


def outcomes(out: str) -> dict[str, str]:
    """Case → the last word of its line."""
    lines = [line.split() for line in out.splitlines() if re.search(r"  (same|different)$", line)]
    return {words[0]: words[-1] for words in lines}


def test_all_that_can_be_run_there_is_the_same_and_nothing_is_left_behind(
    run: Run, local: LocalWorkspace
) -> None:
    theirs = local.say("Ada", "general", "Not the run's own.")
    code, out = run()
    assert code == 0, out
    could = {case.id for case in CASES if not case.not_live}
    assert outcomes(out) == dict.fromkeys(could, "same")
    for case in CASES:
        assert case.id in out
        assert not case.not_live or f"- {case.not_live}: " in out
    assert [message.ts for message in local.messages("general")] == [theirs]
    assert local.files == []


def test_it_posts_nowhere_else(run: Run, local: LocalWorkspace) -> None:
    run("post.", "update.", "file.", "ephemeral")
    where = {call.args.get("channel") for call in local.calls if call.ok and "channel" in call.args}
    assert where == {local.channel_id("general")}


def test_a_workspace_that_differs_is_found_out(run: Run, local: LocalWorkspace) -> None:
    local.inject("500", method="chat.update", times=50)
    code, out = run("post.text", "update.text", "update.no-channel")
    assert code == 1
    assert outcomes(out) == {
        "post.text": "same",
        "update.text": "different",
        "update.no-channel": "different",
    }
    assert re.search(r"update\.no-channel .*channel_not_found .*HTTP 500,.* different", out)
    assert "3 cases: 1 same, 2 different, 0 not run." in out


def test_a_connection_that_drops_is_a_difference_too(run: Run, local: LocalWorkspace) -> None:
    local.inject("drop", method="users.info", times=9)
    code, out = run("user.nobody")
    assert (code, outcomes(out)) == (1, {"user.nobody": "different"})
    assert "no answer: RemoteProtocolError" in out


def test_it_waits_as_it_is_told_and_tries_again(run: Run, local: LocalWorkspace) -> None:
    local.inject("429", method="reactions.add", retry_after=0, times=2)
    code, out = run("reaction.add")
    assert code == 0, out
    tries = [call.status for call in local.calls if call.method == "reactions.add"]
    assert tries == [429, 429, 200]


def test_it_posts_no_faster_than_once_a_second_and_waits_out_a_limit(
    local: LocalWorkspace,
) -> None:
    local.inject("429", method="chat.postMessage", retry_after=7)
    waits: list[float] = []
    with local_place(local) as place:
        place.pause_s, place.patient, place.wait = 1.0, True, waits.append
        cases = [case for case in CASES if case.id in ("post.text", "update.nothing", "post.reply")]
        assert [row.outcome for row in run_cases(cases, place)] == ["same"] * 3
    assert waits == [1, 7, 1, 1]


def test_what_cannot_be_taken_away_is_said(run: Run, local: LocalWorkspace) -> None:
    local.inject("500", method="chat.delete", times=50)
    code, out = run("post.text")
    assert code == 1
    assert "Not cleaned up:" in out
    assert [message.text for message in local.messages("general")] == [MARK, MARK]


def test_a_scope_that_is_not_granted_leaves_its_cases_out() -> None:
    scopes = [scope for scope in SCOPES_ALL if scope != "files:write"]
    with LocalWorkspace(people=["Ada"], scopes=scopes) as local:
        env = {
            "SLACK_API_URL": local.api_url,
            "SLACK_BOT_TOKEN": local.bot_token,
            "ROUNDTABLE_CONFORMANCE_CHANNEL": local.channel_id("general"),
        }
        result = command("file.url", "socket.url", "auth.test", **env)
    assert result.returncode == 0
    assert "- the app lacks files:write: file.url" in result.stdout
    assert "- needs SLACK_APP_TOKEN: socket.url" in result.stdout


def test_no_token_is_printed(run: Run, local: LocalWorkspace) -> None:
    local.inject("500", times=5)
    _, out = run("auth.", "post.", "socket.", "file.")
    _, refused = run(SLACK_BOT_TOKEN="xoxb-a-token-of-somebody")
    for secret in (local.bot_token, local.app_token, "xoxb-a-token-of-somebody", "ticket="):
        assert secret not in out + refused


def command(*ids: str, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if "SLACK" not in name}
    return subprocess.run(
        [sys.executable, "-m", "tests.conformance.live", *ids],
        cwd=ROOT,
        env=clean | env,
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_tokens_it_says_in_a_few_lines_what_it_needs() -> None:
    result = command()
    assert result.returncode == 2
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "ROUNDTABLE_CONFORMANCE_CHANNEL"):
        assert name in result.stdout
    assert len(result.stdout.splitlines()) < 12
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"SLACK_BOT_TOKEN": "xoxb-wrong"}, "auth.test answered invalid_auth"),
        ({"ROUNDTABLE_CONFORMANCE_CHANNEL": "C404"}, "answered channel_not_found"),
        ({"SLACK_API_URL": "http://slack.example/api/"}, "must begin with https://"),
        ({"SLACK_API_URL": "http://127.0.0.1:9/api/"}, "cannot be reached: ConnectError."),
    ],
)
def test_what_keeps_it_from_beginning_is_said_in_one_line(
    run: Run, changed: dict[str, str], said: str
) -> None:
    code, out = run(**changed)
    assert code == 2
    assert said in out
    assert len(out.splitlines()) == 1
