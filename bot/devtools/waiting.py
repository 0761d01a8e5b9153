"""How the developer tools wait: for a condition, by looking again and again; for one of events."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

POLL_S: Final = 0.004


def wait_until(
    is_reached: Callable[[], bool],
    seconds: float,
    *,
    looks: int = 1,
    pause: Callable[[float], object] = time.sleep,
) -> bool:
    """True once `is_reached` is, at as many looks in a row; False if it is not in `seconds`."""
    until, row = time.monotonic() + seconds, 0
    while True:
        row = row + 1 if is_reached() else 0
        if row >= looks or time.monotonic() > until:
            return row >= looks
        pause(POLL_S)


async def first_of(*waits: Awaitable[object]) -> None:
    """Wait until one of them has ended; the others are cancelled."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
