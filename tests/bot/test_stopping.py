"""What a server that ends does with connections that came at the last moment."""

import asyncio
import socket
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

from bot.server.stopping import stop_accepting

CLIENTS = 20


class Remembered(asyncio.Protocol):
    """Keeps every transport that it was given."""

    made: ClassVar[list[asyncio.BaseTransport]] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.made.append(transport)


def run(server: Coroutine[None, None, int]) -> int:
    """Run it in a thread: a browser's loop may be running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, server).result()


def test_connections_accepted_at_the_last_moment_can_be_closed() -> None:
    async def stopped() -> int:
        Remembered.made = []
        server = await asyncio.get_running_loop().create_server(Remembered, "127.0.0.1", 0)
        address = server.sockets[0].getsockname()
        clients = [socket.create_connection(address) for _ in range(CLIENTS)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # they are accepted, and have no protocol yet
        assert not Remembered.made
        await stop_accepting(server)
        for transport in Remembered.made:
            transport.close()
        await asyncio.sleep(0)
        for client in clients:
            client.setblocking(False)  # one that is still open says so at once
            assert client.recv(1) == b""
            client.close()
        return len(Remembered.made)

    assert run(stopped()) == CLIENTS


def test_nobody_is_accepted_afterwards() -> None:
    async def stopped() -> int:
        server = await asyncio.get_running_loop().create_server(Remembered, "127.0.0.1", 0)
        address = server.sockets[0].getsockname()
        await stop_accepting(server)
        with socket.socket() as client:
            return client.connect_ex(address)

    assert run(stopped()) != 0
