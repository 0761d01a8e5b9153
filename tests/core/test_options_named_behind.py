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


@pytest.mark.parametrize(
    "said", ["(3) then.", "(3) it is", "3) for me", "(3) then. against it: I am alone at night"]
)
def test_a_number_behind_which_stands_only_a_choice_names_an_option(said: str) -> None:
    (choice,) = chosen("03-01", NUMBERED, said)
    assert said.startswith(choice)
    assert choice[:2].strip("()") == "3"


def test_a_list_of_answers_to_questions_names_no_option() -> None:
    assert chosen("03-01", NUMBERED, "1) it is\n2) for the drivers") == []


@pytest.mark.parametrize(
    "put",
    [
        "(1) buy the tool\n(2) use the sheet we have\n(3) write a small page",
        "- take the bikes\n- stay with the van\n- stick with the post",
        "A) keep the old one\nB) go with a new one",
    ],
)
def test_an_order_in_a_list_of_options_is_one_of_them(put: str) -> None:
    assert chosen("03-01", put) == []
