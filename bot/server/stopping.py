"""The end of a server on an event loop."""

import asyncio
from typing import Final

TURNS: Final = 3  # of the loop: a task makes the transport, the protocol is told, the task ends


async def stop_accepting(server: asyncio.Server) -> None:
    """Close a server's listeners once every connection they accepted has its protocol.

    `Server.close()` alone makes the transports of such connections fail, and leaves them open.
    """
    for listener in server.sockets:
        asyncio.get_running_loop().remove_reader(listener.fileno())
    for _ in range(TURNS):
        await asyncio.sleep(0)
    server.close()
