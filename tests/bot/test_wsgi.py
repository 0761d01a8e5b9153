"""HTTP mode: what reaches Bolt, and what is turned away before anything is parsed."""

import io
import json
import logging
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode
from wsgiref.validate import validator

import pytest

from bot.wsgi import BODY_BYTES_MAX, Application, wsgi_app
from core.domain.effects import Reply
from core.domain.events import ChoiceMade, MessagePosted, SessionRequested
from core.logs import configure
from tests.bot.front import (
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
def app(bot: Front) -> Application:
    return wsgi_app(bot.app, signing_secret=SECRET, healthy=lambda: True)


def request(
    app: Application,
    method: str = "POST",
    path: str = "/slack/events",
    body: bytes = b"",
    content_type: str = "application/json",
    **headers: str,
) -> tuple[int, dict[str, str], bytes]:
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "3000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "CONTENT_LENGTH": str(len(body)),
        "CONTENT_TYPE": content_type,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": io.StringIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()},
    }
    seen: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], *_: Any) -> Any:
        seen.extend((int(status.split()[0]), dict(headers)))
        return lambda _data: None

    result = validator(app)(environ, start_response)
    try:
        raw = b"".join(result)
    finally:
        result.close()  # type: ignore[attr-defined]
    status, answered = seen
    return status, answered, raw


def sent(app: Application, body: str, content_type: str = "application/json") -> tuple[int, bytes]:
    """As Slack sends it, signed now."""
    headers = signed(body, time.time())
    status, _, raw = request(app, body=body.encode(), content_type=content_type, **headers)
    return status, raw


# ── what Slack sends ───────────────────────────────────────────────────────────────────────────


def test_a_signed_event_reaches_the_runtime(app: Application, bot: Front) -> None:
    bot.runtime.opened()
    assert sent(app, json.dumps(event_body(posted("naïve ✓")))) == (200, b"")
    (event,) = bot.runtime.events
    assert isinstance(event, MessagePosted)
    assert event.text == "naïve ✓"


def test_a_signed_click_reaches_the_runtime(app: Application, bot: Front) -> None:
    assert sent(app, form(click("menu:continue", "m-1")), FORM) == (200, b"")
    assert isinstance(bot.runtime.events[0], ChoiceMade)


def test_a_command_is_answered_as_json(app: Application, bot: Front) -> None:
    bot.runtime.replies[SessionRequested] = Reply("starting", {"title": "Retry"})
    body = urlencode(slash("analyze Retry"))
    status, headers, raw = request(
        app, body=body.encode(), content_type=FORM, **signed(body, time.time())
    )
    assert status == 200
    assert headers["Content-Type"].startswith("application/json")
    assert json.loads(raw)["response_type"] == "ephemeral"


def test_the_address_is_verified_with_its_challenge(app: Application) -> None:
    body = json.dumps({"type": "url_verification", "challenge": "c-1", "token": "t"})
    status, raw = sent(app, body)
    assert (status, json.loads(raw)) == (200, {"challenge": "c-1"})


def test_what_was_not_committed_is_a_500_so_that_slack_sends_it_again(
    app: Application, bot: Front
) -> None:
    bot.runtime.failing = RuntimeError("database is locked")
    assert sent(app, json.dumps(event_body(posted())))[0] == 500


# ── what is turned away ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("stamp", ["", "soon", "12.5", "-1", "1e9", " 1", "١٢٣", "9" * 400])
def test_a_malformed_timestamp_is_401(app: Application, stamp: str) -> None:
    headers = {**signed("{}", time.time()), "X-Slack-Request-Timestamp": stamp}
    assert request(app, body=b"{}", **headers)[0] == 401


@pytest.mark.parametrize("age", [-301, 301])
def test_a_stale_or_future_timestamp_is_401(app: Application, age: int) -> None:
    assert request(app, body=b"{}", **signed("{}", time.time() - age))[0] == 401


@pytest.mark.parametrize("signature", ["", "v0=", "v0=00", "v0=é", "v1=" + "0" * 64])
def test_a_bad_signature_is_401(app: Application, signature: str) -> None:
    headers = {**signed("{}", time.time()), "X-Slack-Signature": signature}
    assert request(app, body=b"{}", **headers)[0] == 401


def test_another_secret_no_headers_and_other_bodies_are_401(app: Application, bot: Front) -> None:
    bot.runtime.opened()
    body = json.dumps(event_body(posted()))
    assert request(app, body=body.encode(), **signed(body, time.time(), "other"))[0] == 401
    assert request(app, body=body.encode())[0] == 401
    assert request(app, body=b"\xff\xfe", **signed("", time.time()))[0] == 401
    assert request(app, body=body.encode() + b" ", **signed(body, time.time()))[0] == 401
    assert bot.runtime.calls == []


def test_a_body_that_is_too_long_is_413_and_is_not_read(app: Application) -> None:
    body = b"x" * (BODY_BYTES_MAX + 1)
    assert request(app, body=body, **signed(body.decode(), time.time()))[0] == 413


@pytest.mark.parametrize("body", ["{", '{"type": ', "payload=%7B"])
def test_a_signed_body_that_is_no_json_is_400(app: Application, body: str) -> None:
    assert sent(app, body)[0] == 400


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("POST", "/slack/events/", 404),
        ("GET", "/slack/install", 404),
        ("GET", "/slack/events", 405),
        ("PUT", "/slack/events", 405),
        ("POST", "/healthz", 405),
    ],
)
def test_other_places_and_methods(app: Application, method: str, path: str, status: int) -> None:
    found, headers, _ = request(app, method, path)
    assert found == status
    assert ("Allow" in headers) == (status == 405)


def test_no_body_is_ever_logged(app: Application, bot: Front, log_stream: io.StringIO) -> None:
    bot.runtime.failing = RuntimeError("database is locked")
    body = json.dumps(event_body(posted("private words")))
    sent(app, body)
    request(app, body=body.encode(), **signed(body, time.time(), "other"))
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
    bot: Front, healthy: Any, status: int, body: Body
) -> None:
    app = wsgi_app(bot.app, signing_secret=SECRET, healthy=healthy)
    found, headers, raw = request(app, "GET", "/healthz")
    assert (found, json.loads(raw)) == (status, body)
    assert request(app, "HEAD", "/healthz")[::2] == (status, b"")
    assert headers["Content-Length"] == str(len(raw))
