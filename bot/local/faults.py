"""Trouble on demand: what the Web API and the deliveries are told to do wrong, and how often.

One queue, first in first out; a fault is used up by the first thing it applies to.
docs: apis/web-api/rate-limits, apis/events-api (retries)
"""

import threading
from dataclasses import dataclass
from typing import Final, Literal

from bot.local.values import FaultKind

CallFault = Literal["429", "500", "drop", "accept-then-drop", "timeout"]

CALL_FAULTS: Final = ("429", "500", "drop", "accept-then-drop", "timeout")
METHODS_BY_DEFAULT: Final = ("chat.", "reactions.", "files.")


@dataclass
class PlannedFault:
    kind: CallFault
    method: str | None
    retry_after: float
    left: int

    def applies_to(self, method: str) -> bool:
        if self.method is not None:
            return self.method == method
        return method.startswith(METHODS_BY_DEFAULT)


class Faults:
    """Thread-safe; asked once per Web API call and once per delivery."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._planned: list[PlannedFault] = []
        self._redeliveries = 0
        self.revoked = False

    def inject(self, kind: FaultKind, method: str | None, retry_after: float, times: int) -> None:
        with self._lock:
            if kind == "revoke":
                self.revoked = True
            elif kind == "redeliver":
                self._redeliveries += times
            elif kind in CALL_FAULTS:
                self._planned.append(PlannedFault(kind, method, retry_after, times))
            else:
                raise ValueError(f"unknown fault {kind!r}")

    def clear(self) -> None:
        with self._lock:
            self._planned.clear()
            self._redeliveries = 0
            self.revoked = False

    def for_call(self, method: str) -> PlannedFault | None:
        with self._lock:
            for fault in self._planned:
                if fault.left > 0 and fault.applies_to(method):
                    fault.left -= 1
                    return fault
            return None

    def redeliver_now(self) -> bool:
        with self._lock:
            if self._redeliveries == 0:
                return False
            self._redeliveries -= 1
            return True
