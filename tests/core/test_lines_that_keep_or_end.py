"""Short lines that settle what others spoke of: "go on, 8", "24, right."."""

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim
from core.domain.ids import UserId
from tests.core.test_scripted import PRIYA, SAM, request

OTHER = UserId("U9")
Said = tuple[UserId, str]


def choices(step: str, *said: Said) -> list[Claim]:
    """What the last of them says is taken or goes."""
    last = said[-1][1]
    return [
        claim
        for claim in read(request(step, *said)).claims
        if claim.kind == "decision" and claim.text in last
    ]


@pytest.mark.parametrize(
    ("step", "before", "line", "option"),
    [
        ("01-05", "the lift is there after 20 seconds", "go on, 20", "20"),
        ("01-06", "ninety is a lot, the law says 72 hours", "lol ok 72", "72"),
        ("02-02", "40 chairs? more like 150", "sure, 150", "150"),
        ("04-03", "we lock the hall after 12 hours, the mayor says 24", "24, right.", "24"),
    ],
)
def test_a_short_line_takes_what_somebody_else_spoke_of(
    step: str, before: str, line: str, option: str
) -> None:
    options = [claim.data.get("option") for claim in choices(step, (PRIYA, before), (SAM, line))]
    assert options == ([option] if option else [])


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ("at most 500 letters", "280. or so I'd guess"),
        ("they were 12 last year", "12"),
    ],
)
def test_a_line_on_something_else_or_unsure_takes_nothing(before: str, line: str) -> None:
    assert choices("03-02", (PRIYA, before), (SAM, line)) == []


def test_what_others_do_is_no_choice_also_in_the_last_part_of_their_sentence() -> None:
    deed = "They come at noon, know nobody, and take four chairs from my table"
    assert choices("01-02", (PRIYA, "guests"), (SAM, deed)) == []


@pytest.mark.parametrize(
    ("asked", "line", "option"),
    [
        (
            "key or code",
            "Code, with a call to the porter on Sunday, and I was against it",
            "Code",
        ),
        (
            "which tools",
            ".NET 8, and SQL Server because the porter will get up for that, I did look at Oracle"
            " and I like it better but nobody is there at night",
            ".NET 8, and SQL Server",
        ),
    ],
)
def test_a_long_line_chooses_by_its_head(asked: str, line: str, option: str) -> None:
    (choice,) = choices("03-02", (PRIYA, asked), (SAM, line))
    assert choice.data["option"] == option


def test_a_head_is_no_choice_where_the_line_makes_it_depend_on_something() -> None:
    line = "Code, with a call to the porter on Sundays, and only if the porter agrees to be called"
    assert choices("03-02", (PRIYA, "key or code"), (SAM, line)) == []


def test_the_last_word_on_what_wins_is_a_choice_where_somebody_else_spoke_for_it() -> None:
    dispute = (
        (PRIYA, "if both books differ, then the office wins"),
        (SAM, "no. at night the office is wrong, the porter is right till noon"),
    )
    (choice,) = choices("04-03", *dispute, (OTHER, "the porter wins, the office catches up"))
    assert choice.data["option"] == "the porter"
    assert choices("04-03", dispute[0], (OTHER, "the porter wins")) == []


def test_who_gives_in_to_a_number_gives_up_their_own_of_that_unit() -> None:
    said = (
        (SAM, "The lift is there in 3 seconds."),
        (PRIYA, "three is a dream, 8 seconds from the bell"),
        (SAM, "go on, 8"),
    )
    (choice,) = choices("01-05", *said)
    assert [line.quote for line in choice.supersedes] == ["The lift is there in 3 seconds."]


@pytest.mark.parametrize(
    "own",
    ["The lift holds 3 people.", "3 seconds for the lift. 5 minutes for the cart", "no number"],
)
def test_a_number_of_another_unit_or_several_of_ones_own_are_not_given_up(own: str) -> None:
    said = ((SAM, own), (PRIYA, "8 seconds from the bell, at best"), (SAM, "go on, 8"))
    (choice,) = choices("01-05", *said)
    assert choice.supersedes == ()
