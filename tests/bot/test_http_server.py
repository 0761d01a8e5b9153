"""Connections in HTTP mode: how long they may take, how many there may be, and how they end."""

import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.devtools.workspace import LocalWorkspace
from bot.server.http_app import HttpApp
from bot.server.http_server import Limits, listen
from tests.support.bolt_front import SECRET, Front, signed
from tests.support.http import BUFFER_BYTES, LOOPBACK, request, serving
from tests.support.ports import free_port
from tests.support.waiting import WAIT_S_MAX
from tests.test_package import ROOT, bare

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: roundtable\r\n\r\n"
IMPATIENT = Limits(exchange_s_max=0.6)


def app_of(bot: Front, is_healthy: Callable[[], bool] = lambda: True) -> HttpApp:
    return HttpApp(bot.app, signing_secret=SECRET, is_healthy=is_healthy, threads=2)


def connected(port: int) -> socket.socket:
    return socket.create_connection((LOOPBACK, port), timeout=WAIT_S_MAX)


def body_begun() -> bytes:
    """The head of a request that may be signed, and the beginning of its body."""
    stamps = "".join(f"{name}: {value}\r\n" for name, value in signed("", time.time()).items())
    return (
        f"POST /slack/events HTTP/1.1\r\nHost: roundtable\r\nContent-Length: 9\r\n{stamps}\r\nx"
    ).encode()


def read_to_end(connection: socket.socket) -> bytes:
    """What the server still says before it hangs up, politely or not."""
    heard = b""
    try:
        while data := connection.recv(65_536):
            heard += data
    except ConnectionResetError:
        pass
    return heard


# ── how long ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("begun", [b"", b"POST /slack/events HTTP/1.1\r\nX-Slow: ", None])
def test_a_request_that_does_not_arrive_in_time_is_hung_up_on(
    bot: Front, begun: bytes | None
) -> None:
    with serving(app_of(bot), IMPATIENT) as port, connected(port) as connection:
        connection.sendall(body_begun() if begun is None else begun)
        assert read_to_end(connection) == b""


def test_the_deadline_holds_for_each_request_on_a_connection(bot: Front) -> None:
    with serving(app_of(bot), IMPATIENT) as port, connected(port) as connection:
        answers = connection.makefile("rb")
        for _ in range(3):
            connection.sendall(HEALTH)
            assert answers.readline() == b"HTTP/1.1 200 OK\r\n"
            while answers.readline() not in (b"\r\n", b""):
                pass
            assert answers.read(len('{"ok": true}')) == b'{"ok": true}'
        connection.sendall(HEALTH[:20])
        assert read_to_end(connection) == b""
        answers.close()


def test_whoever_asks_and_asks_and_never_reads_is_hung_up_on(bot: Front) -> None:
    with serving(app_of(bot), IMPATIENT) as port, connected(port) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER_BYTES)
        assert any(not may_send(connection, HEALTH * 20) for _ in range(20_000))


def may_send(connection: socket.socket, data: bytes) -> bool:
    try:
        connection.sendall(data)
    except ConnectionError:
        return False
    return True


# ── how many ───────────────────────────────────────────────────────────────────────────────────


def test_one_connection_too_many_closes_the_one_that_has_waited_longest(bot: Front) -> None:
    with serving(app_of(bot), Limits(connections_max=3)) as port:
        waiting = [connected(port) for _ in range(3)]
        try:
            for connection in waiting:
                connection.sendall(HEALTH[:20])
            assert request(port, "GET", "/healthz")[0] == 200
            assert read_to_end(waiting[0]) == b""
            for connection in waiting[1:]:
                connection.sendall(HEALTH[20:])
                assert connection.recv(15) == b"HTTP/1.1 200 OK"
        finally:
            for connection in waiting:
                connection.close()


# ── how they end ───────────────────────────────────────────────────────────────────────────────


def test_a_request_under_way_is_answered_when_the_server_is_told_to_end(bot: Front) -> None:
    asked, may_answer = threading.Event(), threading.Event()
    answers: list[int] = []

    def is_healthy() -> bool:
        asked.set()
        return may_answer.wait(WAIT_S_MAX)

    with serving(app_of(bot, is_healthy)) as port:
        asking = threading.Thread(
            target=lambda: answers.append(request(port, "GET", "/healthz")[0])
        )
        asking.start()
        assert asked.wait(WAIT_S_MAX)
        threading.Timer(0.2, may_answer.set).start()  # by then the server is ending
    asking.join()
    assert answers == [200]


def test_a_request_that_is_still_arriving_does_not_hold_up_the_end(bot: Front) -> None:
    with serving(app_of(bot), Limits(exchange_s_max=2 * WAIT_S_MAX)) as port:
        slow = connected(port)
        slow.sendall(body_begun())
        assert request(port, "GET", "/healthz")[0] == 200
        began = time.monotonic()
    assert time.monotonic() - began < WAIT_S_MAX  # half of the deadline
    assert read_to_end(slow) == b""
    slow.close()


# ── where ──────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def environment(home: Path) -> Iterator[dict[str, str]]:
    with LocalWorkspace(people=["Ada"]) as slack:
        settings = bare(
            PYTHONPATH=str(ROOT),
            SLACK_BOT_TOKEN=slack.bot_token,
            SLACK_SIGNING_SECRET=slack.signing_secret,
            SLACK_API_URL=slack.api_url,
            ROUNDTABLE_LOG_FORMAT="json",
        )
        subprocess.run(_roundtable("db", "upgrade"), env=settings, cwd=home, check=True)
        yield settings


def _roundtable(*arguments: str) -> list[str]:
    return [sys.executable, "-P", "-m", "bot", *arguments]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("arguments", "variables", "host"),
    [
        ((), {}, "127.0.0.1"),
        (("--host", "0.0.0.0"), {}, "0.0.0.0"),
        ((), {"ROUNDTABLE_HOST": "0.0.0.0"}, "0.0.0.0"),
        (("--host", "127.0.0.1"), {"ROUNDTABLE_HOST": "0.0.0.0"}, "127.0.0.1"),
    ],
)
def test_it_listens_on_loopback_unless_it_is_told_otherwise(
    environment: dict[str, str],
    home: Path,
    arguments: tuple[str, ...],
    variables: dict[str, str],
    host: str,
) -> None:
    port = free_port()
    serve = _roundtable("serve", "--http", "--port", str(port), *arguments)
    with subprocess.Popen(
        serve, env=environment | variables, cwd=home, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        lines = []
        for line in server.stderr:
            lines.append(line)
            if "http.serving" in line:
                break
        server.terminate()
        server.stderr.read()
        assert server.wait(WAIT_S_MAX) == 0, lines
    assert re.search(f'"host": "{re.escape(host)}", "port": {port}', lines[-1]), lines


def test_an_address_that_is_taken_is_said_in_one_line(
    environment: dict[str, str], home: Path
) -> None:
    with listen(LOOPBACK, 0) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            _roundtable("serve", "--http", "--port", str(port)),
            env=environment,
            cwd=home,
            capture_output=True,
            text=True,
            check=False,
        )
    words = f"127.0.0.1, port {port}, cannot be listened on: Address already in use.\n"
    assert (done.returncode, done.stderr) == (2, words)
