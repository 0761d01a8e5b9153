"""The port for brains: every task has its result, a deadline cancels, and a step says its topic."""

import re
import threading
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from core.brains import lexicon, tasks
from core.brains.bookkeeping.drafting import drafted
from core.brains.bookkeeping.references.refs import REF_PREFIX
from core.brains.facilitator import Facilitator
from core.brains.running import Brains
from core.brains.script.brain import Scripted
from core.brains.script.criteria import NEEDS, needs_of
from core.brains.script.performing import consult
from core.brains.script.reading import read
from core.brains.script.topics import TOPICS, topic_of
from core.brains.tasks import BrainError
from core.content.library import Library, default_steps_dir
from core.domain.answers import Claim, Draft, ReadRequest, TurnRequest
from core.domain.follow_ups import FollowUp
from core.domain.ids import PersonaKey, PhaseKey, StepId
from core.domain.steps.playbook import Persona, Step
from tests.core.test_scripted import kinds, request
from tests.support import council_requests
from tests.support.fakes import DrivenClock
from tests.support.follow_ups import question_of
from tests.support.harness import small_table
from tests.support.inception import STEPS, asked
from tests.support.waiting import WAIT_S_MAX

ROOT = Path(__file__).parents[2]
FOLDER = default_steps_dir() / lexicon.FOLDER
SIGNS = [
    sign for row in lexicon.table("topics")["topics"].values() for _, sign in row.get("signs", ())
]
PERSONA = PersonaKey("business-analyst")
TURN = TurnRequest(Persona(PERSONA, "Maya", "Business Analyst", ":memo:"), "Goals", (), ())
PERSONAS = {PERSONA, PersonaKey("solutions-architect"), PersonaKey("system-designer")}
SAID = (
    "The system must export a PDF.\nGiven an empty board, when it is exported, then it is refused."
)


class Endless:
    """A brain that looks at nothing but whether somebody still waits."""

    def __init__(self, clock: DrivenClock) -> None:
        self.clock, self.ended = clock, threading.Event()

    def perform(self, task: tasks.Task[tasks.Result], cancelled: tasks.Cancelled) -> tasks.Result:
        self.clock.forward(6)
        while not cancelled():
            pass
        self.ended.set()
        raise AssertionError("cancelled")


def test_past_its_deadline_a_task_is_cancelled_and_the_brain_can_end() -> None:
    clock = DrivenClock()
    brain = Endless(clock)
    brains = Brains({None: brain}, clock, deadline_s=5.0)
    with pytest.raises(BrainError, match="no answer within 5 s"):
        brains.run(tasks.ReadStep(request("01-01", "Because.")), PERSONA)
    assert brain.ended.wait(WAIT_S_MAX)


def test_a_council_task_has_the_same_deadline() -> None:
    clock = DrivenClock()
    brain = Endless(clock)
    turn = council_requests.request(council_requests.NADIA, "questions")
    with pytest.raises(BrainError, match="no answer within 5 s"):
        Brains({None: brain}, clock, deadline_s=5.0).run(tasks.Contribute(turn), PERSONA)
    assert brain.ended.wait(WAIT_S_MAX)


class Broken:
    """A brain that fails at every task."""

    def perform(self, task: tasks.Task[tasks.Result], cancelled: tasks.Cancelled) -> tasks.Result:
        raise ZeroDivisionError


def test_where_a_brain_fails_a_task_has_its_own_fallback_or_the_engine_is_told() -> None:
    brains = Brains({None: Broken()}, DrivenClock(), 5.0, {"sonnet": Broken()})
    asked = tuple(
        consult(council_requests.request(member, "questions"))
        for member in (council_requests.NADIA, council_requests.OSCAR)
    )
    every = [question for turn in asked for question in turn.questions]
    merged = brains.run(tasks.Merge(asked, (council_requests.NADIA, council_requests.OSCAR)))
    assert [question for _, _, question in merged] == every
    assert [number for number, _, _ in merged] == list(range(1, len(every) + 1))
    cause = tasks.FindCause(tasks.DiagnosisRequest("01-01", "", "", "", ()))
    findings = "Looking into it failed as well: ZeroDivisionError."
    assert brains.run(cause, tier="sonnet") == tasks.Diagnosis(False, findings)
    assert brains.run(cause, tier="opus").findings == "Looking into it failed as well: KeyError."
    assert brains.run(tasks.TakeTurn(TURN), PERSONA) is None
    with pytest.raises(ZeroDivisionError):
        brains.run(tasks.ReadStep(request("01-01", "Because.")), PERSONA)
    turn = tasks.Contribute(council_requests.request(council_requests.NADIA, "questions"))
    with pytest.raises(ZeroDivisionError):
        brains.run(turn)


def test_a_persona_without_a_brain_of_its_own_has_everybodys() -> None:
    scripted, own = Scripted(), Facilitator()
    brains = Brains({None: scripted, PERSONA: own}, DrivenClock(), 5.0)
    assert (brains.of(PERSONA), brains.of(PersonaKey("other"))) == (own, scripted)


def test_the_scripted_brain_performs_every_task_and_the_facilitator_only_records() -> None:
    made = request("01-06", SAID)
    brains = Brains({None: Scripted()}, DrivenClock(), 5.0)
    assert brains.run(tasks.ReadStep(made)) == read(made)
    assert brains.run(tasks.Synthesise((), (("Sam", "It is cheap."),))) == (
        "Sam said: It is cheap.",
    )
    assert brains.run(tasks.Merge((), ())) == ()
    with pytest.raises(BrainError, match="only records"):
        Facilitator().perform(tasks.Merge((), ()), lambda: False)


# ── a second brain ─────────────────────────────────────────────────────────────────────────────


class LineBrain:
    """Every line of an answer is a requirement; all but reading is left to another brain."""

    def __init__(self, other: tasks.Brain) -> None:
        self.other = other

    def perform(self, task: tasks.Task[tasks.Result], cancelled: tasks.Cancelled) -> tasks.Result:
        if isinstance(task, tasks.ReadStep):
            return cast("tasks.Result", by_line(task.request))
        return self.other.perform(task, cancelled)


def by_line(made: ReadRequest) -> Draft:
    step = made.step.id
    lines = [(answer, line) for answer in made.answers for line in answer.text.splitlines()]
    claims = tuple(
        Claim(f"{step}/{number}", step, "requirement", line, (answer.id,))
        for number, (answer, line) in enumerate(lines, start=1)
    )
    return drafted(made, claims, prefixes=REF_PREFIX, estimate=lambda _: None, ask=lambda *_: None)


def test_a_session_runs_with_another_brain_which_keeps_no_books_of_its_own(tmp_path: Path) -> None:
    table = small_table(tmp_path, brains={None: LineBrain(Scripted())})
    table.start()
    table.say("It exports a PDF.\nIt prints.")
    claims = table.runtime.reader.claims(table.id)
    assert [(claim.ref, claim.text) for claim in claims] == [
        ("FR-001", "It exports a PDF."),
        ("FR-002", "It prints."),
    ]
    table.click("continue")
    assert table.session.status == "asking"
    assert table.session.course.steps[0].status == "completed"


# ── what a step says of itself ─────────────────────────────────────────────────────────────────


def renamed(made: ReadRequest, step: str, **more: object) -> ReadRequest:
    """The same request of a step with another id in another phase."""
    there = replace(made.step, id=StepId(step), phase=PhaseKey("09-mine"), **more)  # type: ignore[arg-type]
    answers = tuple(replace(answer, step=StepId(step)) for answer in made.answers)
    return replace(made, step=there, phase=there.phase, answers=answers)


def test_every_shipped_step_names_a_topic_that_is_that_of_its_place() -> None:
    for step in STEPS.values():
        made = asked(step.id)
        unnamed = replace(made, step=replace(step, extra={}))
        assert topic_of(made) == topic_of(unnamed) == step.extra["topic"]


def follow_up_of(made: ReadRequest, kind: str) -> FollowUp:
    """What is asked first, which is of that kind."""
    asked = read(made).follow_up
    assert asked is not None
    assert asked.kind == kind
    return asked


def features(said: str) -> ReadRequest:
    """People's answers to the shipped step on features."""
    opened = Library(default_steps_dir()).open_phase(
        "analysis", PhaseKey("01-requirements"), {PERSONA}
    )
    (step,) = (file.step for file in opened.pinned if file.step and file.step_id == "01-06")
    return replace(request("01-06", said), step=step)


def test_a_renamed_step_that_names_its_topic_loses_nothing() -> None:
    before, after = read(features(SAID)), read(renamed(features(SAID), "09-03"))
    assert kinds(after) == kinds(before)
    assert [claim.ref for claim in after.claims] == ["FR-001", "AC-001"]
    assert question_of(after) == question_of(before)
    assert str(question_of(after)).startswith("What is left out of this version?")


def test_a_dropped_in_step_is_read_by_what_its_criteria_need() -> None:
    validation = {"Validation": "- A risk is named. (needs: risk)"}
    draft = read(renamed(request("01-06", "The bank may block us."), "09-01", sections=validation))
    assert kinds(draft) == [("risk", "The bank may block us.")]


@pytest.mark.parametrize("step", STEPS)
def test_a_renamed_step_of_an_inception_loses_nothing(step: str) -> None:
    made = asked(step, "The order must keep its total; the risk is that the bank blocks us.")
    before, after = read(made), read(renamed(made, "09-03"))
    assert kinds(after) == kinds(before)
    assert question_of(after) == question_of(before)


def test_a_step_dropped_into_an_inception_is_read_by_what_its_criteria_need() -> None:
    validation = {"Validation": "- A risk is named. (needs: risk)"}
    made = replace(asked("01-01", "The bank may block us."), phase=PhaseKey("09-mine"))
    unnamed = replace(made, step=replace(made.step, extra={}))
    draft = read(renamed(unnamed, "09-01", sections=validation))
    assert kinds(draft) == [("risk", "The bank may block us.")]


def test_a_step_of_ones_own_that_says_nothing_of_itself_is_kept_as_facts() -> None:
    draft = read(renamed(request("01-06", SAID), "09-03"))
    assert {kind for kind, _ in kinds(draft)} == {"fact"}


def test_what_the_criteria_do_not_need_is_not_asked_for() -> None:
    made = features("The system must export a PDF.")
    untagged = {**made.step.sections, "Validation": "- It must do it. (needs: requirement)"}
    other = replace(made.step, sections=untagged, needs=())
    check = follow_up_of(made, "check")
    over = replace(made, follow_ups=(replace(check, outcome="answered"),))
    assert str(question_of(read(over))).startswith("What is left out of this version?")
    assert question_of(read(replace(over, step=other))) is None


def shipped(step_id: str) -> Step:
    """A step of the shipped analysis, as it is loaded."""
    for phase in ("00-quick-scan", "01-requirements", "02-impact-analysis", "04-design"):
        opened = Library(default_steps_dir()).open_phase("analysis", PhaseKey(phase), PERSONAS)
        for file in opened.pinned:
            if file.step and file.step_id == step_id:
                return file.step
    raise LookupError(step_id)


@pytest.mark.parametrize("step_id", ["01-05", "02-03", "04-01"])
def test_beside_criteria_with_a_kind_those_without_ask_for_nothing(step_id: str) -> None:
    step = shipped(step_id)
    made = replace(request(step_id, "It."), step=step, phase=step.phase)
    needs = needs_of(made, topic_of(made))
    assert {need.needs for need in needs} == set(made.step.needed_kinds)


def test_the_shipped_criteria_ask_for_all_that_their_topics_know() -> None:
    for step in STEPS.values():
        made = asked(step.id)
        if any(criterion.needs for criterion in step.criteria):
            untagged = {need for need in NEEDS[topic_of(made)] if need.needs is None}
            assert untagged <= set(needs_of(made, topic_of(made))), step.id


# ── words as data ──────────────────────────────────────────────────────────────────────────────


def test_no_row_of_the_words_stands_twice() -> None:
    text = (default_steps_dir() / lexicon.FOLDER / "english.yaml").read_text("utf-8")
    names = [line.partition(":")[0] for line in text.splitlines() if line[:1].isalpha()]
    assert sorted(set(names)) == sorted(names)


def test_every_topic_that_a_place_names_has_a_row() -> None:
    rows = lexicon.table("topics")
    assert {*rows["places"].values(), *rows["parties"].values()} <= set(TOPICS)
    assert [path.stem for path in sorted(Path(default_steps_dir() / "brains").glob("*.yaml"))] == [
        "council",
        "differences",
        "english",
        "evidence",
        "exclusions",
        "glossary",
        "labels",
        "lenses",
        "reflection",
        "topics",
        "weights",
    ]


def test_every_row_that_a_rule_names_is_there_and_no_row_is_unused() -> None:
    rows = lexicon.table("english")
    code = "".join(path.read_text() for path in (ROOT / "core" / "brains").rglob("*.py"))
    named = set(re.findall(r'lexicon\.(?:pattern|listed)\(\s*"([a-z-]+)"', code))
    assert named <= rows.keys()
    data = "".join(path.read_text("utf-8") for path in FOLDER.glob("*.yaml"))
    used = named | set(re.findall(r"\{([a-z-]+)\}", data + code)) | set(SIGNS)
    assert [row for row in rows if row not in used and f'"{row}"' not in code] == []
