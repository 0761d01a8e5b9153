"""What people say: answers, edits, withdrawals, late ones, and what is no answer at all."""

import pytest

from core.domain import effects as fx
from core.domain.answers import SharedFile
from core.domain.ids import Ts
from tests.support.fakes import ALEX, CHANNEL, DEV, MAYA, OWNER, TEAM
from tests.support.harness import Harness, spec

# ── one answer ──


def test_an_answer_is_marked_read_written_and_only_then_offered_a_menu(table: Harness) -> None:
    ts = table.say("Because of the auditors.")
    assert table.shown(fx.Mark) == [fx.Mark(CHANNEL, ts, on=True)]
    assert table.session.course.done == ("01-01",)
    assert "Because of the auditors" in spec(table)
    assert '"01-01"' in (table.folder() / "meta.json").read_text()
    assert table.session.status == "choosing"


def test_the_menu_waits_until_the_folder_is_written(table: Harness) -> None:
    table.runtime.handle(table.message("Because."), team=TEAM)
    (row,) = table.runtime.outbox.brains(table.id)
    table.outbox_worker.read(row)
    assert table.session.course.done == ("01-01",)
    assert (table.session.status, table.session.menus.current) == ("asking", None)
    table.settle()
    assert table.session.status == "choosing"


def test_several_people_stay_apart_and_are_awaited_until_they_answered(table: Harness) -> None:
    assert table.session.awaited == (OWNER,)
    table.say("Because of the auditors.", DEV)
    assert (table.session.people.answered, table.session.awaited) == ((DEV,), (OWNER,))
    table.say("Because of the bank.", OWNER)
    assert table.session.awaited == ()
    assert [answer.by for answer in table.runtime.reader.answers(table.id)] == [DEV, OWNER]
    table.forward()
    assert table.session.awaited == (OWNER, DEV)


def test_a_step_keeps_one_message_and_one_menu_while_people_go_on(table: Harness) -> None:
    table.say("Because of the auditors.")
    menu = table.menu.id
    table.say("And the bank.", DEV)
    assert table.menu.id == menu
    assert [post.target for post in table.stage.posts].count("step:01-01:1") == 1


def test_the_first_prompt_of_a_phase_mentions_whoever_is_awaited(table: Harness) -> None:
    table.answer(by=DEV)
    table.answer(by=DEV)
    mentions = [prompt.mention for prompt in table.shown(fx.PostPrompt)]
    assert mentions == [(OWNER,), (), (OWNER, DEV)]


# ── what is no answer ──


@pytest.mark.parametrize("text", ["// between us", "  //not you", "", "   ", "\n"])
def test_comments_and_nothing_at_all_leave_no_trace(table: Harness, text: str) -> None:
    before = table.snapshot()
    table.say(text)
    assert table.snapshot() == before
    assert table.reply is None


def test_a_file_without_words_is_an_answer_by_its_name(table: Harness) -> None:
    table.say("", files=(SharedFile("flow.png", "https://files/1"),))
    (answer,) = table.runtime.reader.answers(table.id)
    assert answer.files == (SharedFile("flow.png", "https://files/1"),)
    assert "flow.png" in spec(table)


@pytest.mark.parametrize("text", ["👍", ":+1:", "שלום עולם", "<@UX> `rm -rf` http://x.example"])
def test_whatever_people_type_is_kept_as_it_is(table: Harness, text: str) -> None:
    table.say(text)
    assert table.said == [text]
    assert table.session.status == "choosing"


def test_an_answer_of_forty_thousand_characters_is_kept_whole(table: Harness) -> None:
    table.say("Because of the auditors and the bank. " * 1052)
    assert len(table.said[0]) == 39976
    assert table.session.status == "choosing"


def test_a_reply_under_the_card_is_told_where_we_are(table: Harness) -> None:
    table.say("Because.", thread=table.card)
    assert table.handled.reply == fx.Reply("wrong-thread", {"persona": "Maya Chen", "key": MAYA})
    assert table.said == []


def test_a_message_outside_our_threads_is_nobodys(table: Harness) -> None:
    before = table.snapshot()
    table.say("Because.", thread=Ts("1.0"))
    assert (table.handled.session, table.reply) == (None, None)
    assert table.snapshot() == before


# ── edits ──


def test_an_edit_revises_the_answer_and_what_is_written(table: Harness) -> None:
    ts = table.say("Because of the auditors.")
    table.edit(ts, "Because of the bank.")
    (answer,) = table.runtime.reader.answers(table.id)
    assert (answer.revision, answer.source) == (2, "edited")
    assert "Because of the bank" in spec(table)
    assert "auditors" not in spec(table)


def test_an_older_edit_loses(table: Harness) -> None:
    ts = table.say("One.")
    table.edit(ts, "Three.", at="1900000003.000001")
    table.edit(ts, "Two.", at="1900000002.000001")
    assert table.said == ["Three."]


def test_the_same_edit_twice_changes_once(table: Harness) -> None:
    ts = table.say("One.")
    table.edit(ts, "Two.", at="1900000002.000001")
    before = table.snapshot()
    table.edit(ts, "Two.", at="1900000002.000001")
    assert table.snapshot() == before


@pytest.mark.parametrize("text", ["// never mind", " "])
def test_an_edit_to_a_comment_or_to_nothing_withdraws(table: Harness, text: str) -> None:
    ts = table.say("Because.")
    table.edit(ts, text)
    assert table.said == []
    assert table.shown(fx.Mark)[-1] == fx.Mark(CHANNEL, ts, on=False)
    assert table.session.status == "asking"


@pytest.mark.parametrize("text", ["// never mind", ""])
def test_an_edit_back_from_a_comment_or_from_nothing_counts_again(
    table: Harness, text: str
) -> None:
    ts = table.say("Because.")
    table.edit(ts, text)
    table.edit(ts, "Because, after all.")
    assert table.said == ["Because, after all."]
    assert table.shown(fx.Mark)[-1] == fx.Mark(CHANNEL, ts, on=True)


def test_an_edit_of_what_was_deleted_brings_nothing_back(table: Harness) -> None:
    ts = table.say("Because.")
    table.delete(ts)
    table.edit(ts, "Because, after all.")
    assert table.said == []


# ── deletions ──


def test_a_deleted_answer_is_withdrawn_from_what_is_written(table: Harness) -> None:
    table.say("Because of the auditors.")
    ts = table.say("Because of the bank.", DEV)
    table.delete(ts, DEV)
    assert table.said == ["Because of the auditors."]
    assert "bank" not in spec(table)
    assert table.session.status == "choosing"


def test_when_all_answers_are_withdrawn_the_step_is_asked_still(table: Harness) -> None:
    ts = table.say("Because.")
    menu = table.menu.id
    table.delete(ts)
    assert (table.session.status, table.session.menus.current) == ("asking", None)
    assert table.statuses["01-01"] == "pending"
    assert table.session.course.done == ()
    assert table.session.awaited == (OWNER,)
    table.click("continue", menu=menu)
    assert table.session.course.step == "01-01"
    table.answer("Because, still.")
    assert table.session.course.step == "01-02"


def test_a_deletion_before_the_message_leaves_a_tombstone(table: Harness) -> None:
    event = table.message("Because.")
    table.delete(event.ts)
    table.take(event, keys=[f"msg:{TEAM}:{CHANNEL}:{event.ts}"])
    assert table.handled.repeated
    assert table.said == []
    assert table.session.status == "asking"


# ── which step, and late ones ──


def test_a_reply_belongs_to_the_prompt_before_its_ts_whenever_it_arrives(table: Harness) -> None:
    held = table.message("Said early, heard late.")
    table.answer("Because.")
    assert table.session.course.step == "01-02"
    table.take(held)
    assert [answer.step for answer in table.runtime.reader.answers(table.id)] == ["01-01"] * 2
    assert "Said early, heard late" in spec(table)
    assert (table.session.course.step, table.session.status) == ("01-02", "asking")
    assert table.statuses["01-01"] == "completed"
    assert [(line.thread, line.args["step"]) for line in table.lines("late-answer")] == [
        (MAYA, "First")
    ]


def test_a_reply_before_the_first_prompt_is_told_where_we_are(table: Harness) -> None:
    table.say("Too early.", ts=Ts("1700000000.000001"))
    assert (table.reply, table.said) == ("wrong-thread", [])


def test_a_reply_in_a_finished_personas_thread_is_a_late_one(table: Harness) -> None:
    table.answer()
    table.answer()
    assert table.session.course.thread == ALEX
    table.say("One thing more.", thread=table.thread(MAYA))
    assert table.runtime.reader.answers(table.id)[-1].step == "01-02"
    assert table.lines("late-answer")[0].thread == MAYA
    assert table.session.status == "asking"


def test_a_reply_to_a_completed_session_is_kept_and_written(table: Harness) -> None:
    table.finish()
    ts = table.say("One thing more.", DEV)
    assert table.session.status == "completed"
    assert "One thing more" in (table.folder() / "impact.md").read_text()
    table.edit(ts, "Two things more.", DEV)
    assert "Two things more" in (table.folder() / "impact.md").read_text()


def test_a_reply_to_a_cancelled_session_is_told_that_it_ended(table: Harness) -> None:
    table.say("Because.")
    table.cancel()
    before = table.snapshot()
    table.say("One thing more.")
    assert (table.reply, table.snapshot()) == ("ended-thread", before)


def test_a_late_answer_to_a_skipped_step_is_kept_and_the_step_stays_skipped(
    table: Harness,
) -> None:
    held = table.message("Because of the auditors.")
    table.click("skip-step")
    table.take(held)
    assert "auditors" in spec(table)
    assert table.statuses["01-01"] == "skipped"


def test_what_is_said_under_a_summary_is_late_and_the_summary_shows_it(table: Harness) -> None:
    ts = table.say("Because of the bank.")
    table.click("skip")
    menu, before = table.menu.id, len(table.shown(fx.ShowPhase))
    table.say("And of the auditors.", DEV)
    assert "auditors" in spec(table)
    assert len(table.shown(fx.ShowPhase)) == before + 1
    table.delete(ts)
    assert (table.session.status, table.menu.id) == ("choosing", menu)
    assert table.statuses["01-01"] == "completed"
    table.click("accept")
    assert table.session.course.step == "02-01"
