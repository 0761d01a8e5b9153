"""A message that is no answer: out of its step, by whom, and back again."""

import pytest

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import ChannelId, MenuId, Ts, UserId
from core.domain.steps.playbook import Playbook
from core.engine.decide import decide
from core.engine.kernel.situation import Situation
from core.runtime.commit import Handled
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import CHANNEL, DEV, OPS, OWNER
from tests.support.harness import Harness, spec

pytestmark = EACH_DATABASE


def take_out(
    table: Harness, ts: Ts, by: UserId = OWNER, *, admin: bool | None = None, channel: str = CHANNEL
) -> Handled:
    at = table.clock.now()
    return table.take(on.AnswerTakenOut(by, at, ChannelId(channel), ts, admin))


def put_back(table: Harness, handled: Handled, by: UserId = OWNER, **more: bool) -> Handled:
    assert handled.reply is not None
    args = handled.reply.args
    return table.click(f"put-back:{args['about']}", by, menu=args["menu"], **more)


def test_it_is_out_unmarked_and_its_section_is_written_anew(table: Harness) -> None:
    stays, goes = table.say("Because of the auditors."), table.say("See you at lunch.")
    assert "lunch" in spec(table)
    take_out(table, goes)
    assert table.reply == "taken-out"
    assert table.said == ["Because of the auditors."]
    assert "lunch" not in spec(table)
    assert "auditors" in spec(table)
    assert fx.Mark(CHANNEL, goes, on=False) in table.shown(fx.Mark)
    assert fx.Mark(CHANNEL, stays, on=False) not in table.shown(fx.Mark)
    assert table.session.status == "choosing"


def test_without_its_only_answer_a_step_is_asked_again(table: Harness) -> None:
    ts = table.say("See you at lunch.")
    take_out(table, ts)
    assert (table.session.status, table.session.course.done) == ("asking", ())
    assert table.said == []


@pytest.mark.parametrize(("by", "admin"), [(DEV, None), (OWNER, None), (OPS, True)])
def test_its_author_the_owner_and_an_admin_may(
    table: Harness, by: UserId, admin: bool | None
) -> None:
    ts = table.say("See you at lunch.", DEV)
    take_out(table, ts, by, admin=admin)
    assert table.reply == "taken-out"
    assert table.said == []


@pytest.mark.parametrize("admin", [None, False])
def test_nobody_else_may_and_they_are_told_who(table: Harness, admin: bool | None) -> None:
    ts = table.say("Because of the auditors.", DEV)
    before = table.session
    handled = take_out(table, ts, OPS, admin=admin)
    assert handled.reply == fx.Reply("not-your-answer", {"by": DEV, "owner": OWNER})
    assert table.session == before
    assert table.said == ["Because of the auditors."]


def test_whose_words_were_taken_out_by_somebody_else_is_told(table: Harness) -> None:
    ts = table.say("See you at lunch.", DEV)
    take_out(table, ts, OWNER)
    (told,) = table.shown(fx.Tell)
    assert (told.user, told.reply.kind) == (DEV, "yours-taken-out")
    assert told.thread_ts == table.thread()


def test_what_is_no_answer_stays_what_it_is(table: Harness) -> None:
    table.say("Because of the auditors.")
    comment = table.say("// between us")
    before = table.snapshot()
    for ts in (comment, Ts("1.1"), table.thread(), table.card):
        assert take_out(table, ts).reply == fx.Reply("no-answer")
    known = table.runtime.reader.answers(table.id)[0].ts
    assert take_out(table, known, channel="C9").reply == fx.Reply("no-answer")
    assert table.snapshot() == before


def test_it_is_put_back_once_and_counts_again(table: Harness) -> None:
    ts = table.say("Because of the auditors.")
    out = take_out(table, ts)
    put_back(table, out)
    assert table.reply == "put-back"
    assert table.said == ["Because of the auditors."]
    assert "auditors" in spec(table)
    assert table.shown(fx.Mark)[-1] == fx.Mark(CHANNEL, ts, on=True)
    assert table.session.status == "choosing"
    before = table.session
    put_back(table, out)
    assert table.reply == "used-by-you"
    assert table.session == before


def test_taken_out_twice_it_is_said_and_after_coming_back_it_can_go_again(table: Harness) -> None:
    ts = table.say("Because of the auditors.")
    out = take_out(table, ts)
    assert take_out(table, ts).reply == fx.Reply("out-already")
    put_back(table, out)
    assert take_out(table, ts).reply is not None
    assert table.reply == "taken-out"
    assert table.said == []


def test_only_who_may_take_it_out_puts_it_back(table: Harness) -> None:
    out = take_out(table, table.say("Because of the auditors.", DEV))
    put_back(table, out, OPS)
    assert table.reply == "not-your-answer"
    put_back(table, out, OPS, admin=True)
    assert table.reply == "put-back"


def test_another_answer_cannot_be_put_back_with_that_button(table: Harness) -> None:
    kept, gone = table.say("Because of the auditors."), table.say("See you at lunch.")
    out = take_out(table, gone)
    assert out.reply is not None
    table.delete(kept)
    table.click(f"put-back:{CHANNEL}:{kept}", menu=out.reply.args["menu"])
    assert table.reply == "unknown-choice"
    assert table.said == []


def test_a_late_answer_can_be_taken_out_and_put_back_while_the_step_stays_done(
    table: Harness,
) -> None:
    ts = table.say("Because of the auditors.")
    table.forward()
    here = table.session.course.step
    out = take_out(table, ts)
    assert table.statuses["01-01"] == "completed"
    assert "auditors" not in spec(table)
    put_back(table, out)
    assert "auditors" in spec(table)
    assert table.session.course.step == here


def test_an_edit_while_it_is_out_comes_back_with_it(table: Harness) -> None:
    ts = table.say("See you at lunch.")
    out = take_out(table, ts)
    table.edit(ts, "Because of the bank.")
    assert table.said == []
    put_back(table, out)
    assert table.said == ["Because of the bank."]


def test_what_was_deleted_or_made_a_comment_meanwhile_does_not_come_back(table: Harness) -> None:
    ts = table.say("See you at lunch.")
    out = take_out(table, ts)
    table.edit(ts, "// see you at lunch")
    put_back(table, out)
    assert table.reply == "not-there"
    assert table.said == []
    ts = table.say("Coffee?")
    out = take_out(table, ts)
    table.delete(ts)
    put_back(table, out)
    assert table.reply == "not-there"
    assert table.said == []


def test_it_survives_a_crash_and_the_next_process_puts_it_back(table: Harness) -> None:
    out = take_out(table, table.say("Because of the auditors."))
    again = table.again()
    put_back(again, out)
    assert again.said == ["Because of the auditors."]


def test_in_a_session_that_is_over_it_is_said_kindly(table: Harness) -> None:
    ts = table.say("Because of the auditors.")
    table.cancel()
    take_out(table, ts)
    assert table.reply == "ended-thread"
    assert table.said == ["Because of the auditors."]


def test_whoever_does_it_and_whose_it_was_are_told_of_which_step(table: Harness) -> None:
    handled = take_out(table, table.say("See you at lunch.", DEV), OWNER)
    assert handled.reply is not None
    assert handled.reply.args["step"] == "First"
    (told,) = table.shown(fx.Tell)
    assert (told.user, told.reply) == (
        DEV, fx.Reply("yours-taken-out", {"by": OWNER, "step": "First"}),
    )  # fmt: skip
    back = put_back(table, handled)
    assert back.reply == fx.Reply("put-back", {"step": "First"})


def test_the_owners_own_words_are_the_owners_matter(table: Harness) -> None:
    ts = table.say("Because of the auditors.", OWNER)
    assert take_out(table, ts, OPS).reply == fx.Reply("not-yours", {"owner": OWNER})
    out = take_out(table, ts, OWNER)
    assert put_back(table, out, OPS).reply == fx.Reply("not-yours", {"owner": OWNER})


def test_whoever_takes_their_own_words_out_is_not_told_that_somebody_did(table: Harness) -> None:
    take_out(table, table.say("See you at lunch.", DEV), DEV)
    assert table.shown(fx.Tell) == []


def test_the_button_names_its_answer_and_remembers_who_used_it(table: Harness) -> None:
    ts = table.say("Because of the auditors.")
    out = take_out(table, ts)
    assert out.reply is not None
    menu = table.runtime.reader.menu(MenuId(str(out.reply.args["menu"])))
    assert menu is not None
    assert (menu.kind, menu.choices, menu.step, menu.state) == (
        "put-back", (f"put-back:{CHANNEL}:{ts}",), "01-01", "open",
    )  # fmt: skip
    put_back(table, out, OWNER)
    menu = table.runtime.reader.menu(menu.id)
    assert menu is not None
    assert (menu.state, menu.used_by, menu.chosen) == ("used", OWNER, menu.choices[0])


def test_out_and_back_are_a_revision_each(table: Harness) -> None:
    out = take_out(table, table.say("Because of the auditors."))
    put_back(table, out)
    (answer,) = table.runtime.reader.answers(table.id)
    assert (answer.revision, answer.out_by, answer.withdrawn) == (3, None, False)


def test_in_a_halted_session_it_stays_out_and_that_is_said(table: Harness) -> None:
    out = take_out(table, table.say("See you at lunch."))
    table.say("the password is xoxb-123456789012-123456789012-" + "abcdefABCDEF")
    assert table.session.status == "halted"
    assert put_back(table, out).reply == fx.Reply("is-halted", {"title": table.session.title})
    assert table.said == []


def test_what_is_said_of_a_button_that_is_not_its_own_has_nothing_to_add(table: Harness) -> None:
    out = take_out(table, table.say("See you at lunch."))
    assert out.reply is not None
    menu = out.reply.args["menu"]
    assert table.click("put-back:C9:1.1", menu=menu).reply == fx.Reply("unknown-choice")
    table.delete(Ts(str(out.reply.args["about"]).partition(":")[2]))
    assert put_back(table, out).reply == fx.Reply("not-there")


def test_where_its_row_is_gone_meanwhile_there_is_no_answer(table: Harness) -> None:
    event = on.AnswerTakenOut(OWNER, table.clock.now(), CHANNEL, Ts("1.1"))
    said = decide(Situation(table.session), event, Playbook((), {}))
    assert said.reply == fx.Reply("no-answer")
