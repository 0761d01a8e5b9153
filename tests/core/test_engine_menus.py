"""Clicks and words: a menu acts once, whoever comes second is told, letters count only now."""

from pathlib import Path

import pytest

from core.domain import effects as fx
from core.domain.events import ChoiceMade
from core.domain.ids import MenuId, SessionId
from core.store.journal.replay import replayed
from tests.support.fakes import DEV, ELSEWHERE, OWNER, TEAM
from tests.support.harness import Harness, small_table
from tests.support.rows import run_query
from tests.support.step_trees import AGENT, Tree


def test_of_two_clicks_the_second_is_told_who_chose_what(table: Harness) -> None:
    table.say("Because.")
    first, second = table.choice("continue", DEV), table.choice("skip", OWNER)
    table.take(first)
    before = table.snapshot()
    table.take(second)
    assert table.handled.reply == fx.Reply("used-menu", {"by": DEV, "choice": "continue"})
    assert table.snapshot() == before


def test_the_same_click_twice_acts_once(table: Harness) -> None:
    table.say("Because.")
    click = table.choice("continue")
    table.take(click)
    table.take(click)
    assert table.prompts == ["01-01", "01-02"]
    assert table.reply == "used-by-you"


def test_the_message_says_who_chose_what(table: Harness) -> None:
    table.say("Because.")
    table.click("continue", DEV)
    done = table.session.course.steps[0]
    assert (done.choice.name, done.choice.by) == ("continue", DEV)
    assert table.shown(fx.ShowStep)[-1].step == "01-01"


def test_a_click_from_another_channel_learns_nothing(table: Harness) -> None:
    table.say("Because.")
    click = ChoiceMade(DEV, table.clock.now(), table.menu.id, "continue", ELSEWHERE)
    before = table.snapshot()
    table.take(click)
    assert (table.reply, table.snapshot()) == ("gone", before)
    table.finish()
    table.take(click)
    assert table.handled.reply == fx.Reply("gone")


def test_a_menu_nobody_knows_is_gone(table: Harness) -> None:
    before = table.snapshot()
    table.click("continue", menu="m-nobody-knows")
    assert (table.reply, table.snapshot()) == ("gone", before)


@pytest.mark.parametrize("choice", ["accept", "", "keep-all", "done", "depth:bottomless"])
def test_a_choice_that_the_menu_does_not_offer_changes_nothing(table: Harness, choice: str) -> None:
    table.say("Because.")
    before = table.snapshot()
    table.click(choice, menu=table.menu.id)
    assert (table.reply, table.snapshot()) == ("unknown-choice", before)


def test_a_menu_that_was_replaced_points_to_the_new_one(table: Harness) -> None:
    table.say("Because.")
    old = table.menu.id
    table.resume()
    assert table.menu.id != old
    before = table.snapshot()
    table.click("continue", menu=old)
    assert (table.reply, table.snapshot()) == ("unknown-choice", before)


def test_a_menu_that_still_stands_while_a_resume_is_under_way_does_nothing(table: Harness) -> None:
    from core.domain.events import SessionResumed

    table.answer()
    table.say("Because.")
    click = table.choice("accept")
    resumed = SessionResumed(OWNER, table.clock.now())
    table.runtime.handle(resumed, team=TEAM, session=table.id)
    assert table.runtime.handle(click, team=TEAM).reply == fx.Reply("busy")
    table.settle()
    assert (table.session.status, table.session.course.step) == ("choosing", "01-02")


# ── words ──


@pytest.mark.parametrize(
    "word", ["c", "C", "continue", "Continue.", " CONTINUE! ", "  continue" + " " * 20]
)
def test_a_word_for_going_on_goes_on(table: Harness, word: str) -> None:
    table.say("Because.")
    table.say(word, DEV)
    assert table.session.course.step == "01-02"
    assert (table.said, table.session.course.steps[0].choice.by) == (["Because."], DEV)


@pytest.mark.parametrize(
    "put",
    [
        "A) a lock\nB) a lease\nC) neither",
        "do we (A) lock, (B) lease or (C) do neither?",
        "A a lock\nB a lease\nC neither",
        "A: a lock. B: a lease. C: neither",
        "A. lock\nB. lease\nC. neither",
    ],
)
@pytest.mark.parametrize("letter", ["C", "c", "C."])
def test_a_letter_of_options_that_somebody_put_at_the_step_is_an_answer(
    table: Harness, put: str, letter: str
) -> None:
    table.say(put)
    table.say(letter, DEV)
    assert (table.session.course.step, table.said) == ("01-01", [put, letter])
    table.say("continue", DEV)
    assert table.session.course.step == "01-02"
    table.say("Because.")
    table.say(letter, DEV)
    assert table.session.course.step == "02-01"
    assert replayed(table.runtime.database, table.id).differences == ()


@pytest.mark.parametrize(
    "said", ["C) neither", "A) a lock\nB) a lease", "a. m. and C. Smith, both"]
)
def test_a_letter_goes_on_where_no_list_has_an_option_of_that_letter(
    table: Harness, said: str
) -> None:
    table.say(said)
    table.say("C")
    assert table.session.course.step == "01-02"


@pytest.mark.parametrize("word", ["c", "continue", "accept", "Accept"])
def test_on_the_last_step_going_on_is_accepting(table: Harness, word: str) -> None:
    table.answer()
    table.say("Because.")
    table.say(word)
    course = table.session.course
    assert (course.step, course.phases[0].accepted_by) == ("02-01", OWNER)


@pytest.mark.parametrize("word", ["s", "S", "skip rest"])
def test_a_word_for_skipping_asks_before_it_skips_the_rest(table: Harness, word: str) -> None:
    table.say("Because.")
    table.say(word)
    assert table.statuses == {"01-01": "completed", "01-02": "pending"}
    assert table.handled.reply is not None
    assert table.handled.reply.kind == "skip-question"
    rest = table.session.course.rest
    assert table.handled.reply.args["rest"] == "\n".join(each.title for each in rest)
    table.click("skip", menu=table.handled.reply.args["menu"])
    assert table.statuses == {"01-01": "completed", "01-02": "skipped"}


def test_amend_is_a_word_too(table: Harness) -> None:
    table.answer()
    table.say("Because.")
    table.say("amend")
    assert table.prompts[-2:] == ["01-02", "01-02"]


@pytest.mark.parametrize("word", ["s", "skip rest"])
def test_on_the_last_step_there_is_no_rest_to_skip(table: Harness, word: str) -> None:
    table.answer()
    table.say("Because.")
    before = table.snapshot()
    table.say(word)
    assert (table.reply, table.snapshot()) == ("unknown-choice", before)


@pytest.mark.parametrize("word", ["c", "S", "continue", "accept", "skip rest", "e", "done"])
def test_without_an_open_menu_the_same_words_are_answers(table: Harness, word: str) -> None:
    table.say(word)
    assert table.said == [word]


@pytest.mark.parametrize("text", ["c u", "We continue as before", "yes, skip rest", "cc"])
def test_a_word_within_a_sentence_is_an_answer(table: Harness, text: str) -> None:
    table.say("Because.")
    table.say(text)
    assert table.said == ["Because.", text]


def test_a_word_said_to_an_earlier_step_moves_nothing_now(table: Harness) -> None:
    held = table.message("c")
    table.answer()
    table.say("Because.")
    table.take(held)
    assert table.session.course.step == "01-02"


def test_a_word_counts_under_a_summary_that_came_after_a_skipped_step(table: Harness) -> None:
    table.answer()
    table.click("skip-step")
    assert (table.session.menus.on_summary, table.session.course.step) == (True, "01-01")
    table.say("c")
    assert table.session.course.step == "02-01"


def test_while_paused_a_word_is_told_so_and_is_no_answer(table: Harness) -> None:
    table.say("Because.")
    table.click("pause")
    before = table.snapshot()
    table.say("c")
    session = table.session
    about = {"title": session.title, "slug": session.slug, "session": session.id}
    assert table.handled.reply == fx.Reply("is-paused", about)
    assert table.snapshot() == before


def test_ids_of_menus_cannot_be_guessed_from_one_another(table: Harness) -> None:
    seen = {menu.id for menu in table.menus}
    table.finish()
    table.id = MenuId("s2")  # type: ignore[assignment]
    table.start("Another title", run="r2")
    assert not seen & {menu.id for menu in table.menus}
    assert all(len(menu.id) == 24 for menu in table.menus)


def test_ids_of_the_menus_of_a_session_begin_alike_so_that_their_rows_lie_together(
    table: Harness,
) -> None:
    table.finish()
    table.id = SessionId("s2")
    table.start("Another title", run="r2")
    ids = run_query(table.runtime.database, "SELECT session, substr(id, 1, 5) FROM menus")
    assert len(ids) > 4
    assert len({*ids}) == 2


def test_a_step_is_never_a_dead_end(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "steps")
    tree.agent(AGENT)
    tree.step("01-requirements/01-a.md")
    table = small_table(tmp_path, tree=tree)
    table.start()
    assert {"skip-step", "back", "pause", "cancel", "depth:deep"} <= set(table.menus[0].choices)
