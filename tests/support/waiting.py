"""How tests wait: for the condition itself, never for time.

The limit says when a test has failed, not how long anything takes: it costs nothing where the
condition comes, and a loaded machine may be slow.
"""

import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any, Final, TypeVar

WAIT_S_MAX: Final = 90.0
POLL_S: Final = 0.005
Reached = TypeVar("Reached")


def wait_until(
    reached: Callable[[], Reached | None], why: str = "it never came to that"
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
        threading.Event().wait(POLL_S)


class CountedPools:
    """Makes the thread pools of a bot, and counts their jobs from submission to end."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = 0
        self.submitted = 0

    def __call__(self, threads: int, name: str) -> Executor:
        return _CountedPool(self, threads, name)

    @property
    def is_idle(self) -> bool:
        with self._lock:
            return self._running == 0

    def began(self) -> None:
        with self._lock:
            self._running += 1
            self.submitted += 1

    def ended(self, _: "Future[Any] | None" = None) -> None:
        with self._lock:
            self._running -= 1


class _CountedPool(ThreadPoolExecutor):
    def __init__(self, pools: CountedPools, threads: int, name: str) -> None:
        super().__init__(threads, name)
        self._pools = pools

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        self._pools.began()
        try:
            future = super().submit(fn, *args, **kwargs)
        except RuntimeError:  # the pool is shut down
            self._pools.ended()
            raise
        future.add_done_callback(self._pools.ended)
        return future
