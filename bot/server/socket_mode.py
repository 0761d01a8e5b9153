"""Socket Mode: two watched connections, until the process is told to end."""

import select
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import structlog
from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk.errors import SlackApiError
from slack_sdk.socket_mode.builtin import SocketModeClient
from slack_sdk.socket_mode.builtin.connection import Connection

from bot.server.configuration.settings import EXIT_SETTINGS, Settings
from bot.server.outage import AWAY_S, Outage
from bot.server.stop_signals import stop_signals
from bot.web_api.api_errors import disposition

CONNECTIONS: Final = 2  # while one is refreshed, the other answers
PING_S: Final = 3.0
SILENCE_S_MAX: Final = 10.0  # without a pong; the client itself waits four pings and spins
EXIT_UNAVAILABLE: Final = 1  # Slack does not answer: a supervisor starts it again
WATCH_S: Final = 1.0
RECONNECT_S: Final = 5.0
READER_LOOK_S: Final = 0.05  # until one that is to end is told so again
CONCURRENCY: Final = 10
# The client reads on in a call within a call until nothing waits: with its own 1,024 bytes at a
# time, a megabyte of waiting events is more than Python's stack holds, and they are lost.
RECEIVED_BYTES_MAX: Final = 1 << 16

log = structlog.get_logger(__name__)


# ── Socket Mode ────────────────────────────────────────────────────────────────────────────────


def serve_socket(
    app: App,
    settings: Settings,
    *,
    stop: threading.Event | None = None,
    connections: int = CONNECTIONS,
    returned: Callable[[], object] = lambda: None,
    away_s: float = AWAY_S,
) -> None:
    """Serve until `stop` is set, or the process is told to end. The runtime is the caller's.

    `returned` is called once Slack is connected, and when it is again after more than `away_s`.
    """
    assert settings.app_token is not None
    token = settings.app_token.get_secret_value()
    ended = stop or threading.Event()
    with stop_signals() as signals:
        handlers = [_handler(app, token) for _ in range(connections)]
        try:
            _connect(handlers)
            log.info("socket.serving", connections=connections)
            watched = [WatchedConnection(handler.client) for handler in handlers]
            outage = Outage(returned, away_s)
            outage.look(time.time(), connected=True)
            while not (ended.wait(WATCH_S) or signals):
                now = time.time()
                for connection in watched:
                    connection.look(now)
                outage.look(
                    now, connected=any(connection.is_connected(now) for connection in watched)
                )
        finally:
            _close(handlers)
            log.info("socket.closed", signals=signals)


def _handler(app: App, token: str) -> SocketModeHandler:
    return SocketModeHandler(
        app,
        token,
        ping_interval=PING_S,
        concurrency=CONCURRENCY,
        receive_buffer_size=RECEIVED_BYTES_MAX,
    )


def _connect(handlers: Sequence[SocketModeHandler]) -> None:
    try:
        for handler in handlers:
            handler.connect()  # type: ignore[no-untyped-call]
    except SlackApiError as error:
        word = str(error.response.get("error", "an error"))
        if disposition(word) in ("again", "look"):  # not the settings' fault
            sys.stderr.write(f"Slack answered {word}. Start again in a moment.\n")
            raise SystemExit(EXIT_UNAVAILABLE) from error
        sys.stderr.write(f"SLACK_APP_TOKEN: Slack answered {word}. Socket Mode cannot start.\n")
        raise SystemExit(EXIT_SETTINGS) from error


def _close(handlers: Sequence[SocketModeHandler]) -> None:
    """A client waits a second for its next message before it looks whether it is closed."""
    for handler in handlers:
        handler.client.closed = True
    for handler in handlers:
        close_client(handler.client)


def close_client(client: SocketModeClient) -> None:
    """Close a connection at once, without the second for which its reader waits for a message.

    A reader that is about to begin forgets that it was told to end, and `close` would wait for it
    for ever: so it is told again until it has ended.
    """
    client.closed = True
    client.auto_reconnect_enabled = False
    client.message_queue.put(None)  # which is no message, and wakes it
    reader = client.current_session_runner
    reader.event.set()
    while reader.is_alive():
        client.current_session_state.terminated = True
        _disconnect(client)
        reader.thread.join(READER_LOOK_S)
    try:
        client.close()
    except AttributeError:  # as below: when it is asked again it ends its threads
        client.close()


def _disconnect(client: SocketModeClient) -> None:
    """Close the socket; slack_sdk raises AttributeError if the client's monitor does it, too."""
    with suppress(AttributeError):
        client.disconnect()


@dataclass(slots=True)
class WatchedConnection:
    """One connection and when it was last heard of.

    A peer that goes away without a word leaves the client reading nothing from a dead socket, over
    and over, for the best part of a minute; here it is replaced at the next look.
    """

    client: SocketModeClient
    session: str | None = None
    heard_at: float = 0.0
    tried_at: float = float("-inf")

    def look(self, now: float) -> None:
        current = self.client.current_session
        if current is None or current.session_id != self.session:
            self.session, self.heard_at = getattr(current, "session_id", None), now
            return
        self.heard_at = max(self.heard_at, current.last_ping_pong_time or 0.0)
        dead = now - self.heard_at > SILENCE_S_MAX or hung_up(current.sock)
        if dead and now - self.tried_at >= RECONNECT_S:
            self.tried_at = now
            self._replace(current)

    def is_connected(self, now: float) -> bool:
        """True if the peer was heard of lately, and has not hung up."""
        current = self.client.current_session
        if current is None or not current.is_active():
            return False
        return now - self.heard_at <= SILENCE_S_MAX and not hung_up(current.sock)

    def _replace(self, current: Connection) -> None:
        log.warning("socket.dead", silent_s=round(time.time() - self.heard_at, 1))
        try:
            current.disconnect()
            self.client.connect_to_new_endpoint()  # unless the client has done it by itself
        except Exception as error:  # noqa: BLE001 - whatever it is, the next look tries again
            log.warning("socket.unreachable", error=type(error).__name__)


def hung_up(sock: socket.socket | None) -> bool:
    """True if the peer has closed. Looks beneath TLS, and takes nothing out of the stream."""
    if sock is None:
        return False
    try:
        readable, _, _ = select.select([sock], [], [], 0)
        return bool(readable) and socket.socket.recv(sock, 1, socket.MSG_PEEK) == b""
    except (OSError, ValueError):
        return False  # closed by ourselves meanwhile
