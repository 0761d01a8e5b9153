"""A line that says an earlier one again with one thing changed is asked about, whoever says it."""

import pytest

from core.brains.script.reading import read
from core.domain.lines import line_of
from tests.core.test_scripted import PRIYA, SAM, request


def test_its_author_is_asked_which_of_the_two_holds() -> None:
    said = ("The list shows 20 rows", "the list shows 50 rows")
    asked = read(request("01-06", *said)).follow_up
    assert asked is not None
    assert (asked.kind, asked.line and asked.line.quote, asked.other and asked.other.quote) == (
        "difference",
        *said,
    )


def test_the_lines_of_one_list_are_no_change_of_mind() -> None:
    said = "- The gate opens at 6\n- The gate opens at 7"
    follow_up = read(request("01-06", said)).follow_up
    assert follow_up is None or follow_up.kind != "difference"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The receipt shows the tax.", "receipt must show the tax pls"),
        ("Members can reserve a book", "a member can reserve a book!"),
        ("max 3 tries per guest", "Max 3 tries per guest please"),
        ("orders must be kept for 5 years", "Orders are kept for 5 years"),
    ],
)
def test_the_same_rule_by_two_people_is_one_line_with_both_sources(first: str, second: str) -> None:
    (claim,) = read(request("01-06", (PRIYA, first), (SAM, second))).claims
    assert (claim.text, len(claim.sources)) == (first, 2)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("the server must tell the client", "the client must tell the server"),
        ("the receipt must show the tax", "the receipt must not show the tax"),
        ("the list must have < 5 rows", "the list must have > 5 rows"),
        ("the list must have 5 rows", "the list must have 50 rows"),
        ("guests may cancel", "guests may not cancel"),
        ("a clerk can print before noon", "a clerk can print after noon"),
        ("only the vet may open it", "the vet may open it"),
        ("the receipt must show the tax", "the receipt should show the tax"),
        ("it must stay above 5 °C", "it must stay above -5 °C"),
    ],
)
def test_another_rule_in_the_same_words_is_a_line_of_its_own(first: str, second: str) -> None:
    claims = read(request("01-06", (PRIYA, first), (SAM, second))).claims
    assert {first, second} <= {claim.text for claim in claims}


@pytest.mark.parametrize(
    ("ranked", "anew"),
    [
        ("**Should:** B, E, contest", "B joins the musts"),
        ("SHOULD F4, F5, csv export", "fair, csv is up there with the musts now"),
        ("*should* F4, F5", "F4 goes up to must."),
        ("should: texts, sending by hand", "Sending by hand down to could"),
        ("could - lamp at the gate, ferry list", "the ferry list in with the shoulds, then"),
        ("must: c, d", "c among the coulds"),
    ],
)
def test_a_thing_that_joins_others_of_another_rank_is_ranked_anew(ranked: str, anew: str) -> None:
    claims = read(request("01-08", (PRIYA, ranked), (SAM, "not like that"), (PRIYA, anew))).claims
    older = next(claim for claim in claims if claim.text == ranked)
    newer = next(claim for claim in claims if claim.text == anew)
    assert older.data.get("differs") == newer.id or line_of(older) in newer.supersedes


@pytest.mark.parametrize(
    "said",
    [
        "B waits at the gate",
        "we can live without B",
        "without B it is fine",
        "E joins us on Monday",
        "csv is long",
    ],
)
def test_what_ranks_nothing_ranks_nothing_anew(said: str) -> None:
    claims = read(request("01-08", (PRIYA, "**Should:** B, E, csv"), (PRIYA, said))).claims
    assert not any(claim.supersedes or claim.data.get("differs") for claim in claims)
