"""The HTTP and WebSocket server: one thread, one event loop, 127.0.0.1 and nothing else.

uvicorn's protocols do the parsing. We keep each connection's transport, because a faithful
Slack must be able to hang up in the middle.
"""

import asyncio
import contextlib
import functools
import socket
import struct
import threading
from collections.abc import Awaitable, Callable
from typing import Any, Final
from weakref import WeakValueDictionary

import uvicorn
from starlette.types import ASGIApp, Scope
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from bot.server.stopping import stop_accepting

LOOPBACK: Final = "127.0.0.1"
START_S_MAX: Final = 10.0
STOP_S_MAX: Final = 1.0
STOP_POLL_S: Final = 0.002
PING_S: Final = 0.1
"""How often a WebSocket is pinged. slack_sdk's client can close only when something arrives."""

Transports = WeakValueDictionary[tuple[str, int], asyncio.Transport]


class _Protocol(H11Protocol):
    """Remembers the transport under the client's address; a WebSocket keeps the same one."""

    def __init__(self, *args: Any, transports: Transports, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._transports = transports

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        if self.client is not None:
            self._transports[self.client] = transport


class Host:
    """Serves `app`. `opened` and `closing` run on its loop, at both ends of its life."""

    def __init__(
        self,
        app: ASGIApp,
        opened: Callable[[asyncio.AbstractEventLoop], None],
        closing: Callable[[], Awaitable[None]],
        name: str = "local workspace",
    ) -> None:
        self._app = app
        self._name = name
        self._opened = opened
        self._closing = closing
        self._transports: Transports = WeakValueDictionary()
        self._ready = threading.Event()
        self._leave = asyncio.Event()
        self._thread: threading.Thread | None = None
        self._failure: BaseException | None = None
        self._protocol: Callable[[], asyncio.Protocol] = asyncio.Protocol
        self._server: asyncio.Server | None = None
        self.loop: asyncio.AbstractEventLoop | None = None

    def start(self, port: int) -> int:
        """The port that is listened on; 0 asks for any free one."""
        listener = _bound(port)
        bound: int = listener.getsockname()[1]
        self._ready.clear()
        self._thread = threading.Thread(
            target=self._run, args=(listener,), name=self._name, daemon=True
        )
        self._thread.start()
        if not self._ready.wait(START_S_MAX):
            raise RuntimeError(f"the {self._name} did not start")
        if self._failure is not None:
            raise RuntimeError(f"the {self._name} did not start") from self._failure
        return bound

    def stop(self) -> None:
        if self._thread is None or self.loop is None:
            return
        with contextlib.suppress(RuntimeError):  # the loop has ended by itself
            self.loop.call_soon_threadsafe(self._leave.set)
        self._thread.join()
        self._thread = None

    def abort(self, scope: Scope, *, reset: bool = False) -> None:
        """Hang up on the client of `scope`: end of stream, or a TCP reset."""
        transport = self._transports.get(tuple(scope["client"]))
        if transport is None:
            return
        if reset:
            raw = transport.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()

    async def refuse_for(self, seconds: float) -> None:
        """Refuse connections for so long, on the host's own loop; those that are open end."""
        assert self._server is not None
        port = self._server.sockets[0].getsockname()[1]
        self._server.close()
        listener = _bound(port)  # nobody else gets the port; nobody listens either
        for transport in list(self._transports.values()):
            transport.abort()
        try:
            async with asyncio.timeout(seconds):
                await self._leave.wait()
        except TimeoutError:
            self._server = await self._listen(listener)
        else:
            listener.close()

    def _run(self, listener: socket.socket) -> None:
        try:
            asyncio.run(self._serve(listener))
        except BaseException as failure:  # noqa: BLE001 - told to the thread that starts us
            self._failure = failure
        finally:
            listener.close()
            self._ready.set()

    async def _serve(self, listener: socket.socket) -> None:
        self.loop = asyncio.get_running_loop()
        self._leave = asyncio.Event()
        config = uvicorn.Config(
            self._app,
            ws="websockets-sansio",
            lifespan="off",
            log_config=None,
            access_log=False,
            ws_per_message_deflate=False,
            ws_ping_interval=PING_S,
        )
        config.load()
        state = ServerState()
        self._protocol = functools.partial(
            _Protocol, config, state, {}, transports=self._transports
        )
        self._server = await self._listen(listener)
        self._opened(self.loop)
        self._ready.set()
        await self._leave.wait()
        await stop_accepting(self._server)
        await self._closing()
        for connection in list(state.connections):
            connection.shutdown()
        await self._settle(state)
        await self._server.wait_closed()

    async def _listen(self, listener: socket.socket) -> asyncio.Server:
        assert self.loop is not None
        return await self.loop.create_server(self._protocol, sock=listener, backlog=512)

    async def _settle(self, state: ServerState) -> None:
        """Let answers under way end; then hang up."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_S_MAX):
                while state.connections or state.tasks:
                    await asyncio.sleep(STOP_POLL_S)
        for transport in list(self._transports.values()):
            transport.abort()
        for task in list(state.tasks):
            task.cancel()
        await asyncio.gather(*state.tasks, return_exceptions=True)


def _bound(port: int) -> socket.socket:
    """A socket at that port that does not listen yet. Raises `OSError`."""
    # The protocol is named, or asyncio leaves Nagle's algorithm on: 40 ms for every answer.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
    except OSError:
        listener.close()
        raise
    return listener
