"""Tells when Slack is back after it was away for so long that events may have been given up.

In Socket Mode by the connections; a machine that slept counts as well, because nobody looked. Over
HTTP only by Slack's retries: what arrives at the second one could not be delivered for a minute.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

LATE_RETRIES: Final = ("2", "3")  # X-Slack-Retry-Num after one minute and after five
LATE_EVERY_S: Final = 600.0  # an outage brings many late events: one look is enough
AWAY_S: Final = 60.0  # Slack tries an event again at once and after a minute, then after five


@dataclass(slots=True)
class Outage:
    """`returned` is called when the first connection is there, and after each long outage."""

    returned: Callable[[], object]
    away_s: float = AWAY_S
    connected_at: float = float("-inf")

    def look(self, now: float, *, connected: bool) -> None:
        """Note whether any connection works. `now` in seconds of the same clock every time."""
        if not connected:
            return
        away_s, self.connected_at = now - self.connected_at, now
        if away_s > self.away_s:
            self.returned()


@dataclass(slots=True)
class LateDeliveries:
    """`returned` is called at a late delivery, and not again for ten minutes. `now` in seconds."""

    returned: Callable[[], object]
    now: Callable[[], float]
    noticed_at: float = float("-inf")

    def look(self, retry_number: str) -> None:
        """Note a signed delivery, by its X-Slack-Retry-Num; empty for a first attempt."""
        if retry_number in LATE_RETRIES and self.now() - self.noticed_at > LATE_EVERY_S:
            self.noticed_at = self.now()
            self.returned()
