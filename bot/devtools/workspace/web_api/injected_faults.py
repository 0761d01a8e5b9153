"""Trouble on demand: what the Web API and the deliveries are told to do wrong, and how often.

One queue, first in first out; a fault is used up by the first thing it applies to.
docs: apis/web-api/rate-limits, apis/events-api (retries)
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from bot.devtools.workspace.values import FaultKind

CallFault = Literal["429", "500", "drop", "accept-then-drop", "timeout", "refuse"]

CALL_FAULTS: Final = ("429", "500", "drop", "accept-then-drop", "timeout")
METHODS_BY_DEFAULT: Final = ("chat.", "reactions.", "files.")


@dataclass
class PlannedFault:
    kind: CallFault
    method: str | None
    retry_after: float
    times_left: int
    error: str = ""  # of "refuse": Slack's word
    args: Mapping[str, object] = field(default_factory=dict)  # only calls that have these

    def applies_to(self, method: str, args: Mapping[str, object]) -> bool:
        if any(args.get(name) != value for name, value in self.args.items()):
            return False
        if self.method is not None:
            return self.method == method
        return method.startswith(METHODS_BY_DEFAULT)


class Faults:
    """Thread-safe; asked once per Web API call and once per delivery."""

    def __init__(self, changed: Callable[[], object] = lambda: None) -> None:
        self._lock = threading.Lock()
        self._changed = changed
        self._planned: list[PlannedFault] = []
        self.redeliveries = 0  # of events that are acknowledged
        self.revoked = False

    @property
    def planned(self) -> list[PlannedFault]:
        """What has not happened yet, in its order; copies."""
        with self._lock:
            return [replace(fault) for fault in self._planned if fault.times_left > 0]

    def unrevoke(self) -> None:
        self.revoked = False
        self._changed()

    def inject(
        self,
        kind: FaultKind,
        *,
        method: str | None = None,
        retry_after: float = 1,
        times: int = 1,
        **args: object,
    ) -> None:
        """Plan a fault: see `FaultKind`. `method` None means any chat, reactions or files call.

        `args`: only of calls that have these arguments. Raises `ValueError` for any other kind.
        """
        with self._lock:
            if kind == "revoke":
                self.revoked = True
            elif kind == "redeliver":
                self.redeliveries += times
            elif kind in CALL_FAULTS:
                self._planned.append(PlannedFault(kind, method, retry_after, times, args=args))
            else:
                raise ValueError(f"unknown fault {kind!r}")
        self._changed()

    def refuse(self, method: str, error: str, *, times: int = 1, **args: object) -> None:
        """Answer the next `times` calls of `method` that have these arguments with that error.

        Nothing else is done: what was asked for does not happen.
        """
        with self._lock:
            self._planned.append(PlannedFault("refuse", method, 0.0, times, error, args))
        self._changed()

    def clear(self) -> None:
        """Forget every fault that has not happened yet."""
        with self._lock:
            self._planned.clear()
            self.redeliveries = 0
            self.revoked = False
        self._changed()

    def for_call(self, method: str, args: Mapping[str, object]) -> PlannedFault | None:
        with self._lock:
            for fault in self._planned:
                if fault.times_left > 0 and fault.applies_to(method, args):
                    fault.times_left -= 1
                    self._changed()
                    return fault
            return None

    def redeliver_now(self) -> bool:
        with self._lock:
            if self.redeliveries == 0:
                return False
            self.redeliveries -= 1
            self._changed()
            return True
