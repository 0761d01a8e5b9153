"""Counts the changes of the workspace and wakes whoever watches. It knows not what changed.

Whatever is shown carries the number of its last change; a watcher asks for what is newer.
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import Iterator


class Changes:
    """Any thread may count; who watches does so on a loop of their own."""

    def __init__(self) -> None:
        self._lock = threading.Condition()
        # Ahead of what an earlier run counted: its numbers are kept with the messages.
        self._version = time.time_ns() // 1_000_000
        self._watching: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}

    @property
    def version(self) -> int:
        return self._version

    def count(self) -> int:
        """The number of this change."""
        with self._lock:
            self._version += 1
            self._lock.notify_all()
            for event, loop in self._watching.items():
                with contextlib.suppress(RuntimeError):  # that loop has ended
                    loop.call_soon_threadsafe(event.set)
            return self._version

    def wait(self, version: int, timeout: float) -> int:
        """The number of the last change, once it is another than `seen` or the time is up."""
        with self._lock:
            self._lock.wait_for(lambda: self._version != version, timeout)
            return self._version

    @contextlib.contextmanager
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
