"""Faults of the connection: ASGI responses that end early, arrive slowly or never come.

Each ends with the server: `stopping` is set then.
"""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from starlette.types import Message, Receive, Scope, Send

from bot.devtools.waiting import first_of

PIECES: Final = 10
HUGE_BYTES: Final = 2_000_000

Abort = Callable[[Scope, bool], None]


@dataclass(frozen=True, slots=True)
class BrokenResponse:
    """Sends `body` as the fault has it."""

    kind: str
    body: bytes
    seconds: float
    abort: Abort  # hang up on the client; True: by a TCP reset
    stopping: asyncio.Event

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match self.kind:
            case "reset" | "refused":
                await self._hang_up(scope, receive, reset=True)
            case "hang":
                await self._hang(scope, receive)
            case "cut-body":
                await self._cut(scope, receive, send)
            case "not-json":
                await _send_whole(send, b"<html><body>Bad gateway</body></html>", b"text/html")
            case "huge":
                await _send_whole(send, b'{"padding": "' + b"x" * HUGE_BYTES + b'"}')
            case _:
                await self._dribble(send)

    async def _hang(self, scope: Scope, receive: Receive) -> None:
        """Say nothing until the client is gone, or the time is over; then hang up."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.seconds):
                await first_of(_disconnected(receive), self.stopping.wait())
        await self._hang_up(scope, receive)

    async def _cut(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send(_start(len(self.body), b"application/json"))
        half = self.body[: len(self.body) // 2]
        await send({"type": "http.response.body", "body": half, "more_body": True})
        await self._hang_up(scope, receive)

    async def _hang_up(self, scope: Scope, receive: Receive, *, reset: bool = False) -> None:
        """The server must know that the client is gone, or it complains of half a response."""
        self.abort(scope, reset)
        await _disconnected(receive)

    async def _dribble(self, send: Send) -> None:
        await send(_start(len(self.body), b"application/json"))
        size = -(-len(self.body) // PIECES)
        for start in range(0, len(self.body), size):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.seconds / PIECES):
                    await self.stopping.wait()
            piece = self.body[start : start + size]
            more = start + size < len(self.body)
            await send({"type": "http.response.body", "body": piece, "more_body": more})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _start(length: int, kind: bytes) -> Message:
    headers = [(b"content-type", kind), (b"content-length", str(length).encode())]
    return {"type": "http.response.start", "status": 200, "headers": headers}


async def _send_whole(send: Send, body: bytes, kind: bytes = b"application/json") -> None:
    await send(_start(len(body), kind))
    await send({"type": "http.response.body", "body": body})
