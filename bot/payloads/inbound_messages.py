"""Slack's messages, mentions and reactions → core values. Decides nothing.

What cannot be a person's answer (bots, unfurls, join notices, outsiders of a shared channel)
becomes None; a payload that lacks Slack's shape raises `UnreadablePayloadError`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from bot.payloads import payload_models
from bot.payloads.links import permalink, readable
from bot.payloads.people import InteractionPlace
from core import patterns
from core.domain.answers import SharedFile
from core.domain.deliveries import Delivered, delivery_key, message_key
from core.domain.events import MessageDeleted, MessageEdited, MessagePosted, ReactionChanged
from core.domain.ids import ChannelId, Ts, UserId
from core.domain.stances import view_of
from core.ports import Workspace

UNNAMED_FILE: Final = "a file"
FILES_MAX: Final = 20
NAME_CHARS_MAX: Final = 255
SLACKBOT: Final = "USLACKBOT"


@dataclass(frozen=True, slots=True)
class InboundMessage:
    """A message that was posted, edited or deleted, with the keys of its delivery."""

    event: MessagePosted | MessageEdited | MessageDeleted
    keys: tuple[str, ...]
    place: InteractionPlace


@dataclass(frozen=True, slots=True)
class Mention:
    """Somebody spoke to us, or of us: it is no answer, wherever it is."""

    line: str
    leading: bool  # it begins with us, and does not only mention us on the way
    keys: tuple[str, ...]
    place: InteractionPlace


# ── messages ───────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Delivery:
    envelope: payload_models.Envelope
    message: payload_models.MessageEvent
    workspace: Workspace
    at: float

    def keys(self, event: Delivered) -> tuple[str, ...]:
        return (delivery_key(self.workspace.team, event),)

    def place(self, by: UserId, thread_ts: Ts | None) -> InteractionPlace:
        return InteractionPlace(by, self.message.channel, thread_ts)

    def is_human(self, message: payload_models.MessagePayload) -> bool:
        bots = (None, SLACKBOT, self.workspace.bot_user)
        return message.bot_id is None and message.user not in bots

    def is_outsider(self, message: payload_models.MessagePayload) -> bool:
        home = (None, self.workspace.team, self.envelope.enterprise_id)
        return message.author_team not in home

    def may_answer(self, message: payload_models.MessagePayload) -> bool:
        return self.is_human(message) and not self.is_outsider(message)

    def may_reply(self, message: payload_models.MessagePayload) -> bool:
        return _is_reply(message) and self.may_answer(message)


def message_heard(
    body: Mapping[str, Any], workspace: Workspace, at: float
) -> InboundMessage | None:
    """What a `message` event says, or None where it says nothing to us."""
    delivery = _delivery(body, workspace, at)
    reading = _SUBTYPES.get(delivery.message.subtype)
    return None if reading is None else reading(delivery)


def mention_heard(body: Mapping[str, Any], workspace: Workspace, at: float) -> Mention | None:
    """What an `app_mention` says. Slack sends the same post as a `message` too."""
    delivery = _delivery(body, workspace, at)
    message = delivery.message
    if message.user is None or not delivery.may_answer(message):
        return None
    before, _, after = _split_at(message.text, workspace.bot_user)
    return Mention(
        line=readable(after),
        leading=not before.strip(),
        keys=(message_key(workspace.team, message.channel, message.ts),),
        place=delivery.place(message.user, message.thread_ts),
    )


def _delivery(body: Mapping[str, Any], workspace: Workspace, at: float) -> _Delivery:
    envelope = payload_models.read(payload_models.Envelope, body)
    return _Delivery(
        envelope, payload_models.read(payload_models.MessageEvent, envelope.event), workspace, at
    )


def message_read(
    reply: Mapping[str, Any], channel: ChannelId, workspace: Workspace, at: float
) -> MessagePosted | None:
    """A person's reply as it stands in its thread now; None where it is nobody's.

    It is without words where it says nothing to us: it mentions us, as commands do, or is empty.
    """
    event = {**reply, "channel": channel}
    delivery = _delivery({"event": event}, workspace, at)
    message = delivery.message
    if _SUBTYPES.get(message.subtype) is not _posted or not delivery.may_reply(message):
        return None
    edited = message.edited
    if edited is None or edited.user != message.user:
        return _said(delivery)
    return replace(_said(delivery), edited_ts=edited.ts)


def _posted(delivery: _Delivery) -> InboundMessage | None:
    message = delivery.message
    if not delivery.may_reply(message) or not (message.text or message.files):
        return None
    if _mentions(message.text, delivery.workspace.bot_user):
        return None  # its twin, the `app_mention`, is a command or is answered
    event = _said(delivery)
    return InboundMessage(event, delivery.keys(event), delivery.place(event.by, event.thread_ts))


def _said(delivery: _Delivery) -> MessagePosted:
    """The reply with its words; with none of them where it mentions us."""
    message = delivery.message
    assert message.user is not None
    assert message.thread_ts is not None
    to_us = _mentions(message.text, delivery.workspace.bot_user)
    link = permalink(delivery.workspace.url, message.channel, message.ts, message.thread_ts)
    return MessagePosted(
        by=message.user,
        at=delivery.at,
        channel=message.channel,
        ts=message.ts,
        thread_ts=message.thread_ts,
        text="" if to_us else readable(message.text),
        permalink=link,
        files=() if to_us else shared_files(message.files or (), link),
    )


def _edited(delivery: _Delivery) -> InboundMessage | None:
    """Only a person's edit. Unfurls, thread counts and our own updates come this way as well.

    An answer that mentions us by now says nothing any more, as one that became a comment.
    """
    now, before = delivery.message.message, delivery.message.previous_message
    if now is None or before is None or now.edited is None or now.text == before.text:
        return None
    if now.edited.user != now.user or not _is_reply(now) or not delivery.may_answer(now):
        return None
    event = MessageEdited(
        by=now.edited.user,
        at=delivery.at,
        channel=delivery.message.channel,
        ts=now.ts,
        edited_ts=now.edited.ts,
        text="" if _mentions(now.text, delivery.workspace.bot_user) else readable(now.text),
        was=readable(before.text),
    )
    return InboundMessage(
        event, delivery.keys(event), delivery.place(now.edited.user, now.thread_ts)
    )


def _deleted(delivery: _Delivery) -> InboundMessage | None:
    gone, ts = delivery.message.previous_message, delivery.message.deleted_ts
    if gone is None or gone.user is None or ts is None:
        return None
    if not _is_reply(gone) or not delivery.may_answer(gone):
        return None
    event = MessageDeleted(by=gone.user, at=delivery.at, channel=delivery.message.channel, ts=ts)
    return InboundMessage(event, delivery.keys(event), delivery.place(gone.user, gone.thread_ts))


_SUBTYPES: Final[Mapping[str | None, Callable[[_Delivery], InboundMessage | None]]] = {
    None: _posted,
    "file_share": _posted,
    "thread_broadcast": _posted,  # a reply that was also sent to the channel
    "message_changed": _edited,
    "message_deleted": _deleted,
}


def _is_reply(message: payload_models.MessagePayload) -> bool:
    return message.thread_ts is not None and message.thread_ts != message.ts


def shared_files(
    files: tuple[payload_models.File, ...], message_link: str
) -> tuple[SharedFile, ...]:
    """Names and places of a message's files.

    Of a file with `file_access: check_file_info` (Slack Connect) an event has the id alone, and
    asking for more takes a scope we do not have: it is "a file", where the message is.
    docs: https://docs.slack.dev/reference/objects/file-object
    """
    links = (
        (file.name or file.title or UNNAMED_FILE, file.permalink or message_link)
        for file in files[:FILES_MAX]
    )
    return tuple(SharedFile(name[:NAME_CHARS_MAX], link) for name, link in links)


def _mentions(text: str, bot_user: UserId) -> bool:
    return bool(_split_at(text, bot_user)[1])


@cache
def _mention_of(bot_user: UserId) -> patterns.Pattern:
    """Our own id: there is one for each workspace."""
    return patterns.compile(rf"<@{patterns.escape(bot_user)}(\|[^>]*)?>")


def _split_at(text: str, bot_user: UserId) -> tuple[str, str, str]:
    mention = _mention_of(bot_user).search(text)
    if mention is None:
        return "", "", text
    return text[: mention.start()], mention.group(), text[mention.end() :]


# ── reactions ──────────────────────────────────────────────────────────────────────────────────


def reaction_changed(
    body: Mapping[str, Any], workspace: Workspace, at: float
) -> tuple[ReactionChanged, tuple[str, ...]] | None:
    """A 👍 or 👎 of a person, put on a message or taken off, with the keys of its delivery.

    Who is a bot or an outsider is told here only as far as the payload says so.
    docs: reference/events/reaction_added, reference/events/reaction_removed
    """
    envelope = payload_models.read(payload_models.Envelope, body)
    payload = payload_models.read(payload_models.ReactionEvent, envelope.event)
    home = (None, workspace.team, envelope.enterprise_id)
    away = (payload.user_team or payload.team) not in home
    if away or payload.user in (SLACKBOT, workspace.bot_user) or view_of(payload.reaction) is None:
        return None
    if payload.item.type != "message" or payload.item.channel is None or payload.item.ts is None:
        return None
    on = envelope.event.get("type") == "reaction_added"
    event = ReactionChanged(
        by=payload.user,
        at=at,
        channel=payload.item.channel,
        ts=payload.item.ts,
        reaction=payload.reaction,
        event_ts=payload.event_ts,
        on=on,
    )
    return event, (delivery_key(workspace.team, event),)
