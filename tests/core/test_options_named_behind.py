"""An option that somebody names behind "so it's", or by its number alone."""

from dataclasses import replace

import pytest

from core.brains.script.reading import read
from core.domain.ids import StepId
from tests.core.test_scripted import PRIYA, SAM, request, shipped


def chosen(step: str, *said: str) -> list[str]:
    """What is chosen at a step at which two people speak in turn."""
    pairs = [((PRIYA, SAM)[number % 2], text) for number, text in enumerate(said)]
    steps = {one.id: one for one in shipped()}
    claims = read(replace(request(step, *pairs), step=steps[StepId(step)])).claims
    return [claim.text for claim in claims if claim.data.get("choice") == "chosen"]


ROADS = "Road 1: PWA on the tablets\nRoad 2: the module of the till, 39 € a month\nRoad 3: a sheet"
NUMBERED = "(1) bake at night\n(2) bake at noon, deliver by bike\n(3) buy frozen rolls"


@pytest.mark.parametrize(
    ("put", "said"),
    [
        (ROADS, "So the PWA."),
        (ROADS, "so it's 2"),
        (NUMBERED, "So it's way 3"),
        (NUMBERED, "so it is (2), because of the bikes"),
        (NUMBERED, "then it's 1"),
    ],
)
def test_an_option_is_named_behind_so_it_is(put: str, said: str) -> None:
    assert chosen("03-01", put, said) == [said]


@pytest.mark.parametrize(
    "said", ["so it's late", "well, it's 2 o'clock", "so it's on 3 floors", "so it's 2?"]
)
def test_what_it_is_besides_names_no_option(said: str) -> None:
    assert chosen("03-01", NUMBERED, said) == []


def test_a_number_that_only_then_follows_names_an_option() -> None:
    assert chosen("03-01", NUMBERED, "(3) then.") == ["then."]
