"""Slack's rate limits, applied to the calls of the one app: by method and workspace, by channel.

Tiers are Slack's own (about so many calls a minute); a channel takes one post a second and short
bursts. docs: apis/web-api/rate-limits, and each method's page for its tier
"""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

MINUTE_S: Final = 60.0
POST: Final = "chat.postMessage"
POSTS_PER_SECOND: Final = 1.0
POST_BURST: Final = 3  # "short bursts of more than one" has no number: ours is a strict one

TIERS: Final = {2: 20, 3: 50, 4: 100}  # calls a minute; which method has which is its row's
DISTRIBUTED: Final = {"conversations.history": 1, "conversations.replies": 1}
"""Calls a minute of an app that is distributed outside the Marketplace."""
DISTRIBUTED_OBJECTS_MAX: Final = 15  # of one of those calls


@dataclass(slots=True)
class RateLimits:
    """Counts calls; a call over a limit is not counted. Thread-safe."""

    now: Callable[[], float] = time.monotonic
    calls_of: Mapping[str, int] = field(default_factory=dict)  # a minute, by method
    _calls: dict[str, deque[float]] = field(default_factory=dict)
    _posts: dict[str, float] = field(default_factory=dict)  # channel → when its burst is used up
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def retry_after_s(self, method: str, channel: str) -> int | None:
        """Whole seconds until a refused call may be made again; None: it may be made now."""
        with self._lock:
            wait_s = self._wait_for_post(channel) if method == POST else self._wait_for(method)
        return max(1, math.ceil(wait_s)) if wait_s > 0 else None

    def _wait_for(self, method: str) -> float:
        most = self.calls_of.get(method)
        if most is None:
            return 0.0
        now, calls = self.now(), self._calls.setdefault(method, deque())
        while calls and calls[0] <= now - MINUTE_S:
            calls.popleft()
        if len(calls) >= most:
            return calls[0] + MINUTE_S - now
        calls.append(now)
        return 0.0

    def _wait_for_post(self, channel: str) -> float:
        now = self.now()
        filled_at = max(self._posts.get(channel, now), now)
        wait_s = filled_at - now - (POST_BURST - 1) / POSTS_PER_SECOND
        if wait_s > 0:
            return wait_s
        self._posts[channel] = filled_at + 1 / POSTS_PER_SECOND
        return 0.0
