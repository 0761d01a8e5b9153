"""How a post in doubt is recognised: by the ids that each post carries as metadata."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.web_api.api_errors import Failure
from bot.web_api.client import SlackClient
from core.domain.ids import Ts
from core.ports import Later, Order, Outcome, Refused, Unclear

EVENT_TYPE: Final = "roundtable"
CLOCK_SKEW_S: Final = 5.0  # between Slack's clock and ours

IsWanted = Callable[[Mapping[str, Any]], bool]


def metadata(order: Order) -> Mapping[str, Any]:
    """Ids only: any member's app can read it."""
    payload = {"order": str(order.id), "session": order.session}
    return {"event_type": EVENT_TYPE, "event_payload": payload}


def bears(message: Mapping[str, Any], order: Order) -> bool:
    """True if a message is the order's."""
    return (message.get("metadata") or {}) == metadata(order)


def look_for(client: SlackClient, order: Order, is_wanted: IsWanted) -> Ts | Outcome:
    """The ts of the first wanted message since the order's attempt, or what came of looking."""
    assert order.attempt is not None
    assert order.attempted_at is not None
    ts = client.lookups.look_for(
        is_wanted,
        order.attempt.channel,
        oldest=order.attempted_at - CLOCK_SKEW_S,
        thread_ts=order.attempt.thread_ts,
    )
    return ts if isinstance(ts, str) else _not_found(ts)


def _not_found(answer: Failure | None) -> Outcome:
    if isinstance(answer, Refused):
        return answer
    if answer is None:
        return Later("not there")
    # Still in doubt: look again.
    return Unclear("could not look", answer.seconds, answer.http_status)
