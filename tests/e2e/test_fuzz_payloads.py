"""Slack's payloads in any shape: acknowledged or refused as documented, and never a crash."""

import copy
import json
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.payloads import inbound_clicks, inbound_messages, inbound_views
from bot.payloads.payload_models import UnreadablePayloadError
from bot.server.http_app import HttpApp
from tests.support.bolt_front import (
    BOT,
    CHANNEL,
    NOW,
    SECRET,
    TEAM,
    WORKSPACE,
    Body,
    Front,
    ListeningSlack,
    click,
    deleted,
    edited,
    event_body,
    front,
    listening_slack,
    mention,
    message_shortcut,
    posted,
    reaction,
    shortcut,
    signed,
    slash,
    submission,
    view_click,
)
from tests.support.hostile import can_be_stored, within
from tests.support.http import LOOPBACK, request, serving

SECONDS = 10.0
CHARS_MAX = 40_000
GOOD: dict[str, Body] = {
    "answer": event_body(posted()),
    "file": event_body(posted("", files=[{"name": "a.pdf", "permalink": "https://a"}])),
    "edit": event_body(edited()),
    "deletion": event_body(deleted()),
    "mention": event_body(mention("analyze Retry payments --depth deep")),
    "mention in a thread": event_body(mention("status", thread_ts="100.000100")),
    "other event": event_body({"type": "reaction_added", "user": "U2"}),
    "thumb up": event_body(reaction()),
    "thumb taken off": event_body(reaction("-1::skin-tone-3", on=False)),
    "differ": click("differ:say", "s-1-step"),
    "settle": click("differ:settle", "s-1-settling"),
    "differ form": submission("differ", "s-1-step C1 1.5", answer="a", reason="No."),
    "settle form": submission("settle", "s-1-step C1 ", stands="both", reason="No.", decider="U2"),
    "sort": click("sort:00-01", "s-1"),
    "sorting form": submission(
        "sorting", "s-1 00-01 C1 1.5 00000000 0 1n", **{"00000000:1": "note"}
    ),
    "which form": submission("sorting-which", "s-1 00-01 C1  00000000 0 1c,2p"),
    "choice": click("menu:continue", "s-1-prompt"),
    "overflow": click("overflow", selected_option={"value": "pause"}),
    "pause": click("card:pause", "s-1"),
    "export": click("card:export", "s-1"),
    "unknown click": click("nothing:here", "x"),
    "command": slash("analyze Retry payments"),
    "status": slash("status --errors"),
    "cancel": slash("cancel retry-payments"),
    "home": event_body({"type": "app_home_opened", "user": "U1", "tab": "home"}),
    "home button": view_click("home:start", "start"),
    "home page": view_click("home:page:on", "3"),
    "form again": click("start:again", "s-1"),
    "shortcut": shortcut("start"),
    "old shortcut": shortcut("x"),
    "not an answer": message_shortcut("not_an_answer"),
    "take this": message_shortcut("take_this"),
    "start form": submission(),
    "take form": submission("take_this", f"{CHANNEL}\n1.5\n1.4\nhttps://hooks.slack.com/1\nmember"),
    "view": {
        "type": "view_submission",
        "team": {"id": TEAM},
        "user": {"id": "U1"},
        "view": {"id": "V1", "callback_id": "x", "type": "modal", "state": {"values": {}}},
    },
}
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 10**30, 1e308, "", " ", "x", "U1", "C1", TEAM, BOT, "\x00"),
    *("1.2", "９.９", "1.2\n", "9" * 40 + ".9", "-1.0", "../../x", "U1\n", "<@U0BOT>", "%s{0}"),
    *([], {}, [None], [[]], {"": None}, {"id": None}, {"id": ["U1"]}, [{}], {"value": {}}),
    *("a" * CHARS_MAX, " " * CHARS_MAX, "<" * CHARS_MAX, "<a|" * 13_000, "&amp;" * 8_000),
    *("<@U0BOT> " * 4_000, "analyze " + "--a " * 9_000, "analyze x" + " " * 30_000 + "y"),
    *("analyze " + '"' * 30_000, "analyze \u202e\u2028", "status --errors=" + "x" * 30_000),
    *("–" * 9_000, "//" * 9_000, "🙂" * 9_000, "\ud800", "a\udfff", "ｓtatus", "help\x00"),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a payload, the payload itself left out."""
    listed = list(enumerate(value)) if isinstance(value, list) else []
    items: list[tuple[Any, Any]] = list(value.items()) if isinstance(value, dict) else listed
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


GONE = object()


def changed(payload: Body, path: tuple[Any, ...], value: Any) -> Body:
    """A copy with another value in one place, or with nothing there."""
    body = copy.deepcopy(payload)
    here: Any = body
    for key in path[:-1]:
        here = here[key]
    if value is GONE:
        del here[path[-1]]
    else:
        here[path[-1]] = copy.deepcopy(value)
    return body


# What Slack's shape has no room for is unreadable, and nothing else


READ: dict[str, Callable[[Body], object]] = {
    "message": lambda body: inbound_messages.message_heard(body, WORKSPACE, NOW),
    "mention": lambda body: inbound_messages.mention_heard(body, WORKSPACE, NOW),
    "click": lambda body: inbound_clicks.click_made(body, WORKSPACE),
    "command": lambda body: inbound_clicks.command_given(body, WORKSPACE),
    "shortcut": lambda body: inbound_views.shortcut_used(body, WORKSPACE),
    "form": lambda body: inbound_views.view_submitted(body, WORKSPACE),
    "view": lambda body: inbound_views.view_clicked(body, WORKSPACE),
    "home": inbound_views.home_opened,
}


def read(body: Body) -> None:
    for kind in READ:
        with within(SECONDS):
            try:
                found = READ[kind](body)
            except UnreadablePayloadError as refused:
                told = str(refused)
            else:
                assert can_be_stored(found)
                continue
        assert len(told) < 300
        assert told.isprintable()


@pytest.mark.parametrize("name", GOOD)
def test_a_payload_changed_in_any_place_is_read_or_unreadable(name: str) -> None:
    for path in places(GOOD[name]):
        for value in (GONE, *ODD):
            read(changed(GOOD[name], path, value))


JSON = st.recursive(
    st.sampled_from(ODD) | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "ts", "user", "text", "type", "event", ""]), inner)
    ),
    max_leaves=6,
)
KEYS = st.sampled_from(sorted({str(path[-1]) for body in GOOD.values() for path in places(body)}))


@given(st.dictionaries(KEYS, JSON, max_size=8))
def test_any_object_is_read_or_unreadable(body: Body) -> None:
    read(body)


def test_half_a_character_in_a_control_or_a_key_becomes_a_question_mark() -> None:
    pressed = inbound_clicks.click_made(click("menu:\ud800", "\udfff\x00"), WORKSPACE)
    assert pressed is not None
    assert (pressed.action_id, pressed.value) == ("menu:?", "?")
    line = inbound_clicks.command_given(slash("help", trigger="1.\ud800"), WORKSPACE)
    assert line.keys == ("act:T1:U1:1.?",)


# Through Bolt


@pytest.fixture(scope="module")
def server() -> Iterator[ListeningSlack]:
    with listening_slack() as slack:
        yield slack


@pytest.fixture(scope="module")
def bot(server: ListeningSlack) -> Front:
    made = front(server)
    made.runtime.opened()
    return made


def delivered(bot: Front, body: Body) -> int:
    bot.slack.calls.clear()
    bot.runtime.keys.clear()
    bot.runtime.opened()
    with within(SECONDS):
        return bot.deliver(body).status


def is_documented(body: Body, status: int) -> bool:
    """Slack sends an event again that was refused, and nothing else."""
    return status == 200 or (status == 500 and body["type"] == "event_callback")


# Bolt reads these itself, before any of our code, and is no part of what is tested here. Where an
# id stands in one of them it may be any text.
BOLTS = {"type", "event", "command", "callback_id", "team", "user", "channel", "actions", "view"}
BOLTS |= {"authorizations", "action_id", "message", "previous_message", "response_urls", 0}


def may_be(path: tuple[Any, ...], before: Any, value: Any) -> bool:
    if path[-1] in ("type", "command", "callback_id"):
        return False
    if path[-1] not in BOLTS:
        return True
    return isinstance(before, str) and isinstance(value, str)


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


CHOSEN: tuple[Any, ...] = (GONE, None, "", "x", 7, [], {}, [{}], "\ud800", "U1", "9.9", BOT, True)


@pytest.mark.parametrize("name", GOOD)
def test_a_payload_changed_in_any_place_is_acknowledged(bot: Front, name: str) -> None:
    good = GOOD[name]
    for path in places(good):
        for value in CHOSEN:
            if may_be(path, at(good, path), value):
                body = changed(good, path, value)
                assert is_documented(body, delivered(bot, body)), (path, value)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.sampled_from(sorted(GOOD)), st.data())
def test_a_payload_changed_in_several_places_is_acknowledged(
    bot: Front, name: str, data: st.DataObject
) -> None:
    body = GOOD[name]
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(list(places(body))))
        value = data.draw(st.sampled_from(ODD))
        if may_be(path, at(body, path), value):
            body = changed(body, path, value)
    assert is_documented(body, delivered(bot, body))


# Over HTTP


@pytest.fixture
def port(bot: Front) -> Iterator[int]:
    with serving(
        HttpApp(bot.app, signing_secret=SECRET, is_healthy=lambda: True, threads=2)
    ) as port:
        yield port


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.sampled_from(sorted(GOOD)), st.data())
def test_a_signed_payload_of_any_shape_is_answered_without_a_traceback(
    port: int, caplog: pytest.LogCaptureFixture, name: str, data: st.DataObject
) -> None:
    path = data.draw(st.sampled_from(list(places(GOOD[name]))))
    body = json.dumps(changed(GOOD[name], path, data.draw(st.sampled_from((GONE, *ODD)))))
    caplog.clear()
    headers = {"Content-Type": "application/json", **signed(body, time.time())}
    assert request(port, body=body.encode(), headers=headers)[0] in (200, 400, 404)
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    st.binary(max_size=60) | st.sampled_from([json.dumps(body).encode() for body in GOOD.values()]),
    st.dictionaries(
        st.sampled_from(["X-Slack-Signature", "X-Slack-Request-Timestamp"]),
        st.text(st.characters(codec="latin-1"), max_size=80) | st.sampled_from(["v0=", "9" * 12]),
    ),
    st.sampled_from(["", "0", "-1", "7", "1e3", "９", "9" * 40, "1_0"]) | st.none(),
)
def test_what_slack_did_not_sign_is_refused_unread(
    bot: Front, port: int, raw: bytes, headers: dict[str, str], length: str | None
) -> None:
    length = str(len(raw)) if length is None else length
    lines = ["POST /slack/events HTTP/1.1", "Host: roundtable", f"Content-Length: {length}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    before = list(bot.runtime.calls)
    with socket.create_connection((LOOPBACK, port), timeout=SECONDS) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode("utf-8") + raw)
        with connection.makefile("rb") as answer:
            assert answer.readline().split()[1] in (b"400", b"401", b"413")
    assert bot.runtime.calls == before
