"""Sorting lines of a council: under people's answers, and under its recommendation."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.devtools.workspace import WorkspaceMessage
from tests.e2e.test_differences import buttons, press, step_message
from tests.e2e.test_sorting import choosing, field, kinds, submit
from tests.support.served_party import PHASES, Party, party

DATABASE = "Database: PostgreSQL, because the team runs it already."
STACK = PHASES[1]


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Party]:
    with party(tmp_path) as play:
        play.begin()
        play.reply()
        yield play


def sort(play: Party, shown: WorkspaceMessage, words: str, label: str, by: str = "dev") -> None:
    action = next(action for action in buttons(shown) if action.startswith("sort:"))
    form = press(play.served, by, action, shown)
    assert form is not None
    assert field(form, words)["hint"]["text"].startswith("said by pm")
    assert submit(play.served, by, form, choosing(form, **{words: label})) is None


def test_what_people_told_a_council_is_sorted_under_their_answers(play: Party) -> None:
    assert kinds(play.served)[DATABASE] == "purpose"
    sort(play, step_message(play.served), "Database", "Only a note")
    assert kinds(play.served)[DATABASE] == "note"
    assert f"Aside (sorted by dev): {DATABASE}" in step_message(play.served).plain
    assert "sorted by dev" in (play.folder / "project-brief.md").read_text()


def test_it_outlives_the_debate_and_the_acceptance(play: Party) -> None:
    sort(play, step_message(play.served), "Database", "Only a note")
    play.press("continue")
    assert kinds(play.served)[DATABASE] == "note"
    play.press("accept")
    assert "(sorted by dev)" in (play.folder / "project-brief.md").read_text()


def test_a_recommendation_is_sorted_where_it_stands_and_nothing_moves(play: Party) -> None:
    play.press("continue")
    before = play.session
    posts = len(play.channel)
    sort(play, play.offering("accept"), "Half of the payments", "Open question")
    assert kinds(play.served)["Half of the payments that fail are paid."] == "question"
    assert "Open questions (1)" in play.offering("accept").plain
    assert (play.session.status, play.session.course.step) == (before.status, before.course.step)
    assert len(play.channel) == posts


def test_a_choice_of_the_stack_made_a_note_is_none_in_the_file(play: Party) -> None:
    play.press("continue")
    play.press("accept")
    assert play.session.course.phase == STACK
    sort(play, play.offering("accept"), "Database", "Only a note")
    stack = (play.folder / "tech-stack.md").read_text()
    assert "No technology was chosen." in stack
    assert "sorted by dev" in stack


def test_while_people_say_what_to_change_a_tap_waits_for_the_next_recommendation(
    play: Party,
) -> None:
    play.press("continue")
    play.press("changes")
    sort(play, step_message(play.served), "Database", "Only a note")
    assert play.session.status == "asking"
    play.reply("The smallest version pays one card again.")
    assert kinds(play.served)[DATABASE] == "note"
