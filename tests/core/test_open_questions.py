"""A question that was left open reads the same before and after a brain made a claim of it."""

from dataclasses import replace

from core.brains.bookkeeping import unanswered
from core.brains.script.reading import read
from core.domain.answers import Claim
from core.domain.assumptions import assumptions
from core.domain.follow_ups import FollowUp, FollowUpKind
from core.domain.ids import PhaseKey, StepId
from core.domain.session.step import Questions, StepState
from tests.core.test_artifacts_lines import file_of, line
from tests.core.test_scripted import request
from tests.support.follow_ups import passed

STEP = StepId("01-01")
QUESTION = "Who pays for it?"


def test_an_open_question_has_the_same_words_and_key_before_and_after_it_is_a_claim() -> None:
    step = StepState(
        id=STEP,
        phase=PhaseKey("01-requirements"),
        file="01-purpose.md",
        title="Purpose",
        digest="",
        questions=Questions(passed(QUESTION)),
    )
    (before,) = assumptions([step], ())
    (after,) = assumptions([step], unanswered.assumptions(STEP, [QUESTION], start=1))
    assert before == after
    assert before.text == f"Asked, not answered: {QUESTION}"
    assert before.question == QUESTION


def left(step: str, question: str, kind: FollowUpKind) -> Claim:
    """The line of a follow-up that people went on from."""
    made = replace(request(step), follow_ups=(FollowUp(kind, question, outcome="passed"),))
    (claim,) = unanswered.unanswered(made, start=1)
    return claim


def summary(*claims: Claim, own: Claim | None = None) -> str:
    lines = [own] if own else []
    page = file_of("design-summary.md", *lines, step="04-05", earlier=claims)
    return page.partition("### Open Questions\n\n")[2].partition("\n\n### ")[0]


def test_the_design_summary_has_what_was_not_answered_in_one_list_and_checks_in_one_line() -> None:
    lines = summary(
        left("01-06", "FR-003 “opens at six”: how would you see that it works?", "check"),
        left("01-06", "FR-003 “opens at six”: six of what?", "unit"),
        left("04-01", "NFR-001 “never rusts”: how would you see that it works?", "check"),
        line(1, "question", "Who has the key?", step="01-02"),
    )
    who, asked = lines.split("\n\n#### Asked, not answered\n\n")
    assert who.startswith("- Who has the key? — said by")
    assert asked.split("\n") == [
        "- How would you see that it works: FR-003, NFR-001",
        "- FR-003 “opens at six”: six of what?",
    ]


def test_what_the_last_step_asked_itself_is_quoted_in_the_design_summary() -> None:
    question = "FR-003 “opens at six”: how would you see that it works?"
    assert f"- {question}" in summary(own=left("04-05", question, "check"))


def test_what_somebody_cannot_say_stands_with_the_question_that_asked_for_it() -> None:
    asked = "How complex does it look?"
    unknowing = replace(line(1, "question", "I cannot say.", step="00-01"), data={"what": asked})
    assert summary(unknowing).startswith(f"- *{asked}* I cannot say. — said by")
    again = replace(line(2, "question", f"{asked} No idea.", step="00-01"), data={"what": asked})
    assert summary(again).startswith(f"- {asked} No idea. — said by")


def test_what_a_screen_says_that_it_does_not_know_is_no_open_question() -> None:
    said = 'unknown card: "I don\'t know this card, please knock"'
    (error,) = [one for one in read(request("04-04", said)).claims if one.kind == "error"]
    assert error.data["condition"] == "unknown card"


def test_a_line_that_opens_with_then_names_no_condition() -> None:
    said = "Then: those plots are left out, the others are billed."
    kinds = {one.kind: one for one in read(request("04-04", said)).claims}
    assert "condition" not in kinds["error"].data
    page = file_of("error-taxonomy.md", kinds["error"], step="04-04")
    assert "| Then |" not in page
