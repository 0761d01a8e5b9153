"""Slack's word that the app was uninstalled, or lost its token → when. Decides nothing.

docs: reference/events/app_uninstalled, reference/events/tokens_revoked
"""

from collections.abc import Mapping
from typing import Any

from bot.payloads.payload_models import Payload, read
from core.ports import Workspace


class _Tokens(Payload):
    bot: tuple[str, ...] = ()  # ids of the users whose tokens they were


class _Departure(Payload):
    type: str
    tokens: _Tokens = _Tokens()


class _DepartureEnvelope(Payload):
    event_time: int
    event: _Departure


def uninstalled_at(body: Mapping[str, Any], workspace: Workspace) -> int | None:
    """The second in which our token there ended; None where it was not ours."""
    envelope = read(_DepartureEnvelope, body)
    event = envelope.event
    is_ours = event.type == "app_uninstalled" or workspace.bot_user in event.tokens.bot
    return envelope.event_time if is_ours else None
