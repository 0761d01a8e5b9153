"""What people said in a thread, read in one call: for a session that is taken from a message.

Bounded on purpose: Slack lets some apps read 15 messages a minute, and one message of ours can
show about ten. docs: reference/methods/conversations.replies
"""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import structlog

from bot.payloads.inbound_messages import message_read, shared_files
from bot.payloads.inbound_views import author_of
from bot.payloads.links import permalink, readable
from bot.payloads.payload_models import (
    MessagePayload,
    ReactionPayload,
    ThreadReply,
    UnreadablePayloadError,
    read,
)
from bot.web_api.api_errors import Failure
from bot.web_api.client import SlackClient
from core.domain.ids import ChannelId, TeamId, Ts, UserId
from core.domain.session.start import EarlierStatement
from core.domain.thread_range import ReactedBy, ThreadMessage, ThreadPage
from core.engine.answers.collect import says_nothing
from core.ports import ThreadSaid, Workspace

REPLIES_MAX: Final = 50
PAGE_MESSAGES: Final = 200  # Slack's own advice
CUT_MESSAGES: Final = 15  # all that a distributed app outside the Marketplace is given

log = structlog.get_logger(__name__)


class SlackThreads:
    """`Threads` and `ThreadPages` of the runtime, over conversations.replies."""

    def __init__(
        self,
        clients: Callable[[TeamId], SlackClient],
        workspaces: Callable[[TeamId], Workspace],
        now: Callable[[], float] = time.time,
        page_messages: int = PAGE_MESSAGES,
    ) -> None:
        self._clients = clients
        self._workspaces = workspaces
        self._now = now
        self._page_messages = page_messages

    def replies(self, team: TeamId, channel: ChannelId, thread_ts: Ts) -> ThreadSaid | Failure:
        answer = self._clients(team).lookups.replies(channel, thread_ts, most=REPLIES_MAX)
        if isinstance(answer, Failure):
            return answer
        messages = answer.get("messages") or ()
        statements = tuple(self._statements(team, channel, thread_ts, messages))
        return ThreadSaid(statements, bool(answer.get("has_more")))

    def _statements(
        self, team: TeamId, channel: ChannelId, thread_ts: Ts, messages: Iterable[Mapping[str, Any]]
    ) -> Iterable[EarlierStatement]:
        workspace = self._workspaces(team)
        for reply in messages:
            try:
                message = read(MessagePayload, reply)
            except UnreadablePayloadError:
                continue  # one that we cannot read is no reason to leave the others
            by = author_of(message, workspace)
            ts = Ts(message.ts)
            link = permalink(workspace.url, channel, ts, thread_ts)
            text, files = readable(message.text), shared_files(message.files or (), link)
            if by is None or says_nothing(text, files):
                continue
            yield EarlierStatement(by, text, ts, link, files)

    # ── page by page, for what was missed while the bot was away ──

    def page(
        self, team: TeamId, channel: ChannelId, thread_ts: Ts, since: Ts, cursor: str
    ) -> ThreadPage | Failure:
        client = self._clients(team)
        answer = client.lookups.replies(
            channel, thread_ts, most=self._page_messages, oldest=since, cursor=cursor or None
        )
        if isinstance(answer, Failure):
            return answer
        replies = [reply for reply in answer.get("messages") or () if reply.get("ts")]
        more = str((answer.get("response_metadata") or {}).get("next_cursor") or "")
        return ThreadPage(
            messages=tuple(self._message(team, reply, channel) for reply in replies),
            cursor=more,
            # Less than was asked for. The root comes besides.
            is_cut=bool(more) and len(replies) <= CUT_MESSAGES + 1 < self._page_messages,
        )

    def _message(self, team: TeamId, reply: Mapping[str, Any], channel: ChannelId) -> ThreadMessage:
        ts = Ts(str(reply["ts"]))
        try:
            message = read(ThreadReply, reply)
        except UnreadablePayloadError as fault:  # it is there, and nobody's answer
            log.warning("read-back.unreadable", fault=str(fault))
            return ThreadMessage(ts)
        reactions = tuple(map(_reacted_by, message.reactions))
        posted = message_read(reply, channel, self._workspaces(team), self._now())
        return ThreadMessage(ts, posted, reactions)


def _reacted_by(reaction: ReactionPayload) -> ReactedBy:
    names_all = len(reaction.users) >= reaction.count
    return ReactedBy(reaction.name, tuple(map(UserId, reaction.users)), names_all)
