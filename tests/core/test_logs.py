"""Logs: fixed keys in a fixed order, and nothing in them that opens a door."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from core.logs import REDACTED, configure, in_order, redact, redacted


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    written = io.StringIO()
    configure("json", "info", written)
    yield written
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_an_entry_is_one_json_line_with_its_keys_in_order(stream: io.StringIO) -> None:
    log = structlog.get_logger("core.runtime")
    log.info("session.moved", zeal=1, now="choosing", was="asking", session="s-1", alpha=2)
    (entry,) = lines(stream)
    order = ["timestamp", "level", "event", "logger", "session", "was", "now", "alpha", "zeal"]
    assert list(entry) == order
    assert (entry["event"], entry["logger"], entry["level"]) == (
        "session.moved",
        "core.runtime",
        "info",
    )


def test_the_standard_library_goes_the_same_way(stream: io.StringIO) -> None:
    logging.getLogger("gunicorn.error").warning("worker %s says %s", 7, "xoxb-12345678-abc")
    (entry,) = lines(stream)
    assert entry["event"] == f"worker 7 says {REDACTED}"
    assert (entry["logger"], entry["level"]) == ("gunicorn.error", "warning")


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


@pytest.mark.parametrize(
    "text",
    [
        "xoxb-123456789012-123456789012-abcdefABCDEF",
        "xoxe.xoxp-1-Mi0yLTk5OTk5OTk5",
        "xoxp-123456-abc%2D",
        "xapp-1-A012-345-abcdef",
        "Bearer abcdefgh12345678",
        "https://hooks.slack.com/commands/T1/2/abc",
        "postgresql://me:hunter2@db/x",
        "sk-proj-abcdefghijklmnop1234",
    ],
)
def test_what_opens_a_door_is_redacted(text: str) -> None:
    kept = redacted(f"before {text} after")
    assert text not in kept
    assert kept.startswith("before ")
    assert kept.endswith(" after")
    assert REDACTED in kept


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


@given(
    st.dictionaries(st.text(max_size=8), st.text(max_size=40) | st.binary(max_size=8), max_size=5)
)
def test_any_entry_can_be_written(entry: dict[str, Any]) -> None:
    safe = in_order(None, "info", redact(None, "info", entry))  # type: ignore[arg-type]
    assert set(safe) == set(entry)
    json.dumps(safe, ensure_ascii=False).encode("utf-8", "backslashreplace")
