"""Delivery keys: two deliveries of the same thing have the same one, and the second does nothing.

A message that is read back has the key of its live delivery, so that whichever comes first counts.
"""

from core.domain.events import MessageDeleted, MessageEdited, MessagePosted, ReactionChanged
from core.domain.ids import ChannelId, TeamId, Ts

Delivered = MessagePosted | MessageEdited | MessageDeleted | ReactionChanged


def message_key(team: TeamId, channel: ChannelId, ts: Ts) -> str:
    """The key of a new message. A message that mentions us is delivered twice, with one key."""
    return f"msg:{team}:{channel}:{ts}"


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
