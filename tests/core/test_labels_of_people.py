"""Ranks by the letters and numbers that people give their own lines."""

from collections.abc import Sequence

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim
from core.domain.lines import superseded
from tests.core.test_scripted import PRIYA, SAM, request

LETTERED = (
    "a) riders can pause a lesson plan for up to 4 weeks\n"
    "b) the stable sees every paused plan in the week view\n"
    "c) riders get a mail when a horse is lame\n"
    "d) the vet can lock a horse for all bookings\n"
    "e) parents can sign the consent form online"
)
NUMBERED = (
    "1. nurses can scan the label of a blood bag\n"
    "2. the fridge door is locked when a bag expires\n"
    "3. the courier can confirm the hand-over with a pin"
)


ON_ONE_LINE = (
    "1. Nurses can scan the label of a blood bag. 2. The fridge door is locked when a bag expires. "
    "3. The courier can confirm the hand-over with a pin."
)


def ranks(listed: str, *said: object) -> list[tuple[str, str]]:
    """Own label and rank of every line that stands."""
    features = request("01-06", listed)
    claims = read(features).claims
    names = {claim.ref: "abcde"[n] for n, claim in enumerate(claims) if claim.ref}
    drawn = read(request("01-08", *said, claims=claims, other_answers=features.answers)).claims
    return [(names[one.data["requirement"]], one.data["priority"]) for one in _standing(drawn)]


def _standing(claims: Sequence[Claim]) -> list[Claim]:
    replaced = superseded(claims)
    return [one for one in claims if one.kind == "priority" and one.id not in replaced]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("SHOULD e", [("e", "should")]),
        ("should: c, e", [("c", "should"), ("e", "should")]),
        ("MUST a, b and d", [("a", "must"), ("b", "must"), ("d", "must")]),
        (
            "must: a, d / should: b / could: c",
            [*zip("adbc", ["must", "must", "should", "could"], strict=False)],
        ),
        ("c becomes a must, and e with it", [("c", "must"), ("e", "must")]),
        ("ok d must then", [("d", "must")]),
        ("make b a must please", [("b", "must")]),
        ("a must, b should", [("b", "should")]),  # "a must" may be no letter: it is not guessed
    ],
)
def test_letters_name_the_lines_of_the_list(line: str, found: list[tuple[str, str]]) -> None:
    assert sorted(ranks(LETTERED, line)) == sorted(found)


@pytest.mark.parametrize(
    "line",
    [
        "that is a must for me personally",
        "if e is a must, the vet goes mad",
        'there is no "should" at the vet',
        "plan b should never be needed",
        "5 should be enough for everybody",
        "is e a must?",
        "I must go, horse waiting",
    ],
)
def test_a_letter_that_names_no_line_ranks_nothing(line: str) -> None:
    assert not [rank for rank in ranks(LETTERED, line) if rank[0] in "e"]
    assert len(ranks(LETTERED, line)) == 0


def test_a_number_names_the_line_of_the_list_beside_other_words() -> None:
    assert ranks(NUMBERED, "true, sorry, 3 is a must then") == [("c", "must")]
    assert ranks(NUMBERED, "at most 3 must be cold") == []


def test_a_later_rank_of_the_same_person_takes_the_place_of_the_former() -> None:
    said = ((PRIYA, "should: c, e"), (SAM, "e is a must."), (PRIYA, "ok e must"))
    assert ranks(LETTERED, *said) == [("c", "should"), ("e", "must"), ("e", "must")]


def test_capitals_leave_a_thing_out_as_a_colon_does() -> None:
    (claim,) = read(request("01-08", "WON'T ponies under 1 m")).claims
    assert (claim.kind, claim.data["what"]) == ("exclusion", "ponies under 1 m")
    (claim,) = read(request("01-08", "won't happen, sorry")).claims
    assert claim.kind != "exclusion"


def test_numbers_of_a_list_on_one_line_name_its_lines_as_well() -> None:
    assert ranks(ON_ONE_LINE, "must: 1, 3") == [("a", "must"), ("c", "must")]


@pytest.mark.parametrize(
    ("check", "of"),
    [
        ("check for 2: I'd put in a bag of yesterday → the door has to stay shut", "FR-002"),
        ("For number three I'd enter 0000 as the pin and expect a refusal", "FR-003"),
        ("Concerning number two I would put in a bag of yesterday and expect it locked", "FR-002"),
        ("As for number 3 I'd enter 0000 at the hand-over and expect a refusal", "FR-003"),
        ("Test: number one's easy, scan any bag and its label shows up", "FR-001"),
    ],
)
def test_a_check_names_a_line_by_the_number_that_it_has_in_the_list(check: str, of: str) -> None:
    claims = read(request("01-06", (PRIYA, ON_ONE_LINE), (SAM, check))).claims
    assert [claim.data.get("of") for claim in claims if claim.kind == "check"] == [of]
