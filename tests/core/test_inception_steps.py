"""The steps of the classic mode: they read well, and what they ask for is what is understood."""

import re
from dataclasses import replace

import pytest

from core.brains.script.criteria import NEEDS
from core.brains.script.line_signs import asked_for
from core.brains.script.readers import READERS
from core.brains.script.reading import read
from core.brains.script.topics import topic_of
from core.content import style
from core.content.questions import numbered
from core.domain.brief import brief_of
from core.domain.steps.playbook import Step
from tests.support.follow_ups import question_of
from tests.support.inception import FILES, LABELS, STEPS, asked

EASE_MIN = 70  # as the steps of the analysis
# Questions that any kind of line may answer: the words of the answer say what it is.
OPEN_ENDED = {
    "What do those people like about the way they work today?",
    "Who would rather keep everything as it is?",
    "What else could give them most of the same, without any software at all?",
    "What would make us end the project early?",
    "Which of these could we swap in a week, and which one never?",
    "Which part would you build twice as strong as the others?",
    "What happens to the rest when one part is gone for an hour?",
    "Which field is personal or secret?",
    "Which field has no value at first, and who fills it in?",
    "With whose data do the tests run?",
    "Who may set a rule aside, and who hears of it?",
    "Which rule of another team would do harm in ours?",
    "Which skill sits in one head alone?",
    "What would you try out in a small way before you trust yourselves with it?",
    "What should be asked again a month from now?",
}
each_step = pytest.mark.parametrize("step", STEPS.values(), ids=list(STEPS))


def draft_of(step: Step) -> str:
    return brief_of(step).text


def test_eight_phases_write_eight_files_in_eleven_steps() -> None:
    assert {step.phase for step in STEPS.values()} == set(LABELS)
    assert len(STEPS) == 11
    assert FILES == (
        "project-brief.md",
        "tech-stack.md",
        "architecture-overview.md",
        "data-model.md",
        "test-strategy-outline.md",
        "constitution.md",
        "skills-report.md",
        "discovery-context.json",
    )


def test_a_strict_look_finds_nothing_to_improve() -> None:
    review = style.review("inception", list(STEPS.values()))
    assert [(place, found.message) for place, found in review.findings] == []
    eases = [one.ease for step in review.measures.steps for one in step.sections[:3]]
    assert min(ease for ease in eases if ease is not None) >= EASE_MIN


@each_step
def test_a_step_is_led_by_the_lead_and_depends_only_within_its_phase(step: Step) -> None:
    assert step.persona == "lead"
    assert step.skip_if is None
    assert {one[:2] for one in step.depends_on} <= {step.id[:2]}


def test_no_opening_line_and_no_question_of_brief_depth_stands_twice() -> None:
    for name, part in (("Brief Mode", -1), ("Standard Mode", 0), ("Deep Mode", 0)):
        lines = [step.sections[name].split("\n\n")[part] for step in STEPS.values()]
        assert len(set(lines)) == len(STEPS)


@each_step
def test_a_draft_reads_well_under_the_name_of_whoever_confirms_it(step: Step) -> None:
    assert not re.search(r"\bI\b|\byou\b", draft_of(step))


@each_step
def test_every_question_asks_for_a_kind_that_is_understood(step: Step) -> None:
    for name in ("Standard Mode", "Deep Mode"):
        for question in numbered(step.sections[name]):
            wanted = asked_for(question, topic_of(asked(step.id)))
            assert (question in OPEN_ENDED) == (not wanted), question
            assert not wanted or wanted[0] in READERS


@each_step
def test_what_a_step_needs_to_hear_is_what_it_asks(step: Step) -> None:
    """Each need has its own question, and no answer that takes up all questions leaves one."""
    needs = NEEDS[topic_of(asked(step.id))]
    questions = numbered(step.sections["Standard Mode"])
    assert len(needs) == len(questions)
    for need in needs:
        asking = [question for question in questions if need.is_asked_in(question)]
        assert len(asking) == (1 if need.asked_as else 0)


@each_step
def test_a_confirmed_draft_is_assumed_and_needs_no_more(step: Step) -> None:
    if not draft_of(step):
        return
    made = asked(step.id, draft_of(step))
    confirmed = replace(made.answers[0], source="draft")
    draft = read(replace(made, answers=(confirmed,), depth="brief"))
    assert {(claim.kind, claim.confidence) for claim in draft.claims} == {("assumption", "assumed")}
    assert question_of(draft) is None


def test_the_constitution_is_asked_first_and_the_rest_of_the_walkthrough_waits_for_it() -> None:
    walk = [step for step in STEPS.values() if step.phase == "08-walkthrough"]
    for section in ("Standard Mode", "Deep Mode"):
        first = numbered(walk[0].sections[section])[0]
        assert asked_for(first, topic_of(asked(walk[0].id)))[0] == "constitution"
    assert all(walk[0].id in step.depends_on for step in walk[1:])
