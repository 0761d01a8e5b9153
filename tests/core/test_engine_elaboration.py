"""Elaboration: the other personas join a step, people take part, the same menu comes back."""

from pathlib import Path

import pytest

from core.domain.effects import Reply, SayTurn
from tests.support.fakes import DEV, OWNER
from tests.support.harness import Harness

UTC_TODAY = "The template prints UTC today, and the zone is in the profile."


@pytest.fixture
def table(tmp_path: Path) -> Harness:
    """At the first step's menu, with one answer."""
    table = Harness(tmp_path)
    table.start(depth="standard")
    table.say(UTC_TODAY)
    return table


def test_both_others_speak_once_and_then_wait_for_people(table: Harness) -> None:
    table.click("elaborate")
    state = table.session.course.steps[0]
    assert [who for who, _ in state.discussion.turns] == ["solutions-architect", "system-designer"]
    assert [turn.number for turn in table.shown(SayTurn)] == [1, 2]
    assert (table.menu.kind, table.menu.choices) == ("elaboration", ("done",))


@pytest.mark.parametrize("word", ["E", "elaborate"])
def test_the_letter_does_what_the_button_does(table: Harness, word: str) -> None:
    table.say(word)
    assert table.session.elaboration.is_open
    assert table.said == [UTC_TODAY]


def test_progress_is_untouched_and_the_same_menu_comes_back(table: Harness) -> None:
    before = (table.menu.choices, table.session.course.step, table.session.course.done)
    table.click("elaborate")
    table.click("done")
    assert (table.menu.choices, table.session.course.step, table.session.course.done) == before
    assert not table.session.elaboration.is_open


def test_a_reply_is_an_answer_of_the_step_and_gets_a_turn(table: Harness) -> None:
    table.click("elaborate")
    table.say("Customers in other zones misread it.", by=DEV)
    answers = table.runtime.reader.answers(table.id)
    assert [answer.source for answer in answers] == ["said", "elaboration"]
    assert len(table.session.course.steps[0].discussion.turns) == 3


@pytest.mark.parametrize(
    ("words", "who"),
    [
        ("Jordan, which part owns the zone?", "system-designer"),
        ("alex what else reads it", "solutions-architect"),
    ],
)
def test_whoever_is_called_by_name_answers(table: Harness, words: str, who: str) -> None:
    table.click("elaborate")
    table.say(words)
    assert table.session.course.steps[0].discussion.turns[-1][0] == who


def test_done_as_a_word_ends_it_and_is_no_answer(table: Harness) -> None:
    table.click("elaborate")
    table.say("Done.")
    assert table.said == [UTC_TODAY]
    assert table.menu.kind == "step"


def test_whoever_is_too_late_to_end_it_is_told_who_did(table: Harness) -> None:
    table.click("elaborate")
    menu = table.menu.id
    table.click("done")
    late = table.click("done", by=DEV, menu=menu)
    assert late.reply == Reply("used-menu", {"by": OWNER, "choice": "done"})


def test_it_ends_by_itself_after_ten_turns_with_a_note_at_eight(table: Harness) -> None:
    table.click("elaborate")
    for number in range(20):
        if table.session.elaboration.is_open:
            table.say(f"Alex, and what of reason number {number} for module {number}?")
            table.say(f"Jordan, and what of module {number} and its owner {number}?")
    state = table.session.course.steps[0]
    assert len(state.discussion.turns) <= 10
    if len(state.discussion.turns) == 10:
        assert not table.session.elaboration.is_open
        assert len(table.lines("two-turns-left")) == 1


def test_what_was_said_goes_into_the_artifact_with_its_author(table: Harness) -> None:
    table.click("elaborate")
    table.say("Customers in other zones misread it.", by=DEV)
    table.click("done")
    text = (table.folder() / "quick-scan.md").read_text()
    assert "### Elaboration" in text
    assert "Sam said: Customers in other zones misread it." in text


def test_on_a_phases_last_step_accept_comes_back(table: Harness) -> None:
    table.go_to("00-03")
    table.say("About 30 files.")
    assert table.menu.choices == ("accept", "amend", "elaborate")
    table.click("elaborate")
    table.click("done")
    assert table.menu.choices == ("accept", "amend", "elaborate")


def test_a_pause_in_the_middle_ends_it_at_resume(table: Harness) -> None:
    table.click("elaborate")
    table.click("pause")
    table.resume()
    assert not table.session.elaboration.is_open
    assert table.menu.choices == ("continue", "elaborate", "skip")


def test_a_phases_summary_gets_its_menu_back_after_an_elaboration(table: Harness) -> None:
    table.click("skip")
    assert table.session.menus.on_summary
    before = table.menu.choices
    table.click("elaborate")
    table.say("The zone of the account decides.", DEV)
    table.click("done")
    assert (table.session.status, table.menu.kind) == ("choosing", "phase")
    assert table.menu.choices == before
    table.click("accept")
    assert table.session.course.phase == "01-requirements"


def test_a_summary_whose_step_lost_its_answer_gets_its_menu_back_as_well(tmp_path: Path) -> None:
    table = Harness(tmp_path)
    table.start(depth="standard")
    answer = table.say(UTC_TODAY)
    table.click("skip")
    before = table.menu.choices
    table.delete(answer)
    assert table.session.menus.on_summary
    table.click("elaborate")
    table.click("done")
    assert (table.session.status, table.menu.kind) == ("choosing", "phase")
    assert table.menu.choices == before
    table.click("accept")
    assert table.session.course.phase == "01-requirements"


def test_an_answer_that_is_read_meanwhile_leaves_the_elaboration_its_menu(tmp_path: Path) -> None:
    """Somebody adds to it, and somebody else asks for an elaboration before that is read."""
    table = Harness(tmp_path, quiet_s=5.0)
    table.start(depth="standard")
    table.say(UTC_TODAY)
    table.pass_time(5)
    table.say("And the zone of the account decides.", by=DEV)
    table.click("elaborate")
    table.pass_time(5)
    assert table.session.elaboration.is_open
    assert table.menu.kind == "elaboration"
    table.click("done")
    assert (table.menu.kind, table.session.elaboration.is_open) == ("step", False)


def test_an_answer_that_is_deleted_meanwhile_leaves_it_its_menu(tmp_path: Path) -> None:
    table = Harness(tmp_path, quiet_s=5.0)
    table.start(depth="standard")
    said = table.say(UTC_TODAY)
    table.pass_time(5)
    table.delete(said)
    table.click("elaborate")
    table.pass_time(5)
    assert (table.session.status, table.menu.kind) == ("choosing", "elaboration")
    table.click("done")
    assert (table.session.status, table.session.menus.current) == ("asking", None)
    table.say(UTC_TODAY)
    table.pass_time(5)
    assert table.menu.kind == "step"


@pytest.mark.parametrize("choice", ["skip-step", "pause"])
def test_whoever_goes_on_ends_it(table: Harness, choice: str) -> None:
    table.click("elaborate")
    table.say("Customers in other zones misread it.", by=DEV)
    table.click(choice)
    if choice == "pause":
        table.resume()
    assert not table.session.elaboration.is_open
    table.answer("It is small: three files.")
    assert table.session.status == "asking"


def test_what_was_said_in_it_is_read_when_somebody_goes_on(table: Harness) -> None:
    table.click("elaborate")
    table.say("Customers in other zones misread it.", by=DEV)
    table.click("skip-step")
    assert "Customers in other zones" in (table.folder() / "quick-scan.md").read_text()
