"""A thread page by page, for what was missed while the bot was away.

What counts as a person's answer is decided by `bot.payloads.inbound`, as for the live events.
docs: reference/methods/conversations.replies
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import structlog

from bot.payloads.inbound import message_read
from bot.payloads.payload_models import ThreadReply, UnreadablePayloadError, read
from bot.web_api.api_errors import Failure
from bot.web_api.client import SlackClient
from core.domain.ids import ChannelId, TeamId, Ts, UserId
from core.domain.thread_range import ReactedBy, ThreadMessage, ThreadPage
from core.ports import Workspace

PAGE_MESSAGES: Final = 200  # Slack's own advice
CUT_MESSAGES: Final = 15  # all that a distributed app outside the Marketplace is given

log = structlog.get_logger(__name__)


class SlackThreadPages:
    """`core.ports.ThreadPages` over conversations.replies."""

    def __init__(
        self,
        clients: Callable[[TeamId], SlackClient],
        workspace: Workspace,
        now: Callable[[], float],
    ) -> None:
        self._clients = clients
        self._workspace = workspace
        self._now = now

    def page(
        self, team: TeamId, channel: ChannelId, thread_ts: Ts, since: Ts, cursor: str
    ) -> ThreadPage | Failure:
        client = self._clients(team)
        answer = client.replies(
            channel, thread_ts, most=PAGE_MESSAGES, oldest=since, cursor=cursor or None
        )
        if isinstance(answer, Failure):
            return answer
        replies = [reply for reply in answer.get("messages") or () if reply.get("ts")]
        more = str((answer.get("response_metadata") or {}).get("next_cursor") or "")
        return ThreadPage(
            messages=tuple(self._message(reply, channel) for reply in replies),
            cursor=more,
            is_cut=bool(more) and len(replies) <= CUT_MESSAGES + 1,  # and the root
        )

    def _message(self, reply: Mapping[str, Any], channel: ChannelId) -> ThreadMessage:
        ts = Ts(str(reply["ts"]))
        try:
            message = read(ThreadReply, reply)
        except UnreadablePayloadError as fault:  # it is there, and nobody's answer
            log.warning("read-back.unreadable", fault=str(fault))
            return ThreadMessage(ts)
        reactions = tuple(
            ReactedBy(
                reaction.name,
                tuple(map(UserId, reaction.users)),
                len(reaction.users) >= reaction.count,
            )
            for reaction in message.reactions
        )
        return ThreadMessage(
            ts, message_read(reply, channel, self._workspace, self._now()), reactions
        )
