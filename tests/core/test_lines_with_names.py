"""Lines that people name themselves where features are asked for, and what they tell there."""

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim
from tests.core.test_scripted import request


def said(step: str, *texts: str) -> tuple[Claim, ...]:
    return read(request(step, *texts)).claims


def ranks(listed: str, *replies: str) -> list[tuple[str, str]]:
    """What the replies rank: the text of the line, and its rank."""
    features = request("01-06", listed)
    claims = read(features).claims
    texts = {claim.ref: claim.text for claim in claims}
    drawn = read(request("01-08", *replies, claims=claims, other_answers=features.answers)).claims
    return [
        (texts.get(one.data["requirement"], ""), one.data["priority"])
        for one in drawn
        if one.kind == "priority"
    ]


NAMED = (
    ("F1. A nurse weighs the bag before it leaves the fridge.", "F2. The fridge beeps above 8 °C."),
    ("R-1) the gate opens for a valid card", "R-2) the gate is shut between 23:00 and 5:00"),
    ("F3: both the old and the new tariff are shown until June", "F4 - drivers look up their pay"),
    ("**A** A keeper feeds by the plan", "**B** The vet stops a diet"),
    ("[1] the ferry counts cars", "[2] a full ferry stops whatever is still queued"),
    ("X1. Shelves are numbered by the scanner.", "X2. A shelf that is empty turns grey."),
)


@pytest.mark.parametrize("lines", NAMED)
def test_a_named_line_is_one_requirement_with_its_name(lines: tuple[str, str]) -> None:
    claims = said("01-06", "\n".join(lines))
    assert [(claim.kind, claim.ref) for claim in claims] == [
        ("requirement", "FR-001"),
        ("requirement", "FR-002"),
    ]
    assert all(
        claim.text.endswith(line.split()[-1]) for claim, line in zip(claims, lines, strict=True)
    )


@pytest.mark.parametrize(
    ("reply", "name", "rank"),
    [
        ("must F1", "F1.", "must"),
        ("*should* F2", "F2.", "should"),
        ("F2 joins the musts", "F2.", "must"),
        ("F1 goes up to must", "F1.", "must"),
        ("could: F2", "F2.", "could"),
        ("Then F2 is in with the musts.", "F2.", "must"),
    ],
)
def test_a_rank_takes_a_line_by_its_name(reply: str, name: str, rank: str) -> None:
    [(text, word)] = ranks("\n".join(NAMED[0]), reply)
    assert (text.split()[0], word) == (name, rank)


def test_a_letter_in_bold_is_the_name_of_its_line() -> None:
    listed = "\n".join(NAMED[3])
    assert ranks(listed, "**Must:** A", "B joins the musts") == [
        ("**A** A keeper feeds by the plan", "must"),
        ("**B** The vet stops a diet", "must"),
    ]


def test_what_is_ranked_as_wont_under_a_word_in_bold_is_left_out() -> None:
    claims = said("01-08", "*won't* karaoke, a second till")
    assert [claim.kind for claim in claims] == ["exclusion"]


TOLD = (
    "A crate above the weight of its lift goes back at the moment of loading.",
    "and I can print one BY HAND when the lorry stands in front of me",
    "hmm we print two slips, green and red, and let people choose",
    "At the limit it's closed for everybody.",
    "the idle pump of the pair gets the new filter, never the running one; "
    "we had it the other way round in 2020",
    "teams look up the age of their helmets in the locker list",
    "the tide is worked out from the table and is not typed by anybody because that was a mess",
    "a second knock cancels whatever is still to come",
    "The mast is lowered before the bridge, since last year we lost one.",
    "stewards look up seats by name",
)
NONE = (
    "hm",
    "hmm no.",
    "whatever.",
    "ugh. the boiler is half my calls",
    "at the moment the crane waits for Ilse",
    "Today the porter writes it on the door.",
    "I can help with that",
    "I can ask the harbour master",
    "last year we lost a mast",
    "we had it the other way round in 2020",
    "that looks good",
    "because the lift stops at noon",
    "that's closed anyway",
    "S3. Nope.",
    "I dislike tolls. My uncle never took one.",
)


@pytest.mark.parametrize("line", TOLD)
def test_what_a_thing_does_is_asked_of_it_whatever_reason_or_memory_follows(line: str) -> None:
    assert [claim.kind for claim in said("01-06", line)] == ["requirement"]


@pytest.mark.parametrize("line", NONE)
def test_reactions_and_how_it_is_or_was_ask_for_nothing(line: str) -> None:
    assert "requirement" not in [claim.kind for claim in said("01-06", line)]
