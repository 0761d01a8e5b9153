"""Two lines that differ are open no more once the author of one decides for the other."""

import pytest

from core.artifacts.compose.lines.settled import is_settled
from core.domain.answers import Answer, Claim
from core.domain.ids import AnswerId, StepId, Ts, UserId
from tests.core.test_scripted import PRIYA, SAM

STEP = StepId("01-06")
WINDOWS = (PRIYA, "the window is 48 hours")
LONGER = (SAM, "72, we have long weekends")


def settled(*said: tuple[UserId, str], decision: int = 2) -> bool:
    """True if the first two lines are; the one with that number is a decision."""
    answers = {
        AnswerId(f"a{at}"): Answer(AnswerId(f"a{at}"), STEP, by, text, Ts(f"100{at}.000100"))
        for at, (by, text) in enumerate(said)
    }
    claims = [
        Claim(
            f"{STEP}/{at}",
            STEP,
            "decision" if at == decision else "requirement",
            answer.text,
            (answer.id,),
        )
        for at, answer in enumerate(answers.values())
    ]
    return is_settled(claims[0], claims[1], claims, answers)


@pytest.mark.parametrize(
    "said",
    [
        (WINDOWS, LONGER, (PRIYA, "lol ok 72")),
        (
            (PRIYA, "a mail goes out at 50, 80 and 100 percent"),
            (SAM, "50 is noise."),
            (PRIYA, "fair enough, 80 and 100, and whoever wants more adds their own steps"),
        ),
        (
            (PRIYA, "the bike goes first"),
            (SAM, "the van goes first, it is paid"),
            (PRIYA, "ok, the van it is"),
        ),
    ],
)
def test_whoever_decides_for_the_other_line_has_settled_it(said: tuple[tuple[UserId, str]]) -> None:
    assert settled(*said)


def test_whoever_decides_otherwise_later_has_given_up_their_own_line() -> None:
    one_month = (PRIYA, "a trial of one month"), (PRIYA, "ok two months of trial, it is winter")
    assert settled(*one_month, decision=1)


@pytest.mark.parametrize(
    "said",
    [
        (WINDOWS, LONGER, (SAM, "72 it is")),
        (WINDOWS, LONGER, (PRIYA, "48 stays")),
        (WINDOWS, (PRIYA, "lol ok 72"), LONGER),
        (WINDOWS, LONGER, (PRIYA, "the blue logo it is for all the boats and the vans of ours")),
    ],
)
def test_a_decision_for_ones_own_line_or_of_something_else_settles_nothing(
    said: tuple[tuple[UserId, str]],
) -> None:
    assert not settled(*said)


def test_somebody_elses_decision_settles_no_line() -> None:
    assert not settled(WINDOWS, (SAM, "72 hours it is"), decision=1)
