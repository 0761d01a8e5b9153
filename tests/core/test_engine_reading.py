"""When answers are read, what comes meanwhile, and the questions a brain may ask."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from core.brains.script import reading
from core.domain import events as on
from core.domain.answers import Draft, ReadRequest
from tests.support.fakes import DEV, OPS, TEAM, Thinking
from tests.support.follow_ups import passed, still_open
from tests.support.harness import Harness, small_table, spec

# ── quiet time, and reading ──


def test_answers_are_read_together_once_it_has_been_quiet(tmp_path: Path) -> None:
    brain = Thinking()
    table = small_table(tmp_path, quiet_s=5, brains={None: brain})
    table.start()
    table.say("One.")
    table.pass_time(4)
    table.say("Two.", DEV)
    table.pass_time(4)
    assert brain.asked == []
    table.pass_time(1)
    assert [[answer.text for answer in request.answers] for request in brain.asked] == [
        ["One.", "Two."]
    ]
    assert table.session.status == "choosing"


def test_an_answer_that_comes_while_reading_is_read_right_after(tmp_path: Path) -> None:
    brain = Thinking()
    table = small_table(tmp_path, brains={None: brain})
    table.start()

    def meanwhile(_: object) -> None:
        brain.turns.clear()
        table.runtime.handle(table.message("Two.", OPS), team=TEAM)

    brain.turns.append(meanwhile)
    table.say("One.")
    assert [len(request.answers) for request in brain.asked] == [1, 2]
    assert table.session.status == "choosing"
    assert "Two" in spec(table)


def test_continue_while_answers_wait_to_be_read_loses_none(tmp_path: Path) -> None:
    table = small_table(tmp_path, quiet_s=5)
    table.start()
    table.say("One.")
    table.pass_time(5)
    table.say("Two.", DEV)
    table.click("continue")
    table.pass_time(60)
    assert "Two" in spec(table)
    assert table.session.course.step == "01-02"


def test_a_result_that_comes_after_going_on_is_ignored(table: Harness) -> None:
    table.say("One.")
    before = table.session
    late = on.BrainFailed(table.clock.now(), "t-old", before.course.step, "crash")  # type: ignore[arg-type]
    table.runtime.apply(table.id, late)
    assert table.session == before


# ── questions ──


def asking(question: str | None) -> Callable[[ReadRequest], Draft]:
    asked = still_open(question) if question else (None,)
    return lambda request: replace(reading.read(request), follow_up=asked[0])


def test_at_most_two_questions_are_asked(tmp_path: Path) -> None:
    brain = Thinking([asking("Who?"), asking("When?"), asking("Where?"), asking("Who?")])
    table = small_table(tmp_path, brains={None: brain})
    table.start()
    seen = []
    for text in ("One.", "Two.", "Three.", "Four."):
        table.say(text)
        now = table.session.course.steps[0].questions.open
        seen.append(now.question if now else None)
    assert seen == ["Who?", "When?", None, None]


def test_going_on_while_a_question_is_open_writes_an_assumption(tmp_path: Path) -> None:
    table = small_table(tmp_path, brains={None: Thinking([asking("Who may export?")])})
    table.start()
    table.say("One.")
    table.click("continue")
    assert table.session.course.steps[0].questions.unanswered == passed("Who may export?")
    assert [claim.text for claim in table.runtime.reader.claims(table.id)][-1] == (
        "Asked, not answered: Who may export?"
    )
    assert "Who may export?" in spec(table)
    assert table.lines("late-answer") == []
