"""Slack's documented rate limits, as the keys and numbers of each call the stage makes.

Tier 3 allows about 50 calls a minute for each method and workspace; a channel takes one post a
second. docs: https://docs.slack.dev/apis/web-api/rate-limits,
https://docs.slack.dev/reference/methods/chat.update (Tier 3), .../chat.postEphemeral (Tier 4)
"""

from typing import Final

from core.domain.ids import ChannelId, SessionId, TeamId
from core.ports import Limit

MINUTE_S: Final = 60.0
CALLS_PER_MINUTE: Final = {
    "chat.update": 48,  # of 50: a message that was moved down is edited without being asked for
    "chat.postEphemeral": 95,
    "reactions.add": 48,
    "reactions.remove": 48,
}
CARD_UPDATES_PER_MINUTE: Final = 28  # of chat.update: the rest is for what people wait for
CARD_PACES: Final = 4  # a card is edited at most every so many paces of its channel


def read_limits(team: TeamId, method: str, every_s: float) -> tuple[Limit, ...]:
    """Limits of conversations.replies and .history for an app that may read next to nothing."""
    return (Limit(f"{team} {method}", 1, every_s),)


def post_limits(team: TeamId, channel: ChannelId, pace_s: float) -> tuple[Limit, ...]:
    """Limits of `chat.postMessage`: all threads of a channel share its pace."""
    return (Limit(f"{team} {channel} chat.postMessage", 1 if pace_s > 0 else None, pace_s),)


def call_limits(team: TeamId, method: str, pace_s: float) -> tuple[Limit, ...]:
    """Limits of a method that Slack counts for each workspace."""
    calls = CALLS_PER_MINUTE.get(method) if pace_s > 0 else None
    return (Limit(f"{team} {method}", calls, MINUTE_S),)


def card_limits(team: TeamId, session: SessionId, pace_s: float) -> tuple[Limit, ...]:
    """Limits of editing a session's card: it leaves calls for other edits, and rests between."""
    if pace_s <= 0:
        return call_limits(team, "chat.update", pace_s)
    return (
        Limit(f"{team} chat.update", CARD_UPDATES_PER_MINUTE, MINUTE_S),
        Limit(f"card {session}", 1, CARD_PACES * pace_s),
    )
