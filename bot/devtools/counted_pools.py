"""Thread pools whose jobs are counted, so that it is known when the last of them has ended."""

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any


def _nobody_asks(_is_busy: bool) -> None:
    """Whoever wants to know looks at `is_idle`."""


class CountedPools:
    """Makes the thread pools of a bot, and counts their jobs from submission to end.

    `changed` is told when the first of them begins (True) and the last has ended (False).
    """

    def __init__(self, changed: Callable[[bool], None] = _nobody_asks) -> None:
        self._lock = threading.Lock()
        self._changed = changed
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
            if self._running == 1:
                self._changed(True)

    def ended(self, _: "Future[Any] | None" = None) -> None:
        with self._lock:
            self._running -= 1
            if self._running == 0:
                self._changed(False)


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
