"""Delivery keys: two deliveries of the same thing have the same one, and the second does nothing.

A message that is read back has the key of its live delivery, so that whichever comes first counts.
"""

from core.domain.events import MessageDeleted, MessageEdited, MessagePosted, ReactionChanged
from core.domain.ids import TeamId

Delivered = MessagePosted | MessageEdited | MessageDeleted | ReactionChanged


def delivery_key(team: TeamId, event: Delivered) -> str:
    """The key by what was done: (team, channel, ts) and what tells an edit or a reaction apart."""
    where = (team, event.channel, event.ts)
    match event:
        case MessagePosted():
            return ":".join(("msg", *where))
        case MessageEdited():
            return ":".join(("edit", *where, event.edited_ts))
        case MessageDeleted():
            return ":".join(("del", *where))
        case ReactionChanged():
            kind = "react" if event.on else "unreact"
            return ":".join((kind, *where, event.by, event.reaction, event.event_ts))
