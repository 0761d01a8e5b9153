"""Tells when Slack is back after it was away for so long that events may have been given up.

A machine that slept counts as well: nobody looked meanwhile.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

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
