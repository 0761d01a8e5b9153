"""Logs: fixed keys in a fixed order, and nothing in them that opens a door."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock, call

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st
from pytest_mock import MockerFixture

from core import logs
from core.logs import KNOWN_MAX, REDACTED, configure, in_order, redact, redacted
from core.secrets import has_secret


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    written = io.StringIO()
    configure("json", "info", written)
    yield written
    root.handlers[:] = handlers
    root.setLevel(level)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_an_entry_is_one_json_line_with_its_keys_in_order(stream: io.StringIO) -> None:
    log = structlog.get_logger("core.runtime.commit")
    log.info("session.moved", zeal=1, now="choosing", was="asking", session="s-1", alpha=2)
    (entry,) = lines(stream)
    order = ["timestamp", "level", "event", "logger", "session", "was", "now", "alpha", "zeal"]
    assert list(entry) == order
    assert (entry["event"], entry["logger"], entry["level"]) == (
        "session.moved",
        "core.runtime.commit",
        "info",
    )


def test_the_standard_library_goes_the_same_way(stream: io.StringIO) -> None:
    logging.getLogger("uvicorn.error").warning("worker %s says %s", 7, "xoxb-12345678-abc")
    (entry,) = lines(stream)
    assert entry["event"] == "worker 7 says [redacted: Slack bot token]"
    assert (entry["logger"], entry["level"]) == ("uvicorn.error", "warning")


def test_the_level_is_kept_for_both(stream: io.StringIO) -> None:
    structlog.get_logger("a").debug("quiet")
    logging.getLogger("b").debug("quiet")
    assert lines(stream) == []


def test_setting_up_twice_writes_once(stream: io.StringIO) -> None:
    configure("json", "info", stream)
    structlog.get_logger("a").info("once")
    assert len(lines(stream)) == 1


def test_an_exception_stands_last_and_without_what_a_driver_repeats(stream: io.StringIO) -> None:
    message = "no\n[SQL: INSERT INTO answers]\n[parameters: ('private words', \"it's\")]\n(more)"
    try:
        raise RuntimeError(message)
    except RuntimeError:
        structlog.get_logger("a").exception("request.failed", on="command")
    (entry,) = lines(stream)
    assert list(entry)[-1] == "exception"
    assert "RuntimeError: no" in entry["exception"]
    assert "private words" not in entry["exception"]
    assert f"[parameters: {REDACTED}]" in entry["exception"]


def test_for_a_terminal_it_is_readable(stream: io.StringIO) -> None:
    configure("console", "info", stream)
    structlog.get_logger("a").info("session.moved", token="xoxb-12345678", session="s-1")
    assert "session.moved" in stream.getvalue()
    assert "xoxb" not in stream.getvalue()


def test_nothing_that_is_logged_steers_a_terminal(stream: io.StringIO) -> None:
    configure("console", "info", stream)
    structlog.get_logger("a").info("name\u202eeman", by="Ada\u202eadA", title="a\x1b]0;b\x07")
    assert {*"\u202e\x07"}.isdisjoint(stream.getvalue())
    assert "\x1b]" not in stream.getvalue()


@pytest.mark.parametrize(
    "text",
    [
        "xoxb-123456789012-123456789012-abcdefABCDEF",
        "xoxe.xoxp-1-Mi0yLTk5OTk5OTk5",
        "xoxp-123456-abc%2D",
        "xapp-1-A012-345-abcdef",
        "Bearer abcdefgh12345678",
        "postgresql://me:hunter2@db/x",
        "sk-proj-abcdefghijklmnop1234",
        "password: hunter2",
    ],
)
def test_what_opens_a_door_is_redacted(text: str) -> None:
    kept = redacted(f"before {text} after")
    assert text not in kept
    assert kept.startswith("before ")
    assert kept.endswith(" after")
    assert "[redacted: " in kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("xoxb-a-short-one", REDACTED),
        ("bearer opaque-words", f"bearer {REDACTED}"),
        ("https://hooks.slack.com/commands/T1/2/abc", f"https://hooks.slack.com/{REDACTED}"),
        ("postgresql://guest:guest@db/x", f"postgresql://{REDACTED}@db/x"),
        ("[parameters: ('private', 'words')]", f"[parameters: {REDACTED}]"),
    ],
)
def test_a_log_is_stricter_than_a_thread(text: str, kept: str) -> None:
    assert not has_secret(text)
    assert redacted(text) == kept


@pytest.mark.parametrize(
    "name",
    ["token", "bot_token", "SLACK_SIGNING_SECRET", "Authorization", "text", "body", "api_key"],
)
def test_a_name_that_promises_a_secret_is_believed(name: str) -> None:
    entry = redact(None, "info", {"outer": {name: "open sesame"}, name: ["open", "sesame"]})
    assert "sesame" not in str(entry)


@pytest.mark.parametrize("name", ["tokens_used", "context", "textual", "session", "secretary"])
def test_a_name_that_only_sounds_like_it_is_not(name: str) -> None:
    assert redact(None, "info", {name: "kept"}) == {name: "kept"}


def test_what_was_harmless_under_one_name_is_not_under_another() -> None:
    for _ in range(2):
        assert redact(None, "info", {"step": "open sesame"}) == {"step": "open sesame"}
    assert redact(None, "info", {"token": "open sesame"}) == {"token": REDACTED}


def test_a_credential_is_found_every_time() -> None:
    for _ in range(3):
        assert TOKEN not in str(redact(None, "info", {"why": TOKEN, "session": "s-1"}))


def test_what_is_remembered_as_harmless_has_an_end() -> None:
    for number in range(2 * KNOWN_MAX):
        redact(None, "info", {"session": f"s-{number}"})
    assert len(logs._known) <= KNOWN_MAX + 3


def test_half_a_character_is_written_all_the_same(stream: io.StringIO) -> None:
    structlog.get_logger("a").info("a.b", why="half \ud83d of it")
    assert lines(stream)[0]["why"] == "half \ufffd of it"


@pytest.mark.parametrize("layout", ["json", "console"])
def test_no_value_turns_a_line_of_the_log(layout: logs.Format, stream: io.StringIO) -> None:
    configure(layout, "info", stream)
    structlog.get_logger("a").info("a.b", why="No\u202e.sey\u200b deerga Maya\u2069")
    assert "sey deerga Maya" in stream.getvalue()
    assert not any(sign in stream.getvalue() for sign in "\u202e\u200b\u2069")


def test_numbers_and_nesting_survive() -> None:
    entry = {"count": 3, "done": True, "none": None, "steps": ("01-01", {"xoxb": "xoxb-1234567"})}
    assert redact(None, "info", entry) == {
        "count": 3,
        "done": True,
        "none": None,
        "steps": ["01-01", {"xoxb": REDACTED}],
    }


def test_a_value_without_end_is_cut() -> None:
    loop: dict[str, Any] = {}
    loop["again"] = loop
    assert REDACTED in str(redact(None, "info", {"loop": loop}))
    assert len(str(redact(None, "info", {"long": "x" * 100_000})["long"])) == 20_000


# Who wants to know of secrets


TOKEN = "xoxb-123456789012-123456789012-" + "abcdefABCDEF"


@pytest.fixture
def on_secret(stream: io.StringIO, mocker: MockerFixture) -> Mock:
    stub: Mock = mocker.stub()
    configure("json", "info", stream, on_secret=stub)
    return stub


def test_a_secret_in_a_value_is_told_once_with_its_session(
    stream: io.StringIO, on_secret: Mock
) -> None:
    structlog.get_logger("a").info(
        "step.read", session="s-1", why=TOKEN, more=[TOKEN, {"x": TOKEN}]
    )
    on_secret.assert_called_once_with("s-1", "slack-bot-token")
    assert TOKEN not in stream.getvalue()


def test_the_session_may_come_from_the_context_or_be_unknown(
    stream: io.StringIO, on_secret: Mock
) -> None:
    with structlog.contextvars.bound_contextvars(session="s-2"):
        structlog.get_logger("a").info("step.read", why=f"{TOKEN} and password: hunter2")
    logging.getLogger("uvicorn.error").warning("it said %s", TOKEN)
    assert on_secret.call_args_list == [
        call("s-2", "slack-bot-token"),
        call("s-2", "password"),
        call(None, "slack-bot-token"),
    ]


def test_nobody_is_told_of_what_is_no_secret(stream: io.StringIO, on_secret: Mock) -> None:
    log = structlog.get_logger("a")
    log.info("session.moved", session="s-1", now="choosing")
    log.info("a.b", token=TOKEN, text=TOKEN)  # redacted by name, never looked at
    log.info("a.b", url="postgresql://guest:guest@db/x", why="the password is reset by mail")
    on_secret.assert_not_called()


def test_who_is_told_may_log_the_secret_and_is_not_told_again(
    stream: io.StringIO, on_secret: Mock
) -> None:
    def loudly(_session: str | None, _kind: str) -> None:
        structlog.get_logger("b").info("halted", why=TOKEN)
        logging.getLogger("b").info("halted for %s", TOKEN)

    on_secret.side_effect = loudly
    for _ in range(2):
        structlog.get_logger("a").info("step.read", why=TOKEN)
    assert on_secret.call_args_list == [call(None, "slack-bot-token")] * 2
    assert [entry["event"].partition(" ")[0] for entry in lines(stream)] == [
        "halted",
        "halted",
        "step.read",
    ] * 2
    assert TOKEN not in stream.getvalue()


def test_who_is_told_may_fail_and_the_line_is_written(stream: io.StringIO) -> None:
    def fails(_session: str | None, _kind: str) -> None:
        raise RuntimeError(f"no halt for {TOKEN}")

    configure("json", "info", stream, on_secret=fails)
    structlog.get_logger("a").info("step.read", why=TOKEN)
    untold, read = lines(stream)
    assert (untold["event"], untold["level"]) == ("secret.untold", "warning")
    assert "no halt for [redacted: Slack bot token]" in untold["exception"]
    assert read["event"] == "step.read"


def test_a_key_can_hold_a_secret_too(stream: io.StringIO, on_secret: Mock) -> None:
    structlog.get_logger("a").info("a.b", seen={TOKEN: 1})
    on_secret.assert_called_once_with(None, "slack-bot-token")
    assert TOKEN not in stream.getvalue()


@given(
    st.dictionaries(st.text(max_size=8), st.text(max_size=40) | st.binary(max_size=8), max_size=5)
)
def test_any_entry_can_be_written(entry: dict[str, Any]) -> None:
    safe = in_order(None, "info", redact(None, "info", entry))  # type: ignore[arg-type]
    assert set(safe) == set(entry)
    json.dumps(safe, ensure_ascii=False).encode("utf-8", "backslashreplace")


def test_a_log_that_is_bound_once_follows_every_new_configuration(stream: io.StringIO) -> None:
    log, other = logs.BoundLog("core.test"), io.StringIO()
    log.info("session.moved", session="s-1")
    log.info("session.moved", session="s-2")
    configure("json", "info", other)
    log.info("session.moved", session="s-3")
    configure("json", "error", other)
    log.info("session.moved", session="s-4")
    assert [entry["session"] for entry in lines(stream)] == ["s-1", "s-2"]
    assert [(entry["session"], entry["logger"]) for entry in lines(other)] == [("s-3", "core.test")]
