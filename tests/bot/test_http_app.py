"""HTTP mode: what reaches Bolt, and what is turned away before anything is parsed."""

import io
import json
import logging
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import urlencode

import pytest
from pytest_mock import MockerFixture

from bot.server.http_app import BODY_BYTES_MAX, HttpApp
from core.domain.effects import Reply
from core.domain.events import ChoiceMade, MessagePosted, SessionRequested
from core.logs import configure
from tests.support.bolt_front import (
    SECRET,
    Body,
    Front,
    click,
    event_body,
    form,
    posted,
    signed,
    slash,
)
from tests.support.http import LOOPBACK, request, serving
from tests.support.waiting import WAIT_S_MAX

FORM = "application/x-www-form-urlencoded"


@pytest.fixture(params=["json", "console"])
def log_stream(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """Logging as it is set up in earnest, at its most talkative."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    configure(request.param, "debug", stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def port(bot: Front) -> Iterator[int]:
    with serving(app_of(bot)) as port:
        yield port


def app_of(bot: Front, is_healthy: Callable[[], bool] = lambda: True) -> HttpApp:
    return HttpApp(bot.app, signing_secret=SECRET, is_healthy=is_healthy, threads=2)


def sent(port: int, body: str, content_type: str = "application/json") -> tuple[int, bytes]:
    """As Slack sends it, signed now."""
    headers = {"Content-Type": content_type, **signed(body, time.time())}
    status, _, raw = request(port, body=body.encode(), headers=headers)
    return status, raw


def test_the_app_hears_how_often_slack_had_to_try(bot: Front, mocker: MockerFixture) -> None:
    delivered = mocker.stub()
    app = HttpApp(
        bot.app, signing_secret=SECRET, is_healthy=lambda: True, threads=2, delivered=delivered
    )
    body = json.dumps(event_body(posted()))
    with serving(app) as port:
        for retry in ({}, {"X-Slack-Retry-Num": "2"}):
            headers = {"Content-Type": "application/json", **signed(body, time.time()), **retry}
            assert request(port, body=body.encode(), headers=headers)[0] == 200
        unsigned = {"Content-Type": "application/json", "X-Slack-Retry-Num": "3"}
        assert request(port, body=body.encode(), headers=unsigned)[0] == 401
    assert delivered.call_args_list == [mocker.call(""), mocker.call("2")]


def refused(port: int, body: bytes, headers: Mapping[str, str]) -> int:
    return request(port, body=body, headers=headers)[0]


# ── what Slack sends ───────────────────────────────────────────────────────────────────────────


def test_a_signed_event_reaches_the_runtime(port: int, bot: Front) -> None:
    bot.runtime.opened()
    assert sent(port, json.dumps(event_body(posted("naïve ✓")))) == (200, b"")
    (event,) = bot.runtime.events
    assert isinstance(event, MessagePosted)
    assert event.text == "naïve ✓"


def test_a_signed_click_reaches_the_runtime(port: int, bot: Front) -> None:
    assert sent(port, form(click("menu:continue", "m-1")), FORM) == (200, b"")
    assert isinstance(bot.runtime.events[0], ChoiceMade)


def test_a_command_is_answered_as_json(port: int, bot: Front) -> None:
    bot.runtime.replies[SessionRequested] = Reply("starting", {"title": "Retry"})
    body = urlencode(slash("analyze Retry"))
    headers = {"Content-Type": FORM, **signed(body, time.time())}
    status, answered, raw = request(port, body=body.encode(), headers=headers)
    assert status == 200
    assert answered["content-type"].startswith("application/json")
    assert json.loads(raw)["response_type"] == "ephemeral"


def test_the_address_is_verified_with_its_challenge(port: int) -> None:
    body = json.dumps({"type": "url_verification", "challenge": "c-1", "token": "t"})
    status, raw = sent(port, body)
    assert (status, json.loads(raw)) == (200, {"challenge": "c-1"})


def test_what_was_not_committed_is_a_500_so_that_slack_sends_it_again(
    port: int, bot: Front
) -> None:
    bot.runtime.failing = RuntimeError("database is locked")
    assert sent(port, json.dumps(event_body(posted())))[0] == 500


# ── what is turned away ────────────────────────────────────────────────────────────────────────


def test_a_malformed_timestamp_is_401(port: int) -> None:
    for stamp in ("", "soon", "12.5", "-1", "1e9", " 1", "١٢٣", "9" * 400):
        headers = {**signed("{}", time.time()), "X-Slack-Request-Timestamp": stamp}
        assert refused(port, b"{}", headers) == 401, stamp


def test_a_stale_or_future_timestamp_is_401(port: int) -> None:
    for age in (-301, 301):
        assert refused(port, b"{}", signed("{}", time.time() - age)) == 401, age


def test_a_bad_signature_is_401(port: int) -> None:
    for signature in ("", "v0=", "v0=00", "v0=é", "v1=" + "0" * 64):
        headers = {**signed("{}", time.time()), "X-Slack-Signature": signature}
        assert refused(port, b"{}", headers) == 401, signature


def test_another_secret_no_headers_and_other_bodies_are_401(port: int, bot: Front) -> None:
    bot.runtime.opened()
    body = json.dumps(event_body(posted()))
    assert refused(port, body.encode(), signed(body, time.time(), "other")) == 401
    assert refused(port, body.encode(), {}) == 401
    assert refused(port, b"\xff\xfe", signed("", time.time())) == 401
    assert refused(port, body.encode() + b" ", signed(body, time.time())) == 401
    assert bot.runtime.calls == []


def head(headers: Mapping[str, str]) -> bytes:
    lines = ["POST /slack/events HTTP/1.1", "Host: roundtable"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def status_line(connection: socket.socket) -> bytes:
    with connection.makefile("rb") as answer:
        return answer.readline()


def test_a_body_that_is_too_long_is_413_and_is_not_read(port: int) -> None:
    length = {"Content-Length": str(BODY_BYTES_MAX + 1)}
    with socket.create_connection((LOOPBACK, port), timeout=WAIT_S_MAX) as connection:
        connection.sendall(head(length | signed("", time.time())))
        assert b" 413 " in status_line(connection)  # and not a byte of the body was sent


def test_a_body_of_untold_length_is_413_once_it_is_too_long(port: int) -> None:
    chunk = b"%x\r\n%b\r\n" % (50_000, b"x" * 50_000)
    chunked = {"Transfer-Encoding": "chunked"}
    with socket.create_connection((LOOPBACK, port), timeout=WAIT_S_MAX) as connection:
        connection.sendall(head(chunked | signed("", time.time())))
        for _ in range(BODY_BYTES_MAX // 50_000):
            connection.sendall(chunk)
        connection.sendall(b"1\r\nx\r\n")  # which never ends
        assert b" 413 " in status_line(connection)


def test_a_body_is_not_waited_for_when_the_headers_show_that_slack_did_not_sign_it(
    port: int,
) -> None:
    stale = signed("", time.time() - 400)
    with socket.create_connection((LOOPBACK, port), timeout=WAIT_S_MAX) as connection:
        connection.sendall(head({"Content-Length": "1000"} | stale))
        assert b" 401 " in status_line(connection)


MALFORMED = (
    *("{", '{"type": ', "payload=%7B", "", "{}", "[]", "null", "7", '"x"', '{"type": 7}', "a=b"),
    *("payload=[]", "payload=null", "payload=", "payload=7", "[" * 100_000, '{"a":' * 100_000),
    *('{"type": "event_callback"}', '{"type": "event_callback", "event": null}'),
    *('{"type": "event_callback", "event": "message"}', '{"type": "view_closed", "view": null}'),
    *('{"type": "event_callback", "event": {"type": {}}}', '{"type": "x", "event": []}'),
    *('{"type": "event_callback", "event": {"type": "x"}, "authorizations": 5}', '{"command": 1}'),
    *('{"type": "block_actions", "actions": []}', '{"type": "block_actions", "actions": [7]}'),
    *('{"type": "shortcut", "callback_id": []}', '{"type": "view_submission", "view": []}'),
    *('{"type": "event_callback", "event": {"type": "x"}, "team": 7}', '{"command": null}'),
    '{"type": "workflow_step_edit", "callback_id": "x"}',
    *('{"type": "x", "response_urls": 5}', '{"type": "x", "response_urls": [5]}'),
    *("9" * 5_000, '{"type": "x", "user": ' + "9" * 5_000 + "}", '{"type": "x", "user": 7}'),
)


def test_a_malformed_signed_body_is_400_without_a_traceback(
    port: int, bot: Front, log_stream: io.StringIO
) -> None:
    for body in MALFORMED:
        for content_type in ("application/json", FORM):
            assert sent(port, body, content_type)[0] == 400, body[:40]
    assert "Traceback" not in log_stream.getvalue()
    assert "exception" not in log_stream.getvalue()
    assert bot.runtime.calls == []


def test_a_check_of_the_address_is_answered(port: int) -> None:
    assert sent(port, "ssl_check=1&token=x", FORM)[0] == 200


def test_a_check_of_the_certificate_is_answered_without_a_signature(port: int, bot: Front) -> None:
    form = {"Content-Type": FORM}
    assert request(port, "GET", "/slack/events?ssl_check=1&token=x")[0] == 200
    assert request(port, "POST", "/slack/events", "ssl_check=1&token=x", form)[0] == 200
    assert request(port, "POST", "/slack/events", "ssl_check=2&token=x", form)[0] == 401
    assert request(port, "POST", "/slack/events", "ssl_check=1&x=" + "y" * 300, form)[0] == 401
    assert bot.runtime.calls == []


def test_other_places_and_methods(port: int) -> None:
    for method, path, status in (
        ("GET", "/", 404),
        ("POST", "/slack/events/", 404),
        ("GET", "/slack/install", 404),
        ("GET", "/slack/events", 405),
        ("PUT", "/slack/events", 405),
        ("POST", "/healthz", 405),
    ):
        code, headers, _ = request(port, method, path)
        assert code == status, (method, path)
        assert ("allow" in headers) == (status == 405)


def test_no_body_is_ever_logged(port: int, bot: Front, log_stream: io.StringIO) -> None:
    bot.runtime.failing = RuntimeError("database is locked")
    body = json.dumps(event_body(posted("private words")))
    sent(port, body)
    refused(port, body.encode(), signed(body, time.time(), "other"))
    logged = log_stream.getvalue()
    assert "request.failed" in logged
    assert "request.refused" in logged
    assert "private words" not in logged


# ── /healthz ───────────────────────────────────────────────────────────────────────────────────


def failing() -> bool:
    raise OSError("disk gone")


@pytest.mark.parametrize(
    ("healthy", "status", "body"),
    [
        (lambda: True, 200, {"ok": True}),
        (lambda: False, 503, {"ok": False}),
        (failing, 503, {"ok": False}),
    ],
)
def test_health_is_whether_the_database_answers(
    bot: Front, healthy: Callable[[], bool], status: int, body: Body
) -> None:
    with serving(app_of(bot, healthy)) as port:
        found, headers, raw = request(port, "GET", "/healthz")
        assert (found, json.loads(raw)) == (status, body)
        assert request(port, "HEAD", "/healthz")[::2] == (status, b"")
    assert headers["content-length"] == str(len(raw))
