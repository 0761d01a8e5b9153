"""Slack's side of several processes: each request goes to the next process that accepts.

It goes on to another one where nobody listens, as routers do.
"""

import threading
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Final

LOOPBACK: Final = "127.0.0.1"
CALL_S_MAX: Final = 20.0


class Router(ThreadingHTTPServer):
    """`ports` are those of processes that accept."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__((LOOPBACK, 0), _Forwarding)
        self.ports: list[int] = []
        self.twice = False  # every event goes to two processes at once
        self._turns = count()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.server_address[1]}/slack/events"

    def in_turn(self) -> list[int]:
        """The ports, another one first each time."""
        first = next(self._turns) % len(self.ports)
        return self.ports[first:] + self.ports[:first]

    def close(self) -> None:
        self.shutdown()
        self.server_close()
        self._thread.join()


class _Forwarding(BaseHTTPRequestHandler):
    server: Router

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        ports = self.server.in_turn()
        if self.server.twice and body.startswith(b"{"):
            second = threading.Thread(target=self._forward, args=(ports[-1:], body))
            second.start()
            status, answer, kind = self._forward(ports[:1], body)
            second.join()
        else:
            status, answer, kind = self._forward(ports, body)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def _forward(self, ports: list[int], body: bytes) -> tuple[int, bytes, str]:
        for port in ports:
            connection = HTTPConnection(LOOPBACK, port, timeout=CALL_S_MAX)
            with suppress(ConnectionRefusedError):
                connection.connect()
                return self._asked(connection, body)
        return 502, b"", "text/plain"

    def _asked(self, connection: HTTPConnection, body: bytes) -> tuple[int, bytes, str]:
        try:
            connection.request("POST", "/slack/events", body, dict(self.headers.items()))
            response = connection.getresponse()
            return (
                response.status,
                response.read(),
                response.headers.get("Content-Type", "text/plain"),
            )
        except (OSError, HTTPException):  # it was killed meanwhile
            return 502, b"", "text/plain"
        finally:
            connection.close()

    def log_message(self, *_: object) -> None:
        """Nothing."""
