"""Slack answers 5xx or nothing to a post: seed 004's back-off, a look first, and a record."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.devtools.workspace import LocalWorkspace
from core.domain.faults import record_of
from tests.support.harness_over_http import SlackTable, slack_table, slack_workspace


@pytest.fixture(scope="module")
def slack() -> Iterator[LocalWorkspace]:
    with slack_workspace() as found:
        yield found


@pytest.fixture
def asked(slack: LocalWorkspace, tmp_path: Path) -> Iterator[SlackTable]:
    """The first step is answered, and its menu is open."""
    laid = slack_table(slack, tmp_path)
    laid.table.start()
    laid.table.say("Because the bank asks for it.")
    laid.forget()
    yield laid
    slack.clear_faults()


def due_in(laid: SlackTable) -> float:
    row = laid.table.runtime.outbox.head(laid.table.id, "visible")
    assert row is not None
    return row.due - laid.table.clock.now()


def records(laid: SlackTable) -> list[dict[str, Any]]:
    faults = laid.table.runtime.reader.faults(laid.table.id)
    return [record_of(each, "analysis") for each in faults if each.code == "ERR-SLACK-001"]


def waited(laid: SlackTable, attempts: int) -> list[float]:
    """How long each of the next waits was."""
    waits = []
    for _ in range(attempts):
        waits.append(due_in(laid))
        laid.table.pass_time(waits[-1])
    return waits


@pytest.mark.parametrize(("trouble", "status"), [("500", 500), ("drop", None), ("timeout", None)])
def test_a_post_backs_off_looks_and_is_recorded_with_status_and_delay(
    asked: SlackTable, trouble: Any, status: int | None
) -> None:
    times = 1 if trouble == "timeout" else 3
    asked.slack.inject(trouble, method="chat.postMessage", times=times)
    asked.table.forward()
    waits = waited(asked, times)
    assert all(0 <= wait - 2**attempt <= 0.5 for attempt, wait in enumerate(waits))
    found = records(asked)
    assert [each["attempt"] for each in found] == list(range(1, times + 1))
    assert [each["delay_ms"] for each in found] == [round(wait * 1000) for wait in waits]
    assert {each["http_status"] for each in found} == {status}
    assert {(each["error_category"], each["routing_decision"]) for each in found} == {
        ("transient", "RETRY")
    }
    assert {each["context"]["http_status"] for each in found} == {status}
    assert asked.asked("conversations.replies") == times  # a look before each further attempt
    assert sum(text.startswith("Step 01-02") for text in asked.texts) == 1
    assert not any("did not take" in text for text in asked.texts)
    assert asked.table.session.status == "asking"


def test_the_wait_grows_to_a_minute_and_outlives_a_restart(asked: SlackTable) -> None:
    asked.slack.inject("500", method="chat.postMessage", times=8)
    asked.table.forward()
    waits = waited(asked, 4)
    pending = due_in(asked)
    asked.table = asked.table.again()
    assert due_in(asked) == pending
    waits += waited(asked, 4)
    assert [round(wait - 0.25) for wait in waits[:6]] == [1, 2, 4, 8, 16, 32]
    assert waits[6:] == [60.0, 60.0]
    assert [each["attempt"] for each in records(asked)] == [1, 2, 3, 4, 5]
    assert [each["routing_decision"] for each in records(asked)] == ["RETRY"] * 4 + ["ESCALATE"]
    assert sum("did not take my messages" in text for text in asked.texts) == 1
    assert sum(text.startswith("Step 01-02") for text in asked.texts) == 1


def test_what_was_taken_before_the_500_is_found_and_not_posted_again(asked: SlackTable) -> None:
    asked.slack.inject("accept-then-drop", method="chat.postMessage")
    asked.table.forward()
    waited(asked, 1)
    assert asked.asked("chat.postMessage") == 1
    assert sum(text.startswith("Step 01-02") for text in asked.texts) == 1


def test_a_look_that_fails_backs_off_too_and_nothing_is_posted(asked: SlackTable) -> None:
    asked.slack.inject("accept-then-drop", method="chat.postMessage")
    asked.slack.inject("500", method="conversations.replies", times=2)
    asked.table.forward()
    waits = waited(asked, 3)
    assert all(0 <= wait - 2**attempt <= 0.5 for attempt, wait in enumerate(waits))
    assert [each["http_status"] for each in records(asked)] == [None, 500, 500]
    assert asked.asked("chat.postMessage") == 1
    assert asked.table.session.course.step == "01-02"


def test_a_wait_that_slack_asks_for_is_no_fault_before_the_fifth(asked: SlackTable) -> None:
    asked.slack.inject("429", method="chat.postMessage", retry_after=7, times=5)
    asked.table.forward()
    assert waited(asked, 4) == [7.0] * 4
    (record,) = records(asked)
    assert (record["attempt"], record["delay_ms"], record["http_status"]) == (5, 7000, 429)
    assert record["retry_after_header"] == 7.0
    waited(asked, 1)
    assert asked.table.session.course.step == "01-02"
