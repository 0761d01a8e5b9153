"""A strict check says what makes a step hard to answer, and nothing of a good one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.content.check import CheckReport, Finding, check
from core.content.style import SHORT_STEPS, STANDARD_QUESTIONS_MAX
from tests.support.step_trees import Tree

BRIEF = """\
The people who need this are the ones named before. (rests on: user)

Who runs into this most, and how do they get by?"""
STANDARD = """\
Tell me about one real case, and we go on from there.

1. Who runs into this most often, and where?
2. How do they get by today?"""
DEEP = """\
Now let us look at the odd ones, since those are the people whom everybody forgets in a hurry.

1. Whose wish has nobody heard so far?
2. What workaround has become quite normal?
3. Who pays for it in the end?
4. Which crowd would misuse all of that?"""
VALIDATION = "- Somebody is named together with a place.\n- Today's way is described."
ARTIFACTS = '- `requirements-spec.md` · section "Users": who needs it, and where.'


def body(
    *,
    brief: str = BRIEF,
    standard: str = STANDARD,
    deep: str = DEEP,
    validation: str = VALIDATION,
    artifacts: str = ARTIFACTS,
) -> str:
    parts = {
        "Brief Mode": brief,
        "Standard Mode": standard,
        "Deep Mode": deep,
        "Validation": validation,
        "Artifacts": artifacts,
    }
    return "".join(f"\n## {name}\n\n{text}\n" for name, text in parts.items() if text)


@pytest.fixture
def flow(tree: Tree) -> Tree:
    tree.agent()
    return tree


def found(tree: Tree, text: str, /, **fields: str | None) -> list[tuple[str | None, str]]:
    """What a strict check finds in one step of `text`: where, and what it says."""
    tree.step("01-requirements/01-a.md", text, **fields)
    return [(one.field, one.message) for one in styled(check(tree.flow, strict=True))]


def styled(report: CheckReport) -> Iterator[Finding]:
    return (one for one in report.faults if one.code == "STYLE")


def test_a_good_step_has_no_finding_and_is_measured(flow: Tree) -> None:
    flow.step("01-requirements/01-a.md", body())
    report = check(flow.flow, strict=True)
    assert list(styled(report)) == []
    (measures,) = report.measures
    (step,) = measures.steps
    assert (step.id, step.place, step.short) == ("01-01", "01-requirements/01-a.md", False)
    assert step.of("Standard Mode").questions == 2
    assert step.of("Deep Mode").questions == 4
    assert step.of("Validation").words == 11
    assert (measures.standard_questions, measures.short, measures.likeness) == (2, 0, 0.0)


def test_a_check_that_is_not_strict_measures_nothing(flow: Tree) -> None:
    flow.step("01-requirements/01-a.md", body(standard="1. Is it?"))
    report = check(flow.flow)
    assert list(styled(report)) == []
    assert report.measures == ()


def test_a_finding_is_a_warning_at_its_file(flow: Tree) -> None:
    flow.step("01-requirements/01-a.md", body(validation=""))
    (one,) = styled(check(flow.root, strict=True))
    assert one == Finding(
        "STYLE",
        "WARNING",
        "analysis/01-requirements/01-a.md",
        "Validation",
        None,
        "There is no text under '## Validation'.",
    )


def test_a_missing_section_of_a_depth_keeps_its_own_code(flow: Tree) -> None:
    flow.step("01-requirements/01-a.md", body(deep=""))
    report = check(flow.flow, strict=True)
    assert [one.field for one in report.notes if one.code == "ERR-STEP-007"] == ["Deep Mode"]
    assert list(styled(report)) == []


@pytest.mark.parametrize(
    ("standard", "message"),
    [
        (STANDARD.replace("2. How", "3. Which one?\n4. How"), None),
        (STANDARD.replace("2. How do they get by today?", ""),
         "'## Standard Mode' has 1 numbered questions."),
        (STANDARD + "\n3. Where?\n4. When?", "'## Standard Mode' has 4 numbered questions."),
        (STANDARD.replace("today?", "today."), "A numbered line asks nothing."),
        (STANDARD.replace("How do they", "Do they"), "Yes or no would answer this question."),
        (STANDARD.replace("2. How do they get by today?", "2. Where do they run into it often?"),
         "'## Standard Mode' asks the same twice."),
        (STANDARD.replace("one real case", "TODO"), "'## Standard Mode' holds a placeholder: TODO"),
        (STANDARD.replace("one real case", "{item}"),
         "'## Standard Mode' holds a placeholder: {item}"),
        (STANDARD.replace("today?", "today" + ", or then" * 14 + "?"),
         "A question has 34 words, and 30 are enough."),
        ("1. Who?\n2. Where?", "'## Standard Mode' has 2 words."),
    ],
)  # fmt: skip
def test_the_questions_of_a_section_are_judged(
    flow: Tree, standard: str, message: str | None
) -> None:
    asked = standard.count("?") if message is None else 2
    criteria = VALIDATION if asked == 2 else f"{VALIDATION}\n- One more thing is named."
    messages = [text for _, text in found(flow, body(standard=standard, validation=criteria))]
    assert (message in messages) if message else messages == []


def test_hard_words_are_found(flow: Tree) -> None:
    hard = (
        "Organisational considerations necessitate additional functionality, notwithstanding "
        "previously articulated prioritisation criteria, subject to confirmation. Operationally "
        "indispensable interoperability characterises every alternative.\n\nWhat else?"
    )
    ((section, message),) = found(flow, body(brief=hard))
    assert section == "Brief Mode"
    assert message.startswith("'## Brief Mode' is hard to read: a reading ease of -")


def test_a_brief_mode_is_a_draft_that_asks_nothing_and_an_open_question(flow: Tree) -> None:
    three = BRIEF.replace("\n\n", "\n\nTell me more.\n\n")
    assert found(flow, body(brief=three)) == [("Brief Mode", "'## Brief Mode' has 3 paragraphs.")]
    assert found(flow, body(brief=BRIEF.partition("\n\n")[2])) == []
    silent = BRIEF.replace("get by?", "get by. Tell me.")
    assert found(flow, body(brief=silent)) == [
        ("Brief Mode", "'## Brief Mode' does not end in a question.")
    ]
    unknown = BRIEF.replace("rests on: user", "rests on: users")
    assert found(flow, body(brief=unknown)) == [
        ("Brief Mode", "The draft rests on “users”, and nothing is called that.")
    ]
    asks = BRIEF.replace("named before.", "named before. Who else?")
    assert found(flow, body(brief=asks)) == [
        ("Brief Mode", "The draft asks a question, and nobody can confirm one.")
    ]
    closed = BRIEF.replace(
        "Who runs into this most, and how do they get by?",
        "Is it so at all, in the end and on the whole?",
    )
    assert found(flow, body(brief=closed)) == [
        ("Brief Mode", "Yes or no would answer this question.")
    ]


def test_each_criterion_belongs_to_a_standard_question(flow: Tree) -> None:
    assert found(flow, body(validation=VALIDATION + "\n- One more thing is named.")) == [
        ("Validation", "There are 3 criteria for 2 standard questions.")
    ]


def test_the_artifacts_name_each_output_and_its_section(flow: Tree) -> None:
    assert found(
        flow,
        body(artifacts="- `requirements-spec.md`, in the section that holds what is said of users"),
    ) == [
        ("Artifacts", "A line does not say which file and which section it is about."),
        ("Artifacts", "Nothing is said about the output `requirements-spec.md`."),
    ]
    other = ARTIFACTS.replace("requirements-spec", "other")
    assert [message for _, message in found(flow, body(artifacts=f"{ARTIFACTS}\n{other}"))] == [
        "`other.md` is none of the step's outputs."
    ]


def test_the_same_question_at_another_step_is_found_in_other_words(flow: Tree) -> None:
    flow.step("01-requirements/01-a.md", body())
    again = STANDARD.replace(
        "2. How do they get by today?", "2. Where do people run into it often?"
    )
    flow.step("01-requirements/02-b.md", body(standard=again, deep=DEEP.replace("Whose", "What")))
    messages = [one.message for one in styled(check(flow.flow, strict=True))]
    assert any(
        message.startswith("A question is asked twice in other words: here and at 01-01")
        for message in messages
    )


def test_a_short_question_is_open_and_comes_after_the_quick_scan(flow: Tree) -> None:
    flow.step("00-quick-scan/01-a.md", body(), short='"Is it small?"')
    assert [(one.field, one.message) for one in styled(check(flow.flow, strict=True))] == [
        ("short", "The short path begins after the quick scan and never asks this."),
        ("short", "Yes or no would answer this question."),
    ]


def test_the_short_path_of_an_analysis_has_eight_questions_or_none(flow: Tree) -> None:
    assert found(flow, body(), short='"Who needs this, and where?"') == [
        ("short", "1 step has a question for the short path.")
    ]
    assert SHORT_STEPS == 8


def test_a_flow_asks_a_limited_number_of_standard_questions(flow: Tree) -> None:
    for number in range(STANDARD_QUESTIONS_MAX // 2 + 1):
        flow.step(f"01-requirements/{number + 1:02d}-a.md", body())
    messages = [one.message for one in styled(check(flow.flow, strict=True))]
    assert f"The steps ask {STANDARD_QUESTIONS_MAX + 2} standard questions in all." in messages


def test_an_empty_tree_can_be_measured(flow: Tree) -> None:
    (measures,) = check(flow.flow, strict=True).measures
    assert (measures.steps, measures.standard_questions, measures.closest) == ((), 0, ())


def test_a_file_that_is_no_step_is_not_measured(flow: Tree) -> None:
    flow.file("01-requirements/01-a.md", b"no front matter")
    (measures,) = check(flow.flow, strict=True).measures
    assert measures.steps == ()


def test_the_steps_are_left_as_they_are(flow: Tree, tmp_path: Path) -> None:
    path = flow.step("01-requirements/01-a.md", body(standard="1. Is it?"))
    before = path.read_bytes()
    check(flow.flow, strict=True)
    assert path.read_bytes() == before
