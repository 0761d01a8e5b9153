"""How tests wait: for the condition itself, never for time.

The limit says when a test has failed, not how long anything takes: it costs nothing where the
condition comes, and a loaded machine may be slow.
"""

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Final, TypeVar

WAIT_S_MAX: Final = 90.0
POLL_S: Final = 0.005
Reached = TypeVar("Reached")


def wait_until(
    reached: Callable[[], Reached | None],
    why: str = "it never came to that",
    poll_s: float = POLL_S,
) -> Reached:
    """What `reached` returns, once that is true.

    What it looks up and does not find (`LookupError`) is not there yet. Raises `AssertionError`
    with `why` after `WAIT_S_MAX`.
    """
    until = time.monotonic() + WAIT_S_MAX
    while True:
        with contextlib.suppress(LookupError):
            if value := reached():
                return value
        assert time.monotonic() < until, why
        threading.Event().wait(poll_s)
