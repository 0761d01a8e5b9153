"""A question of a person to the others is open until an answer follows it."""

import pytest

from core.artifacts.compose.claims import is_asked
from core.brains.bookkeeping.pairing import paired
from core.domain.answers import Claim
from core.domain.ids import StepId
from tests.core.test_scripted import PRIYA, SAM, request

ASKED = "do couriers on a bike count as a fleet of their own?"


def paired_with(*replies: tuple[str, str]) -> Claim:
    """The question of Priya's first answer, after these replies."""
    made = request("01-02", (PRIYA, ASKED), *replies)  # type: ignore[arg-type]
    question = Claim("01-02/1", StepId("01-02"), "question", ASKED, (made.answers[0].id,))
    (claim,) = paired((question,), made)
    return claim


@pytest.mark.parametrize(
    "reply",
    [
        "yes, they do",
        "no, only vans",
        "bikes are in the fleet too, since the couriers share the same depot and the same keys",
    ],
)
def test_the_next_answer_of_somebody_else_answers_it(reply: str) -> None:
    claim = paired_with((SAM, reply))
    assert claim.data["answered_by"] == "01-02:2"
    assert claim.data["answer"] == reply
    assert not is_asked(claim)


@pytest.mark.parametrize(
    ("by", "reply"),
    [
        (PRIYA, "and what about trams"),
        (SAM, "+1"),
        (SAM, "brb"),
        (SAM, "idk, ask somebody else"),
        (SAM, "which fleet?"),
    ],
)
def test_noise_and_a_question_leave_it_open(by: str, reply: str) -> None:
    claim = paired_with((by, reply))
    assert "answered_by" not in claim.data
    assert is_asked(claim)


def test_an_answer_that_shares_its_words_is_found_behind_another_one() -> None:
    long = " ".join(["the depot opens at six and closes at ten, every day of the week,"] * 5)
    claim = paired_with((SAM, long), (SAM, "couriers are one fleet"))
    assert claim.data["answer"] == "couriers are one fleet"
