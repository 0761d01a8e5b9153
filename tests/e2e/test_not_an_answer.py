"""The message shortcut “Not an answer” in the real bot: who may, what is said, and the way back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.forms import press, told
from tests.support.served_bot import CHANNEL, OUTSIDE, ServedBot, served_bot


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedBot]:
    with served_bot(tmp_path, admins=["pm"]) as found:
        yield found


def not_an_answer(table: ServedBot, ts: str, *, by: str = "pm", channel: str = CHANNEL) -> str:
    """What that person is told."""
    before = len(told(table, by))
    table.slack.shortcut(by, "not_an_answer", channel=channel, ts=ts)
    table.settle_until(lambda: told(table, by)[before:])
    (words,) = told(table, by)[before:]
    return words


def answers(table: ServedBot) -> list[str]:
    return [each.text for each in table.table.runtime.reader.answers(table.session().id)]


def test_a_reply_is_taken_out_and_put_back_with_the_button_that_works_once(
    table: ServedBot,
) -> None:
    table.start("Retry failed payments")
    table.say("The bank asks for it.")
    ts = table.say("See you at lunch.", by="dev")
    assert "white_check_mark" in table.message(ts).reactions
    words = not_an_answer(table, ts, by="dev")
    assert "no longer counts as an answer" in words
    assert "[Put it back]" in words
    assert answers(table) == ["The bank asks for it."]
    assert "white_check_mark" not in table.message(ts).reactions
    press(table, "Put it back", by="dev")
    table.settle_until(lambda: "It counts as an answer" in told(table, "dev")[-1])
    assert answers(table) == ["The bank asks for it.", "See you at lunch."]
    assert "white_check_mark" in table.message(ts).reactions
    before = len(told(table, "dev"))
    table.slack.click(
        "dev",
        CHANNEL,
        next(e.ts for e in table.slack.ephemerals if "[Put it back]" in e.text),
        f"menu:put-back:{table.slack.channel_id(CHANNEL)}:{ts}",
    )
    table.settle_until(lambda: told(table, "dev")[before:])
    assert "Nothing else happened" in told(table, "dev")[-1]
    assert answers(table) == ["The bank asks for it.", "See you at lunch."]


def test_an_admin_takes_out_what_somebody_else_said_who_is_told(table: ServedBot) -> None:
    """pm is an admin, and dev's is the session."""
    table.command("/roundtable analyze Retry failed payments", by="dev")
    ts = table.say("See you at lunch.", by="dev")
    assert "no longer counts as an answer" in not_an_answer(table, ts, by="pm")
    assert answers(table) == []
    table.settle_until(lambda: any("took your answer out" in each for each in told(table, "dev")))
    assert "pm took your answer out of “Scope Estimation”" in told(table, "dev")[-1]


def test_nobody_else_may_and_they_are_told_who(table: ServedBot) -> None:
    table.start("Retry failed payments")
    ts = table.say("The bank asks for it.")
    words = not_an_answer(table, ts, by="dev")
    assert "Only pm, who started this, or a workspace admin" in words
    assert answers(table) == ["The bank asks for it."]


def test_on_anything_else_it_is_said_kindly(table: ServedBot) -> None:
    session = table.start("Retry failed payments")
    small_talk = table.slack.say("pm", CHANNEL, "Good morning!")
    for ts in (small_talk, *(each.ts for each in table.slack.top_level(CHANNEL))):
        assert "is not counted as an answer anywhere" in not_an_answer(table, ts)
    assert table.session() == session


def test_in_a_channel_without_the_bot_it_is_said_as_well(table: ServedBot) -> None:
    ts = table.slack.say("dev", OUTSIDE, "Good morning!")
    assert "is not counted as an answer anywhere" in not_an_answer(
        table, ts, by="dev", channel=OUTSIDE
    )


def test_it_works_in_the_next_process(table: ServedBot) -> None:
    table.start("Retry failed payments")
    ts = table.say("See you at lunch.")
    not_an_answer(table, ts)
    table.restart()
    press(table, "Put it back")
    table.settle_until(lambda: "It counts as an answer" in told(table)[-1])
    assert answers(table) == ["See you at lunch."]
