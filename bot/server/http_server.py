"""HTTP mode under uvicorn: one event loop reads every connection, and none may keep it waiting.

uvicorn has no deadline for a request that arrives byte by byte, nor does it bound the connections;
both are ours, in `HttpConnection`. docs/design-notes.md says why uvicorn.
"""

import asyncio
import contextlib
import functools
import socket
import struct
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Final, cast

import structlog
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from bot.server.http_app import HealthApp
from bot.server.stop_signals import stop_signals
from bot.server.stopping import stop_accepting

IDLE_S_MAX: Final = 75  # longer than the usual 60 of a proxy, which then is the one to close
BACKLOG: Final = 128
NO_LINGER: Final = struct.pack("ii", 1, 0)  # on, for zero seconds

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on what strangers' connections may take."""

    connections_max: int = 256
    """A further one closes the one whose request has been under way, or awaited, longest."""

    exchange_s_max: float = 10.0
    """From connecting, or a request's first byte, to the end of its answer. Slack waits 3 s."""

    grace_s: float = 10.0
    """For what is under way when the process is told to end."""


class HttpConnection(H11Protocol):
    """One client's connection, closed when an exchange on it takes too long."""

    def __init__(self, *args: Any, limits: Limits, **options: Any) -> None:
        super().__init__(*args, **options)
        self._limits = limits
        self._deadline: asyncio.TimerHandle | None = None
        self.waiting_since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self._begin_exchange()
        if len(self.connections) > self._limits.connections_max:
            connections = cast("set[HttpConnection]", self.connections)
            oldest = min(connections, key=lambda connection: connection.waiting_since)
            connections.discard(oldest)  # now: more may be accepted before it is lost
            oldest.hang_up()

    def data_received(self, data: bytes) -> None:
        if self._deadline is None:
            self._begin_exchange()
        super().data_received(data)

    def on_response_complete(self) -> None:
        self._end_exchange()
        super().on_response_complete()
        if not self.cycle.response_complete:  # the next request had been sent already
            self._begin_exchange()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_exchange()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Let a request that is being handled end, and drop one that is still arriving."""
        if self.cycle is not None and self.cycle.more_body and not self.cycle.response_complete:
            self.hang_up()
        else:
            super().shutdown()

    def hang_up(self) -> None:
        """Close at once. What the peer has not read is dropped, or it would keep the connection.

        Without a linger time of zero the kernel holds on to a peer that reads nothing: its end of
        the connection would never learn that ours is closed.
        """
        ours = self.transport.get_extra_info("socket")
        if ours is not None:
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
        self.transport.abort()

    def _begin_exchange(self) -> None:
        self.waiting_since = self.loop.time()
        self._deadline = self.loop.call_later(self._limits.exchange_s_max, self.hang_up)

    def _end_exchange(self) -> None:
        self.waiting_since = self.loop.time()
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _nothing() -> None: ...


class _Server(uvicorn.Server):
    """uvicorn's server, told to end by ours: its own would raise the signal again at the end.

    It is asked whether it is ready until `drain` has ended what is under way.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        app: HealthApp,
        is_told_to_end: Callable[[], bool],
        drain: Callable[[], None],
        grace_s: float,
    ) -> None:
        super().__init__(config)
        self._grace_s = grace_s
        self._app = app
        self._is_told_to_end = is_told_to_end
        # Nobody waits for one that does not end in time, not even at the end of the process.
        self._drain = threading.Thread(target=drain, name="drain", daemon=True)
        self._told_at: float | None = None

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield

    async def on_tick(self, counter: int) -> bool:
        if self._told_at is None and self._is_told_to_end():
            self._told_at = time.monotonic()
            self._app.end()
            self._drain.start()
        return self._is_drained() or await super().on_tick(counter)

    def _is_drained(self) -> bool:
        """True if nothing is under way any more but requests, which get the rest of the time."""
        if self._told_at is None:
            return False
        left_s = self._grace_s - (time.monotonic() - self._told_at)
        self.config.timeout_graceful_shutdown = max(round(left_s), 1)
        return left_s <= 0 or not self._drain.is_alive()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        host, port, *_ = (sockets or [])[0].getsockname()
        log.info("http.serving", host=host, port=port)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            await stop_accepting(server)
        await super().shutdown(sockets)
        for connection in list(cast("set[HttpConnection]", self.server_state.connections)):
            connection.hang_up()  # its request did not end in time


def listen(host: str, port: int) -> socket.socket:
    """A socket at that address, where connections wait to be served. Raises `OSError`."""
    # The protocol is named by the lookup, or asyncio leaves Nagle's algorithm on.
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def serve_http(
    app: HealthApp,
    listener: socket.socket,
    *,
    stop: threading.Event | None = None,
    limits: Limits | None = None,
    drain: Callable[[], None] = _nothing,
) -> None:
    """Serve until `stop` is set, or the process is told to end. Requests under way are finished.

    `drain` is called then; `/readyz` answers 503 until it returns, as long as `limits` allow it.
    """
    bounds = limits or Limits()
    protocol = functools.partial(HttpConnection, limits=bounds)
    config = uvicorn.Config(
        app,
        http=cast("type[asyncio.Protocol]", protocol),
        ws="none",
        loop="asyncio",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=IDLE_S_MAX,
    )
    ended = stop or threading.Event()
    with stop_signals() as signals:
        server = _Server(
            config, app, lambda: ended.is_set() or bool(signals), drain, bounds.grace_s
        )
        try:
            asyncio.run(server.serve(sockets=[listener]))
        finally:
            app.close()
            log.info("http.closed", signals=signals)
