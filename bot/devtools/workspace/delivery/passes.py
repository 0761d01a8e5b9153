"""Short-lived permits: trigger ids, response URLs, Socket Mode tickets.

docs: interactivity/handling-user-interaction (trigger_id, response_url)
"""

import time
from dataclasses import dataclass, field
from typing import Final

from bot.devtools.workspace.state import Channel, StoredEphemeral, StoredPerson, StoredPost

TRIGGER_S_MAX: Final = 3.0
RESPONSE_USES_MAX: Final = 5
RESPONSE_S_MAX: Final = 30 * 60.0


@dataclass
class ReplyPermit:
    """What a response URL answers to: the person, where, and the clicked message if any."""

    person: StoredPerson
    channel: Channel
    source: StoredPost | StoredEphemeral | None = None
    uses: int = 0
    issued: float = field(default_factory=time.monotonic)


@dataclass
class Trigger:
    """The right to open one modal for the person who just acted.

    `channel`: the id of where they did, or ""; `view_id`: the view in which they did, or "".
    """

    person: StoredPerson
    channel: str = ""
    view_id: str = ""
    used: bool = False
    issued: float = field(default_factory=time.monotonic)


class Passes:
    """Guarded by the workspace's lock."""

    def __init__(self) -> None:
        self._triggers: dict[str, Trigger] = {}
        self._replies: dict[str, ReplyPermit] = {}
        self._tickets: set[str] = set()

    def add_trigger(
        self, trigger_id: str, person: StoredPerson, *, channel: str = "", view_id: str = ""
    ) -> str:
        self._triggers[trigger_id] = Trigger(person, channel, view_id)
        return trigger_id

    def use_trigger(self, trigger_id: str) -> Trigger | str:
        """Whose it is and from where, and it is used up then; else Slack's error."""
        trigger = self._triggers.get(trigger_id)
        if trigger is None:
            return "invalid_trigger_id"
        if trigger.used:
            return "exchanged_trigger_id"
        if time.monotonic() - trigger.issued > TRIGGER_S_MAX:
            return "expired_trigger_id"
        trigger.used = True
        return trigger

    def add_reply(self, reply_id: str, reply: ReplyPermit) -> str:
        self._replies[reply_id] = reply
        return reply_id

    def has_reply(self, reply_id: str) -> bool:
        return reply_id in self._replies

    def use_reply(self, reply_id: str) -> ReplyPermit | str:
        reply = self._replies.get(reply_id)
        if reply is None:
            return "invalid_url"
        if time.monotonic() - reply.issued > RESPONSE_S_MAX:
            return "expired_url"
        if reply.uses >= RESPONSE_USES_MAX:
            return "used_url"
        reply.uses += 1
        return reply

    def add_ticket(self, ticket: str) -> str:
        self._tickets.add(ticket)
        return ticket

    def use_ticket(self, ticket: str) -> bool:
        if ticket not in self._tickets:
            return False
        self._tickets.remove(ticket)
        return True
