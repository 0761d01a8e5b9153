"""Choices of people who yield to an objection against what they had put."""

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim
from core.domain.ids import UserId
from tests.core.test_scripted import PRIYA, SAM, request


def choices(step: str, *answers: tuple[UserId, str]) -> list[Claim]:
    claims = read(request(step, *answers)).claims
    return [claim for claim in claims if claim.data.get("choice") == "chosen"]


@pytest.mark.parametrize(
    ("step", "put", "objection", "said"),
    [
        (
            "03-04",
            "one key for all ovens",
            "nobody finds it then",
            "true. new key for each oven",
        ),
        ("04-02", "weights in pounds", "the scale does kilos", "good catch. kilos inside"),
        (
            "04-04",
            "a torn slip -> back",
            "no, they all do that",
            "huh. true. take it, ring once",
        ),
        ("03-02", "Slips stay in the drawer", "and if it burns?", "hm. no. Slips live upstairs"),
        ("01-03", "the driver signs", "he cannot", "Okay, convinced. The porter signs."),
        ("03-03", "closed at ten", "too early", "ok you're right, open till noon"),
    ],
)
def test_what_follows_when_somebody_says_that_an_objection_is_right_is_chosen(
    step: str, put: str, objection: str, said: str
) -> None:
    (choice,) = choices(step, (SAM, put), (PRIYA, objection), (SAM, said))
    assert choice.text
    assert said.endswith(choice.text)


@pytest.mark.parametrize(
    "said",
    [
        "true. the drawer is broken",
        "good point. the bank shuts at four",
        "true. maybe upstairs",
        "good catch. who has the key?",
        "you're right",
        "true. it burned in 2019",
        "hm. no. thanks",
        "hm. then why not upstairs?",
        "the fireman is right till he comes",
    ],
)
def test_what_only_agrees_or_tells_something_chooses_nothing(said: str) -> None:
    asked = (SAM, "Slips stay in the drawer"), (PRIYA, "and if it burns?"), (SAM, said)
    assert choices("03-02", *asked) == []


def test_a_statement_that_yields_takes_the_place_of_the_one_line_it_is_about() -> None:
    (choice,) = choices(
        "03-02",
        (SAM, "Slips stay in the drawer. The till is from 1998."),
        (PRIYA, "and if it burns?"),
        (SAM, "hm. no. Slips live upstairs"),
    )
    assert [line.quote for line in choice.supersedes] == ["Slips stay in the drawer."]


def test_of_several_lines_the_one_that_the_objection_speaks_of_is_replaced() -> None:
    (choice,) = choices(
        "03-04",
        (SAM, "Slips stay in the drawer. Slips are blue."),
        (PRIYA, "in the drawer? and if it burns?"),
        (SAM, "hm. no. Slips live upstairs"),
    )
    assert [line.quote for line in choice.supersedes] == ["Slips stay in the drawer."]


def test_an_order_that_was_objected_to_is_replaced_by_the_one_behind_the_objection() -> None:
    put = "all wards on the same day"
    asked = (
        (SAM, put),
        (PRIYA, "one day, for nine wards?"),
        (SAM, "ward 3 for a week, then the rest"),
    )
    choice = choices("02-04", *asked)[-1]
    assert [line.quote for line in choice.supersedes] == [put]


@pytest.mark.parametrize(
    ("before", "put", "said"),
    [
        ("we sing on Tuesdays", "we print three numbers, yes, no, silent", "Agreed."),
        ("Silence counts as yes? No.", "the printer broke in May", "Agreed."),
        ("Silence counts as yes? No.", "maybe we print three numbers?", "Agreed."),
        ("Silence counts as yes? No.", "we print names. in red. not in blue. or so", "Agreed."),
        ("Silence counts as yes? No.", "we print the names", "Agreed with the vicar on the hall."),
    ],
)
def test_assent_without_a_dispute_or_to_what_can_be_no_choice_chooses_nothing(
    before: str, put: str, said: str
) -> None:
    assert choices("01-06", (PRIYA, before), (SAM, put), (PRIYA, said)) == []


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("fee of 50? no", "Fine, from 80 €, paid at the till."),
        ("net. gross is for the boss", "so net"),
    ],
)
def test_short_forms_of_settling(asked: str, said: str) -> None:
    assert [choice.text for choice in choices("03-04", (PRIYA, asked), (SAM, said))] == [said]


def test_who_comes_first_is_a_decision_on_the_way_in_and_no_requirement() -> None:
    said = "the night shift goes first, right after the kitchen"
    asked = (SAM, "kitchen, then the rest, the night shift last"), (PRIYA, "last??"), (SAM, said)
    claims = read(request("02-04", *asked)).claims
    assert [claim.kind for claim in claims if claim.text == said] == ["decision"]
