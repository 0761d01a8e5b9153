"""What every Web API method needs: its arguments, its errors, its table row.

Arguments come as JSON or as a form in which objects are JSON strings; both read the same here.
docs: apis/web-api (Basic usage; Responses)
"""

import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any, Final, Literal

from bot.devtools.workspace.delivery.announce import Announcer
from bot.devtools.workspace.delivery.passes import Passes
from bot.devtools.workspace.installation import TeamInstallation
from bot.devtools.workspace.slack_app import SlackApp
from bot.devtools.workspace.state import Channel, StoredPerson, StoredPost, WorkspaceState
from bot.devtools.workspace.values import Json

TokenKind = Literal["bot", "app", "client"]
MISSING: Final = object()


class ApiError(Exception):
    """An answer with ok:false. `extra` goes into the body beside the code."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra = extra


def refused(code: str, messages: Sequence[str]) -> ApiError:
    return ApiError(code, response_metadata={"messages": list(messages)})


class Args:
    """The arguments of one call. Absent and null are the same, as for Slack.

    What Slack would not take raises `ApiError`.
    """

    def __init__(self, raw: Json) -> None:
        self.raw = {key: value for key, value in raw.items() if value is not None}

    def __contains__(self, name: str) -> bool:
        return name in self.raw

    def text(self, name: str) -> str:
        return str(self.raw.get(name, ""))

    def required(self, name: str) -> str:
        if not self.text(name):
            raise refused("invalid_arguments", [f"[ERROR] missing required field: {name}"])
        return self.text(name)

    def flag(self, name: str) -> bool:
        return self.text(name).casefold() in ("1", "true")

    def limit(self, default: int, most: int, *, strict: bool = False) -> int:
        """How many are asked for, brought to what is possible.

        `strict`: of a method that refuses what is no number, as few do.
        """
        try:
            return max(1, min(int(self.raw.get("limit", default)), most))
        except (ValueError, TypeError) as cause:
            if strict:
                raise ApiError("invalid_limit") from cause
            return default

    def ts(self, name: str) -> Decimal | None:
        """A point in time; None when absent, or when it says 0 or "now".

        Raises: `ApiError`, invalid_ts_NAME, for what is no time.
        """
        if self.text(name) in ("", "now"):
            return None
        try:
            at = Decimal(self.text(name))
        except InvalidOperation as cause:
            raise ApiError(f"invalid_ts_{name}") from cause
        if not at.is_finite():
            raise ApiError(f"invalid_ts_{name}")
        return at or None

    def object(self, name: str, malformed: str) -> Any:
        """A JSON value that a form sends as a string; MISSING when absent."""
        value = self.raw.get(name, MISSING)
        if not isinstance(value, str):
            return value
        if not value:
            return MISSING
        try:
            return json.loads(value)
        except ValueError as cause:
            raise ApiError(malformed) from cause


@dataclass(frozen=True, slots=True)
class MethodContext:
    """What a method works with. The workspace's lock is held while a method runs.

    What Slack would refuse raises `ApiError`.
    """

    workspace: WorkspaceState
    announcer: Announcer
    passes: Passes
    installation: TeamInstallation
    address: Callable[[], str]
    read_max: int = 1_000  # messages that one call of conversations.replies or .history gives
    app: SlackApp = field(default_factory=SlackApp)

    @property
    def scopes(self) -> frozenset[str]:
        return self.installation.scopes

    @property
    def bot_user_id(self) -> str:
        return self.workspace.team.bot_user_id

    @property
    def host_url(self) -> str:
        return f"http://{self.address()}/"

    @property
    def workspace_url(self) -> str:
        """Where the team is: each has an address of its own, the first one that of the host."""
        return f"http://{self.address()}{self.workspace.team.path}/"

    @property
    def socket_url(self) -> str:
        return f"ws://{self.address()}/link/"

    def need_scope(self, scope: str) -> None:
        if scope not in self.scopes:
            provided = ",".join(sorted(self.scopes))
            raise ApiError("missing_scope", needed=scope, provided=provided)

    def channel(self, args: Args, name: str = "channel") -> Channel:
        """A channel the bot may know of: public, or private with the bot in it."""
        try:
            channel = self.workspace.channel(args.text(name))
        except KeyError:
            raise ApiError("channel_not_found") from None
        if channel.private and not channel.has_bot:
            raise ApiError("channel_not_found")
        return channel

    def channel_with_bot(self, args: Args, name: str = "channel") -> Channel:
        channel = self.channel(args, name)
        if not channel.has_bot:
            raise ApiError("not_in_channel")
        return channel

    def open_channel(self, args: Args, name: str = "channel") -> Channel:
        """A channel in which something can still be said: with the bot in it, not archived."""
        channel = self.channel_with_bot(args, name)
        if channel.archived:
            raise ApiError("is_archived")
        return channel

    def person(self, args: Args, name: str = "user") -> StoredPerson:
        """A person of the team, or of one that it shares a channel with."""
        for state in (self.workspace, *self.workspace.partners):
            for person in state.people:
                if person.id == args.text(name):
                    return person
        raise ApiError("user_not_found")

    def own_post(self, args: Args, channel: Channel, error: str) -> StoredPost:
        """The app's own message of `ts`; for anybody else's, the `error`."""
        post = self.post(channel, args.required("ts"))
        if not post.by_bot or post.team != self.workspace.team:
            raise ApiError(error)
        return post

    def post(self, channel: Channel, ts: str) -> StoredPost:
        post = self.workspace.find(channel, ts)
        if post is None:
            raise ApiError("message_not_found")
        return post


@dataclass(frozen=True, slots=True)
class Method:
    run: Callable[[MethodContext, Args], Json]
    scope: str = ""
    token: TokenKind = "bot"  # noqa: S105 - a kind, not a token
    form_only: bool = False  # arguments sent as JSON are not seen
    tier: int = 0  # of Slack's rate limits; 0: ours applies none


def page(
    items: Sequence[Any], args: Args, default: int, most: int, *, strict: bool = False
) -> tuple[list[Any], Json]:
    """One page of `items`, and the fields that lead to the next.  docs: apis/web-api/pagination

    Raises `ApiError` for a cursor that is none of ours.
    """
    start = 0
    if args.text("cursor"):
        try:
            start = int(base64.b64decode(args.text("cursor")).removeprefix(b"next:"))
        except ValueError as cause:
            raise ApiError("invalid_cursor") from cause
    end = start + args.limit(default, most, strict=strict)
    more = end < len(items)
    cursor = base64.b64encode(f"next:{end}".encode()).decode() if more else ""
    return list(items[start:end]), {"next_cursor": cursor}
