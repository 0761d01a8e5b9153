"""What is asked of Slack's Web API: messages, threads, channels, people, and who we are.

Nothing here shows or changes anything, so that each may be asked twice.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.web_api.api_errors import MISSING_SCOPE, Failure
from bot.web_api.calls import Answer, Calls
from bot.web_api.message_search import PAGES_MAX, MessageSearch
from core.domain.ids import ChannelId, Ts, UserId
from core.ports import Refused

PAGE_CHANNELS: Final = 200


@dataclass(frozen=True, slots=True)
class Identity:
    """Who we are in a workspace, and what we may do there."""

    team: str
    url: str
    bot_user: UserId
    bot_id: str
    name: str


@dataclass(frozen=True, slots=True)
class Joined:
    """A channel that somebody is in."""

    id: ChannelId
    name: str
    archived: bool


class SlackLookups:
    """The questions to one workspace. Methods return what Slack says, or a `Failure`."""

    def __init__(self, calls: Calls, hasty: Calls, scarce_s: float | None) -> None:
        """`hasty`: calls given up before a trigger expires. `scarce_s`: as of `MessageSearch`."""
        self._calls = calls
        self._hasty = hasty
        self._search = MessageSearch(calls, scarce_s)

    def look_for(
        self,
        wanted: Callable[[Answer], bool],
        channel: ChannelId,
        *,
        oldest: float,
        thread_ts: Ts | None = None,
    ) -> Ts | Failure | None:
        """The first message since `oldest` that is wanted, in the channel or in one thread."""
        return self._search.first(wanted, channel, oldest=oldest, thread_ts=thread_ts)

    def replies(
        self,
        channel: ChannelId,
        thread_ts: Ts,
        *,
        most: int,
        oldest: Ts | None = None,
        cursor: str | None = None,
    ) -> Answer | Failure:
        """A thread's root and the first `most` messages from `oldest` or `cursor` on. One call."""
        query = {
            "channel": channel,
            "ts": thread_ts,
            "limit": most,
            "oldest": oldest,
            "inclusive": True if oldest else None,
            "cursor": cursor,
        }
        return self._calls.call("repeat", "conversations.replies", query, form=True)

    def channels(
        self, user: UserId | None = None, *, hasty: bool = False
    ) -> tuple[Joined, ...] | Failure:
        """The channels that we, or that `user`, are in: the first `PAGES_MAX` pages.

        Of a person's private channels only those that we are in as well. `hasty`: one page, in a
        call that is given up before a trigger expires.
        docs: reference/methods/users.conversations
        """
        if self._calls.lacks("channels:read") or self._calls.lacks("groups:read"):
            return Refused(MISSING_SCOPE, "permission_missing")
        query: dict[str, Any] = {
            "types": "public_channel,private_channel",
            "limit": PAGE_CHANNELS,
            "user": user,
        }
        calls, channels = self._hasty if hasty else self._calls, list[Joined]()
        for _ in range(1 if hasty else PAGES_MAX):
            answer = calls.call("repeat", "users.conversations", query, form=True)
            if isinstance(answer, Failure):
                return answer
            channels += [_joined(channel) for channel in answer.get("channels", ())]
            cursor = (answer.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                break
            query["cursor"] = cursor
        return tuple(channels)

    def user(self, user: UserId) -> Answer | Failure:
        """users.info. Refused where the scope is missing."""
        if self._calls.lacks("users:read"):
            return Refused(MISSING_SCOPE, "permission_missing")
        answer = self._calls.call("repeat", "users.info", {"user": user}, form=True)
        return answer if isinstance(answer, Failure) else dict(answer["user"])

    def channel_name(self, channel: ChannelId) -> str:
        """conversations.info, for what is written. Nothing where we may not ask: it can wait."""
        if self._calls.scopes is not None and "channels:read" not in self._calls.scopes:
            return ""
        answer = self._calls.call("repeat", "conversations.info", {"channel": channel}, form=True)
        return "" if isinstance(answer, Failure) else str(answer["channel"].get("name") or "")

    def is_shared(self, channel: ChannelId) -> bool | Failure:
        """conversations.info: whether people of another organisation are there, or invited."""
        answer = self._calls.call("repeat", "conversations.info", {"channel": channel}, form=True)
        if isinstance(answer, Failure):
            return answer
        row = answer["channel"]
        beyond = bool(row.get("is_shared")) and not row.get("is_org_shared")
        return beyond or any(row.get(sign) for sign in ("is_ext_shared", "is_pending_ext_shared"))

    def auth_test(self) -> Identity | Failure:
        """Who we are here. Its answer brings the scopes we have, too."""
        answer = self._calls.call("repeat", "auth.test", {}, form=True)
        if isinstance(answer, Failure):
            return answer
        return Identity(
            team=str(answer["team_id"]),
            url=str(answer["url"]),
            bot_user=UserId(str(answer["user_id"])),
            bot_id=str(answer.get("bot_id", "")),
            name=str(answer.get("user", "")),
        )


def _joined(channel: Mapping[str, Any]) -> Joined:
    name, archived = str(channel.get("name") or ""), bool(channel.get("is_archived"))
    return Joined(ChannelId(str(channel["id"])), name, archived)
