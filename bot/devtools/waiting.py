"""How a play and a demo wait: for a condition, looked at again and again."""

import time
from collections.abc import Callable
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
