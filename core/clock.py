"""Clocks: the machine's, and one that a file moves forward, for plays."""

import threading
import time
from pathlib import Path
from typing import Final

POLL_S: Final = 0.05


class SystemClock:
    """The machine's. Implements `core.ports.Clock`."""

    def now(self) -> float:
        return time.time()

    def wait(self, condition: threading.Condition, until: float | None) -> None:
        condition.wait(None if until is None else max(0.0, until - self.now()))


class ShiftedClock:
    """The machine's clock plus the seconds that a file holds. A missing file is no shift."""

    def __init__(self, shift: Path) -> None:
        self._shift = shift

    def now(self) -> float:
        try:
            return time.time() + float(self._shift.read_text())
        except (OSError, ValueError):
            return time.time()

    def wait(self, condition: threading.Condition, until: float | None) -> None:
        """Wakes now and then, since nobody says when the file changes."""
        if until is None:
            condition.wait()
        elif (rest_s := until - self.now()) > 0:
            condition.wait(min(POLL_S, rest_s))
