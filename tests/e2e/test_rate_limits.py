"""Slack's 429s in the running bot: who waits for them, and who does not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.devtools.workspace import Call
from tests.support.harness import small_tree
from tests.support.served_bot import CHANNEL, ELSEWHERE, ServedBot, served_bot
from tests.support.slack_calls import is_prompt

RETRY_AFTER_S = 1


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedBot]:
    with served_bot(tmp_path, steps=small_tree(tmp_path / "steps").root) as running:
        yield running


def calls_after(table: ServedBot, throttled: Call, method: str) -> list[Call]:
    calls = table.slack.calls
    return [call for call in calls[calls.index(throttled) + 1 :] if call.method == method]


def throttled(table: ServedBot) -> Call:
    (call,) = (call for call in table.slack.calls if call.status == 429)
    return call


def answer(table: ServedBot, channel: str) -> None:
    session = table.session(channel)
    root = table.table.runtime.reader.thread(session.id, session.course.thread)
    assert root is not None
    table.slack.say("pm", channel, "Because they are read.", thread_ts=root.ts)


def has_put_off_an_edit(table: ServedBot) -> bool:
    """Recorded that it waits, or sent since: on a slow machine the wait may be over."""
    if 429 not in [call.status for call in table.slack.calls]:
        return False
    row = table.table.runtime.outbox.head(table.session(CHANNEL).id, "visible")
    is_recorded = row is not None and row.attempts > 0
    return is_recorded or bool(calls_after(table, throttled(table), "chat.update"))


def test_the_next_prompt_does_not_wait_for_an_edit_that_slack_puts_off(table: ServedBot) -> None:
    table.start("Tests in Markdown")
    table.say("Because they are read.")
    table.slack.inject("429", method="chat.update", retry_after=RETRY_AFTER_S)
    table.forward()
    put_off = throttled(table)
    prompt = next(call for call in calls_after(table, put_off, "chat.postMessage"))
    assert is_prompt(prompt)
    update = calls_after(table, put_off, "chat.update")[0]
    assert prompt.at < update.at
    assert update.at - put_off.at >= RETRY_AFTER_S


def test_a_429_of_an_edit_holds_the_edits_of_all_sessions_of_the_workspace(
    table: ServedBot,
) -> None:
    table.start("Tests in Markdown")
    table.start("Tests in YAML", channel=ELSEWHERE)
    table.slack.inject("429", method="chat.update", retry_after=RETRY_AFTER_S)
    answer(table, CHANNEL)
    # An edit that is under way already is not held back: the next answer comes after the 429.
    table.wait_until(lambda: has_put_off_an_edit(table))
    answer(table, ELSEWHERE)
    table.settle()
    put_off = throttled(table)
    updates = calls_after(table, put_off, "chat.update")
    assert {call.args["channel"] for call in updates} == {
        table.slack.channel_id(CHANNEL),
        table.slack.channel_id(ELSEWHERE),
    }
    assert all(call.at - put_off.at >= RETRY_AFTER_S for call in updates)
