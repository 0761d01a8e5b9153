"""Cancelling: asked first, taken back for ten minutes, and not at all after a secret."""

import pytest

from core.domain import effects as fx
from core.domain import events as on
from core.engine.flow.cancel import TAKE_BACK_S
from tests.support.fakes import DEV, OWNER
from tests.support.harness import Harness

SECRET = "-".join(("xoxb", "2345678901", "Zq8Lw3Rt5Yu7Io9Pa1Sd3Fg5"))


def ask(table: Harness, by: str = OWNER, admin: bool | None = None) -> str:
    """Cancel by command; the menu of the question."""
    table.take(on.SessionCancelled(by, table.clock.now(), admin))  # type: ignore[arg-type]
    assert table.handled.reply is not None
    assert table.reply == "cancel-question"
    return table.handled.reply.args["menu"]


def take_back(table: Harness, by: str = OWNER, admin: bool | None = None) -> None:
    table.take(on.SessionResumed(by, table.clock.now(), admin))  # type: ignore[arg-type]


# ── asked first ──


@pytest.mark.parametrize("way", ["command", "overflow"])
def test_nothing_is_cancelled_before_somebody_is_sure(table: Harness, way: str) -> None:
    if way == "command":
        menu = ask(table)
    else:
        table.take(table.choice("cancel"))
        assert table.handled.reply is not None
        menu = table.handled.reply.args["menu"]
    assert (table.reply, table.session.status) == ("cancel-question", "asking")
    table.click("keep-going", menu=menu)
    assert (table.reply, table.session.status) == ("kept-going", "asking")
    table.click("cancel-now", menu=menu)
    assert (table.reply, table.session.status) == ("used-by-you", "asking")


def test_only_whoever_may_cancel_is_asked_and_only_they_may_say_yes(table: Harness) -> None:
    table.take(on.SessionCancelled(DEV, table.clock.now()))
    assert table.reply == "not-yours"
    menu = ask(table)
    table.click("cancel-now", DEV, menu=menu)
    assert (table.reply, table.session.status) == ("not-yours", "asking")
    table.click("cancel-now", DEV, menu=menu, admin=True)
    assert (table.reply, table.session.status) == ("cancelled", "cancelled")


def test_a_question_that_is_answered_too_late_cancels_nothing(table: Harness) -> None:
    menu = ask(table)
    table.finish()
    table.click("cancel-now", menu=menu)
    assert (table.reply, table.session.status) == ("ended-thread", "completed")


# ── taken back ──


def test_a_cancel_is_taken_back_to_the_step_that_was_asked(table: Harness) -> None:
    table.say("Because.")
    step = table.session.course.step
    table.cancel()
    assert table.shown(fx.PaintCard)
    table.clock.forward(TAKE_BACK_S - 1)
    take_back(table)
    assert (table.reply, table.session.status) == ("resuming", "choosing")
    assert (table.session.course.step, table.session.cancelled) == (step, None)
    state = next(each for each in table.session.course.steps if each.id == step)
    assert (state.choice.name, state.choice.by) == ("", None)
    assert table.said == ["Because."]
    table.forward()
    assert table.session.course.step != step


def test_a_step_that_waited_for_answers_is_asked_again(table: Harness) -> None:
    table.cancel()
    take_back(table)
    assert table.session.status == "asking"
    table.answer("Because.")


def test_after_ten_minutes_nobody_takes_it_back_and_the_card_says_so(table: Harness) -> None:
    table.cancel()
    assert table.session.cancelled is not None
    before = len(table.shown(fx.PaintCard))
    table.clock.forward(TAKE_BACK_S + 1)
    table.settle()
    assert table.session.cancelled is None
    assert len(table.shown(fx.PaintCard)) == before + 1
    take_back(table)
    assert (table.reply, table.session.status) == ("not-taken-back", "cancelled")


def test_the_ten_minutes_outlive_the_process(table: Harness) -> None:
    table.cancel()
    again = table.again()
    again.clock.forward(TAKE_BACK_S + 1)
    again.settle()
    assert again.session.cancelled is None


def test_nobody_else_takes_it_back_but_an_admin_does(table: Harness) -> None:
    table.cancel()
    take_back(table, DEV)
    assert (table.reply, table.session.status) == ("not-yours", "cancelled")
    take_back(table, DEV, admin=True)
    assert table.session.status == "asking"


def test_what_was_paused_is_paused_again(table: Harness) -> None:
    table.click("pause")
    table.cancel()
    take_back(table)
    assert (table.reply, table.session.status) == ("is-paused", "paused")
    table.resume()
    assert table.session.status == "asking"


def test_what_was_halted_for_a_secret_stays_cancelled(table: Harness) -> None:
    table.say(f"The token is {SECRET}")
    assert table.session.status == "halted"
    table.click("cancel")
    assert table.session.status == "cancelled"
    take_back(table)
    assert (table.reply, table.session.status) == ("not-taken-back", "cancelled")


def test_what_was_halted_for_damage_is_halted_again_with_its_menu(table: Harness) -> None:
    table.take(on.DamageFound(table.clock.now(), "ERR-DATA-002", "the menus", "two are open"))
    table.click("cancel")
    take_back(table)
    assert table.session.status == "halted"
    table.click("check")
    assert table.session.status == "asking"
