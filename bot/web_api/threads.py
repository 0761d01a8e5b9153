"""What people said in a thread, read in one call: for a session that is taken from a message.

Bounded on purpose: Slack lets some apps read 15 messages a minute, and one message of ours can
show about ten. docs: reference/methods/conversations.replies
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from bot.payloads.inbound import readable, shared_files
from bot.payloads.inbound_views import author_of
from bot.payloads.links import permalink
from bot.payloads.payload_models import MessagePayload, UnreadablePayloadError, read
from bot.web_api.api_errors import Failure
from bot.web_api.client import SlackClient
from core.domain.ids import ChannelId, TeamId, Ts
from core.domain.session import EarlierStatement
from core.engine.answers.collect import is_comment
from core.ports import ThreadSaid, Workspace

REPLIES_MAX: Final = 50


class SlackThreads:
    """`core.ports.Threads` over conversations.replies."""

    def __init__(self, clients: Callable[[TeamId], SlackClient], workspace: Workspace) -> None:
        self._clients = clients
        self._workspace = workspace

    def replies(self, team: TeamId, channel: ChannelId, thread_ts: Ts) -> ThreadSaid | Failure:
        answer = self._clients(team).replies(channel, thread_ts, most=REPLIES_MAX)
        if isinstance(answer, Failure):
            return answer
        found = tuple(self._said(channel, thread_ts, answer.get("messages") or ()))
        return ThreadSaid(found, bool(answer.get("has_more")))

    def _said(
        self, channel: ChannelId, thread_ts: Ts, messages: Iterable[Mapping[str, Any]]
    ) -> Iterable[EarlierStatement]:
        for each in messages:
            try:
                message = read(MessagePayload, each)
            except UnreadablePayloadError:
                continue  # one that we cannot read is no reason to leave the others
            by = author_of(message, self._workspace)
            ts = Ts(message.ts)
            link = permalink(self._workspace.url, channel, ts, thread_ts)
            text, files = readable(message.text), shared_files(message.files or (), link)
            if by is None or is_comment(text) or not (text.strip() or files):
                continue
            yield EarlierStatement(by, text, ts, link, files)
