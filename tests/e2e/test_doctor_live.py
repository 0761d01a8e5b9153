"""`roundtable doctor` against the local workspace: what Slack says, over real HTTP."""

import os
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from bot.cli.doctor.check import Check
from bot.cli.doctor.command import examined
from bot.devtools.workspace import SCOPES_ALL, LocalWorkspace
from bot.server.bolt_app import SCOPES
from tests.support.handlers import served_by

CHANNELS = ("general", "outside", "private-den", "private-outside")
BOT_IN = ("general", "private-den")
ONLINE = ("Slack", "scopes", "threads", "Socket Mode", "operators' channel", "clock")


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith(("SLACK_", "ROUNDTABLE_")) or name == "PORT":
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def set_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalWorkspace]:
    with workspace(monkeypatch) as slack:
        yield slack


@contextmanager
def workspace(
    monkeypatch: pytest.MonkeyPatch,
    scopes: tuple[str, ...] = tuple(SCOPES),
    *,
    distributed: bool = False,
) -> Iterator[LocalWorkspace]:
    """A workspace whose app has the manifest's scopes, and an environment that leads there."""
    with LocalWorkspace(
        people=["pm"], channels=CHANNELS, bot_in=BOT_IN, scopes=scopes, distributed=distributed
    ) as slack:
        monkeypatch.setenv("SLACK_BOT_TOKEN", slack.bot_token)
        monkeypatch.setenv("SLACK_APP_TOKEN", slack.app_token)
        monkeypatch.setenv("SLACK_API_URL", slack.api_url)
        yield slack


def look(ahead_s: float = 0) -> Mapping[str, Check]:
    """Everything by name, by a clock that is so many seconds fast."""
    found = {
        check.name: check for check in examined(offline=False, now=lambda: time.time() + ahead_s)
    }
    for check in found.values():
        assert (check.remedy is None) == (check.state == "ok"), check
        assert "local-workspace-" not in str(check)  # what every token of the workspace has in it
        assert "ticket=" not in str(check)
    return found


def said(found: Mapping[str, Check], name: str) -> tuple[str, str]:
    return found[name].state, found[name].found


# ── who we are, and what we may do ──


def test_a_good_setup_is_known_to_slack(set_up: LocalWorkspace) -> None:
    found = look()
    assert said(found, "Slack") == ("ok", "Roundtable (local, not Slack), as @roundtable")
    assert said(found, "scopes") == ("ok", f"all {len(SCOPES)}")
    assert said(found, "Socket Mode") == ("ok", "Slack lets us connect")
    assert said(found, "operators' channel")[0] == "ok"
    assert said(found, "clock") == ("ok", "as Slack's")
    assert said(found, "threads") == ("ok", "they can be read back")
    assert [call.method for call in set_up.calls] == [
        "auth.test", "conversations.replies", "conversations.replies", "apps.connections.open",
    ]  # fmt: skip


def test_offline_asks_slack_nothing(set_up: LocalWorkspace) -> None:
    found = {check.name for check in examined(offline=True)}
    assert found.isdisjoint(ONLINE)
    assert set_up.calls == []


def test_every_missing_scope_is_named_with_what_it_is_for(monkeypatch: pytest.MonkeyPatch) -> None:
    granted = tuple(scope for scope in SCOPES if scope not in ("commands", "users:read"))
    with workspace(monkeypatch, granted):
        found = look()
    state, words = said(found, "scopes")
    assert state == "fail"
    assert words == (
        f"missing: commands ({SCOPES['commands']}), users:read ({SCOPES['users:read']})"
    )
    assert "install the app again" in (found["scopes"].remedy or "")


def test_scopes_beyond_the_manifest_are_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    with workspace(monkeypatch, (*SCOPES, "pins:read", "team:read")):
        assert said(look(), "scopes") == ("ok", f"all {len(SCOPES)}, and 2 more")


def test_threads_that_may_not_be_read_are_a_fault_that_says_what_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    granted = tuple(scope for scope in SCOPES if not scope.endswith(":history"))
    with workspace(monkeypatch, granted):
        found = look()
    assert said(found, "threads") == (
        "fail", "they cannot be read: what people write while the bot is offline may be lost",
    )  # fmt: skip
    assert "channels:history and groups:history" in (found["threads"].remedy or "")


def test_an_app_that_may_read_one_thread_a_minute_is_warned_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with workspace(monkeypatch, distributed=True):
        found = look()
    state, words = said(found, "threads")
    assert (state, "one a minute" in words) == ("warn", True)
    assert "ROUNDTABLE_SLACK_APP=distributed" in (found["threads"].remedy or "")


def test_one_thread_a_minute_is_as_it_should_be_where_the_app_is_said_to_be_distributed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ROUNDTABLE_SLACK_APP", "distributed")
    with workspace(monkeypatch, distributed=True):
        state, words = said(look(), "threads")
    assert (state, "one page a minute" in words) == ("ok", True)


def test_a_token_slack_does_not_know_is_refused_and_the_rest_is_still_looked_at(
    set_up: LocalWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-1-of-another-app")
    monkeypatch.setenv("ROUNDTABLE_OPERATORS_CHANNEL", set_up.channel_id("general"))
    found = look()
    assert said(found, "Slack") == ("fail", "refused: invalid_auth")
    assert "Copy the Bot User OAuth Token" in (found["Slack"].remedy or "")
    for name in ("scopes", "threads", "operators' channel"):
        assert said(found, name) == ("warn", "not checked, because Slack did not say who we are")
    assert said(found, "Socket Mode")[0] == said(found, "clock")[0] == "ok"
    assert "another-app" not in str(found)


def test_a_token_that_was_revoked_is_to_be_made_anew(set_up: LocalWorkspace) -> None:
    set_up.inject("revoke")
    found = look()
    assert said(found, "Slack") == ("fail", "refused: token_revoked")
    assert "Install the app again" in (found["Slack"].remedy or "")
    assert said(found, "Socket Mode") == ("fail", "refused: token_revoked")


# ── Socket Mode ──


def test_an_app_token_that_was_taken_away_is_told(
    set_up: LocalWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLACK_APP_TOKEN", "xapp-1-taken-away")
    found = look()
    assert said(found, "Socket Mode") == ("fail", "refused: invalid_auth")
    assert "connections:write" in (found["Socket Mode"].remedy or "")
    monkeypatch.delenv("SLACK_APP_TOKEN")
    found = look()
    assert said(found, "Socket Mode")[1] == "not checked, because SLACK_APP_TOKEN is not set"
    assert said(found, "modes")[0] == "fail"


def test_who_serves_http_alone_hears_nothing_of_socket_mode(
    set_up: LocalWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SLACK_APP_TOKEN")
    monkeypatch.setenv("SLACK_SIGNING_SECRET", "0123456789abcdef" * 2)
    found = look()
    assert "Socket Mode" not in found
    assert said(found, "modes") == ("ok", "roundtable serve --http")


# ── operators' channel ──


@pytest.mark.parametrize("scopes", [tuple(SCOPES), SCOPES_ALL], ids=["manifest", "with-read"])
@pytest.mark.parametrize(
    ("channel", "state", "words"),
    [
        ("general", "ok", "the bot is in it"),
        ("private-den", "ok", "the bot is in it"),
        ("outside", "fail", "the bot is not in it"),
        ("private-outside", "fail", "there is no such channel, or it is private"),
        ("C0NOWHERE", "fail", "there is no such channel, or it is private"),
    ],
)
def test_the_bot_must_be_in_the_operators_channel(
    monkeypatch: pytest.MonkeyPatch, scopes: tuple[str, ...], channel: str, state: str, words: str
) -> None:
    with workspace(monkeypatch, scopes) as slack:
        known = slack.channel_id(channel) if channel in CHANNELS else channel
        monkeypatch.setenv("ROUNDTABLE_OPERATORS_CHANNEL", known)
        found = look()
    assert found["operators' channel"].state == state
    assert found["operators' channel"].found.startswith(words)
    if state == "fail":
        assert "/invite @Roundtable" in (found["operators' channel"].remedy or "")


def test_without_any_scope_to_read_the_operators_channel_it_is_not_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with workspace(monkeypatch, ("chat:write",)) as slack:
        monkeypatch.setenv("ROUNDTABLE_OPERATORS_CHANNEL", slack.channel_id("general"))
        found = look()
    assert said(found, "operators' channel")[1] == "not checked, because a scope for it is missing"


# ── the clock ──


@pytest.mark.parametrize(
    ("ahead_s", "state", "words"),
    [
        (300, "fail", "300 s ahead of Slack's"),
        (-300, "fail", "300 s behind Slack's"),
        (120, "warn", "120 s ahead of Slack's"),
        (30, "ok", "30 s ahead of Slack's"),
    ],
)
def test_a_clock_that_is_off_is_told_by_how_much(
    set_up: LocalWorkspace, ahead_s: int, state: str, words: str
) -> None:
    found = look(ahead_s)["clock"]
    assert found.state == state
    number, rest = words.split(" ", 1)
    told, same = found.found.split(" ", 1)
    assert same == rest
    assert abs(int(told) - int(number)) <= 2  # a date has whole seconds
    assert found.state == "ok" or "NTP" in (found.remedy or "")


# ── no answer, or none of Slack's ──


@pytest.mark.parametrize("kind", ["429", "500"])
def test_trouble_that_passes_is_a_warning(set_up: LocalWorkspace, kind: str) -> None:
    set_up.inject(kind, method="auth.test")  # type: ignore[arg-type]
    found = look()
    why = {"429": "asked too often", "500": "http 500"}[kind]
    assert said(found, "Slack") == ("warn", f"no answer from 127.0.0.1 ({why})")
    assert said(found, "Socket Mode")[0] == "ok"
    assert said(found, "clock")[1] == "not checked, because Slack was not heard"


def test_where_nobody_listens_nothing_else_is_tried(
    set_up: LocalWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        monkeypatch.setenv("SLACK_API_URL", f"http://127.0.0.1:{taken.getsockname()[1]}/api/")
        found = look()
    assert said(found, "Slack") == (
        "fail",
        "no answer from 127.0.0.1 (ConnectionRefusedError)",
    )
    assert "SLACK_API_URL" in (found["Slack"].remedy or "")
    for name in ("scopes", "Socket Mode", "clock"):
        assert said(found, name)[0] == "warn"


@contextmanager
def answering(body: bytes, **headers: str) -> Iterator[str]:
    """A server that is not Slack and says the same to everything; its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response_only(200)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body)

    with served_by(Handler) as url:
        yield url


@pytest.mark.parametrize("body", [b"<html>xoxb-in-a-page</html>", b'["a list"]', b"\xff\xfe"])
def test_what_is_not_slack_is_told(monkeypatch: pytest.MonkeyPatch, body: bytes) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-1-token")
    with answering(body) as url:
        monkeypatch.setenv("SLACK_API_URL", url)
        found = look()
    assert said(found, "Slack") == (
        "fail",
        "no answer from 127.0.0.1 (an answer that is not Slack's)",
    )


def test_headers_that_a_proxy_took_away_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-1-token")
    with answering(b'{"ok": true, "team": "T", "user": "u"}') as url:
        monkeypatch.setenv("SLACK_API_URL", url)
        found = look()
    assert said(found, "Slack") == ("ok", "T, as @u")
    assert said(found, "scopes") == ("warn", "not checked, because the answer names none")
    assert said(found, "clock") == ("warn", "not checked, because the answer has no date")


def test_an_address_that_cannot_be_used_is_not_replaced_by_slack_itself(
    set_up: LocalWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLACK_API_URL", "127.0.0.1/api")
    found = look()
    assert said(found, "SLACK_API_URL")[0] == "fail"
    for name in ("Slack", "Socket Mode"):
        assert said(found, name)[1] == "not checked, because SLACK_API_URL cannot be used"
    assert set_up.calls == []
