"""Fetches the mirrors on a timer, one after the other, in a thread of its own."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

import structlog

from core.repositories.git import is_installed
from core.repositories.mirror import Mirror, MirrorState

FETCH_EVERY_S: Final = 900.0
LARGE_AGAIN_S: Final = 86_400.0  # nobody shrinks a repository within the hour

log = structlog.get_logger(__name__)


class MirrorKeeper:
    def __init__(
        self,
        mirrors: Sequence[Mirror],
        *,
        every_s: float = FETCH_EVERY_S,
        has_git: Callable[[], bool] = is_installed,
    ) -> None:
        self.mirrors = mirrors
        self._every_s = every_s
        self._has_git = has_git
        self._stopped = threading.Event()
        self._not_before: dict[str, float] = {}
        self._thread = threading.Thread(target=self._run, name="mirrors", daemon=True)

    def start(self) -> None:
        """Begin to fetch. Nothing is begun without a repository, or without git."""
        if not self.mirrors:
            return
        if not self._has_git():
            log.warning("mirrors.off", why="there is no git program")
            return
        self._thread.start()

    def stop(self, timeout_s: float = 2.0) -> None:
        """Begin no other fetch, and give up one that is under way."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def fetch_all(self) -> None:
        """Fetch each that is due; one repository's trouble is not another's."""
        for mirror in self.mirrors:
            if self._stopped.is_set():
                return
            if time.monotonic() < self._not_before.get(mirror.name, 0.0):
                continue
            try:
                self._record_fetch(mirror, mirror.fetch(lambda: not self._stopped.is_set()))
            except Exception:
                log.error("mirror.failed", repository=mirror.repository.name, exc_info=True)

    def _record_fetch(self, mirror: Mirror, state: MirrorState) -> None:
        if not state.fault:
            log.info("mirror.fetched", repository=mirror.repository.name)
            return
        log.warning("mirror.unfetched", repository=mirror.repository.name, why=state.fault)
        if state.fault == "large":
            self._not_before[mirror.name] = time.monotonic() + LARGE_AGAIN_S

    def _run(self) -> None:
        while not self._stopped.is_set():
            self.fetch_all()
            self._stopped.wait(self._every_s)
