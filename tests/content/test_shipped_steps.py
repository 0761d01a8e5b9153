"""The shipped steps of the analysis are worth answering, as far as a test can say so."""

import re

import pytest

from core.content.check import check
from core.content.inventory import inventory
from core.content.library import default_steps_dir
from core.content.questions import numbered
from core.domain.brief import TITLE, brief_of, offered
from core.domain.steps.playbook import Step

FLOW = default_steps_dir() / "analysis"
STEPS = [line.step for line in inventory(FLOW) if line.step is not None]
IDS = [step.id for step in STEPS]
EASE_MIN = 70  # a little better than what a strict check asks for
SHORT_PATH = ["01-01", "01-02", "01-06", "01-08", "02-01", "03-02", "04-01", "04-04"]

each_step = pytest.mark.parametrize("step", STEPS, ids=IDS)


def test_a_strict_check_finds_nothing() -> None:
    report = check(default_steps_dir(), strict=True)
    assert [(one.file, one.message, one.hint) for one in report.faults] == []
    assert report.notes == ()


def test_the_flow_asks_at_most_sixty_questions_and_reads_easily() -> None:
    (flow,) = check(FLOW, strict=True).measures
    assert len(flow.steps) == 24
    assert flow.standard_questions <= 60
    eases = [one.ease for step in flow.steps for one in step.sections[:3]]
    assert min(ease for ease in eases if ease is not None) >= EASE_MIN


def test_the_short_path_asks_at_eight_steps() -> None:
    assert [step.id for step in STEPS if step.short is not None] == SHORT_PATH


def test_a_step_of_the_short_path_waits_for_none_that_it_skips() -> None:
    for step in STEPS:
        if step.short is not None:
            assert set(step.depends_on) <= set(SHORT_PATH)


@each_step
def test_a_draft_reads_well_under_the_name_of_whoever_confirms_it(step: Step) -> None:
    assert not re.search(r"\bI\b|\byou\b", brief_of(step).text)


def test_each_step_has_one_question_of_its_own_for_brief_depth() -> None:
    questions = [brief_of(step).question for step in STEPS]
    assert len(set(questions)) == len(STEPS)
    assert all(questions)


@each_step
def test_no_draft_states_what_nobody_said(step: Step) -> None:
    """Each sentence says what it rests on, but for the size, which has to be said in its words."""
    untagged = [one.text for one in brief_of(step).statements if not one.grounds]
    assert untagged in ([], ["This is a small change of low complexity."])
    assert offered(step, "Replace our whole billing system in 40 countries", "", ()) is None or (
        {ground for one in brief_of(step).statements for ground in one.grounds} == {TITLE}
    )


@each_step
def test_the_artifacts_name_the_section_that_is_written(step: Step) -> None:
    named = re.findall(r'`([^`]+)` · section "([^"]+)"', step.sections["Artifacts"])
    assert tuple(file for file, _ in named) == step.outputs
    for file, section in named:
        if file.endswith(".md"):
            assert section == step.title
        else:
            assert section in ("stories", "rows", "interfaces")


@pytest.mark.parametrize("step_id", ["01-06", "01-07"])
def test_requirements_and_stories_are_asked_for_with_their_check(step_id: str) -> None:
    step = STEPS[IDS.index(step_id)]
    second = numbered(step.sections["Standard Mode"])[1]
    assert re.search(r"How will you know .* is done|try out before they believe", second)


def test_no_opening_line_stands_twice() -> None:
    openings = [
        step.sections[name].split("\n")[0]
        for step in STEPS
        for name in ("Brief Mode", "Standard Mode", "Deep Mode")
    ]
    assert len(set(openings)) == 3 * len(STEPS)
