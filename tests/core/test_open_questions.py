"""A question that was left open reads the same before and after a brain made a claim of it."""

from core.brains.bookkeeping import unanswered
from core.domain.assumptions import assumptions
from core.domain.ids import PhaseKey, StepId
from core.domain.session.step import Questions, StepState
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
