"""Choices of people who yield to an objection against what they had put."""

from dataclasses import replace

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim
from core.domain.ids import UserId
from core.domain.stances import AGREED_BY, Agreement
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
        ("04-01", "the till must not know names", "no bill then", "hm. then the till gets them"),
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
    ("put", "objection", "said"),
    [
        ("a loan is good for 14 days.", "14 d? nobody reads that fast, no", "30 days."),
        ("right in 99.99% of all cases", "99.99 by hand? no", "Then 98% for us and 99% for them."),
    ],
)
def test_a_number_in_place_of_the_one_that_was_objected_to_is_chosen(
    put: str, objection: str, said: str
) -> None:
    (choice,) = choices("01-05", (SAM, put), (PRIYA, objection), (SAM, said))
    assert choice.text == said
    assert [line.quote for line in choice.supersedes] == [put]


@pytest.mark.parametrize(
    ("objection", "said"),
    [
        ("and the fine?", "30 cents."),
        ("and how often may one extend it?", "30 days."),
        ("14 d, nobody reads that fast", "my gran had hers for 90 days"),
    ],
)
def test_a_number_that_nobody_objected_to_is_not_replaced(objection: str, said: str) -> None:
    asked = (SAM, "a loan is good for 14 days."), (PRIYA, objection), (SAM, said)
    assert choices("01-05", *asked) == []


@pytest.mark.parametrize(
    "said",
    ["Bon. Accepted.", "Very well. My name next to it.", "Agreed", "All right.", "Fine by me."],
)
def test_what_somebody_accepts_after_an_objection_of_their_own_is_chosen_and_agreed_by_them(
    said: str,
) -> None:
    (choice,) = choices(
        "01-06",
        (PRIYA, "Silence counts as yes? No."),
        (SAM, "we print three numbers, yes, no, silent"),
        (PRIYA, said),
    )
    assert choice.text == "we print three numbers, yes, no, silent"
    assert choice.data[AGREED_BY] == PRIYA


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
        ("5,000 would do", "5,000 works for me"),
        ("fee of 50? no", "Fine, from 80 €, paid at the till."),
        ("`ledger` - who, when, what", "call it `journal`"),
        ("three is nothing, make it five", "Five for the big ones, three for the small. Moving on"),
        ("net. gross is for the boss", "so net"),
        ("in by my own door?", "front door only."),
    ],
)
def test_short_forms_of_settling(asked: str, said: str) -> None:
    assert [choice.text for choice in choices("03-04", (PRIYA, asked), (SAM, said))] == [said]


def test_what_stays_against_an_objection_is_chosen_though_only_its_author_spoke_of_it() -> None:
    said = "bell stays, I'll oil it"
    asked = (SAM, "fight me on the bell"), (PRIYA, "the neighbours complain"), (SAM, said)
    assert [choice.text for choice in choices("03-04", *asked)] == [said]


def test_who_comes_first_is_a_decision_on_the_way_in_and_no_requirement() -> None:
    said = "the night shift goes first, right after the kitchen"
    asked = (SAM, "kitchen, then the rest, the night shift last"), (PRIYA, "last??"), (SAM, said)
    claims = read(request("02-04", *asked)).claims
    assert [claim.kind for claim in claims if claim.text == said] == ["decision"]


@pytest.mark.parametrize("decides", [True, False])
def test_a_thumb_on_what_was_accepted_leaves_it_accepted(decides: bool) -> None:
    put = "let's print three numbers, yes, no, silent"
    asked = request("03-04", (PRIYA, "Silence counts as yes? No."), (SAM, put), (PRIYA, "Agreed."))
    on_it = Agreement(asked.answers[1].id, UserId("U9"), decides)
    (choice,) = [
        claim
        for claim in read(replace(asked, agreements=(on_it,))).claims
        if claim.data.get("choice") == "chosen"
    ]
    assert choice.confidence == "stated"
    assert choice.data[AGREED_BY] == (f"{PRIYA}, U9" if decides else PRIYA)
