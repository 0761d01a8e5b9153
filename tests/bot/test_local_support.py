"""Shared by the tests of the local workspace: real slack_sdk and Bolt, and small builders."""

import contextlib
import socketserver
from collections.abc import Callable, Iterator
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest
from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_bolt.adapter.wsgi import SlackRequestHandler
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.socket_mode import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse

from bot.devtools.workspace import LocalWorkspace
from bot.server.socket_mode import PING_S, close_client
from tests.support.handlers import running
from tests.support.waiting import WAIT_S_MAX


def workspace(**options: Any) -> LocalWorkspace:
    options = {"people": ["Ada", "Bob Lee"], "channels": ["general", "private-den"]} | options
    return LocalWorkspace(**options)


def client(local: LocalWorkspace, **options: Any) -> WebClient:
    options = {"token": local.bot_token, "retry_handlers": []} | options
    return WebClient(base_url=local.api_url, **options)


def error_of(call: Callable[..., Any], **arguments: Any) -> Any:
    """The refusal of a Web API call, as the answer's data."""
    with pytest.raises(SlackApiError) as refused:
        call(**arguments)
    return refused.value.response


def bolt(local: LocalWorkspace) -> App:
    return App(
        name="local",  # without a name Bolt reads the source of every caller
        client=client(local),
        signing_secret=local.signing_secret,
        process_before_response=True,
        raise_error_for_unhandled_request=False,
    )


@contextlib.contextmanager
def by_socket(local: LocalWorkspace, app: App) -> Iterator[None]:
    handler = SocketModeHandler(app, local.app_token, ping_interval=PING_S)
    handler.connect()
    assert local.wait_connected(WAIT_S_MAX)
    try:
        yield
    finally:
        close_client(handler.client)


class _ThreadingServer(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True
    block_on_close = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None: ...


@contextlib.contextmanager
def by_http(local: LocalWorkspace, application: Any) -> Iterator[None]:
    """Serve a WSGI application, or a Bolt app, and point the workspace at it."""
    wsgi = SlackRequestHandler(application) if isinstance(application, App) else application
    server = make_server("127.0.0.1", 0, wsgi, _ThreadingServer, _Quiet)
    local.events_url = f"http://127.0.0.1:{server.server_port}/slack/events"
    with running(server):
        yield


class Listener:
    """A real Socket Mode client that acknowledges when told to, and keeps what it got."""

    def __init__(self, local: LocalWorkspace, *, acknowledge: bool = True) -> None:
        self.acknowledge = acknowledge
        self.requests: list[SocketModeRequest] = []
        self._client = SocketModeClient(
            app_token=local.app_token, web_client=client(local), ping_interval=PING_S
        )
        self._client.socket_mode_request_listeners.append(self._received)

    def _received(self, client: Any, request: SocketModeRequest) -> None:
        self.requests.append(request)
        if self.acknowledge:
            client.send_socket_mode_response(SocketModeResponse(request.envelope_id))

    @property
    def events(self) -> list[dict[str, Any]]:
        return [request.payload["event"] for request in self.requests]

    def __enter__(self) -> "Listener":
        self._client.connect()
        return self

    def __exit__(self, *_: object) -> None:
        close_client(self._client)


def section(text: str, kind: str = "mrkdwn") -> dict[str, Any]:
    return {"type": "section", "text": {"type": kind, "text": text}}


def button(label: str, action_id: str, **more: Any) -> dict[str, Any]:
    text = {"type": "plain_text", "text": label}
    return {"type": "button", "text": text, "action_id": action_id, **more}


def actions(*elements: dict[str, Any]) -> dict[str, Any]:
    return {"type": "actions", "elements": list(elements)}


def rich_text(*leaves: dict[str, Any]) -> dict[str, Any]:
    line = {"type": "rich_text_section", "elements": list(leaves)}
    return {"type": "rich_text", "elements": [line]}
