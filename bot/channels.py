"""Which channels the bot is in, as Slack said a little while ago.

Asked beside an open form, because nothing may be asked before its submission is answered. Where
nobody knows, a start is tried, and what Slack says to it is told.
"""

import threading
import time
from collections.abc import Callable
from typing import Final

import structlog

from bot.refusals import Failure
from bot.slack import SlackClient
from core.domain.ids import ChannelId

KNOWN_S: Final = 300.0

log = structlog.get_logger(__name__)


class Channels:
    def __init__(self, slack: SlackClient, now: Callable[[], float] = time.monotonic) -> None:
        self._slack = slack
        self._now = now
        self._lock = threading.Lock()
        self._inside: frozenset[ChannelId] = frozenset()
        self._until = float("-inf")

    def look(self) -> None:
        """Ask Slack. For a worker."""
        found = self._slack.channels()
        if isinstance(found, Failure) or found is None:
            log.info("channels.unknown", why=str(found))
            return
        with self._lock:
            self._inside, self._until = found, self._now() + KNOWN_S

    def is_outside(self, channel: ChannelId) -> bool:
        """Whether the bot is known not to be there. Said once: whoever invites it then goes on."""
        with self._lock:
            outside = self._now() < self._until and channel not in self._inside
            if outside:
                self._until = float("-inf")
            return outside
