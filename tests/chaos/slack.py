"""Slack in this process, under a driven clock: the local workspace's methods without its server.

The bot's own client and stage speak to it, so that blocks are checked and mentions fire as they do
over HTTP; `test_slack.py` holds both ways to the same answers. What goes wrong is asked of `fate`,
call by call.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from slack_sdk.errors import SlackApiError

from bot.devtools.workspace.delivery.announce import Announcer
from bot.devtools.workspace.delivery.passes import Passes, Trigger
from bot.devtools.workspace.installation import TeamInstallation
from bot.devtools.workspace.state import Channel, StoredPerson, StoredPost, WorkspaceState
from bot.devtools.workspace.values import SCOPES_ALL, Json
from bot.devtools.workspace.web_api.endpoint import METHODS
from bot.devtools.workspace.web_api.files import receive
from bot.devtools.workspace.web_api.method import ApiError, Args, MethodContext
from bot.views.kit.blocks import Message
from bot.web_api.client import SlackClient
from core.domain.ids import Ts, UserId
from core.ports import Later
from tests.support.fakes import CHANNEL, DEV, ELSEWHERE, NAMES, OPS, OWNER, DrivenClock

Trouble = Literal["429", "500", "dropped", "accept-then-500", "accept-then-drop", "revoked"]
TROUBLES: Final[tuple[Trouble, ...]] = (
    "429", "500", "dropped", "accept-then-500", "accept-then-drop",
)  # fmt: skip
RETRY_AFTER_S: Final = 30
NOBODY: Final = UserId("UNOBODY")  # a member nobody has a reason to mention
Fate = Callable[[str], Trouble | None]


def kindly(_method: str) -> Trouble | None:
    """Nothing goes wrong."""
    return None


class SimWorkspace(WorkspaceState):
    """Ids and times that are the same in every run."""

    def __init__(self, clock: DrivenClock) -> None:
        super().__init__(["nobody"], ["general"], None, [])
        names = {**NAMES, NOBODY: "Nobody"}
        self.people = [StoredPerson(user, name, is_admin=False) for user, name in names.items()]
        self.channels = [
            Channel(CHANNEL, "general", has_bot=True),
            Channel(ELSEWHERE, "elsewhere", has_bot=False),
        ]
        self.serial = 0
        self._clock = clock

    def next_ts(self) -> str:
        self.last_us = max(round(self._clock.now() * 1_000_000), self.last_us + 1)
        return f"{self.last_us // 1_000_000}.{self.last_us % 1_000_000:06d}"


class Unheard(Announcer):
    """The bot hears of people from the simulation, and not of itself."""

    def __init__(self, workspace: WorkspaceState) -> None:
        self._workspace = workspace
        self._installation = TeamInstallation()  # without one no event leaves


@dataclass(frozen=True, slots=True)
class Answer:
    """As slack_sdk gives it."""

    status_code: int
    data: Json
    headers: Mapping[str, str] = field(default_factory=dict)

    def get(self, name: str, default: Any = None) -> Any:
        return self.data.get(name, default)


class Web:
    """`slack_sdk.WebClient` as far as the bot's client uses it."""

    base_url = "http://in.process/api/"

    def __init__(self, desk: MethodContext, fate: Fate) -> None:
        self._desk, self.fate = desk, fate

    def api_call(
        self, method: str, *, params: Json | None = None, json: Json | None = None
    ) -> Answer:
        trouble = self.fate(method)
        if trouble == "429":
            raise _refused(429, "ratelimited", {"Retry-After": str(RETRY_AFTER_S)})
        if trouble == "500":
            raise _refused(500, "internal_error")
        if trouble == "revoked":
            raise _refused(200, "token_revoked")
        if trouble == "dropped":
            raise ConnectionResetError(method)
        answer = self._answer(method, params or json or {})
        if trouble == "accept-then-500":
            raise _refused(500, "internal_error")
        if trouble == "accept-then-drop":
            raise ConnectionResetError(method)
        return answer

    def _answer(self, method: str, given: Json) -> Answer:
        known = METHODS.get(method)
        if known is None:
            raise _refused(200, "unknown_method")
        try:
            with self._desk.workspace.lock:
                found = known.run(self._desk, Args(given))
        except ApiError as error:
            raise _refused(200, error.code, **error.extra) from None
        return Answer(200, {"ok": True, **found}, {"X-OAuth-Scopes": ",".join(SCOPES_ALL)})


def _refused(
    status: int, error: str, headers: Mapping[str, str] | None = None, **extra: Any
) -> SlackApiError:
    data = {"ok": False, "error": error, **extra}
    return SlackApiError(error, Answer(status, data, headers or {}))


class Client(SlackClient):
    """The bot's own; what it sends to an address that Slack gave stays in this process, too."""

    def __init__(self, desk: MethodContext, web: Web) -> None:
        super().__init__("xoxb-in-process", scopes=frozenset(SCOPES_ALL))
        self._desk, self._in_process = desk, web
        assert hasattr(self._calls, "_web"), "the one thing that would call Slack"
        self._calls._web = web  # type: ignore[assignment]

    def respond(self, url: str, message: Message) -> None:
        if self._in_process.fate("response") is not None:
            return
        with self._desk.workspace.lock:
            reply = self._desk.passes.use_reply(url.rpartition("/")[2])
            if not isinstance(reply, str):
                words = {"text": message.text, "blocks": list(message.blocks)}
                self._desk.announcer.answered(reply, words)

    def _deliver(self, url: str, content: bytes) -> Later | None:
        if self._in_process.fate("upload") is not None:
            return Later("upload answered 500")
        with self._desk.workspace.lock:
            refused = receive(self._desk.workspace.uploads, url.rpartition("/")[2], content)
        return Later(refused) if refused else None


class Patient(Passes):
    """Triggers last as long as they have to: how fast this machine is, is no seed's business."""

    def add_trigger(
        self, trigger_id: str, person: StoredPerson, *, channel: str = "", view_id: str = ""
    ) -> str:
        self._triggers[trigger_id] = Trigger(person, channel, view_id, issued=math.inf)
        return trigger_id


class SimSlack:
    """The workspace, a client of ours that speaks to it, and what people write into it."""

    def __init__(self, clock: DrivenClock) -> None:
        self.workspace = SimWorkspace(clock)
        self.passes = Patient()
        self.installation = TeamInstallation(frozenset(SCOPES_ALL), "xoxb-in-process")
        desk = MethodContext(
            workspace=self.workspace,
            announcer=Unheard(self.workspace),
            passes=self.passes,
            installation=self.installation,
            address=lambda: "in.process",
        )
        self.web = Web(desk, kindly)
        self.client = Client(desk, self.web)

    def said(self, by: UserId, text: str, ts: Ts, thread_ts: Ts) -> None:
        """A person's message stands in its thread."""
        channel = self.workspace.channels[0]
        self.workspace.add(StoredPost(channel, ts, by, text, thread_ts=thread_ts))

    @property
    def is_closed(self) -> bool:
        """True if nobody can be heard in the channel: it is archived, or the bot is not there."""
        channel = self.workspace.channels[0]
        return channel.archived or not channel.has_bot

    @property
    def ours(self) -> list[StoredPost]:
        """What the bot posted, oldest first."""
        return [post for post in self.workspace.posts.values() if post.by_bot]

    def everything(self) -> str:
        """All words that anybody can see."""
        posts = [f"{post.text}{post.blocks}" for post in self.ours]
        ephemerals = [
            f"{ephemeral.text}{ephemeral.blocks}" for ephemeral in self.workspace.ephemerals
        ]
        return "\n".join((*posts, *ephemerals))


PEOPLE: Final = (OWNER, DEV, OPS)
