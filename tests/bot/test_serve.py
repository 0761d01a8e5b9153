"""Serving in earnest: Socket Mode against the local workspace."""

import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.error import URLError

import pytest
from slack_sdk import WebClient
from slack_sdk.socket_mode.builtin import SocketModeClient

from bot.devtools.workspace import LocalWorkspace
from bot.server.bolt_app import context_maker
from bot.server.configuration.settings import Settings
from bot.server.socket_mode import (
    RECONNECT_S,
    SILENCE_S_MAX,
    WatchedConnection,
    close_client,
    hung_up,
    serve_socket,
)
from bot.web_api.api_errors import disposition
from core.domain.ids import TeamId, UserId
from core.ports import Workspace
from tests.support import bolt_front
from tests.support.api_pages import method_pages
from tests.support.bolt_front import FakeRuntime
from tests.support.fakes import NoNames
from tests.support.waiting import WAIT_S_MAX, wait_until


@pytest.fixture
def local() -> Iterator[LocalWorkspace]:
    with LocalWorkspace(people=["Ada"]) as running:
        yield running


def settings(local: LocalWorkspace, **more: str) -> Settings:
    return Settings.model_validate(
        {
            "SLACK_BOT_TOKEN": local.bot_token,
            "SLACK_APP_TOKEN": local.app_token,
            "SLACK_API_URL": local.api_url,
            **more,
        }
    )


def app_of(local: LocalWorkspace) -> Any:
    we = Workspace(TeamId(local.team_id), local.workspace_url, UserId(local.bot_user_id), "B1")
    context_of = context_maker(settings(local), FakeRuntime(), NoNames())  # type: ignore[arg-type]
    return bolt_front.app_of(settings(local), context_of, we)


class LateReader(logging.Handler):
    """Holds a client's reader where it begins, until the client was told to end."""

    def __init__(self) -> None:
        super().__init__()
        self.client: SocketModeClient | None = None
        self.has_begun = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        client = self.client
        if client is not None and record.getMessage().startswith("Starting to receive"):
            self.has_begun.set()
            wait_until(lambda: client.current_session_state.terminated)


def test_a_connection_whose_reader_begins_while_it_is_closed_ends_all_the_same(
    local: LocalWorkspace,
) -> None:
    late, logger = LateReader(), logging.Logger("late reader", logging.INFO)
    logger.addHandler(late)
    web_client = WebClient(token=local.bot_token, base_url=local.api_url)
    client = SocketModeClient(local.app_token, logger=logger, web_client=web_client)
    late.client = client
    client.connect()
    assert late.has_begun.wait(WAIT_S_MAX)
    closing = threading.Thread(target=close_client, args=(client,), daemon=True)
    closing.start()
    closing.join(WAIT_S_MAX)
    assert not closing.is_alive()


def test_two_connections_serve_until_they_are_told_to_end(local: LocalWorkspace) -> None:
    stop = threading.Event()
    serving = threading.Thread(
        target=serve_socket, args=(app_of(local), settings(local)), kwargs={"stop": stop}
    )
    serving.start()
    try:
        assert local.wait_connected(WAIT_S_MAX, count=2)
        local.command("Ada", "general", "/roundtable help")
        local.say("Ada", "general", "@Roundtable list")
        assert local.wait_idle(WAIT_S_MAX)
        wait_until(lambda: len(local.ephemerals) == 2)
    finally:
        stop.set()
        serving.join()
    told = sorted(each.text.splitlines()[0][:20] for each in local.ephemerals)
    assert told == ["There is nothing in ", "What I understand"]


def test_a_token_slack_does_not_know_ends_it_in_one_line(
    local: LocalWorkspace, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        serve_socket(app_of(local), settings(local, SLACK_APP_TOKEN="xapp-1-unknown"))
    assert caught.value.code == 2
    said = capsys.readouterr().err
    assert said == "SLACK_APP_TOKEN: Slack answered invalid_auth. Socket Mode cannot start.\n"


def test_each_error_of_a_connection_ends_it_in_one_line_that_says_whose_it_is(
    local: LocalWorkspace, capsys: pytest.CaptureFixture[str]
) -> None:
    """A rate limit is waited out by the client itself."""
    app, method = app_of(local), "apps.connections.open"
    for error in sorted(method_pages()[method].errors - {"ratelimited"}):
        local.refuse(method, error)
        with pytest.raises(SystemExit) as caught:
            serve_socket(app, settings(local), connections=1)
        said = capsys.readouterr().err
        if disposition(error) in ("again", "look"):
            expected = (1, f"Slack answered {error}. Start again in a moment.\n")
        else:
            expected = (2, f"SLACK_APP_TOKEN: Slack answered {error}. Socket Mode cannot start.\n")
        assert (caught.value.code, said) == expected, error


def test_a_signal_ends_it_and_is_given_back_afterwards(local: LocalWorkspace) -> None:
    before = signal.getsignal(signal.SIGTERM)

    def end_it() -> None:
        assert local.wait_connected(WAIT_S_MAX, count=1)
        os.kill(os.getpid(), signal.SIGTERM)

    ending = threading.Thread(target=end_it)
    ending.start()
    serve_socket(app_of(local), settings(local), connections=1)
    ending.join()
    assert signal.getsignal(signal.SIGTERM) is before


# ── watching a connection ──────────────────────────────────────────────────────────────────────


@dataclass
class FakeConnection:
    session_id: str = "one"
    last_ping_pong_time: float | None = None
    sock: socket.socket | None = None
    disconnected: bool = False

    def disconnect(self) -> None:
        self.disconnected = True


@dataclass
class FakeClient:
    current_session: FakeConnection | None = field(default_factory=FakeConnection)
    reconnects: int = 0
    failing: bool = False

    def connect_to_new_endpoint(self) -> None:
        self.reconnects += 1
        if self.failing:
            raise URLError("no network")


def test_a_silent_peer_is_replaced_and_a_lively_one_is_not() -> None:
    client = FakeClient()
    assert client.current_session is not None
    watched = WatchedConnection(client)  # type: ignore[arg-type]
    watched.look(100.0)
    watched.look(100.0 + SILENCE_S_MAX)
    client.current_session.last_ping_pong_time = 109.0
    watched.look(100.0 + SILENCE_S_MAX + 5)
    assert client.reconnects == 0
    watched.look(109.0 + SILENCE_S_MAX + 1)
    assert client.reconnects == 1
    assert client.current_session.disconnected


def test_an_unreachable_slack_is_tried_again_but_not_at_every_look() -> None:
    client = FakeClient(failing=True)
    watched = WatchedConnection(client)  # type: ignore[arg-type]
    watched.look(0.0)
    for second in range(20, 30):
        watched.look(float(second))
    assert client.reconnects == 10 / RECONNECT_S


def test_a_new_connection_is_given_its_time() -> None:
    client = FakeClient()
    watched = WatchedConnection(client)  # type: ignore[arg-type]
    watched.look(0.0)
    client.current_session = FakeConnection("two")
    watched.look(50.0)
    client.current_session = None
    watched.look(100.0)
    watched.look(150.0)
    assert client.reconnects == 0


def test_a_peer_that_hung_up_is_noticed_without_reading_the_stream() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert not hung_up(ours)
        theirs.sendall(b"frame")
        assert not hung_up(ours)
        assert ours.recv(10) == b"frame"
        theirs.close()
        assert hung_up(ours)
    assert not hung_up(ours)
    assert not hung_up(None)
