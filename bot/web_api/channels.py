"""Which channels a person shares with the bot, as Slack says.

Nothing may be asked before a request is answered: all of it is for workers. Whoever is not known to
be in a channel is treated as if they were not.
"""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Final

import structlog

from bot.web_api.api_errors import Failure
from bot.web_api.client import SlackClient
from bot.web_api.lookups import Joined
from core.domain.ids import ChannelId, UserId

KNOWN_S: Final = 300.0
PEOPLE_MAX: Final = 1_000  # whose channels are remembered

log = structlog.get_logger(__name__)


class Channels:
    def __init__(self, slack: SlackClient, now: Callable[[], float] = time.monotonic) -> None:
        self._slack = slack
        self._now = now
        self._lock = threading.Lock()
        self._known: dict[UserId | None, tuple[Mapping[ChannelId, str], float]] = {}

    def offered(self, user: UserId) -> tuple[Joined, ...]:
        """The open channels a form can offer, while its trigger lives; none where nobody knows."""
        channels = self._slack.lookups.channels(user, hasty=True)
        if isinstance(channels, Failure):
            log.info("channels.unknown", why=str(channels))
            return ()
        ours = self._remembered(None)
        return tuple(
            channel
            for channel in channels
            if not channel.archived and (ours is None or channel.id in ours)
        )

    def shares(self, user: UserId, channel: ChannelId) -> bool | None:
        """Ask anew whether both are in that channel. None: Slack does not say."""
        for member in (user, None):
            channels = self._look(member)
            if channels is None or channel not in channels:
                return None if channels is None else False
        return True

    def is_shared(self, channel: ChannelId) -> bool:
        """Ask anew whether people of another organisation are there. True: Slack does not say."""
        answer = self._slack.lookups.is_shared(channel)
        if isinstance(answer, Failure):
            log.info("channel.unknown", why=str(answer))
            return True
        return answer

    def of(self, user: UserId | None = None) -> Mapping[ChannelId, str] | None:
        """The channels of a person that the bot may know of, or its own, of a little while ago.

        Each with its name.
        """
        channels = self._remembered(user)
        return self._look(user) if channels is None else channels

    def _remembered(self, user: UserId | None) -> Mapping[ChannelId, str] | None:
        with self._lock:
            channels, until = self._known.get(user, (None, 0.0))
        return channels if self._now() < until else None

    def _look(self, user: UserId | None) -> Mapping[ChannelId, str] | None:
        answer = self._slack.lookups.channels(user)
        if isinstance(answer, Failure):
            log.info("channels.unknown", why=str(answer))
            return None
        channels = {channel.id: channel.name for channel in answer}
        with self._lock:
            self._known.pop(user, None)
            if len(self._known) >= PEOPLE_MAX:
                self._known.pop(next(iter(self._known)))
            self._known[user] = channels, self._now() + KNOWN_S
        return channels
