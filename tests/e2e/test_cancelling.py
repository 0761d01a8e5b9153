"""Cancelling in the real bot: who is asked what, which one of several, and the way back."""

import threading
from pathlib import Path

import pytest

from bot.web_api.lookups import SlackLookups
from core.domain.ids import UserId
from core.domain.session.session import Session
from tests.e2e.forms import press, told
from tests.support.served_bot import CHANNEL, ServedBot, controls, served_bot
from tests.support.waiting import WAIT_S_MAX

STILL_S = 2.0  # in which a stop that waited for nobody has closed the database
FIRST, SECOND = "Retry failed card payments", "Refunds take too long"


def status(table: ServedBot, session: Session) -> str:
    return table.table.runtime.reader.load(session.id).status


def card_buttons(table: ServedBot) -> list[str]:
    card = next(each for each in table.slack.top_level(CHANNEL) if "Maya" not in each.author)
    return [each["text"]["text"] for each in controls(card)]  # type: ignore[index]


def press_card(table: ServedBot, action: str, by: str = "pm") -> None:
    card = next(each for each in table.slack.top_level(CHANNEL) if "Maya" not in each.author)
    table.slack.click(by, CHANNEL, card.ts, action)
    table.settle()


def test_the_command_asks_and_keep_going_goes_on(table: ServedBot) -> None:
    session = table.start(FIRST)
    (question,) = table.command("/roundtable cancel")
    assert f"Cancel “{FIRST}”?" in question
    assert "[Cancel it] [Keep going]" in question
    assert status(table, session) == "asking"
    press(table, "Keep going")
    table.settle_until(lambda: "goes on as before" in told(table)[-1])
    assert status(table, session) == "asking"


def test_the_overflow_asks_whoever_pressed_it_alone(table: ServedBot) -> None:
    session = table.start(FIRST)
    prompt = next(
        each
        for each in table.slack.messages(CHANNEL)
        if any(control["type"] == "overflow" for control in controls(each))
    )
    table.slack.click("pm", CHANNEL, prompt.ts, "menu:overflow", value="cancel")
    table.settle_until(lambda: told(table))
    assert f"Cancel “{FIRST}”?" in told(table)[-1]
    assert status(table, session) == "asking"
    press(table, "Cancel it")
    assert status(table, session) == "cancelled"


def test_a_cancel_is_taken_back_on_the_card_by_its_owner_and_nobody_else(table: ServedBot) -> None:
    session = table.start(FIRST)
    table.command("/roundtable cancel")
    press(table, "Cancel it")
    table.settle_until(lambda: "Take it back" in card_buttons(table))
    press_card(table, "card:resume", by="dev")
    table.settle_until(lambda: told(table, "dev"))
    assert "Only pm, who started this" in told(table, "dev")[-1]
    assert status(table, session) == "cancelled"
    press_card(table, "card:resume")
    assert status(table, session) == "asking"
    assert "Take it back" not in card_buttons(table)


def test_it_can_be_taken_back_where_it_was_cancelled_and_by_command(table: ServedBot) -> None:
    session = table.start(FIRST)
    table.command("/roundtable cancel")
    press(table, "Cancel it")
    table.settle_until(lambda: "is cancelled" in told(table)[-1])
    press(table, "Take it back")
    assert status(table, session) == "asking"
    table.command("/roundtable cancel --yes")
    assert status(table, session) == "cancelled"
    table.command("/roundtable resume retry-failed-card-payments")
    assert status(table, session) == "asking"


def test_an_admin_takes_back_what_an_admin_may(tmp_path: Path) -> None:
    with served_bot(tmp_path, admins=["dev"]) as table:
        session = table.start(FIRST)
        table.command("/roundtable cancel --yes")
        table.command("/roundtable resume retry-failed-card-payments", by="dev")
        table.settle_until(lambda: status(table, session) == "asking")


def test_what_an_admin_asked_for_is_done_before_a_stop_though_slack_is_slow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answered, look_up = threading.Event(), threading.Event(), SlackLookups.user

    def answers_late(slack: SlackLookups, user: UserId) -> object:
        asked.set()
        assert answered.wait(WAIT_S_MAX)
        return look_up(slack, user)

    with served_bot(tmp_path, admins=["dev"]) as table:
        session = table.start(FIRST)
        table.command("/roundtable cancel --yes")
        monkeypatch.setattr(SlackLookups, "user", answers_late)
        table.slack.command("dev", CHANNEL, "/roundtable resume retry-failed-card-payments")
        assert asked.wait(WAIT_S_MAX)
        table.wait_until(table.slack.idle)  # the command is acknowledged
        stopping = threading.Thread(target=table.running.stop)
        stopping.start()
        stopping.join(STILL_S)
        answered.set()
        stopping.join(WAIT_S_MAX)
        table.running = table.start_again()
        assert status(table, session) != "cancelled"  # it had begun to open; threads come after
        table.settle_until(lambda: status(table, session) == "asking")


def test_with_several_under_way_it_asks_which_one(table: ServedBot) -> None:
    first, second = table.start(FIRST), table.start(SECOND)
    (which,) = table.command("/roundtable cancel")
    assert "Which one shall be cancelled?" in which
    assert (status(table, first), status(table, second)) == ("asking", "asking")
    press(table, FIRST)
    table.settle_until(lambda: f"Cancel “{FIRST}”?" in told(table)[-1])
    press(table, "Cancel it")
    assert (status(table, first), status(table, second)) == ("cancelled", "asking")


def test_whose_it_is_not_is_told_so_before_anything_is_asked(table: ServedBot) -> None:
    table.start(FIRST)
    table.command("/roundtable cancel", by="dev")
    table.settle_until(lambda: told(table, "dev"))
    assert "Only pm, who started this" in told(table, "dev")[-1]
