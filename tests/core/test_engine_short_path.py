"""The short path of a small item: eight questions, the rest skipped and marked so."""

from pathlib import Path

import pytest

from tests.support.harness import Harness


@pytest.fixture
def table(tmp_path: Path) -> Harness:
    """At the end of the quick scan of a small item."""
    table = Harness(tmp_path)
    table.start()
    table.say("It is small.")
    table.forward()
    table.say("The word is time zone.")
    table.forward()
    table.say("2 files.")
    return table


def test_it_is_offered_beside_accept_and_never_first(table: Harness) -> None:
    assert table.menu.choices == ("accept", "short", "amend", "elaborate")


def test_a_large_item_is_not_offered_it(tmp_path: Path) -> None:
    table = Harness(tmp_path)
    table.start()
    table.go_to("00-03")
    table.say("It is large, about 30 files.")
    assert "short" not in table.menu.choices


def test_eight_questions_are_asked_and_the_rest_is_skipped(table: Harness) -> None:
    table.click("short")
    asked = []
    while table.session.status != "completed":
        asked.append(table.session.course.step)
        table.say("The page must show the reader's own time.")
        table.forward()
    assert len(asked) == 8
    skipped = [step for step, status in table.statuses.items() if status == "skipped"]
    assert len(skipped) == 13
    by = {
        state.skipped_by
        for state in table.runtime.reader.all_steps(table.id)
        if state.id in skipped
    }
    assert by == {"UPM"}
    assert table.codes == []


def test_it_asks_the_short_question_and_nothing_after_it(table: Harness) -> None:
    table.click("short")
    table.say("Because.")
    state = table.session.course.steps[0]
    assert state.prompt.is_short
    assert state.questions.open is None
    assert "confirm" not in (table.runtime.reader.menu(table.session.menus.prompt).choices)  # type: ignore[arg-type, union-attr]


def test_nothing_is_invented_for_what_was_not_asked(table: Harness) -> None:
    table.click("short")
    while table.session.status != "completed":
        table.say("The page must show the reader's own time.")
        table.forward()
    sections = {section.step for section in table.runtime.reader.sections(table.id)}
    done = {step for step, status in table.statuses.items() if status == "completed"}
    assert sections <= done
