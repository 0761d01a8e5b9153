"""Servers of a test's own, each in a thread of its own: what they answer is up to a handler."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import BaseServer

POLL_S = 0.01  # how soon a server notices that it is to end


@contextmanager
def running(server: BaseServer) -> Iterator[None]:
    """It serves until this block ends, and is closed then."""
    thread = threading.Thread(target=server.serve_forever, args=(POLL_S,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def served_by(handler: type[BaseHTTPRequestHandler], path: str = "/api/") -> Iterator[str]:
    """The address of a Web API, or of another `path`, that answers as the handler does."""
    quiet = type("QuietHandler", (_Quiet, handler), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), quiet)
    with running(server):
        yield f"http://127.0.0.1:{server.server_port}{path}"


class _Quiet:
    def log_message(self, *_: object) -> None:
        """Nobody reads what a handler writes to the terminal."""
