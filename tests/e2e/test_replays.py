"""A signed request that somebody sends again: whatever a person did is done once."""

import pytest

from core.domain.session.course import ENDED
from tests.e2e.forms import called, open_form, press, submit
from tests.e2e.wiretap import Wiretap
from tests.support.served_bot import CHANNEL, ServedBot, controls

TITLE = "Retry failed card payments"


@pytest.fixture
def tap(table: ServedBot) -> Wiretap:
    return Wiretap(table)


def card(table: ServedBot, action: str) -> None:
    """Press a button of the card."""
    message = next(
        each
        for each in table.slack.messages(CHANNEL)
        if any(control["action_id"] == action for control in controls(each))
    )
    table.slack.click("pm", CHANNEL, message.ts, action)
    table.settle()


def said(table: ServedBot) -> int:
    return len(table.slack.messages(CHANNEL)) + len(table.slack.ephemerals)


def test_a_pause_sent_again_after_a_resume_pauses_nothing(table: ServedBot, tap: Wiretap) -> None:
    table.start(TITLE)
    card(table, "card:pause")
    pause = tap.last("block_actions")
    table.command("/roundtable resume")
    assert table.session().status == "asking"
    before = said(table)
    tap.send_again(pause)
    assert table.session().status == "asking"
    assert said(table) == before


def test_a_click_that_did_nothing_does_nothing_later_either(table: ServedBot, tap: Wiretap) -> None:
    table.start(TITLE)
    card(table, "card:pause")
    card(table, "card:resume")
    assert table.session().status == "asking"
    table.command("/roundtable resume")  # nothing was paused: it goes on as it is
    again = tap.last("/roundtable")
    card(table, "card:pause")
    tap.send_again(again)
    assert table.session().status == "paused"


def test_an_export_sent_again_five_times_uploads_once(table: ServedBot, tap: Wiretap) -> None:
    table.start(TITLE)
    card(table, "card:export")
    for _ in range(5):
        tap.send_again(tap.last("block_actions"))
    assert len(called(table, "files.completeUploadExternal")) == 1


def test_not_an_answer_sent_again_after_it_was_put_back_takes_nothing_out(
    table: ServedBot, tap: Wiretap
) -> None:
    session = table.start(TITLE)
    ts = table.say("Cards fail at night.")
    table.slack.shortcut("pm", "not_an_answer", channel=CHANNEL, ts=ts)
    table.settle()
    press(table, "Put it back")
    reader = table.table.runtime.reader
    assert [each.withdrawn for each in reader.answers(session.id)] == [False]
    tap.send_again(tap.last("message_action"))
    assert [each.withdrawn for each in reader.answers(session.id)] == [False]


def test_a_form_sent_again_starts_nothing_after_its_session_is_gone(
    table: ServedBot, tap: Wiretap
) -> None:
    submit(table, open_form(table))
    form = tap.last("view_submission")
    table.command("/roundtable delete retry-failed-card-payments --yes")
    tap.send_again(form)
    team, channel = table.table.workspace.team, table.slack.channel_id(CHANNEL)
    assert table.table.runtime.reader.channel_sessions(team, channel) == ()  # type: ignore[arg-type]


def test_a_delete_sent_again_spares_the_session_that_has_the_name_since(
    table: ServedBot, tap: Wiretap
) -> None:
    table.start(TITLE)
    table.command("/roundtable delete retry-failed-card-payments --yes")
    delete = tap.last("/roundtable")
    table.start(TITLE)
    tap.send_again(delete)
    assert table.session().status == "asking"


def test_a_cancel_sent_again_spares_the_session_that_came_after(
    table: ServedBot, tap: Wiretap
) -> None:
    table.start(TITLE)
    table.command("/roundtable cancel --yes")
    cancel = tap.last("/roundtable")
    table.start("Refunds that take too long")
    tap.send_again(cancel)
    assert table.session().status not in ENDED
