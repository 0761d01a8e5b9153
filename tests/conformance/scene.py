"""Performs a case's steps in a workspace, over real HTTP and real WebSockets."""

import contextlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

import httpx
from websockets.sync.client import ClientConnection, connect

from bot.devtools.workspace import LocalWorkspace
from tests.conformance.judging import MISSING, Seen, at
from tests.conformance.receiving import Receiver, receiving
from tests.conformance.values import (
    Acknowledge,
    Act,
    Call,
    Case,
    Connect,
    Delivered,
    Known,
    Post,
    Receive,
    Said,
    Serve,
    Step,
)
from tests.support.waiting import WAIT_S_MAX, wait_until

TRIES_MAX: Final = 5
TELLS_THE_APP: Final = frozenset({"command", "click", "shortcut", "click_view", "submit"})


class NotRunnable(Exception):  # noqa: N818 - not an error: a reason
    """This case cannot be run here; the message says why."""


class BrokenStep(Exception):  # noqa: N818 - what came instead of a preparation's answer
    """A step before the one that is judged did not succeed."""


@dataclass
class Place:
    """A workspace in which cases run. `patient`: waits as a 429 says, and tries again."""

    api_url: str
    tokens: Mapping[str, str]
    known: Mapping[str, str]
    local: LocalWorkspace | None = None
    patient: bool = False
    pause_s: float = 0.0
    wait: Callable[[float], None] = time.sleep
    posted: list[tuple[str, str]] = field(default_factory=list)
    files: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        # To load the list of authorities costs more than a case does.
        self.web = httpx.Client(timeout=WAIT_S_MAX, verify=self.api_url.startswith("https:"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.web.close()


def local_place(local: LocalWorkspace) -> Place:
    return Place(
        api_url=local.api_url,
        tokens={"bot": local.bot_token, "app": local.app_token},
        known={
            "channel": local.channel_id("general"),
            "person": local.user_id("Ada"),
            "me": local.bot_user_id,
        },
        local=local,
    )


class Scene:
    """One case under way: what each step answered, and the socket while it is open."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._answers: list[Seen] = []
        self._socket: ClientConnection | None = None
        self._receiver: Receiver | None = None
        self._open = contextlib.ExitStack()
        self._web = place.web

    def play(self, case: Case) -> tuple[Case, Seen]:
        """The case with every stand-in replaced by what it stood for, and what came of it."""
        with self._open:
            for step in case.before:
                self._answers.append(self._prepared(step))
            seen = self._perform(case.call)
            fields = {path: self._real(value) for path, value in case.expect.fields.items()}
            return replace(case, expect=replace(case.expect, fields=fields)), seen

    def ask(self, call: Call) -> Seen:
        """One call by itself, for whoever prepares or cleans up. Status 0: there was no answer."""
        try:
            return self._call(call)
        except httpx.HTTPError as failure:
            return Seen(0, {"error": type(failure).__name__})

    def _prepared(self, step: Step) -> Seen:
        seen = self._perform(step)
        if isinstance(step, Call) and seen.body.get("ok") is not True:
            error = seen.body.get("error", f"HTTP {seen.status}")
            if error == "missing_scope":
                raise NotRunnable(f"the app lacks {seen.body.get('needed')}")
            raise BrokenStep(f"before it, {step.method} answered {error}")
        return seen

    def _perform(self, step: Step) -> Seen:
        match step:
            case Call():
                return self._call(step)
            case Post():
                return self._post(step)
            case Connect():
                address = connect(str(self._real(step.url)), open_timeout=WAIT_S_MAX)
                self._socket = self._open.enter_context(address)
                return self._received(lambda message: True)
            case Receive():
                value = self._real(step.value)
                return self._received(lambda message: at(message, step.path) == value)
            case Acknowledge():
                return self._acknowledged(str(self._real(step.envelope)))
            case Serve(answers):
                return self._serve(answers)
            case Delivered():
                assert self._receiver is not None, "nothing is served"
                return Seen(200, self._receiver.next(WAIT_S_MAX))
            case Act():
                return self._act(step)

    # ── HTTP ──

    def _call(self, call: Call) -> Seen:
        request = self._request(call)
        if call.method == "chat.postMessage" and self._place.pause_s:
            self._place.wait(self._place.pause_s)
        for _ in range(TRIES_MAX):
            seen = _seen(self._web.send(request))
            if seen.status != 429 or not self._place.patient:
                break
            self._place.wait(float(seen.headers.get("retry-after", "1")))
        self._remember(call, seen)
        return seen

    def _request(self, call: Call) -> httpx.Request:
        args: dict[str, Any] = {name: self._real(value) for name, value in call.args.items()}
        headers, query = {}, {}
        token = self._place.tokens.get(call.token if call.token == "app" else "bot", "")
        match call.token:
            case "bot" | "app":
                headers["Authorization"] = f"Bearer {token}"
            case "wrong":
                headers["Authorization"] = "Bearer xoxb-000000000000-nobody-has-this-one"
            case "form" | "json":
                args["token"] = token
            case "query":
                query["token"] = token
            case "none":
                pass
        url = self._place.api_url + call.method
        if call.sent == "query":
            return self._web.build_request("GET", url, params=args | query, headers=headers)
        content, kind = _body(call, args)
        if kind:
            headers["Content-Type"] = kind
        return self._web.build_request(
            "POST", url, params=query or None, content=content, headers=headers
        )

    def _post(self, post: Post) -> Seen:
        url = str(self._real(post.url))
        if isinstance(post.content, str):
            return _seen(self._web.post(url, content=post.content.encode()))
        return _seen(self._web.post(url, json=self._real(post.content)))

    def _remember(self, call: Call, seen: Seen) -> None:
        """What the run has left behind, for whoever cleans up."""
        if seen.body.get("ok") is not True:
            return
        if call.method == "chat.postMessage":
            self._place.posted.append((str(seen.body["channel"]), str(seen.body["ts"])))
        if call.method == "files.completeUploadExternal":
            self._place.files += [str(file["id"]) for file in seen.body["files"]]

    # ── sockets ──

    def _received(self, wanted: Callable[[Any], bool]) -> Seen:
        assert self._socket is not None, "no socket is open"
        until = time.monotonic() + WAIT_S_MAX
        while True:
            left = until - time.monotonic()
            message = json.loads(self._socket.recv(timeout=max(left, 0.001)))
            if wanted(message):
                return Seen(200, message)
            if "envelope_id" in message:
                self._socket.send(json.dumps({"envelope_id": message["envelope_id"]}))

    def _acknowledged(self, envelope_id: str) -> Seen:
        assert self._socket is not None, "no socket is open"
        assert self._place.local is not None
        before = len(self._place.local.deliveries)
        self._socket.send(json.dumps({"envelope_id": envelope_id}))
        self._wait_for(lambda local: len(local.deliveries) > before)
        delivery = self._place.local.deliveries[-1]
        return Seen(200, {"acked": delivery.acked, "retry": delivery.retry})

    def _serve(self, answers: tuple[int, ...]) -> Seen:
        local = self._place.local
        if local is None:
            raise NotRunnable("needs an address that Slack can reach")
        self._receiver = self._open.enter_context(receiving(local.signing_secret, answers))
        local.events_url = self._receiver.url
        return Seen(200, {"url": self._receiver.url})

    # ── people ──

    def _act(self, act: Act) -> Seen:
        local = self._place.local
        if local is None:
            raise NotRunnable("needs a person's click")
        before = len(local.deliveries)
        answer = getattr(local, act.name)(**{n: self._real(v) for n, v in act.args.items()})
        if act.name not in TELLS_THE_APP or self._socket or self._receiver:
            return Seen(200, {"ts": answer} if isinstance(answer, str) else {})
        self._wait_for(lambda local: len(local.deliveries) > before)
        return Seen(200, local.deliveries[-1].payload)

    def _wait_for(self, true: Callable[[LocalWorkspace], bool]) -> None:
        assert self._place.local is not None
        local = self._place.local
        wait_until(lambda: true(local), "the workspace told the app nothing")

    # ── stand-ins ──

    def _real(self, value: Any) -> Any:
        match value:
            case Known(name):
                if name not in self._place.known:
                    raise NotRunnable(f"no {name} is known here")
                return self._place.known[name]
            case Said(step, path):
                found = at(self._answers[step].body, path)
                assert found is not MISSING, f"step {step} said nothing at {path}"
                return found
            case Mapping():
                return {name: self._real(each) for name, each in value.items()}
            case list():
                return [self._real(each) for each in value]
            case _:
                return value


def _body(call: Call, args: Mapping[str, Any]) -> tuple[bytes, str]:
    """The body and its type. In a form, objects are JSON."""
    if call.sent == "raw":
        return call.raw.encode(), call.content_type or ""
    if call.sent == "json":
        return json.dumps(args).encode(), call.content_type or "application/json; charset=utf-8"
    flat = {
        name: value if isinstance(value, str) else json.dumps(value) for name, value in args.items()
    }
    body = str(httpx.QueryParams(flat)).encode()
    return body, call.content_type or "application/x-www-form-urlencoded"


def _seen(response: httpx.Response) -> Seen:
    body: Any = {"text": response.text}
    with contextlib.suppress(ValueError):
        parsed = response.json()
        body = parsed if isinstance(parsed, dict) else body
    return Seen(response.status_code, body, dict(response.headers))
