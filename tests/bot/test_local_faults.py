"""Trouble on demand, and what the local workspace does when the app is slow, deaf or gone."""

import hashlib
import hmac
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.error import URLError
from urllib.parse import parse_qs

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler

from bot.devtools.workspace import LocalWorkspace
from tests.bot.test_local_support import (
    Listener,
    actions,
    bolt,
    button,
    by_http,
    by_socket,
    client,
    error_of,
    workspace,
)
from tests.support.waiting import WAIT_S_MAX, wait_until


@pytest.fixture
def local() -> Iterator[LocalWorkspace]:
    with workspace() as running:
        yield running


@pytest.fixture
def slack(local: LocalWorkspace) -> WebClient:
    return client(local)


class Endpoint:
    """A plain WSGI app that answers as told, and keeps what it was sent."""

    def __init__(self, *statuses: str, headers: Iterable[tuple[str, str]] = ()) -> None:
        self.statuses = list(statuses)
        self.headers = list(headers)
        self.requests: list[tuple[dict[str, Any], bytes]] = []

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        self.requests.append((environ, body))
        start(self.statuses.pop(0) if self.statuses else "200 OK", self.headers)
        return [b""]

    def sent(self, header: str) -> list[str | None]:
        return [environ.get(f"HTTP_{header}") for environ, _ in self.requests]


# the Web API


def test_a_rate_limit_says_how_long_to_wait_and_then_ends(
    local: LocalWorkspace, slack: WebClient
) -> None:
    local.inject("429", retry_after=7, method="chat.postMessage", times=2)
    slack.auth_test()
    for _ in range(2):
        limited = error_of(slack.chat_postMessage, channel="general", text="x")
        assert (limited.status_code, limited["error"]) == (429, "ratelimited")
        assert limited.headers["Retry-After"] == "7"
    assert slack.chat_postMessage(channel="general", text="x")["ok"]
    assert [call.status for call in local.calls] == [200, 429, 429, 200]


def test_a_fault_of_calls_with_an_argument_leaves_the_others(
    local: LocalWorkspace, slack: WebClient
) -> None:
    local.inject("429", text="x")
    assert slack.chat_postMessage(channel="general", text="y")["ok"]
    assert error_of(slack.chat_postMessage, channel="general", text="x").status_code == 429


def test_the_sdk_waits_out_a_rate_limit(local: LocalWorkspace) -> None:
    patient = client(local, retry_handlers=[RateLimitErrorRetryHandler(max_retry_count=1)])
    local.inject("429", retry_after=0)
    assert patient.chat_postMessage(channel="general", text="x")["ok"]
    assert len(local.messages("general")) == 1


def test_a_server_error_is_not_json(local: LocalWorkspace, slack: WebClient) -> None:
    local.inject("500")
    assert error_of(slack.chat_postMessage, channel="general", text="x").status_code == 500
    assert local.messages("general") == []


@pytest.mark.parametrize(("kind", "posted"), [("drop", 0), ("accept-then-drop", 1)])
def test_a_dropped_connection_may_or_may_not_have_posted(
    local: LocalWorkspace, slack: WebClient, kind: Any, posted: int
) -> None:
    local.inject(kind)
    with pytest.raises((URLError, ConnectionError)):
        slack.chat_postMessage(channel="general", text="x")
    assert len(local.messages("general")) == posted
    assert [call.status for call in local.calls] == [0]
    assert slack.chat_postMessage(channel="general", text="y")["ok"]


def test_a_client_with_default_retries_posts_twice_after_a_drop(local: LocalWorkspace) -> None:
    local.inject("accept-then-drop")
    WebClient(base_url=local.api_url, token=local.bot_token).chat_postMessage(
        channel="general", text="x"
    )
    assert len(local.messages("general")) == 2


def test_a_call_that_is_never_answered_ends_when_the_client_gives_up(
    local: LocalWorkspace,
) -> None:
    hasty = client(local, timeout=0.05)
    hasty.timeout = 0.05  # type: ignore[assignment]  # the SDK passes it on as it is
    local.inject("timeout", method="chat.postMessage")
    with pytest.raises(TimeoutError):
        hasty.chat_postMessage(channel="general", text="x")
    assert local.wait_idle(WAIT_S_MAX)
    assert local.messages("general") == []


def test_a_revoked_token_is_refused_until_it_is_granted_again(
    local: LocalWorkspace, slack: WebClient
) -> None:
    local.inject("revoke")
    assert error_of(slack.auth_test)["error"] == "token_revoked"
    assert error_of(slack.chat_postMessage, channel="general", text="x")["error"] == (
        "token_revoked"
    )
    local.unrevoke()
    assert slack.auth_test()["ok"]


def test_planned_faults_can_be_forgotten(local: LocalWorkspace, slack: WebClient) -> None:
    local.inject("500", times=5)
    local.inject("revoke")
    local.clear_faults()
    assert slack.chat_postMessage(channel="general", text="x")["ok"]
    with pytest.raises(ValueError, match="flood"):
        local.inject("flood")  # type: ignore[arg-type]


# Socket Mode


def test_an_event_without_acknowledgement_comes_again_with_its_id() -> None:
    with (
        workspace(ack_seconds=0.3, retry_delays=(0.0, 0.01, 0.02)) as local,
        Listener(local, acknowledge=False) as app,
    ):
        local.say("Ada", "general", "hello?")
        wait_until(lambda: len(local.deliveries) == 4)
        assert local.wait_idle(WAIT_S_MAX)
    assert [r.retry_attempt for r in app.requests] == [0, 1, 2, 3]
    assert [r.retry_reason for r in app.requests] == ["", "timeout", "timeout", "timeout"]
    assert len({r.payload["event_id"] for r in app.requests}) == 1
    assert len({r.envelope_id for r in app.requests}) == 4
    assert not any(delivery.acked for delivery in local.deliveries)


def test_a_bolt_app_that_fails_gets_the_event_again_and_again_until_it_does_not() -> None:
    with workspace(ack_seconds=2.0, retry_delays=(0.0,)) as local:
        app, seen = bolt(local), []

        @app.event("message")
        def fragile(body: dict[str, Any]) -> None:
            seen.append(body["event_id"])
            if len(seen) == 1:
                raise RuntimeError("not yet")

        with by_socket(local, app):
            local.say("Ada", "general", "hello")
            wait_until(lambda: len(seen) == 2)
            assert local.wait_idle(WAIT_S_MAX)
    assert seen[0] == seen[1]
    assert [(d.acked, d.retry) for d in local.deliveries] == [(False, 0), (True, 1)]


def test_commands_and_clicks_are_never_sent_twice() -> None:
    with (
        workspace(ack_seconds=0.5, retry_delays=(0.0, 0.0)) as local,
        Listener(local, acknowledge=False) as app,
    ):
        local.command("Ada", "general", "/roundtable help")
        wait_until(lambda: len(local.ephemerals) == 1)
        posted = client(local, token=local.bot_token).chat_postEphemeral(
            channel="general",
            user=local.user_id("Ada"),
            text="x",
            blocks=[actions(button("Go", "go"))],
        )
        local.click("Ada", "general", posted["message_ts"], "go")
        wait_until(lambda: len(local.deliveries) == 2)
        assert local.wait_idle(WAIT_S_MAX)
    assert [request.type for request in app.requests] == ["slash_commands", "interactive"]
    assert local.ephemerals[0].text == '/roundtable failed with the error "operation_timeout"'


def test_a_redelivery_repeats_an_acknowledged_event() -> None:
    with workspace() as local, Listener(local) as app:
        local.inject("redeliver")
        local.say("Ada", "general", "once")
        wait_until(lambda: len(local.deliveries) == 2)
        local.say("Ada", "general", "twice")
        wait_until(lambda: len(local.deliveries) == 3)
    first, again, other = app.requests
    assert first.payload == again.payload
    assert (again.retry_attempt, again.retry_reason) == (1, "timeout")
    assert other.payload["event_id"] != first.payload["event_id"]


# A client looks at its connection every few seconds only, and takes a while to make a new one:
# delivery goes on for as long as a test would wait.
PATIENT_S = (0.0, 0.2, 0.5, 1.0, 2.0, *(5.0,) * 17)


@pytest.mark.parametrize("how", ["reset", "close", "refresh"])
def test_a_lost_connection_is_made_anew_and_the_event_arrives(how: Any) -> None:
    with workspace(retry_delays=PATIENT_S) as local, Listener(local) as app:
        assert local.wait_connected(WAIT_S_MAX)
        local.disconnect(how)
        ts = local.say("Ada", "general", "still there?")
        wait_until(lambda: ts in [event["ts"] for event in app.events])
        assert local.wait_idle(WAIT_S_MAX)


def test_an_envelope_lost_with_its_connection_is_sent_again() -> None:
    with (
        workspace(retry_delays=PATIENT_S) as local,
        Listener(local, acknowledge=False) as app,
    ):
        local.say("Ada", "general", "hello")
        wait_until(lambda: len(app.requests) == 1)
        app.acknowledge = True
        local.disconnect("reset")
        wait_until(lambda: len(app.requests) == 2)
        assert local.wait_idle(WAIT_S_MAX)
    tried = [(delivery.status, delivery.retry) for delivery in local.deliveries]
    assert tried[0] == ("connection_lost", 0)
    assert tried[-1][0] == "ack"


def test_events_are_given_up_while_no_connection_is_open() -> None:
    with workspace(retry_delays=(0.0, 0.0, 0.0)) as local:
        with Listener(local):
            assert local.wait_connected(WAIT_S_MAX)
        wait_until(lambda: local.connections == 0)
        local.say("Ada", "general", "anybody?")
        assert local.wait_idle(WAIT_S_MAX)
        assert [(d.status, d.retry) for d in local.deliveries] == [
            ("no_connection", number) for number in range(4)
        ]
        with Listener(local) as back:
            assert local.wait_connected(WAIT_S_MAX)
            local.say("Ada", "general", "and now?")
            wait_until(lambda: len(back.events) == 1)
        assert [event["text"] for event in back.events] == ["and now?"]


def test_delayed_events_are_tried_on_after_the_last_retry() -> None:
    with workspace(retry_delays=(0.0,), delayed_events=True, delayed_every_s=0.02) as local:
        local.say("Ada", "general", "anybody?")
        wait_until(lambda: len(local.deliveries) > 3)
        with Listener(local) as back:
            wait_until(lambda: len(back.events) == 1)
            assert local.wait_idle(WAIT_S_MAX)
    assert local.deliveries[-1].acked


def test_a_stream_that_ends_without_a_close_frame_is_noticed_by_no_more_events() -> None:
    with workspace() as local, Listener(local):
        local.disconnect()
        assert local.connections == 0
        local.say("Ada", "general", "anybody?")
        assert not local.idle()


def test_stopping_with_work_under_way_leaves_nothing_behind() -> None:
    with workspace() as local:
        local.say("Ada", "general", "nobody listens")
        assert not local.wait_idle(0.01)
    assert local.idle()


# signed HTTP


def test_every_http_delivery_is_signed(local: LocalWorkspace) -> None:
    endpoint = Endpoint()
    with by_http(local, endpoint):
        local.say("Ada", "general", "hello")
        local.command("Ada", "general", "/roundtable help me")
        assert local.wait_idle(WAIT_S_MAX)
    for environ, body in endpoint.requests:
        sent_at = environ["HTTP_X_SLACK_REQUEST_TIMESTAMP"]
        assert abs(time.time() - int(sent_at)) < 60
        base = f"v0:{sent_at}:".encode() + body
        expected = hmac.new(local.signing_secret.encode(), base, hashlib.sha256).hexdigest()
        assert environ["HTTP_X_SLACK_SIGNATURE"] == f"v0={expected}"
    bodies = {environ["CONTENT_TYPE"]: body for environ, body in endpoint.requests}
    assert b"event_callback" in bodies["application/json"]
    form = parse_qs(bodies["application/x-www-form-urlencoded"].decode())
    assert (form["command"], form["text"]) == (["/roundtable"], ["help me"])


def test_an_http_error_brings_the_event_again_with_the_retry_headers(
    local: LocalWorkspace,
) -> None:
    endpoint = Endpoint("500 Oops", "404 Gone")
    with by_http(local, endpoint):
        local.say("Ada", "general", "hello")
        assert local.wait_idle(WAIT_S_MAX)
    assert endpoint.sent("X_SLACK_RETRY_NUM") == [None, "1", "2"]
    assert endpoint.sent("X_SLACK_RETRY_REASON") == [None, "http_error", "http_error"]
    assert [delivery.status for delivery in local.deliveries] == ["500", "404", "200"]
    assert len({body for _, body in endpoint.requests}) == 1


def test_an_app_can_refuse_retries(local: LocalWorkspace) -> None:
    endpoint = Endpoint("500 Oops", headers=[("X-Slack-No-Retry", "1")])
    with by_http(local, endpoint):
        local.say("Ada", "general", "hello")
        assert local.wait_idle(WAIT_S_MAX)
    assert len(endpoint.requests) == 1


def test_an_app_that_is_down_is_tried_four_times() -> None:
    with workspace(events_url="http://127.0.0.1:1/", retry_delays=(0.0, 0.0, 0.0)) as local:
        local.say("Ada", "general", "hello")
        local.command("Ada", "general", "/roundtable help")
        assert local.wait_idle(WAIT_S_MAX)
    events = [d for d in local.deliveries if d.kind == "events_api"]
    assert [(d.status, d.retry) for d in events] == [("connection_failed", n) for n in range(4)]
    assert "dispatch_failed" in local.ephemerals[0].text


def test_bolt_refuses_another_signing_secret(local: LocalWorkspace) -> None:
    app = bolt(local)
    local.signing_secret = "another"
    with by_http(local, app):
        local.command("Ada", "general", "/roundtable help")
        assert local.wait_idle(WAIT_S_MAX)
    assert [delivery.status for delivery in local.deliveries] == ["401"]


def test_a_failing_call_of_the_bot_reaches_it_as_an_error(local: LocalWorkspace) -> None:
    app, failures = bolt(local), []

    @app.event("message")
    def answer(say: Any) -> None:
        try:
            say("hello")
        except SlackApiError as refused:
            failures.append(refused.response["error"])

    local.inject("429", method="chat.postMessage")
    with by_http(local, app):
        local.say("Ada", "general", "hello")
        assert local.wait_idle(WAIT_S_MAX)
    assert failures == ["ratelimited"]
