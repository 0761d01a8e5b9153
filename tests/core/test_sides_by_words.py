"""Which of two lines a reply in words means; none where it tells something of its own."""

from dataclasses import replace

import pytest

from core.brains.bookkeeping.differences.sides import side_of
from core.brains.script.reading import read
from core.domain.answers import Draft, LineRef
from core.domain.follow_ups import FollowUp
from core.domain.ids import AnswerId, UserId
from tests.core.test_scripted import PRIYA, SAM, request

KIM = UserId("U9")
MONTH = "I'd run the new till beside the old one for one full month"
WEEKS = "ok two weeks beside the old till, eats my holiday but fine"
OPENS = ("The market opens at 6", "6 is too early for the bakers")
WINS = ("If the till and the vendor disagree the till wins", "at night the till is wrong")
RANKS = ("Should: lamps, the ferry list", "The ferry list is not a should")
STORY = ("the rack is wet, one in four goes home", "as a keeper I want a dry rack")


def asked(first: str, second: str) -> FollowUp:
    lines = (LineRef(AnswerId(f"C:{n}.0"), text) for n, text in enumerate((first, second), 1))
    return FollowUp("difference", "Which one holds?", *lines)


@pytest.mark.parametrize(
    ("reply", "side"),
    [
        ("the first", "first"),
        ("first one", "first"),
        ("second.", "second"),
        ("B", "second"),
        ("option a please", "first"),
        ("the first one, obviously", "first"),
        ("the second. My back hurts", "second"),
        ("second. 5x in 50. the 6h is dead", "second"),
        ("wat? both are true, those are not in conflict, the rack is what I speak of here", "both"),
        ("that was just me playing. first one is out", "second"),
        ("the second is dead", "first"),
        ("I'd say the second because of my back", "second"),
        ("both please", "both"),
        ("both, one after the other", "both"),
        ("neither as such. ask Ines", "neither"),
        ("das zweite bitte", "second"),
        ("one full month", "first"),
        ("two weeks. done", "second"),
    ],
)
def test_a_reply_means_the_line_that_it_names(reply: str, side: str) -> None:
    assert side_of(reply, asked(MONTH, WEEKS)) == side


@pytest.mark.parametrize(
    "reply",
    [
        "for the first few days we open late anyway",
        "a day of both, then we see who cries",
        "the second shelf on the left is for returns",
        "to go back, pull the new cable and call Ines",
        "writing it all down in 2 books? nobody will do that",
        "the full price list still hangs in the old hall",
        "Good idea, Tuesday first.",
        "the lamps go overboard first. sorry Ines",
        "First, who has the key?",
        "Ok ok, the old till is a must.",
        "the first for the tent, the second for the van",
        "Four.",
    ],
)
def test_a_line_that_tells_something_of_its_own_means_neither(reply: str) -> None:
    assert side_of(reply, asked(MONTH, WEEKS)) is None


@pytest.mark.parametrize(
    ("lines", "reply", "side"),
    [
        (OPENS, "7 then", "third"),
        (OPENS, "ok 7 then, Ines has to nod", "third"),
        (OPENS, "7 vans come on Sundays", None),
        (OPENS, "15 euros then", None),
        (("The list shows 20 rows", "the list shows 50 rows"), "eh. true, 50", "second"),
        (("small", "large"), "medium, we stay friends", "third"),
        (("small", "large"), "medium / high", None),
        (WINS, "The vendor wins.", None),
        (RANKS, "lamps are a must, the list stays should", None),
        (STORY, "Four.", None),
        (("We take A", "B for me"), "A", None),
    ],
)
def test_a_value_names_a_side_only_where_the_lines_are_at_odds_over_it(
    lines: tuple[str, str], reply: str, side: str | None
) -> None:
    assert side_of(reply, asked(*lines)) == side


def later(*said: tuple[UserId, str]) -> Draft:
    """What is read behind the question which of two lines holds."""
    lines = ((PRIYA, "The list shows 20 rows"), (SAM, "the list shows 50 rows"))
    question = read(request("01-06", *lines)).follow_up
    assert question is not None
    return read(replace(request("01-06", *lines, *said), follow_ups=(question,)))


@pytest.mark.parametrize(
    "said",
    [
        [(KIM, "the gate sticks"), (PRIYA, "50")],
        [(KIM, "Good idea, stamps first.")],
        [(KIM, "the list hangs in the tent")],
        [(KIM, "3 vans")],
    ],
)
def test_what_is_no_side_leaves_the_question_open_and_both_lines_standing(
    said: list[tuple[UserId, str]],
) -> None:
    draft = later(*said)
    assert "answered" not in [follow_up.outcome for follow_up in draft.closed]
    assert not any(claim.supersedes for claim in draft.claims)


@pytest.mark.parametrize(
    "said",
    [
        [(KIM, "50. I counted")],
        [(KIM, "my bike is blue"), (KIM, "50")],
        [(KIM, "the gate sticks"), (PRIYA, "the second, please")],
    ],
)
def test_a_side_that_is_named_closes_the_question(said: list[tuple[UserId, str]]) -> None:
    draft = later(*said)
    assert [follow_up.outcome for follow_up in draft.closed] == ["answered"]
    replaced = [line.quote for claim in draft.claims for line in claim.supersedes]
    assert replaced == ["The list shows 20 rows"]


@pytest.mark.parametrize(
    ("reply", "side"),
    [
        ("Large, once the racks are counted in. High complexity, because of the pump.", "first"),
        ("medium", "second"),
        ("largely done", None),
    ],
)
def test_a_reply_that_opens_with_the_size_of_one_line_means_that_line(
    reply: str, side: str | None
) -> None:
    assert side_of(reply, asked("It feels large to me", "I would say medium")) == side
