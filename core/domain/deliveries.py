"""Delivery keys: two deliveries of the same thing have the same one, and the second does nothing.

A message that is read back has the key of its live delivery, so that whichever comes first counts.
"""

from typing import Final

from core.domain.events import MessageDeleted, MessageEdited, MessagePosted, ReactionChanged
from core.domain.ids import AnswerId, ChannelId, TeamId, Ts

Delivered = MessagePosted | MessageEdited | MessageDeleted | ReactionChanged
MESSAGE: Final = "msg:"


def message_key(team: TeamId, channel: ChannelId, ts: Ts) -> str:
    """The key of a new message. A message that mentions us is delivered twice, with one key."""
    return answer_key(team, AnswerId(f"{channel}:{ts}"))


def answer_key(team: TeamId, answer: AnswerId) -> str:
    """The key of the message that an answer is."""
    return f"{MESSAGE}{team}:{answer}"


def answer_of(key: str) -> tuple[TeamId, AnswerId] | None:
    """The team and id of the answer that a message became, if it became one."""
    if not key.startswith(MESSAGE):
        return None
    team, _, answer = key.removeprefix(MESSAGE).partition(":")
    return TeamId(team), AnswerId(answer)


def delivery_key(team: TeamId, event: Delivered) -> str:
    """The key by what was done: (team, channel, ts) and what tells an edit or a reaction apart."""
    where = (team, event.channel, event.ts)
    match event:
        case MessagePosted():
            return message_key(*where)
        case MessageEdited():
            return ":".join(("edit", *where, event.edited_ts))
        case MessageDeleted():
            return ":".join(("del", *where))
        case ReactionChanged():
            kind = "react" if event.on else "unreact"
            return ":".join((kind, *where, event.by, event.reaction, event.event_ts))
