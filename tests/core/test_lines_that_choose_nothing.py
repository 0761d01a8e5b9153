"""Lines that sound like a choice and are none: open, denied, usual, past, or of other people."""

from itertools import product
from typing import Final

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim
from tests.core.test_scripted import PRIYA, SAM, request

BEFORE: Final = "A) one big oven\nB) two small ovens, or 3\nC) buy the bread in town before 6"
STEPS: Final = ("01-04", "02-04", "03-01", "03-02", "04-01")
LINES: Final = (
    # what may be
    "we could go with two small ovens",
    "we might pick the big oven",
    "maybe the big oven then",
    "I'd go with the big oven, honestly",
    "we should probably take the small ovens",
    "one would have to choose the big oven for that",
    "perhaps ok with two small ovens",
    "it can be settled on a Monday",
    # what is not
    "we didn't choose the big oven",
    "nobody decided on the ovens",
    "we never went with town bread",
    "not decided: ovens",
    "we can't settle on the ovens today",
    "I wouldn't take the bread from town",
    # only if
    "if the grant comes we take the big oven",
    "we go with small ovens unless the landlord objects",
    "when the roof is done we choose the ovens",
    "in case the town bread is late we stick with ours",
    "ok if the ovens fit",
    # as ever
    "we usually go with town bread",
    "on Sundays we always pick the bread up in town",
    "in between I take bread from the other oven",
    "used the big oven in the old shop, ok",
    "+3 days, ok",
    "most weeks we stay with two ovens",
    "we use the big oven today",
    "normally Ahmed takes the small oven",
    # once
    "in 2019 we went with the big oven",
    "last winter the board decided on town bread",
    "we picked small ovens back then, and regretted it",
    "the old oven was chosen by my father years ago",
    "they had settled on two ovens before",
    # with the product
    "I take an oven for an hour and get a slip",
    "and then I pick my oven on the map",
    # other people
    "the bakery across the street went with two ovens",
    "most bakers choose small ovens",
    "my sister picked the big one for her shop",
    "the neighbours take their bread from town",
    # questions, talk and how it is
    "so we go with the big oven?",
    "ok, who pays for the ovens then?",
    "ok then, talk to you later",
    "ok 2 questions about the ovens",
    "fine, but the ovens are too hot",
    "fair, I never saw the big oven",
    "ok. the oven is broken then",
    "deal with the ovens later",
    "fine, no idea about the ovens",
    "agreed, that oven is ugly",
    "ok thanks for the ovens",
    "we're doing our best with the ovens",
    "the ovens go first class by train",
    "bread is picked up at six",
    "small ovens, ok for some people, not for me",
    "nothing new to learn",
    "keeping the old oven would be a waste",
)


def choices(step: str, line: str) -> list[Claim]:
    claims = read(request(step, (PRIYA, BEFORE), (SAM, line))).claims
    is_of_sam = [claim for claim in claims if claim.text not in BEFORE]
    return [one for one in is_of_sam if one.kind == "decision" or "choice" in one.data]


@pytest.mark.parametrize(("step", "line"), [*product(STEPS, LINES)])
def test_a_line_that_chooses_nothing_is_no_choice(step: str, line: str) -> None:
    assert choices(step, line) == []


@pytest.mark.parametrize("step", ["01-05", "03-03"])
def test_who_calls_a_number_too_much_and_names_another_has_not_chosen_it(step: str) -> None:
    answers = ((PRIYA, "the lid has 10 s to close"), (SAM, "10 s is too long. 5"))
    assert not [one for one in read(request(step, *answers)).claims if "choice" in one.data]


@pytest.mark.parametrize("step", ["01-05", "03-04"])
def test_what_nobody_may_is_demanded_and_no_choice(step: str) -> None:
    answers = ((PRIYA, "once it is signed"), (SAM, "Once it is signed nobody changes it. Period."))
    assert not [one for one in read(request(step, *answers)).claims if "choice" in one.data]
