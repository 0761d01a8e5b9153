"""Work beside listeners and lanes: jobs of a pool, and jobs that come later."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Final, TypeAlias

import structlog

STOP_S_MAX: Final = 12.0  # for the jobs of all pools: a call to Slack takes up to ten, then commits

log = structlog.get_logger(__name__)

Pool = Callable[[int, str], Executor]
"""Makes a thread pool: how many threads, and the prefix of their names."""


class StoppablePools:
    """Makes thread pools, and waits in the end for the jobs of all of them."""

    def __init__(self, pool: Pool = ThreadPoolExecutor) -> None:
        self._pool = pool
        self._executors: list[Executor] = []

    def __call__(self, threads: int, name: str) -> Executor:
        executor = self._pool(threads, name)
        self._executors.append(executor)
        return executor

    def stop(self, timeout_s: float = STOP_S_MAX) -> None:
        """Take no more jobs, and wait up to `timeout_s` for those that were submitted."""
        until = time.monotonic() + timeout_s
        # `Executor.shutdown` knows no limit. A daemon holds up no end of the process.
        waiting = [
            threading.Thread(target=executor.shutdown, daemon=True) for executor in self._executors
        ]
        for thread in waiting:
            thread.start()
        for thread in waiting:
            thread.join(max(until - time.monotonic(), 0.0))
        if any(thread.is_alive() for thread in waiting):
            log.warning("pools.not-ended", seconds=timeout_s)


def guarded(job: Callable[[], object], event: str) -> Callable[[], None]:
    """The job for a pool, with what it raises logged as `event`.

    A pool swallows what its jobs raise; nobody would ever learn of it.
    """

    def run() -> None:
        try:
            job()
        except Exception:
            log.exception(event)

    return run


After: TypeAlias = Callable[[float, Callable[[], None]], object]
"""Runs a job after so many seconds."""


def after(seconds: float, job: Callable[[], None]) -> None:
    """Run a job later, in a thread that holds up no end of the process."""
    timer = threading.Timer(seconds, job)
    timer.daemon = True
    timer.start()
