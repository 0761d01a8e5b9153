"""What was asked at one step, and passed, is answered by what is recorded at a later one."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from core.brains.script.follow_ups.settled import settled_elsewhere
from core.domain.answers import Claim, ClaimKind, LineRef
from core.domain.follow_ups import FollowUp
from core.domain.ids import StepId, UserId
from tests.core.test_scripted import answer, request
from tests.support.harness import Harness

DEV, DESK = UserId("U2"), UserId("U3")
RAFT, BRIDGE = "Option A: a raft on a rope", "Option B: a folding bridge with a winch"


def line(step: str, number: int, kind: ClaimKind, text: str, ref: str = "", **data: str) -> Claim:
    sources = (answer(step, number, text).id,)
    return Claim(f"{step}/{number}", StepId(step), kind, text, sources, ref=ref or None, data=data)


OPTIONS = (
    line("03-01", 1, "option", RAFT, option="Option A"),
    line("03-01", 2, "option", BRIDGE, option="Option B"),
)
WHICH = FollowUp("alternative", "Which?", LineRef(OPTIONS[0].sources[0], RAFT), outcome="passed")


def is_settled(asked: FollowUp, earlier: Iterable[Claim], *later: Claim) -> bool:
    """True if lines of step 04-01, or what `earlier` has besides, settle what was passed."""
    said = [answer(one.step, int(one.id.partition("/")[2]), one.text) for one in earlier]
    made = request(
        "04-01",
        *(one.text for one in later),
        claims=tuple(earlier),
        other_answers=tuple(said),
        asked_elsewhere=(asked,),
    )
    return [one.outcome for one in settled_elsewhere(made, later)] == ["answered"]


@pytest.mark.parametrize(
    "choice",
    [
        line("04-01", 1, "decision", "we build the folding one, the winch is dear but lasts"),
        line("04-01", 1, "option", "B then", option="Option B", choice="chosen"),
        line("04-01", 1, "decision", "ok raft it is, we have rope", option="the raft on a rope"),
    ],
)
def test_a_choice_for_one_of_the_options_settles_which_it_is_to_be(choice: Claim) -> None:
    assert is_settled(WHICH, OPTIONS, choice)


@pytest.mark.parametrize(
    "other",
    [
        line("04-01", 1, "decision", "we paint the hut green"),
        line("04-01", 1, "option", "no raft", option="Option A", choice="rejected"),
        line("04-01", 1, "fact", "the folding bridge with a winch squeaks"),
        line("04-01", 1, "requirement", "the raft on a rope must carry two", "FR-009"),
        line("04-01", 1, "decision", "raft or bridge, we decide with the mayor"),
    ],
)
def test_what_chooses_none_of_them_settles_nothing(other: Claim) -> None:
    assert not is_settled(WHICH, OPTIONS, other)


def test_what_was_chosen_before_it_was_asked_settles_nothing_that_was_asked_since() -> None:
    chosen = line("04-01", 1, "option", "B then", option="Option B", choice="chosen")
    later = FollowUp("alternative", "Which?", WHICH.line, outcome="passed", after="1800000000.1")
    assert not is_settled(later, OPTIONS, chosen)


def test_a_check_that_somebody_gives_later_settles_how_one_would_see_it() -> None:
    gate = line("01-06", 1, "requirement", "the gate shuts itself", "FR-001")
    asked = FollowUp("check", "How?", LineRef(gate.sources[0], gate.text), outcome="skipped")
    of_gate = line("04-01", 1, "check", "I leave it open and wait", "AC-001", of="FR-001")
    of_other = line("04-01", 1, "check", "I leave the gate open", "AC-001", of="FR-002")
    assert is_settled(asked, [gate], of_gate)
    assert not is_settled(asked, [gate], of_other)


def test_a_date_that_somebody_names_later_settles_what_sets_the_date() -> None:
    asked = FollowUp("missing", "What sets the date for it? So far there is “x”.", outcome="passed")
    assert is_settled(asked, [], line("04-01", 1, "constraint", "by May", deadline="by May"))
    assert not is_settled(
        asked, [], line("04-01", 1, "constraint", "may not rust, in May nor ever")
    )


def test_lines_of_which_one_was_replaced_differ_no_more() -> None:
    six, nine = (line("01-06", n, "requirement", f"opens at {n}", f"FR-00{n}") for n in (6, 9))
    lines = [LineRef(one.sources[0], one.text) for one in (six, nine)]
    asked = FollowUp("difference", "Which one holds?", *lines, outcome="passed")
    seven = line("04-01", 1, "decision", "seven, final")
    assert not is_settled(asked, [six, nine], seven)
    replaced = Claim(seven.id, seven.step, "decision", seven.text, seven.sources,
                     supersedes=(lines[0],))  # fmt: skip
    assert is_settled(asked, [six, nine], replaced)


@pytest.fixture
def table(tmp_path: Path) -> Harness:
    """People who put two options and went on from the question which one it is to be."""
    table = Harness(tmp_path)
    table.start()
    table.go_to("03-01")
    table.say(f"- {RAFT}\n- {BRIDGE}", DEV)
    table.say("What speaks for option B is that the mayor likes it.", DESK)
    table.forward()
    return table


def outcomes(table: Harness) -> list[str]:
    state = table.runtime.reader.step_state(table.id, StepId("03-01"))
    assert state is not None
    return [one.outcome for one in state.questions.follow_ups if one.kind == "alternative"]


def overview(table: Harness) -> str:
    return (table.folder() / "architecture-overview.md").read_text()


def test_the_files_ask_no_more_what_a_later_step_has_decided(table: Harness) -> None:
    assert outcomes(table) == ["passed"]
    assert "which is it to be" in overview(table)
    table.say("We use a folding bridge, because the ferryman refuses a raft.", DEV)
    assert outcomes(table) == ["answered"]
    assert "which is it to be" not in overview(table)


def test_a_later_step_that_decides_something_else_leaves_it_open(table: Harness) -> None:
    table.say("We use oak boards, because pine rots.", DEV)
    assert outcomes(table) == ["passed"]
    assert "which is it to be" in overview(table)
