"""Which of two lines a reply in words means; none where it tells something of its own."""

import pytest

from core.brains.bookkeeping.differences.replies import side_of
from core.domain.answers import LineRef
from core.domain.follow_ups import FollowUp
from core.domain.ids import AnswerId

MONTH = "I'd run the new till beside the old one for one full month"
WEEKS = "ok two weeks beside the old till, eats my holiday but fine"


def asked(first: str, second: str) -> FollowUp:
    lines = (LineRef(AnswerId(f"C:{n}.0"), text) for n, text in enumerate((first, second), 1))
    return FollowUp("difference", "Which one holds?", *lines)


@pytest.mark.parametrize(
    ("reply", "side"),
    [
        ("the first", "first"),
        ("the first one, obviously", "first"),
        ("I'd say the second because of my back", "second"),
        ("both please", "both"),
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
    ],
)
def test_a_line_that_tells_something_of_its_own_means_neither(reply: str) -> None:
    assert side_of(reply, asked(MONTH, WEEKS)) is None
