"""Which pairs of lines differ, which replace each other, and which only sound alike."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

import pytest
import yaml

from core.brains.bookkeeping.differences.finder import Difference, found
from core.domain.answers import Answer, Claim, ClaimKind
from core.domain.ids import AnswerId, StepId, Ts, UserId
from tests.core.test_scripted import PRIYA, SAM, request

DATA: Final = Path(__file__).parent / "data"
MISSED_MAX: Final = 0.52  # of the pairs that differ
MISTAKEN_MAX: Final = 0.05  # of the pairs that do not
MISSED_MAX_APART: Final = 0.75  # … where the weights are not fitted to the pairs
MISTAKEN_MAX_APART: Final = 0.02
HERE, BEFORE = StepId("01-06"), StepId("01-04")
Pair = dict[str, str]


def pairs(name: str) -> list[Pair]:
    rows: list[Pair] = yaml.safe_load((DATA / f"{name}.yaml").read_text("utf-8"))
    return rows


def differences(pair: Pair) -> tuple[Difference, ...]:
    is_elsewhere = pair.get("where") == "elsewhere"
    said: list[tuple[StepId, UserId, str]] = [
        (BEFORE if is_elsewhere else HERE, PRIYA, pair["first"]),
        *([(HERE, SAM, pair["between"])] if "between" in pair else []),
        (HERE, PRIYA if pair.get("by") == "one" else SAM, pair["second"]),
    ]
    answers = tuple(
        Answer(AnswerId(f"a{at}"), step, who, text, Ts(f"100{at}.000100"))
        for at, (step, who, text) in enumerate(said)
    )
    kinds = cast("list[ClaimKind]", pair.get("kinds", "fact fact").split())
    first, second = (
        Claim(f"{one.step}/{at}", one.step, kind, one.text, (one.id,))
        for at, (one, kind) in enumerate(zip((answers[0], answers[-1]), kinds, strict=True))
    )
    made: dict[str, Any] = {"other_answers": answers}
    asked = request(HERE, claims=(first,) if is_elsewhere else (), **made)
    asked = replace(asked, answers=tuple(one for one in answers if one.step == HERE))
    return found(asked, (second,) if is_elsewhere else (first, second))


def share(name: str, sort: str, *, differs: bool) -> tuple[float, list[str]]:
    """The share of such pairs of which that is found, and the pairs."""
    of_sort = [pair for pair in pairs(name) if pair["is"] == sort]
    such = [pair for pair in of_sort if bool(differences(pair)) is differs]
    return len(such) / len(of_sort), [f"{pair['first']} | {pair['second']}" for pair in such]


@pytest.mark.parametrize(
    ("name", "most"), [("differing_lines", MISSED_MAX), ("differing_lines_apart", MISSED_MAX_APART)]
)
def test_lines_that_differ_are_found(name: str, most: float) -> None:
    missed, lines = share(name, "differs", differs=False)
    assert missed <= most, (missed, lines)


@pytest.mark.parametrize(
    ("name", "most"),
    [("differing_lines", MISTAKEN_MAX), ("differing_lines_apart", MISTAKEN_MAX_APART)],
)
def test_lines_that_only_sound_like_it_are_left_alone(name: str, most: float) -> None:
    mistaken, lines = share(name, "agrees", differs=True)
    assert mistaken <= most, (mistaken, lines)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Drivers may swap shifts among themselves", "drivers may not swap shifts"),
        ("The receipt shows the tax", "The receipt does not show the tax"),
        ("Tips are shared by the whole kitchen", "Tips are not shared with the kitchen"),
        ("The list shows 20 rows", "the list shows 50 rows"),
        ("Orders are kept for 5 years", "orders are kept for 10 years"),
        ("10 minutes is too short for the fitting", "10 is too long. blocked for nothing"),
        ("prices are rounded on the server", "prices are rounded on the client"),
        ("the archive is public", "the archive stays private"),
        ("Out: gift cards", "the till must accept gift cards"),
        ("the server wins", "the ledger wins"),
        ("the kiosk prints the ticket", "forget the kiosk"),
    ],
)
@pytest.mark.parametrize("by", ["one", "others"])
def test_a_plain_contradiction_is_found_whoever_says_it(first: str, second: str, by: str) -> None:
    assert differences({"first": first, "second": second, "by": by})


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Members see who borrowed the book", "members must never see who borrowed the book"),
        ("search answers within 2 s", "the search must answer within 500 ms"),
        ("Out: gift cards, season tickets", "The till must accept gift cards"),
    ],
)
def test_a_plain_contradiction_is_found_across_steps(first: str, second: str) -> None:
    assert differences({"first": first, "second": second, "where": "elsewhere"})


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The gate opens at 6", "the shop opens at 7"),
        ("A slot lasts 10 minutes", "a break lasts 15 minutes"),
        ("The receipt shows the tax", "no label shows the price"),
        ("max 3 tries", "the log is kept for 5 days"),
        ("The driver gets an SMS", "no SMS costs more than 5 cents"),
    ],
)
@pytest.mark.parametrize("by", ["one", "others"])
def test_two_things_said_alike_are_left_alone(first: str, second: str, by: str) -> None:
    assert not differences({"first": first, "second": second, "by": by})


def test_what_is_said_again_in_the_same_words_is_left_alone() -> None:
    line = "Nothing to add beyond what we said."
    assert not differences({"first": line, "second": line, "by": "one", "where": "elsewhere"})


@pytest.mark.parametrize(
    ("first", "between", "second"),
    [
        ("the pass lives for 30 days", "30 days? that's a month", "ok 7 days"),
        ("we print 40 labels a day", "40? more like 60", "60 labels then"),
        ("the list shows 20 rows", "nobody scrolls 20 rows", "actually make it 10 rows"),
    ],
)
def test_a_line_of_which_its_author_plainly_thinks_otherwise_is_replaced(
    first: str, between: str, second: str
) -> None:
    (one,) = differences({"first": first, "second": second, "by": "one", "between": between})
    assert one.replaces
