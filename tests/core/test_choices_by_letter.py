"""Options with letters, and short messages that take one of them by its letter."""

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim
from core.domain.ids import UserId
from tests.core.test_compose import made, page
from tests.core.test_scripted import PRIYA, SAM, request

STALLS = "A) tents on the square\nB) the old hall, 190 a month\nC) own small kiosks"
BARE = """\
3 ways
A tents on the square. cheap. wet when it rains
B rent the old hall. 190 a month
C own small kiosks w roof. six weeks of us"""
TABLE = """\
| | what | good | bad |
|---|---|---|---|
| A | tents on the square | cheap | wet |
| B | the old hall | dry | 190 a month |
I'm for B, it is dry"""


def chosen(*said: str | tuple[UserId, str], step: str = "03-01") -> list[tuple[str, str]]:
    return [
        (claim.text, claim.data["option"])
        for claim in _claims(*said, step=step)
        if claim.data.get("choice") == "chosen"
    ]


def _claims(*said: str | tuple[UserId, str], step: str = "03-01") -> tuple[Claim, ...]:
    return read(request(step, *said)).claims


@pytest.mark.parametrize("put", [STALLS, BARE])
@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("C.", "C."),
        ("yep. C", "C"),
        ("Oh. Well that's that, C.", "Well that's that, C."),
        ("that settles it: C", "that settles it: C"),
        ("C wint", "C wint"),
        ("ok ok, C wins", "ok ok, C wins"),
        ("right then, option C, because of the roof", "right then, option C, because of the roof"),
        ("C. B is far too dear for a Tuesday", "C. B is far too dear for a Tuesday"),
        ("dry before cheap, so your own kiosks Ewan, rain doesn't wait",
         "dry before cheap, so your own kiosks Ewan, rain doesn't wait"),
    ],
)  # fmt: skip
def test_a_letter_alone_chooses_its_option(put: str, said: str, line: str) -> None:
    assert chosen((PRIYA, put), (SAM, said)) == [(line, "Option C")]


@pytest.mark.parametrize("put", [STALLS, BARE])
@pytest.mark.parametrize(
    "said",
    [
        "A wet one",
        "B sounds nice, my stall stays",
        "C?",
        "not C",
        "C, if it stays dry",
        "C. If the mayor signs",
        "C. But B is drier",
        "C. B is drier",
        "C or B",
        "maybe C",
        "I like C",
        "C. too dear",
        "A. Smith rents one",
        "it is a",
        "it rains, so dry",
        "if it rains, so own kiosks, I stay at home",
    ],
)
def test_a_letter_in_passing_chooses_nothing(put: str, said: str) -> None:
    assert chosen((PRIYA, put), (SAM, said)) == []


def test_lines_that_open_with_letters_in_turn_are_options_with_what_is_told_of_each() -> None:
    names = {claim.text: claim.data.get("option", "") for claim in _claims(BARE)}
    assert names["3 ways"] == ""
    assert names["wet when it rains"] == "Option A"
    assert names["C own small kiosks w roof."] == names["six weeks of us"] == "Option C"


def test_a_line_that_opens_with_an_article_is_no_option_with_a_letter() -> None:
    claims = _claims("A tent keeps the rain off\nThe hall is dry\nB is what my aunt likes")
    assert not any(claim.data.get("option", "").startswith("Option") for claim in claims)


def test_a_letter_with_a_reason_agrees_with_whoever_has_chosen_it() -> None:
    said = "B. dry before cheap, i paint it on the wall"
    assert chosen((PRIYA, STALLS), (SAM, said)) == []
    claims = _claims((PRIYA, STALLS), (PRIYA, "B wint"), (SAM, said))
    (choice,) = [claim for claim in claims if claim.data.get("choice") == "chosen"]
    assert (choice.text, choice.data["agreed_by"]) == ("B wint", SAM)
    assert claims[-1].text == said


def test_who_put_one_more_option_agrees_by_a_letter_with_a_reason_too() -> None:
    said = "B. dry before cheap"
    more = (SAM, "D) borrow tables")
    assert chosen((PRIYA, STALLS), more, (PRIYA, "B wint"), (SAM, said)) == [("B wint", "Option B")]


@pytest.mark.parametrize("said", ["C. dry before cheap", "B. maybe", "B. who pays it?"])
def test_a_letter_with_something_else_agrees_with_nobody(said: str) -> None:
    claims = _claims((PRIYA, STALLS), (PRIYA, "B wint"), (SAM, said))
    assert not any("agreed_by" in claim.data for claim in claims)


def test_how_far_a_choice_holds_is_part_of_it() -> None:
    said = "ok ok, A wins. but staged: one row at a time, ten tents"
    assert chosen((PRIYA, TABLE), (SAM, "no hall for me"), (PRIYA, said)) == [(said, "Option A")]
    apart = chosen((PRIYA, TABLE), (PRIYA, "A wins. but who pays the tents"))
    assert apart == [("A wins.", "Option A")]


def test_an_option_of_somebody_else_that_goes_on_with_the_letters_is_one() -> None:
    more = (SAM, "D) borrow tables")
    assert chosen((PRIYA, STALLS), more, (PRIYA, "so D.")) == [("so D.", "Option D")]
    assert chosen((PRIYA, STALLS), (SAM, "E) borrow tables"), (PRIYA, "so E.")) == []


def test_where_nobody_put_options_a_letter_is_a_letter() -> None:
    assert chosen((PRIYA, "which hall?"), (SAM, "C.")) == []
    assert chosen((PRIYA, "which row of stalls is free?"), (SAM, "A."), step="01-06") == []


def test_the_table_of_options_shows_which_letter_was_taken() -> None:
    text = page(made("03-01", "architecture-overview.md", BARE, (SAM, "Well that's that, C.")))
    one, _, three = [row for row in text.splitlines() if row.startswith("| Option ")][1:]
    assert "chosen" in three
    assert "chosen" not in one
    assert "wet when it rains" in one
