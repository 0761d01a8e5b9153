"""Slack's rate limits kept before a call is made: calls within a window, and waits Slack asked for.

One process keeps its own (`Pacing`); several share rows of the store. A limit belongs to what Slack
counts by (a workspace and method, or a channel); the stage names it, the outbox lanes ask here
before they send.
docs: https://docs.slack.dev/apis/web-api/rate-limits
"""

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from core.ports import Limit

KEYS_MAX: Final = 2_000  # keys remembered before those without a recent call or wait are dropped
LONGEST_WINDOW_S: Final = 60.0


class Paces(Protocol):
    """When the next call of each key may be made, for one process or for several."""

    def take(self, limits: Sequence[Limit], now: float) -> float | None:
        """Count a call under all its limits. The time to come back if one of them is used up.

        Times are seconds since the epoch. Nothing is counted when a time is returned.
        """

    def hold(self, key: str, until: float) -> None:
        """No call of that key before `until`: Slack answered 429 with a Retry-After."""

    def held_until(self, key: str) -> float:
        """When calls of that key may be made again."""

    def let_go(self, key: str) -> None:
        """Calls of that key may be made."""


@dataclass(slots=True)
class Pacing:
    """When the next call of each key may be made. Thread-safe."""

    _calls: dict[str, deque[float]] = field(default_factory=dict)
    _held_until: dict[str, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, limits: Sequence[Limit], now: float) -> float | None:
        """Count a call under all its limits. The time to come back if one of them is used up.

        Times are seconds since the epoch. Nothing is counted when a time is returned.
        """
        with self._lock:
            free_at = max((self._free_at(limit, now) for limit in limits), default=now)
            if free_at > now:
                return free_at
            for limit in limits:
                if limit.calls is not None:
                    self._count(limit, now)
            self._forget_idle_keys(now)
            return None

    def hold(self, key: str, until: float) -> None:
        """No call of that key before `until`: Slack answered 429 with a Retry-After."""
        with self._lock:
            self._held_until[key] = max(until, self._held_until.get(key, 0.0))

    def held_until(self, key: str) -> float:
        """When calls of that key may be made again."""
        with self._lock:
            return self._held_until.get(key, 0.0)

    def let_go(self, key: str) -> None:
        """Calls of that key may be made."""
        with self._lock:
            self._held_until.pop(key, None)

    def _free_at(self, limit: Limit, now: float) -> float:
        held_until = self._held_until.get(limit.key, 0.0)
        calls = self._calls.get(limit.key)
        if limit.calls is None or calls is None:
            return held_until
        recent = [at for at in calls if at > now - limit.window_s]
        if len(recent) < limit.calls:
            return held_until
        return max(held_until, recent[-limit.calls] + limit.window_s)

    def _count(self, limit: Limit, now: float) -> None:
        calls = self._calls.setdefault(limit.key, deque())
        while calls and calls[0] <= now - LONGEST_WINDOW_S:
            calls.popleft()
        calls.append(now)

    def _forget_idle_keys(self, now: float) -> None:
        if len(self._calls) > KEYS_MAX:
            oldest = now - LONGEST_WINDOW_S
            self._calls = {key: calls for key, calls in self._calls.items() if calls[-1] > oldest}
        if len(self._held_until) > KEYS_MAX:
            self._held_until = {key: at for key, at in self._held_until.items() if at > now}
