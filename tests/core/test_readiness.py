"""What is said at the end: what is not settled, and never that an empty analysis can be built."""

from dataclasses import replace

import pytest

from core.artifacts.compose.readiness import readiness_of
from core.artifacts.document import words
from core.domain.answers import Claim, draft_id
from core.domain.ids import StepId
from tests.core.test_artifacts_lines import HOLD, MUST, file_of, line
from tests.core.test_scripted import PRIYA

CHECK = line(2, "check", "it shows as taken", ref="AC-001", of="FR-001")
STORY = line(1, "story", "a guest", step="01-07", ref="US-001", requirements="FR-001")


def confirmed(step: str) -> Claim:
    """A line of a step's draft, which somebody let pass."""
    id_ = StepId(step)
    return Claim(f"{step}/1", id_, "requirement", "as before", (draft_id(id_, PRIYA),), "assumed")


def told(*claims: Claim) -> list[str]:
    return readiness_of(claims).sentences(lambda _: ["Priya"])


def test_24_confirmations_are_nothing_that_could_be_built_from() -> None:
    clicks = [confirmed(f"01-{number:02d}") for number in range(1, 25)]
    assert told(*clicks) == [
        "Nobody has said anything that could be built from yet.",
        "Only let pass by Priya, and said by nobody: 24 lines.",
    ]
    summary = file_of("design-summary.md", step="04-05", earlier=clicks)
    assert "Nobody has said anything that could be built from yet." in summary
    assert words.text("all_settled") not in summary
    assert words.text("no_assumption") not in summary


def test_an_analysis_without_a_line_says_so() -> None:
    assert told() == ["Nobody has said anything that could be built from yet."]


def test_all_is_settled_only_where_every_must_has_a_check_and_nothing_is_open() -> None:
    assert told(HOLD, MUST, CHECK, STORY) == [words.text("all_settled")]


@pytest.mark.parametrize(
    ("claims", "sentence"),
    [
        ([HOLD], "Nobody has said which requirements must be there."),
        ([HOLD, MUST], "Nobody has said how to see that these musts work: FR-001."),
        (
            [line(3, "requirement", "a report", ref="FR-003"), STORY],
            "These serve no story or goal yet: FR-003.",
        ),
        ([line(3, "question", "who may move it?")], "Still open: one open question."),
        (
            [
                Claim(
                    "01-01/9",
                    StepId("01-01"),
                    "assumption",
                    "Asked, not answered: X",
                    (),
                    "assumed",
                )
            ],
            "Asked, and not answered: one follow-up.",
        ),
        (
            [replace(line(3, "assumption", "I assume one clinic"), confidence="assumed")],
            "Assumed by people themselves: one line.",
        ),
        (
            [
                line(1, "option", "A: a lock", step="03-01", option="A"),
                line(2, "option", "B: a queue", step="03-01", option="B"),
            ],
            "Weighed, and not decided: A, B.",
        ),
    ],
)
def test_each_thing_that_is_not_settled_is_said(claims: list[Claim], sentence: str) -> None:
    assert sentence in told(*claims)


def test_what_was_replaced_or_only_proposed_is_nothing_to_build_from() -> None:
    newer = line(2, "note", "none of that", replaces=[HOLD])
    idea = replace(line(3, "requirement", "an idea", ref="FR-002"), confidence="proposed")
    assert told(HOLD, newer, idea)[0] == words.text("nothing_to_build")
