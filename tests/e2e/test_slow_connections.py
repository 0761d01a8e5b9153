"""HTTP mode with slow and idle connections: a signed event is acknowledged all the while."""

import itertools
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from bot.devtools.workspace import LocalWorkspace
from tests.support.bolt_front import signed
from tests.support.ports import free_port
from tests.support.serving import database_in
from tests.support.waiting import WAIT_S_MAX, wait_until
from tests.test_package import ROOT, bare

pytestmark = pytest.mark.whole

SLOW_CONNECTIONS = 200
EVENTS = 5
ACK_S_MAX = 9.0  # what waits for a slow connection comes later: that may take ten seconds
DRIP_S = 0.02  # between two bytes of one connection: no deadline of inactivity would ever pass

KINDS = ("idle", "headers", "body", "chunked")
HEAD = b"POST /slack/events HTTP/1.1\r\nHost: roundtable\r\n"


def request_of(kind: str) -> tuple[bytes, bytes]:
    """What a slow client sends at once, and what it then drips."""
    if kind == "idle":
        return b"", b""
    if kind == "headers":
        return HEAD, b"X-Filler: " + b"x" * 4_000
    # By its headers this may be Slack's: only the whole body could show that it is not.
    stamps = "".join(f"{name}: {value}\r\n" for name, value in signed("", time.time()).items())
    head = HEAD + stamps.encode()
    if kind == "body":
        return head + b"Content-Length: 100000\r\n\r\n", b"x" * 4_000
    return head + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n" * 1_000


@pytest.fixture
def slack() -> Iterator[LocalWorkspace]:
    with LocalWorkspace(people=["Ada"], retry_delays=(), ack_seconds=ACK_S_MAX) as running:
        yield running


@pytest.fixture
def port(slack: LocalWorkspace, tmp_path: Path) -> Iterator[int]:
    """The port of a bot in a process of its own, served as it is in earnest."""
    port = free_port()
    environment = bare(
        PYTHONPATH=str(ROOT),
        SLACK_BOT_TOKEN=slack.bot_token,
        SLACK_SIGNING_SECRET=slack.signing_secret,
        SLACK_API_URL=slack.api_url,
        PORT=str(port),
    )
    command = [sys.executable, "-P", "-m", "bot"]
    database_in(tmp_path)
    serve = [*command, "serve", "--http"]
    with subprocess.Popen(serve, env=environment, cwd=tmp_path) as server:
        try:
            wait_until_ready(port)
            yield port
        finally:
            server.send_signal(signal.SIGTERM)
        assert server.wait(WAIT_S_MAX) == 0


def wait_until_ready(port: int) -> None:
    def is_ready() -> bool:
        try:
            with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5):
                return True
        except (URLError, OSError):
            return False

    wait_until(is_ready, "the server never was ready")


@contextmanager
def dripping(port: int, kind: str, number: int) -> Iterator[None]:
    """`number` connections that send a byte each, over and over; one that is cut comes back."""
    ended = threading.Event()
    thread = threading.Thread(target=_drip, args=(port, kind, number, ended))
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _drip(port: int, kind: str, number: int, ended: threading.Event) -> None:
    connections: list[tuple[socket.socket, Iterator[int]]] = []
    try:
        while not ended.is_set():
            while len(connections) < number:
                connections.append(_connect(port, kind))
            connections = [pair for pair in connections if _send_byte(*pair)]
            ended.wait(DRIP_S)
    finally:
        for connection, _ in connections:
            connection.close()


def _connect(port: int, kind: str) -> tuple[socket.socket, Iterator[int]]:
    connection = socket.create_connection(("127.0.0.1", port), timeout=5)
    at_once, dripped = request_of(kind)
    connection.sendall(at_once)
    return connection, iter(dripped)


def _send_byte(connection: socket.socket, rest: Iterator[int]) -> bool:
    """False once the server has hung up."""
    try:
        connection.sendall(bytes(itertools.islice(rest, 1)))
        return not _is_readable(connection)
    except OSError:
        connection.close()
        return False


def _is_readable(connection: socket.socket) -> bool:
    with selectors.DefaultSelector() as selector:
        selector.register(connection, selectors.EVENT_READ)
        readable = bool(selector.select(0))
    if readable:
        connection.close()
    return readable


@pytest.mark.parametrize("kind", KINDS)
def test_signed_requests_are_acknowledged_while_200_connections_drip(
    kind: str, port: int, slack: LocalWorkspace
) -> None:
    slack.events_url = f"http://127.0.0.1:{port}/slack/events"
    with dripping(port, kind, SLOW_CONNECTIONS):
        for _ in range(EVENTS):
            slack.say("Ada", "general", "@Roundtable help")
            slack.command("Ada", "general", "/roundtable help")
            assert slack.wait_idle(WAIT_S_MAX)
    assert [delivery.status for delivery in slack.deliveries] == ["200"] * len(slack.deliveries)
    assert len(slack.deliveries) >= 2 * EVENTS
