"""HTTP mode on a port of this machine: served as in earnest, asked over real sockets."""

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import Any

from bot.server.http_app import HealthApp
from bot.server.http_server import Limits, listen, serve_http
from tests.support.waiting import WAIT_S_MAX

LOOPBACK = "127.0.0.1"
BUFFER_BYTES = 8_192


@contextmanager
def serving(
    app: HealthApp, limits: Limits | None = None, stop: threading.Event | None = None, **more: Any
) -> Iterator[int]:
    """The port. The server has ended, and finished what was under way, when this block does."""
    stop = stop or threading.Event()
    with listen(LOOPBACK, 0) as listener:
        # Little is buffered, so that a client which never reads is soon waited for.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)
        thread = threading.Thread(
            target=serve_http, args=(app, listener), kwargs={"stop": stop, "limits": limits, **more}
        )
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            stop.set()
            thread.join()


def request(
    port: int,
    method: str = "POST",
    path: str = "/slack/events",
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
) -> tuple[int, dict[str, str], bytes]:
    """Status, headers by their lower-case names, and body of the answer."""
    connection = HTTPConnection(LOOPBACK, port, timeout=WAIT_S_MAX)
    raw = {name: value.encode() for name, value in (headers or {}).items()}
    try:
        connection.request(method, path, body, raw)
        answer = connection.getresponse()
        return (
            answer.status,
            {name.lower(): value for name, value in answer.getheaders()},
            answer.read(),
        )
    finally:
        connection.close()
