"""How people of many trades say how they would see that something works, and what only looks so."""

import pytest

from core.brains.script.reading import read
from tests.core.listed_lines import listed_lines
from tests.core.test_scripted import request

LINES = "stated_checks"
MISSED_MAX = 0.23  # of the checks
MISTAKEN_MAX = 0.04  # of the others


def is_check(step: str, line: str) -> bool:
    return "check" in {claim.kind for claim in read(request(step, line)).claims}


def test_most_of_what_somebody_would_do_and_see_is_a_check() -> None:
    checks = listed_lines(LINES, "check")
    missed = [line for step, line in checks if not is_check(step, line)]
    assert len(missed) <= MISSED_MAX * len(checks), missed


def test_most_of_what_has_words_of_a_check_and_is_none_is_none() -> None:
    others = listed_lines(LINES, "none")
    mistaken = [line for step, line in others if is_check(step, line)]
    assert len(mistaken) <= MISTAKEN_MAX * len(others), mistaken


@pytest.mark.parametrize(
    "said",
    [
        "the seat map has to be on it, thats my test",
        "A spec that rolls back and finds nothing to send would convince me.",
        "if he gets from the sign to the gate on his own I believe it",
        "I'd believe it after one week without a second trip",
    ],
)
def test_what_would_convince_somebody_is_a_check(said: str) -> None:
    assert is_check("01-07", said)


@pytest.mark.parametrize(
    "said", ["people believe minutes", "not my test", "I believe Ana tried it"]
)
def test_what_somebody_believes_is_none(said: str) -> None:
    assert not is_check("01-07", said)


STORY = "As a warden I want to see what is lent out so that I can sleep"


@pytest.mark.parametrize(
    ("joint", "said"),
    [
        (", ", "and I'd believe it when it knows what old Mr Pietsch takes"),
        (" ", "and the way she'd try it is she takes two keys and burns one"),
        (", ", "and Mieke'd try it on the phone with one bar of signal"),
        (" ", "☕ I'll believe it when the whiteboard was empty for a week"),
    ],
)
def test_a_story_ends_where_its_author_goes_on_with_how_to_see_it(joint: str, said: str) -> None:
    claims = read(request("01-07", f"{STORY}{joint}{said}")).claims
    assert [(claim.kind, claim.text) for claim in claims] == [("story", STORY), ("check", said)]


@pytest.mark.parametrize(
    "more", [" and look less like a fool", ", as I'd sleep better and put on weight"]
)
def test_what_else_a_story_says_stays_with_it(more: str) -> None:
    assert [claim.text for claim in read(request("01-07", f"{STORY}{more}")).claims] == [
        STORY + more
    ]


def test_who_would_only_try_something_says_no_check_but_behind_a_story() -> None:
    tries = "I'd try it with the other team first"
    assert not is_check("01-06", tries)
    assert is_check("01-07", f"{STORY}. {tries}")
    assert is_check("01-06", "I'd try it with the other team, and both see the same list")
