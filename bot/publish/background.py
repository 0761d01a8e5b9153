"""Work beside listeners and lanes: jobs of a pool, and jobs that come later."""

import threading
from collections.abc import Callable
from typing import TypeAlias

import structlog

log = structlog.get_logger(__name__)


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
