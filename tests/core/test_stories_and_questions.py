"""Stories and open questions in the words of people: no "As a …", no question mark."""

import pytest

from core.brains.script.reading import read
from tests.core.test_scripted import request


def kinds(step: str, said: str) -> set[str]:
    return {claim.kind for claim in read(request(step, said)).claims}


@pytest.mark.parametrize(
    ("said", "role"),
    [
        ("Somebody wants to put a single boat on hold, during the regatta.", ""),
        ("Skippers want to pay at night.", "Skippers"),
        ("people would like to swap berths", "people"),
        ("me, mondays, one number: how many boats are late", ""),
        ("for me: one page per bus", ""),
        ("as whoever locks up i dont want to come back because of a lamp", "whoever locks up"),
        ("As a skipper I do not want to fill in the same form twice.", "skipper"),
        ("I'd like to know on Friday noon whether we are full, so I can order bread", ""),
    ],
)
def test_a_story_is_a_person_and_what_they_want(said: str, role: str) -> None:
    (story,) = read(request("01-07", said)).claims
    assert (story.kind, story.data["role"]) == ("story", role)


@pytest.mark.parametrize(
    "said",
    [
        "The harbour master wanted to see that already in 2019.",
        "nobody wants to pay at night",
        "me neither",
        "who wants to know that?",
        "I wonder whether the master wants to see that",
        "what I have no idea about is the boats from abroad",
    ],
)
def test_what_nobody_wants_or_somebody_wonders_is_no_story(said: str) -> None:
    assert "story" not in kinds("01-07", said)


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("04-03", "Hull or mast stays open, we'll have it out on Thursday"),
        ("02-01", "he needs to be asked whether he reads mail"),
        ("02-01", "somebody must ask the owner if the slip is ours"),
        ("01-03", "half of mine have no phone so what then"),
        ("01-06", "what I have no idea about is the boats from abroad"),
        ("01-04", "not the faintest clue who pays for that"),
        ("01-06", "what's a where clause 🤓"),
    ],
)
def test_a_question_stays_open_without_a_question_mark(step: str, said: str) -> None:
    assert kinds(step, said) == {"question"}


@pytest.mark.parametrize(
    "said",
    [
        "the shop stays open until nine",
        "users must be asked for a pin",
        "the till should ask for the name",
        "nobody is asked twice when the line is free",
        "the app has to ask the guest which language he reads",
        "members must be asked before a slot is moved",
    ],
)
def test_what_is_asked_of_the_system_is_no_open_question(said: str) -> None:
    assert "question" not in kinds("01-06", said)
