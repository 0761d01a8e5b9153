"""For tests of the incoming half: a runtime that behaves, a Slack that only listens, payloads.

The runtime remembers keys and sessions as the real one does, and decides nothing.
"""

import hashlib
import hmac
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from itertools import count
from typing import Any
from urllib.parse import parse_qsl, urlencode

from slack_bolt import App, BoltRequest, BoltResponse

from bot.interactions.forms.modals import Seal
from bot.server.bolt_app import ContextMaker, build_bolt, context_maker, slack_client
from bot.server.configuration.settings import Settings
from bot.server.one_workspace import OneContext
from core.domain.effects import Reply
from core.domain.events import Event, MessageDeleted, MessageEdited, MessagePosted
from core.domain.ids import (
    ACT,
    ChannelId,
    MenuId,
    PhaseKey,
    RunId,
    SessionId,
    Slug,
    StepId,
    TeamId,
    Ts,
    UserId,
)
from core.domain.session.course import Course, Status
from core.domain.session.halt import Fault
from core.domain.session.menu import Menu, OpenMenus
from core.domain.session.session import Session
from core.ports import Gone, Post, Summary, Workspace
from core.runtime.commit import Handled
from core.taxonomy.catalogue import Code
from tests.support.fakes import NoNames
from tests.support.handlers import served_by

TEAM, CHANNEL, OTHER_CHANNEL = TeamId("T1"), ChannelId("C1"), ChannelId("C2")
OWNER, MEMBER, BOT = UserId("U1"), UserId("U2"), UserId("U0BOT")
THREAD = Ts("100.000100")
SECRET = "0123456789abcdef0123456789abcdef"
WORKSPACE = Workspace(TEAM, "https://acme.slack.com/", BOT, "B1")
NOW = 1_700_000_000.0
Body = dict[str, Any]


# ── the runtime ────────────────────────────────────────────────────────────────────────────────


@dataclass
class FakeReader:
    """Of the reader, what commands and clicks ask."""

    sessions: dict[SessionId, Session] = field(default_factory=dict)
    menus: dict[MenuId, Menu] = field(default_factory=dict)
    posts: dict[tuple[SessionId, str], Post] = field(default_factory=dict)
    fault_rows: dict[SessionId, tuple[Fault, ...]] = field(default_factory=dict)

    def load(self, session: SessionId) -> Session:
        try:
            return self.sessions[session]
        except KeyError:
            raise Gone(session) from None

    def menu(self, menu: MenuId) -> Menu | None:
        return self.menus.get(menu)

    def post(self, session: SessionId, target: str) -> Post | None:
        return self.posts.get((session, target))

    def is_post(self, session: SessionId, channel: ChannelId, ts: Ts) -> bool:
        found = [post for (owner, _), post in self.posts.items() if owner == session]
        return any((each.channel, each.ts) == (channel, ts) for each in found)

    def faults(self, session: SessionId) -> tuple[Fault, ...]:
        return self.fault_rows.get(session, ())

    def all_steps(self, session: SessionId) -> tuple[()]:
        return ()

    def answers(self, session: SessionId, step: StepId | None = None) -> tuple[()]:
        return ()

    def stances(self, session: SessionId, step: StepId | None = None) -> tuple[()]:
        return ()

    def sessions_involving(self, team: TeamId, user: UserId) -> tuple[()]:
        return ()

    def entries(self, sessions: Collection[SessionId]) -> tuple[()]:
        return ()

    def channel_sessions(self, team: TeamId, channel: ChannelId) -> tuple[Summary, ...]:
        here = [s for s in self.sessions.values() if (s.team, s.channel) == (team, channel)]
        return tuple(_summary(each) for each in reversed(here))


@dataclass
class Call:
    event: Event
    team: TeamId
    keys: tuple[str, ...]
    session: SessionId | None


@dataclass
class FakeRuntime:
    reader: FakeReader = field(default_factory=FakeReader)
    replies: dict[type[Any], Reply] = field(default_factory=dict)
    refused: set[type[Any]] = field(default_factory=set)
    failing: Exception | None = None
    calls: list[Call] = field(default_factory=list)  # those that had an effect
    for_owner: set[type[Any]] = field(default_factory=set)  # and for admins
    keys: set[str] = field(default_factory=set)
    threads: dict[Ts, SessionId] = field(default_factory=dict)
    faults: list[tuple[Code, UserId]] = field(default_factory=list)  # recorded outside a session

    def handle(
        self,
        event: Event,
        *,
        team: TeamId,
        keys: Collection[str] = (),
        session: SessionId | None = None,
    ) -> Handled:
        if self.failing is not None:
            raise self.failing
        if self.keys & set(keys):
            return Handled(None, repeated=True)
        owner = session or self._owner(event)
        if type(event) in self.for_owner and event.by != OWNER and event.admin is None:  # type: ignore[union-attr]
            return Handled(owner, needs_admin=True)
        self.keys |= {key for key in keys if key.startswith(ACT)}
        if owner is None:
            return Handled(None)
        if type(event) in self.refused:  # no effect: no key is written
            return Handled(owner, self.replies.get(type(event)))
        self.keys |= set(keys)
        self.calls.append(Call(event, team, tuple(keys), session))
        return Handled(owner, self.replies.get(type(event)))

    def record_fault(
        self, code: Code, team: TeamId, by: UserId, keys: Collection[str] = ()
    ) -> None:
        if not self.keys & set(keys):
            self.keys |= set(keys)
            self.faults.append((code, by))

    @property
    def events(self) -> list[Event]:
        return [call.event for call in self.calls]

    def _owner(self, event: Event) -> SessionId | None:
        if isinstance(event, MessagePosted):
            return self.threads.get(event.thread_ts)
        if isinstance(event, MessageEdited | MessageDeleted):
            return next(iter(self.threads.values()), None)
        return SessionId("s-any")

    def opened(
        self,
        name: str = "s-1",
        *,
        slug: str = "retry-payments",
        channel: ChannelId = CHANNEL,
        owner: UserId = OWNER,
        status: Status = "asking",
        thread: Ts | None = THREAD,
    ) -> Session:
        session = Session(
            id=SessionId(name),
            run=RunId(f"{name}-run"),
            team=TEAM,
            channel=channel,
            owner=owner,
            slug=Slug(slug),
            title=slug.replace("-", " ").capitalize(),
            text="",
            seed="",
            created_at="2024-01-01T00:00:00Z",
            status=status,
            course=Course(phase=PhaseKey("01-requirements")),
            menus=OpenMenus(prompt=MenuId(f"{name}-prompt")),
        )
        self.reader.sessions[session.id] = session
        prompt = Menu(MenuId(f"{name}-prompt"), session.id, "prompt", ("pause", "cancel"))
        self.reader.menus[prompt.id] = prompt
        if thread is not None:
            self.threads[thread] = session.id
        return session


def _summary(session: Session) -> Summary:
    return Summary(
        id=session.id,
        slug=session.slug,
        title=session.title,
        channel=session.channel,
        owner=session.owner,
        status=session.status,
        phase=session.course.phase,
        step=session.course.step,
        done=1,
        total=24,
        updated_at=NOW,
    )


# ── Slack ──────────────────────────────────────────────────────────────────────────────────────


@dataclass
class ListeningSlack:
    """Answers every call and writes it down."""

    calls: list[tuple[str, Body]] = field(default_factory=list)
    admins: set[str] = field(default_factory=set)
    answers: dict[str, Body] = field(default_factory=dict)  # by method, where it is not just ok
    url: str = ""

    def answer(self, method: str, args: Body) -> Body:
        self.calls.append((method, args))
        if method == "users.info":
            admin = args["user"] in self.admins
            return {"ok": True, "user": {"id": args["user"], "is_admin": admin}}
        return self.answers.get(method, {"ok": True})

    @property
    def ephemerals(self) -> list[Body]:
        return [args for method, args in self.calls if method == "chat.postEphemeral"]


@contextmanager
def listening_slack() -> Iterator[ListeningSlack]:
    slack = ListeningSlack()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
            is_json = "json" in self.headers.get("Content-Type", "")
            args = json.loads(raw) if is_json else dict(parse_qsl(raw))
            answer = json.dumps(slack.answer(self.path.rsplit("/", 1)[-1], args)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def do_GET(self) -> None:
            raise AssertionError("nothing is asked with GET")

    with served_by(Handler) as slack.url:
        yield slack


class HeldExecutor(Executor):
    """Jobs wait until they are let go: what a listener wants done after the acknowledgement."""

    def __init__(self) -> None:
        self.jobs: list[Callable[[], object]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        self.jobs.append(lambda: fn(*args, **kwargs))
        return Future()

    def let_go(self) -> None:
        while self.jobs:
            self.jobs.pop(0)()


# ── the bot ────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Front:
    runtime: FakeRuntime
    slack: ListeningSlack
    held: HeldExecutor
    app: App

    def deliver(self, body: Body) -> BoltResponse:
        """As Socket Mode does. What is to be said afterwards is said afterwards."""
        response = self.app.dispatch(BoltRequest(mode="socket_mode", body=body))
        assert self.slack.calls == [], "Slack was called before the acknowledgement"
        self.held.let_go()
        return response

    def told(self) -> str:
        """The words of the one ephemeral there is."""
        (only,) = self.slack.ephemerals
        return str(only["text"])


def settings(api_url: str = "http://127.0.0.1:9/api/") -> Settings:
    return Settings.model_validate(
        {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_SIGNING_SECRET": SECRET, "SLACK_API_URL": api_url}
    )


def front(slack: ListeningSlack, runtime: FakeRuntime | None = None) -> Front:
    runtime, held = runtime or FakeRuntime(), HeldExecutor()
    ids = (f"id-{number}" for number in range(1000))
    context_of = context_maker(
        settings(slack.url),
        runtime,  # type: ignore[arg-type]
        NoNames(),  # type: ignore[arg-type]
        pool=lambda threads, name: held,
        now=lambda: NOW,
        new_id=lambda: next(ids),
    )
    app = app_of(settings(slack.url), context_of)
    return Front(runtime, slack, held, app)


def app_of(settings: Settings, context_of: ContextMaker, workspace: Workspace = WORKSPACE) -> App:
    """The app of one workspace."""
    return build_bolt(settings, OneContext(context_of(workspace, slack_client(settings))))


def answered(response: BoltResponse) -> str:
    """The words an acknowledgement carries."""
    return str(json.loads(response.body)["text"]) if response.body else ""


# ── payloads ───────────────────────────────────────────────────────────────────────────────────


_triggers = count(1)


def new_trigger() -> str:
    """As Slack does: another one for whatever a person does."""
    return f"trig-{next(_triggers)}"


def event_body(event: Body, event_id: str = "Ev1", **more: Any) -> Body:
    return {
        "type": "event_callback",
        "team_id": TEAM,
        "api_app_id": "A1",
        "event_id": event_id,
        "event": event,
        "authorizations": [{"team_id": TEAM, "user_id": BOT, "is_bot": True}],
        **more,
    }


def posted(text: str = "We retry twice.", **more: Any) -> Body:
    return {
        "type": "message",
        "channel": CHANNEL,
        "user": MEMBER,
        "team": TEAM,
        "text": text,
        "ts": "200.000200",
        "thread_ts": THREAD,
        **more,
    }


def edited(text: str = "Three times.", before: str = "Twice.", **more: Any) -> Body:
    said = {"user": MEMBER, "ts": "200.000200", "thread_ts": THREAD, "team": TEAM}
    now = {**said, "text": text, "edited": {"user": MEMBER, "ts": "300.000000"}, **more}
    return {
        "type": "message",
        "subtype": "message_changed",
        "channel": CHANNEL,
        "ts": "300.000001",
        "message": now,
        "previous_message": {**said, "text": before},
    }


def reaction(name: str = "+1", *, on: bool = True, **more: Any) -> Body:
    return {
        "type": "reaction_added" if on else "reaction_removed",
        "user": MEMBER,
        "reaction": name,
        "item": {"type": "message", "channel": CHANNEL, "ts": "200.000200"},
        "item_user": OWNER,
        "event_ts": "300.000003",
        **more,
    }


def deleted(**more: Any) -> Body:
    said = {"user": MEMBER, "ts": "200.000200", "thread_ts": THREAD, "text": "Twice.", **more}
    return {
        "type": "message",
        "subtype": "message_deleted",
        "channel": CHANNEL,
        "ts": "300.000001",
        "deleted_ts": "200.000200",
        "previous_message": said,
    }


def mention(line: str, **more: Any) -> Body:
    """A top-level mention; with thread_ts= one in a thread."""
    said = {**posted(f"<@{BOT}> {line}"), "type": "app_mention"}
    del said["thread_ts"]
    return {**said, **more}


def click(
    action_id: str,
    value: str = "",
    *,
    by: UserId = OWNER,
    channel: ChannelId = CHANNEL,
    team: str = TEAM,
    **action: Any,
) -> Body:
    return {
        "type": "block_actions",
        "team": {"id": team},
        "user": {"id": by, "team_id": team},
        "channel": {"id": channel},
        "container": {"type": "message", "message_ts": "150.000150", "thread_ts": THREAD},
        "trigger_id": new_trigger(),
        "actions": [
            {"type": "button", "action_id": action_id, "block_id": "b", "value": value, **action}
        ],
    }


def slash(
    text: str, *, by: UserId = OWNER, channel: ChannelId = CHANNEL, trigger: str = ""
) -> Body:
    return {
        "command": "/roundtable",
        "text": text,
        "team_id": TEAM,
        "user_id": by,
        "channel_id": channel,
        "trigger_id": trigger or new_trigger(),
        "response_url": "https://hooks.slack.com/commands/1",
    }


def signed(body: str, at: float, secret: str = SECRET) -> Mapping[str, str]:
    stamp = str(int(at))
    digest = hmac.new(secret.encode(), f"v0:{stamp}:{body}".encode(), hashlib.sha256)
    return {
        "X-Slack-Request-Timestamp": stamp,
        "X-Slack-Signature": f"v0={digest.hexdigest()}",
    }


def form(payload: Body) -> str:
    """How Slack sends clicks over HTTP."""
    return urlencode({"payload": json.dumps(payload)})


def shortcut(callback_id: str, **more: Any) -> Body:
    return {
        "type": "shortcut",
        "callback_id": callback_id,
        "team": {"id": TEAM},
        "user": {"id": OWNER, "team_id": TEAM},
        "trigger_id": new_trigger(),
        **more,
    }


def message_shortcut(callback_id: str, **message: Any) -> Body:
    said = {"type": "message", "user": MEMBER, "team": TEAM, "text": "Twice.", "ts": "200.000200"}
    return {
        **shortcut(callback_id),
        "type": "message_action",
        "channel": {"id": CHANNEL, "name": "general"},
        "message_ts": "200.000200",
        "response_url": "https://hooks.slack.com/app/1",
        "message": {**said, "thread_ts": THREAD, **message},
    }


def submission(
    callback_id: str = "start",
    kept: str = CHANNEL,
    *,
    sealed: str | None = None,
    by: str = OWNER,
    **fields: str,
) -> Body:
    """A form of ours, filled in by a member of that channel.

    `sealed`: what it brings back in place of what it kept.
    """
    given = {"title": "Retry payments", "text": "", **fields}
    values: Body = {
        name: {name: {"type": "plain_text_input", "value": given[name]}} for name in given
    }
    chosen = {"mode": "analysis", "depth": "auto"}
    for name in chosen.keys() - fields.keys():
        values[name] = {name: {"selected_option": {"value": chosen[name]}}}
    values.setdefault("channel", {"channel": {"selected_conversation": CHANNEL}})
    return {
        "type": "view_submission",
        "team": {"id": TEAM},
        "user": {"id": by, "team_id": TEAM},
        "trigger_id": new_trigger(),
        "view": {
            "type": "modal",
            "id": "V1",
            "callback_id": callback_id,
            "private_metadata": (
                Seal(SECRET).put(OWNER, callback_id, kept) if sealed is None else sealed
            ),
            "state": {"values": values},
            "blocks": [{"type": "input", "block_id": "title"}],
        },
        "response_urls": [{"channel_id": CHANNEL, "response_url": "https://hooks.slack.com/2"}],
    }


def view_click(action_id: str, value: str = "", **view: Any) -> Body:
    return {
        "type": "block_actions",
        "team": {"id": TEAM},
        "user": {"id": OWNER, "team_id": TEAM},
        "container": {"type": "view", "view_id": "V1"},
        "trigger_id": new_trigger(),
        "view": {"id": "V1", "type": "home", "callback_id": "home", **view},
        "actions": [{"type": "button", "action_id": action_id, "block_id": "b", "value": value}],
    }
