"""Whether the process lives and whether it is ready, as whoever routes to it asks.

Ready means: the database responds with its tables within a second, and nobody told the process to
end.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import structlog

READY_S_MAX: Final = 1.0

log = structlog.get_logger(__name__)


class Health:
    """`is_healthy` is True if the database responds; what it raises is a no."""

    def __init__(self, is_healthy: Callable[[], bool]) -> None:
        self._is_healthy = is_healthy
        self.is_ending = False  # True once the process was told to end
        # Anybody may ask for it, so it never waits in line with Slack, nor Slack behind it.
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="health")

    def end(self) -> None:
        """From now on it is not ready."""
        self.is_ending = True

    async def is_ready(self) -> bool:
        """True if work may be given to this process. Takes a second at most."""
        if self.is_ending:
            return False
        check = asyncio.get_running_loop().run_in_executor(self._worker, self._is_healthy)
        try:
            return await asyncio.wait_for(check, READY_S_MAX)
        except TimeoutError:
            log.warning("health.slow", waited_s=READY_S_MAX)
        except Exception:
            log.exception("health.failed")
        return False

    def close(self) -> None:
        """Take no further question. One that the database has not answered is not waited for."""
        self._worker.shutdown(wait=False, cancel_futures=True)
