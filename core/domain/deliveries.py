"""Delivery keys: two deliveries of the same thing have the same one, and the second does nothing.

A message that is read back has the key of its live delivery, so that whichever comes first counts.
"""

from collections.abc import Collection, Iterable
from typing import Final

from core.domain.effects import AnswerSaved, Record
from core.domain.events import Event, MessageDeleted, MessageEdited, MessagePosted, ReactionChanged
from core.domain.ids import ACT, AnswerId, ChannelId, TeamId, Ts

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


def keys_used(event: Event, keys: Collection[str], *, has_effect: bool) -> Collection[str]:
    """The keys under which a delivery is not taken again: an act's and a deletion's always."""
    if has_effect or isinstance(event, MessageDeleted):
        return keys
    return [key for key in keys if key.startswith(ACT)]


def without_answers(
    keys: Collection[str], team: TeamId, records: Iterable[Record]
) -> Collection[str]:
    """The keys but those of messages that became answers: they are known by the answers' rows.

    With several writers each key is written: a message and its deletion meet there.
    """
    by_answer = {
        answer_key(team, record.answer.id) for record in records if isinstance(record, AnswerSaved)
    }
    return [key for key in keys if key not in by_answer]
