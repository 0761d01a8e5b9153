"""Reminders: to those who are awaited, at most one a day, until they answer or put it off."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.domain import effects as fx
from core.domain import events as on
from core.domain.effects import Reply
from core.domain.ids import ChannelId, StepId, UserId
from core.domain.session.menu import Menu
from core.engine.flow.reminders import REMINDERS_PER_STEP_MAX
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import DEV, OPS, OWNER
from tests.support.harness import Harness, small_table

pytestmark = EACH_DATABASE

HOUR = 3_600.0
DAY = 24 * HOUR


def remindful(folder: Path, hours: float = 24.0, **more: object) -> Harness:
    return small_table(folder, remind_s=hours * HOUR, **more)


@pytest.fixture
def table(tmp_path: Path) -> Harness:
    table = remindful(tmp_path)
    table.start()
    return table


def reminders(table: Harness) -> list[fx.PostReminder]:
    return table.shown(fx.PostReminder)


def timers(table: Harness) -> list[float]:
    """When the session's reminder is due, if it is."""
    every = table.runtime.outbox.timers_due(float("inf"))
    return [timer.due for timer in every if timer.kind == "reminder"]


def reminder_menu(table: Harness) -> Menu:
    found = table.runtime.reader.menu(reminders(table)[-1].menu)
    assert found is not None
    return found


def put_off(table: Harness, choice: str, by: UserId = OWNER) -> Reply | None:
    return table.click(choice, by, menu=reminders(table)[-1].menu).reply


def test_who_is_silent_for_a_day_is_reminded_once_and_nobody_else(table: Harness) -> None:
    asked_at = table.clock.now()
    table.pass_time(DAY - 1)
    assert reminders(table) == []
    table.pass_time(1)
    (reminder,) = reminders(table)
    assert (reminder.step, reminder.thread) == ("01-01", "business-analyst")
    assert (reminder.mention, reminder.since) == ((OWNER,), asked_at)
    table.settle()
    assert len(reminders(table)) == 1


def test_only_those_are_named_who_have_not_answered_this_step(table: Harness) -> None:
    table.say("Because of the bank.", DEV)
    table.pass_time(DAY)
    assert [each.mention for each in reminders(table)] == [(OWNER,)]
    table.say("And the auditors.")
    table.forward()
    table.say("I can say more on this one.")
    table.pass_time(DAY)
    assert [each.mention for each in reminders(table)] == [(OWNER,), (DEV,)]


def test_an_answer_begins_the_quiet_anew(table: Harness) -> None:
    table.pass_time(20 * HOUR)
    table.say("Because of the bank.", DEV)
    table.pass_time(20 * HOUR)
    assert reminders(table) == []
    table.pass_time(4 * HOUR)
    assert len(reminders(table)) == 1


@pytest.mark.parametrize(
    "act",
    [
        lambda table: table.say("// lunch?", DEV),
        lambda table: table.say("Is this the place?", DEV, thread=table.card),
        lambda table: table.click("cancel", DEV),
        lambda table: table.click("tomorrow", DEV, menu="forged"),
        lambda table: table.take(on.ExportRequested(DEV, table.clock.now())),
    ],
    ids=["a comment", "the wrong thread", "a refused click", "a forged click", "an export"],
)
def test_what_is_no_answer_and_no_choice_does_not(
    table: Harness, act: Callable[[Harness], object]
) -> None:
    table.pass_time(23 * HOUR)
    act(table)
    table.pass_time(HOUR)
    assert len(reminders(table)) == 1


def test_nobody_is_reminded_once_everybody_has_answered(table: Harness) -> None:
    table.say("Because of the bank.")
    assert timers(table) == []
    table.pass_time(30 * DAY)
    assert reminders(table) == []


def test_a_choice_ends_the_reminder_of_the_step_it_leaves(table: Harness) -> None:
    table.say("Because of the bank.", DEV)
    table.pass_time(DAY)
    first = reminder_menu(table)
    table.forward(DEV)
    assert table.session.course.step == "01-02"
    closed = table.runtime.reader.menu(first.id)
    assert closed is not None
    assert closed.state == "closed"
    assert [each.menu for each in table.shown(fx.PaintReminder)] == [first.id]
    assert put_off(table, "tomorrow") == Reply("unknown-choice")


def test_there_is_one_a_day_across_steps(table: Harness) -> None:
    table.pass_time(DAY)
    table.answer()
    table.pass_time(DAY - 1)
    assert len(reminders(table)) == 1
    table.pass_time(1)
    assert [each.step for each in reminders(table)] == ["01-01", "01-02"]


@pytest.mark.parametrize("hours", [1.0, 6.0])
def test_there_is_one_a_day_however_short_the_quiet_is(tmp_path: Path, hours: float) -> None:
    table = remindful(tmp_path, hours)
    table.start()
    for _ in range(48):
        table.pass_time(HOUR)
    assert len(reminders(table)) == 2
    table.answer()
    table.pass_time(hours * HOUR - 1)  # a day after the second, to the second
    assert len(reminders(table)) == 2
    table.pass_time(1)
    assert len(reminders(table)) == 3


def test_a_longer_quiet_is_kept_between_two_reminders_as_well(tmp_path: Path) -> None:
    table = remindful(tmp_path, 72)
    table.start()
    for _ in range(6):
        table.pass_time(DAY)
    assert len(reminders(table)) == 2


def test_after_a_handful_it_stays_quiet_and_the_last_one_says_so(table: Harness) -> None:
    for _ in range(REMINDERS_PER_STEP_MAX + 5):
        table.pass_time(DAY)
    told = [each.last for each in reminders(table)]
    assert told == [False] * (REMINDERS_PER_STEP_MAX - 1) + [True]
    assert timers(table) == []


def test_zero_turns_them_off(tmp_path: Path) -> None:
    table = remindful(tmp_path, 0)
    table.start()
    table.pass_time(30 * DAY)
    assert (reminders(table), timers(table)) == ([], [])


def test_it_is_known_since_when_somebody_is_awaited_even_so(tmp_path: Path) -> None:
    table = remindful(tmp_path, 0)
    table.start()
    assert table.session.waiting.since == table.clock.now()


# ── putting it off ──


@pytest.mark.parametrize(("choice", "days"), [("tomorrow", 1), ("three-days", 3)])
def test_who_is_awaited_can_put_it_off(table: Harness, choice: str, days: int) -> None:
    table.pass_time(DAY)
    assert put_off(table, choice) is None
    table.pass_time(days * DAY - 1)
    assert len(reminders(table)) == 1
    table.pass_time(1)
    assert len(reminders(table)) == 2


def test_not_again_holds_for_this_step_alone(table: Harness) -> None:
    table.pass_time(DAY)
    put_off(table, "not-again")
    assert timers(table) == []
    table.pass_time(10 * DAY)
    table.click("pause")
    table.resume()
    table.pass_time(10 * DAY)
    assert len(reminders(table)) == 1
    table.answer()
    table.pass_time(DAY)
    assert [each.step for each in reminders(table)] == ["01-01", "01-02"]


def test_the_owner_may_put_it_off_even_when_they_have_answered(table: Harness) -> None:
    table.say("Because of the bank.", DEV)
    table.say("Yes.")
    table.forward()
    table.say("Because of the bank.")
    table.pass_time(DAY)
    assert [each.mention for each in reminders(table)] == [(DEV,)]
    assert put_off(table, "three-days") is None
    assert reminder_menu(table).used_by == OWNER


def test_anybody_else_is_told_whose_buttons_they_are(table: Harness) -> None:
    table.pass_time(DAY)
    assert put_off(table, "not-again", OPS) == Reply("not-awaited", {"owner": OWNER})
    assert reminder_menu(table).state == "open"


def test_a_second_click_is_told_who_was_first(table: Harness) -> None:
    table.pass_time(DAY)
    put_off(table, "tomorrow")
    assert put_off(table, "not-again") == Reply("used-by-you", {"choice": "tomorrow"})
    assert table.session.waiting.hushed == ""


@pytest.mark.parametrize("choice", ["accept", "never", ""])
def test_a_choice_it_does_not_offer_is_none(table: Harness, choice: str) -> None:
    table.pass_time(DAY)
    assert put_off(table, choice) == Reply("unknown-choice")
    assert reminder_menu(table).state == "open"


def test_a_click_from_another_channel_is_none(table: Harness) -> None:
    table.pass_time(DAY)
    click = on.ChoiceMade(
        OWNER, table.clock.now(), reminder_menu(table).id, "tomorrow", ChannelId("C9")
    )
    assert table.take(click).reply == Reply("gone")


# ── when nobody is to be disturbed ──


def test_none_while_it_is_paused_and_again_once_it_goes_on(table: Harness) -> None:
    table.pass_time(23 * HOUR)
    table.click("pause")
    assert timers(table) == []
    table.pass_time(10 * DAY)
    assert reminders(table) == []
    table.resume()
    table.pass_time(DAY)
    assert len(reminders(table)) == 1


@pytest.mark.parametrize(
    "end",
    [
        lambda table: table.cancel(),
        lambda table: table.finish(),
        lambda table: table.take(on.DamageFound(table.clock.now(), "ERR-DATA-002", "a rule")),
    ],
    ids=["cancelled", "completed", "halted"],
)
def test_none_once_it_has_ended(table: Harness, end: Callable[[Harness], object]) -> None:
    table.pass_time(DAY)
    stood = reminder_menu(table)
    end(table)
    assert timers(table) == []
    table.pass_time(10 * DAY)
    assert len(reminders(table)) == 1
    left = table.runtime.reader.menu(stood.id)
    assert left is not None
    assert left.state == "closed"


def test_a_timer_that_runs_out_twice_reminds_once(table: Harness) -> None:
    table.pass_time(DAY)
    again = on.ReminderDue(table.clock.now(), StepId("01-01"))
    table.take(again)
    table.take(again)
    assert len(reminders(table)) == 1
    assert len(timers(table)) == 1


def test_it_outlives_a_restart(table: Harness) -> None:
    table.pass_time(12 * HOUR)
    later = table.again()
    later.pass_time(12 * HOUR)
    assert len(reminders(later)) == 1
    last = later.again()
    last.pass_time(DAY - 1)
    assert len(reminders(last)) == 1
    last.pass_time(1)
    assert len(reminders(last)) == 2


def test_a_week_without_the_bot_is_one_reminder_and_not_seven(table: Harness) -> None:
    later = table.again()
    later.pass_time(7 * DAY)
    later.settle()
    assert len(reminders(later)) == 1


@pytest.mark.parametrize("error", ["archived", "thread_gone", "channel_unknown"])
def test_where_nobody_can_read_it_it_is_recorded_once_and_said_nowhere(
    table: Harness, error: str
) -> None:
    table.stage.refuse["PostReminder"] = error
    shown, codes = len(table.stage.shown), len(table.codes)
    for _ in range(5):
        table.pass_time(DAY)
    assert len(table.codes) == codes + 1
    assert table.messages == []
    assert table.stage.tried.count("PostReminder") == 1
    assert table.session.status == "asking"
    assert [type(each).__name__ for each in table.stage.shown[shown:]] == []
    table.answer()
    assert table.session.course.step == "01-02"


def test_the_summary_of_a_phase_is_waited_for_like_a_step(tmp_path: Path) -> None:
    table = remindful(tmp_path)
    table.start()
    table.say("Because of the bank.")
    table.click("skip")
    assert table.session.menus.on_summary
    table.pass_time(DAY)
    (reminder,) = reminders(table)
    assert reminder_menu(table).step is None
    assert (reminder.mention, reminder.step) == ((OWNER,), "01-01")
    put_off(table, "not-again")
    table.click("amend")
    table.pass_time(DAY)
    assert len(reminders(table)) == 2


# ── a council ──


@pytest.fixture
def party(tmp_path: Path) -> Harness:
    table = Harness(tmp_path, remind_s=DAY)
    table.start("A reading room", flow="inception", mode="party")
    assert table.session.party.council is not None
    return table


def test_a_council_reminds_in_the_thread_of_its_leader(party: Harness) -> None:
    assert party.session.status == "asking"
    party.pass_time(DAY)
    (reminder,) = reminders(party)
    assert (reminder.thread, reminder.mention) == ("product-analyst", (OWNER,))


def test_while_its_members_talk_nobody_is_reminded(party: Harness) -> None:
    party.say("Readers find papers. Librarians keep them.")
    assert timers(party) == []


def test_its_recommendation_is_waited_for_where_it_stands(party: Harness) -> None:
    party.say("Readers find papers.", DEV)
    party.forward(DEV)
    assert party.session.menus.on_summary
    assert party.session.awaited == (OWNER,)
    party.pass_time(DAY)
    assert [(each.thread, each.mention) for each in reminders(party)] == [(None, (OWNER,))]
    put_off(party, "not-again")
    assert timers(party) == []
