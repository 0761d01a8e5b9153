"""Trouble on demand: what the stand-in is told to do wrong, to which requests, and how often.

One queue, first in first out: the oldest fault that is meant for a request befalls it.
"""

import threading
from dataclasses import dataclass, replace
from typing import Final

from bot.devtools.provider.exchange import ProviderRequest

QUOTA_KINDS: Final = ("insufficient-quota", "quota-exceeded")
WIRE_KINDS: Final = ("cut-body", "reset", "refused", "slow-body", "hang", "not-json", "huge")
CONTENT_KINDS: Final = (
    "empty", "wrong-schema", "cut-at-max-tokens", "refusal", "200-kB", "in-content", "no-usage",
    "cannot-tell",
)  # fmt: skip
OVERFLOW: Final = "context-too-long"
STATUSES: Final = (
    301, 302, 307, 308, 400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504, 529,
)  # fmt: skip
KINDS: Final = (*map(str, STATUSES), *QUOTA_KINDS, OVERFLOW, *WIRE_KINDS, *CONTENT_KINDS)
SECONDS: Final = 1.0


class UnknownFaultError(ValueError):
    """There is no fault of that name."""


@dataclass(frozen=True, slots=True)
class StandInFault:
    """`times` None: for ever. `start`: the first request that it may befall, counted from 1.

    `task` and `model`: only requests of that task, and of models whose name holds that. `seconds`:
    how long a slow body, a hang or a refused connection lasts. Raises `UnknownFaultError`.
    """

    kind: str
    times: int | None = 1
    start: int = 1
    retry_after: float | None = None
    seconds: float = SECONDS
    task: str = ""
    model: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UnknownFaultError(f"{self.kind!r} is no fault; known are {', '.join(KINDS)}")

    @property
    def status(self) -> int | None:
        return int(self.kind) if self.kind.isdecimal() else None

    def is_meant_for(self, request: ProviderRequest, number: int) -> bool:
        return (
            self.times != 0
            and number >= self.start
            and self.task in ("", request.task)
            and self.model in request.model
        )


class FaultPlan:
    """Thread-safe: asked once per request."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._planned: list[StandInFault] = []

    @property
    def planned(self) -> tuple[StandInFault, ...]:
        """What may still happen, in its order."""
        with self._lock:
            return tuple(self._planned)

    def add(self, fault: StandInFault) -> None:
        with self._lock:
            self._planned.append(fault)

    def clear(self) -> None:
        with self._lock:
            self._planned.clear()

    def take(self, request: ProviderRequest, number: int) -> StandInFault | None:
        """The oldest fault that is meant for this request; it is used up by one."""
        with self._lock:
            for place, fault in enumerate(self._planned):
                if not fault.is_meant_for(request, number):
                    continue
                if fault.times is not None:
                    self._planned[place] = replace(fault, times=fault.times - 1)
                self._planned = [planned for planned in self._planned if planned.times != 0]
                return fault
        return None
