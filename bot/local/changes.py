"""Counts the changes of the workspace and wakes whoever watches. It knows not what changed.

Whatever is shown carries the number of its last change; a watcher asks for what is newer.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Changes:
    """Any thread may count; who watches does so on a loop of their own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._version = 0
        self._watching: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}

    @property
    def version(self) -> int:
        return self._version

    def count(self) -> int:
        """The number of this change."""
        with self._lock:
            self._version += 1
            for event, loop in self._watching.items():
                loop.call_soon_threadsafe(event.set)
            return self._version

    @contextmanager
    def watched(self) -> Iterator[asyncio.Event]:
        """An event of the running loop that is set after every change; the watcher clears it."""
        event = asyncio.Event()
        with self._lock:
            self._watching[event] = asyncio.get_running_loop()
        try:
            yield event
        finally:
            with self._lock:
                del self._watching[event]
