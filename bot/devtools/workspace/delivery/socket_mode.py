"""Socket Mode: up to ten WebSocket connections, each envelope to exactly one of them.

An envelope is acknowledged by its envelope_id; the acknowledgement may carry a payload. Without a
connection nothing can be delivered: a command or a click has failed, an event is tried again.
docs: apis/events-api/using-socket-mode
"""

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import Final
from uuid import uuid4

from starlette.websockets import WebSocket, WebSocketDisconnect

from bot.devtools.workspace.delivery.queue import DeliveryOutcome, Parcel
from bot.devtools.workspace.values import Json, shape

CONNECTIONS_MAX: Final = 10


class SocketConnection:
    """One open WebSocket and the envelopes it has not acknowledged."""

    def __init__(self, websocket: WebSocket) -> None:
        self.websocket = websocket
        self.unacked: dict[str, asyncio.Future[DeliveryOutcome]] = {}

    async def send(self, message: Json) -> None:
        await self.websocket.send_text(json.dumps(message))

    def acknowledge(self, envelope_id: str, payload: Json) -> None:
        waiting = self.unacked.get(envelope_id)
        if waiting is not None and not waiting.done():
            waiting.set_result(DeliveryOutcome(True, "ack", payload))

    def lost(self) -> None:
        for waiting in self.unacked.values():
            if not waiting.done():
                waiting.set_result(DeliveryOutcome(False, "connection_lost"))


class SocketCourier:
    """Lives on the server's loop, but for `count`, which any thread may read."""

    def __init__(
        self,
        ack_seconds: float,
        changed: Callable[[], object] = lambda: None,
        first_seconds: float = 0.0,
    ) -> None:
        """`first_seconds`: how long a payload may wait for the first connection."""
        self._ack_seconds = ack_seconds
        self._first_seconds = first_seconds
        self._changed = changed
        self._connections: list[SocketConnection] = []
        self._turn = 0
        self._opened = asyncio.Event()

    @property
    def count(self) -> int:
        return len(self._connections)

    async def serve(self, websocket: WebSocket) -> None:
        """One connection, from the handshake to its end."""
        await websocket.accept()
        connection = SocketConnection(websocket)
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            await connection.send(self._hello())
            self._connections.append(connection)
            self._opened.set()
            self._first_seconds = 0.0
            self._changed()
            while True:
                await self._receive(connection, await websocket.receive_text())
        self._forget(connection)

    async def carry(self, parcel: Parcel, retry: int, reason: str) -> DeliveryOutcome:
        connection = await self._connection()
        if connection is None:
            return DeliveryOutcome(False, "no_connection")
        envelope = self._envelope(parcel, retry, reason)
        waiting: asyncio.Future[DeliveryOutcome] = asyncio.get_running_loop().create_future()
        connection.unacked[envelope["envelope_id"]] = waiting
        try:
            await connection.send(envelope)
            async with asyncio.timeout(self._ack_seconds):
                return await waiting
        except TimeoutError:
            return DeliveryOutcome(False, "timeout")
        except (WebSocketDisconnect, RuntimeError, OSError):
            return DeliveryOutcome(False, "connection_lost")
        finally:
            del connection.unacked[envelope["envelope_id"]]

    async def end_all(self, reason: str = "", *, close: bool = True) -> None:
        """Send every connection Slack's `disconnect` message, if there is a reason; then close it.

        Without `close` nothing ends: what comes of the message is the client's affair.
        """
        for connection in list(self._connections):
            if close:
                self._forget(connection)
            with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
                if reason:
                    await connection.send(shape("disconnect", reason=reason))
                if close:
                    await connection.websocket.close()

    def drop_all(self, abort: Callable[[WebSocket], None]) -> None:
        """Every connection's TCP stream ends without a close frame."""
        for connection in list(self._connections):
            self._forget(connection)
            abort(connection.websocket)

    async def _connection(self) -> SocketConnection | None:
        if self._connections:
            return await self._next()
        if self._first_seconds:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._first_seconds):
                    return await self._next()
        return None

    async def _next(self) -> SocketConnection:
        while not self._connections:
            self._opened.clear()
            await self._opened.wait()
        self._turn += 1
        return self._connections[self._turn % len(self._connections)]

    async def _receive(self, connection: SocketConnection, text: str) -> None:
        try:
            message = json.loads(text)
        except ValueError:
            return
        if not isinstance(message, dict):
            return
        if message.get("type") == "ping":
            await connection.send({"type": "pong", "reply_to": message.get("id")})
            return
        payload = message.get("payload")
        answer = payload if isinstance(payload, dict) else {}
        connection.acknowledge(str(message.get("envelope_id")), answer)

    def _forget(self, connection: SocketConnection) -> None:
        if connection in self._connections:
            self._connections.remove(connection)
            self._changed()
        connection.lost()

    def _hello(self) -> Json:
        return shape("hello", num_connections=len(self._connections) + 1)

    def _envelope(self, parcel: Parcel, retry: int, reason: str) -> Json:
        envelope: Json = {
            "envelope_id": str(uuid4()),
            "type": parcel.kind,
            "payload": parcel.payload,
            "accepts_response_payload": not parcel.is_event,
        }
        if parcel.is_event:
            envelope |= {"retry_attempt": retry, "retry_reason": reason}
        return envelope
