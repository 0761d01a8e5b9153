"""The signals that end a process as a list of names that a loop looks at."""

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import Final

TICK_S: Final = 0.1


@contextlib.contextmanager
def stop_signals(*more: signal.Signals) -> Iterator[list[str]]:
    """The names of SIGTERM, SIGINT and `more` as they come. Outside the main thread none ever does.

    A handler runs in the midst of whatever the main thread does: setting an event it waits for, or
    logging, may wait for a lock that this very thread holds.
    """
    names: list[str] = []
    if threading.current_thread() is not threading.main_thread():
        yield names
        return

    def note(number: int, _frame: FrameType | None) -> None:
        names.append(signal.Signals(number).name)

    ends = (signal.SIGTERM, signal.SIGINT, *more)
    handlers = {number: signal.signal(number, note) for number in ends}
    try:
        yield names
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def wait_for_signal() -> None:
    """Wait until the process is told to end."""
    with stop_signals() as signals:
        while not signals:
            time.sleep(TICK_S)
