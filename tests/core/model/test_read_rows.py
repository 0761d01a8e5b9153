"""What a model's reading leaves in the database: nothing twice, and all that a replay needs."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.domain.follow_ups import FollowUp
from core.store.journal.replay import replayed
from core.store.maintenance.stored_rows import SHARED
from tests.core.model.test_refining import ANSWER, Read, a_line, hold, table_in
from tests.support.databases import EACH_DATABASE
from tests.support.model_calls import asked, read
from tests.support.rows import execute, run_query

pytestmark = EACH_DATABASE


@pytest.fixture
def table(tmp_path: Path) -> Read:
    return table_in(tmp_path)


def assert_replays(table: Read) -> None:
    again = replayed(table.runtime.database, table.id)
    assert again.differences == ()
    assert again.events == again.compared > 0


def journalled(table: Read, kind: str) -> list[tuple[str, str | None]]:
    """The rows of an event's kind, each with what stands beside the journal."""
    query = (
        "SELECT journal.doc, journal_extras.doc FROM journal LEFT JOIN journal_extras"
        " ON journal_extras.session = journal.session AND journal_extras.place = journal.place"
        " WHERE kind = ? ORDER BY journal.place"
    )
    return list(run_query(table.runtime.database, query, (kind,)))


def versions(table: Read) -> list[tuple[str, str, int, int]]:
    query = "SELECT step, file, version, current FROM sections ORDER BY step, file, version"
    return list(run_query(table.runtime.database, query))


def test_the_settings_of_models_are_stored_once_for_all_decisions(table: Read) -> None:
    table.say(ANSWER)
    database = table.runtime.database
    (settings,) = run_query(database, "SELECT digest, doc FROM contents WHERE kind = 'settings'")
    assert "anthropic:haiku" in settings[1]
    assert list(run_query(database, "SELECT DISTINCT conditions FROM journal")) == [settings[:1]]
    assert "settings" in SHARED["contents"]  # they outlive the session
    assert_replays(table)


def test_a_replay_says_so_where_the_settings_are_gone(table: Read) -> None:
    table.say(ANSWER)
    with table.runtime.database.write() as db:
        execute(db, "DELETE FROM contents WHERE kind = 'settings'")
    (first, *_) = replayed(table.runtime.database, table.id).differences
    assert "a row that it refers to is not there (settings)" in first.now


def test_a_section_that_comes_out_as_it_was_is_no_version_of_its_own(table: Read) -> None:
    hold(table)
    before = versions(table)
    assert before
    table.models.answer(read(a_line(table, "The page must show the total")))
    table.settle()
    readings = "SELECT count(*) FROM journal WHERE kind = 'BrainReplied'"
    assert list(run_query(table.runtime.database, readings)) == [(2,)]
    assert versions(table) == before
    assert_replays(table)


def test_a_section_that_comes_out_otherwise_takes_the_place_of_a_draft(table: Read) -> None:
    hold(table)
    before = versions(table)
    (words, *_) = table.runtime.reader.sections(table.id)
    table.models.answer(read(replace(a_line(table), kind="risk")))
    table.settle()
    assert versions(table) == before
    assert table.runtime.reader.sections(table.id)[0] != words
    assert_replays(table)


def test_what_a_model_read_and_asks_stands_with_its_step_alone(table: Read) -> None:
    hold(table)
    line = a_line(table, "the total is on the page")
    question = FollowUp("check", "How would you see the total?", line.quotes[0])
    table.models.says.append(asked(question))
    table.models.answer(read(line))
    table.settle()
    assert table.step.model.lines == (line,)
    assert table.step.questions.follow_ups[0].question.endswith(question.question)
    written = str(journalled(table, "ModelReplied") + journalled(table, "BrainReplied"))
    assert line.text not in written
    assert question.question not in written
    assert_replays(table)


def test_what_the_next_reading_overwrites_is_kept_with_its_event(table: Read) -> None:
    hold(table)
    first = a_line(table, "the total is on the page")
    table.models.answer(read(first))
    table.settle()
    table.models.says.append(read(replace(first, text="the total stands there")))
    table.say("In bold letters.")
    assert table.step.model.lines[0].text == "the total stands there"
    (earlier, _), (later, beside) = [
        row for row in journalled(table, "ModelReplied") if "lines" in row[0]
    ]
    assert first.text not in earlier + later
    assert first.text in str(beside)
    assert_replays(table)


def test_a_question_that_is_over_is_named_by_its_place(table: Read) -> None:
    table.say("The page must show the total.")
    (question,) = table.step.questions.follow_ups
    table.say("I open the page and see the total.")
    assert table.step.questions.follow_ups[0].outcome == "answered"
    assert question.question not in str(journalled(table, "BrainReplied"))
    assert_replays(table)


def test_lines_that_somebody_changed_on_a_step_are_found(table: Read) -> None:
    hold(table)
    table.models.answer(read(a_line(table, "the total is on the page")))
    table.settle()
    with table.runtime.database.write() as db:
        changed = "UPDATE steps SET doc = replace(doc, 'the total is on the page', 'no total')"
        execute(db, changed)
    (first, *_) = replayed(table.runtime.database, table.id).differences
    assert first.where.endswith("ModelReplied")
    assert first.stored == "made another session of it"
