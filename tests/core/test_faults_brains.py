"""Brains that fail: once more where it helps, then the facilitator, then on without the phase."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.brains.facilitator import Facilitator
from core.brains.tasks import BrainError
from core.domain import effects as fx
from core.domain.answers import Draft, ReadRequest
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import FACILITATOR, MAYA, DrivenClock, FakeStage, ReadingBrain, Thinking
from tests.support.harness import Harness, small_table
from tests.support.rows import run_query
from tests.support.waiting import WAIT_S_MAX

pytestmark = EACH_DATABASE

TROUBLE = (
    "Analysis could not proceed: the roundtable agent encountered an error. "
    "Falling back to standard analysis."
)
GIVEN_UP = (
    "Skipping Requirements: its analysis could not be run. Use /roundtable resume to try it again."
)


def seated(folder: Path, brain: Thinking, helper: object = None) -> Harness:
    brains = {None: brain, FACILITATOR: helper or Facilitator()}
    table = small_table(folder, brains=brains)
    table.start()
    return table


def test_a_crash_hands_the_phase_to_the_facilitator(tmp_path: Path) -> None:
    brain = Thinking([RuntimeError("boom")])
    table = seated(tmp_path, brain)
    table.say("Because of the bank.")
    assert table.messages == [TROUBLE]
    fault = table.runtime.reader.faults(table.id)[-1]
    assert (fault.code, fault.persona, fault.detail) == (
        "ERR-INT-001",
        MAYA,
        "crash: RuntimeError",
    )
    assert table.session.status == "choosing"
    assert "bank" in (table.folder() / "requirements-spec.md").read_text()
    table.forward()
    assert table.session.course.steps[1].prompt.persona == FACILITATOR
    table.answer("And the auditors.")
    assert len(brain.asked) == 1
    assert table.session.course.phases[0].facilitated
    table.answer("Only the export.")
    assert len(brain.asked) == 2  # the next phase is its own again


@pytest.mark.parametrize("why", ["invalid", "overflow"])
def test_what_may_help_is_tried_once_more_in_silence(tmp_path: Path, why: str) -> None:
    brain = Thinking([BrainError(why)])
    table = seated(tmp_path, brain)
    table.say("Because.")
    assert len(brain.asked) == 2
    assert (table.messages, table.session.status) == ([], "choosing")


@pytest.mark.parametrize("why", ["invalid", "overflow"])
def test_the_second_time_it_is_the_facilitators(tmp_path: Path, why: str) -> None:
    brain = Thinking([BrainError(why), BrainError(why)])
    table = seated(tmp_path, brain)
    table.say("Because.")
    assert len(brain.asked) == 2
    assert table.messages == [TROUBLE]
    assert table.session.status == "choosing"


@pytest.mark.parametrize("made", ["a string", 7, {"claims": []}])
def test_anything_but_a_draft_is_invalid(tmp_path: Path, made: object) -> None:
    table = seated(tmp_path, Thinking([made, made]))
    table.say("Because.")
    assert table.messages == [TROUBLE]
    assert table.runtime.reader.faults(table.id)[-1].detail.startswith("invalid: ")


def test_what_was_too_much_is_tried_with_less(tmp_path: Path) -> None:
    brain = Thinking()
    table = seated(tmp_path, brain)
    table.answer("One.")
    table.answer("Two.")
    brain.turns.append(BrainError("overflow"))
    table.say("Three.")
    full, less = brain.asked[-2:]
    assert [each.text for each in full.answers] == [each.text for each in less.answers]
    assert (len(full.other_answers), less.other_answers) == (2, ())
    assert full.claims
    assert less.claims == ()


class Hanging(ReadingBrain):
    """A brain from which nothing comes while time passes."""

    def __init__(self, clock: DrivenClock) -> None:
        self.clock, self.released = clock, threading.Event()

    def read(self, request: ReadRequest) -> Draft:
        self.clock.forward(6)
        self.released.wait(WAIT_S_MAX)
        raise AssertionError("released")


@pytest.fixture
def hanging() -> Iterator[tuple[FakeStage, Hanging]]:
    stage = FakeStage(DrivenClock())
    brain = Hanging(stage.clock)
    yield stage, brain
    brain.released.set()


def test_a_brain_that_says_nothing_until_its_deadline_is_left(
    tmp_path: Path, hanging: tuple[FakeStage, Hanging]
) -> None:
    stage, brain = hanging
    table = small_table(tmp_path, stage=stage, brains={MAYA: brain}, brain_s=5.0)
    table.start()
    table.say("Because.")
    assert table.messages == [TROUBLE]
    assert table.runtime.reader.faults(table.id)[-1].detail == "silent: no answer within 5 s"
    assert table.session.status == "choosing"


def test_when_the_facilitator_fails_too_the_flow_goes_on_without_the_phase(
    tmp_path: Path,
) -> None:
    brain = Thinking([RuntimeError("boom")])
    table = seated(tmp_path, brain, Thinking([RuntimeError("too")]))
    table.say("Because of the bank.")
    assert table.messages == [TROUBLE, GIVEN_UP]
    assert table.codes.count("ERR-INT-001") == 2
    assert table.phases["01-requirements"] == "failed"
    assert table.session.course.step == "02-01"
    assert table.said == ["Because of the bank."]
    table.finish()
    assert table.session.status == "completed"
    meta = (table.folder() / "meta.json").read_text()
    assert '"phases_completed": [\n    "02-impact"\n  ]' in meta
    assert '"analysis_status": "partial"' in meta


def test_a_phase_given_up_is_opened_again_by_resume(tmp_path: Path) -> None:
    brain = Thinking([RuntimeError("boom")])
    table = seated(tmp_path, brain, Thinking([RuntimeError("too")]))
    table.say("Because of the bank.")
    table.finish()
    table.resume()
    assert table.session.course.step == "01-01"
    assert not table.session.course.phases[0].facilitated
    assert "bank" in (table.folder() / "requirements-spec.md").read_text()
    table.finish()
    assert table.session.status == "completed"
    assert table.session.course.done == ("02-01", "01-01", "01-02")
    assert '"analysis_status": "analyzed"' in (table.folder() / "meta.json").read_text()


def test_the_last_phase_given_up_ends_the_session(tmp_path: Path) -> None:
    brain = Thinking()
    table = seated(tmp_path, brain, Thinking([RuntimeError("too")]))
    table.answer()
    table.answer()
    brain.turns.append(RuntimeError("boom"))
    table.say("Because.")
    assert table.session.status == "completed"
    assert table.phases == {"01-requirements": "completed", "02-impact": "failed"}


def test_a_late_answer_that_cannot_be_read_goes_to_the_facilitator(tmp_path: Path) -> None:
    brain = Thinking()
    table = seated(tmp_path, brain)
    held = table.message("Because of the auditors.")
    table.answer("Because of the bank.")
    brain.turns += [BrainError("invalid"), BrainError("invalid")]
    table.take(held)
    assert table.messages == [TROUBLE]
    assert "auditors" in (table.folder() / "requirements-spec.md").read_text()
    assert table.session.course.step == "01-02"


def test_a_late_answer_is_tried_once_more_in_silence(tmp_path: Path) -> None:
    brain = Thinking()
    table = seated(tmp_path, brain)
    held = table.message("Because of the auditors.")
    table.answer("Because of the bank.")
    brain.turns.append(BrainError("invalid"))
    table.take(held)
    assert table.messages == []
    assert "auditors" in (table.folder() / "requirements-spec.md").read_text()


def test_a_late_answer_nobody_can_read_is_kept_and_moves_nothing(tmp_path: Path) -> None:
    brain = Thinking()
    table = seated(tmp_path, brain, Thinking([RuntimeError("too")]))
    held = table.message("Because of the auditors.")
    table.answer("Because of the bank.")
    brain.turns.append(RuntimeError("boom"))
    table.take(held)
    assert "Because of the auditors." in table.said
    assert (table.session.course.step, table.session.status) == ("01-02", "asking")
    assert table.statuses["01-01"] == "completed"


def test_the_journal_says_what_came_of_every_request_of_a_brain(tmp_path: Path) -> None:
    table = seated(tmp_path, Thinking([BrainError("invalid"), RuntimeError("boom")]))
    table.say("Because.")
    rows = run_query(
        table.runtime.database,
        "SELECT kind, json_extract(doc, '$.why') FROM journal WHERE kind LIKE 'Brain%'",
    ).fetchall()
    assert rows == [("BrainFailed", "invalid"), ("BrainFailed", "crash"), ("BrainReplied", None)]
    assert table.shown(fx.ShowFault)[0].thread == MAYA
