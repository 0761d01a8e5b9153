"""Lines that point back to an earlier one without its words: taken back, taken in, restricted."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from core.brains.bookkeeping.differences.asking import difference_asked
from core.brains.bookkeeping.differences.finder import found
from core.brains.script.reading import read
from core.domain.answers import Claim, Draft, ReadRequest
from core.domain.ids import Ts, UserId
from core.domain.lines import line_of, superseded
from tests.core.test_scripted import PRIYA, SAM, request, shipped

LEE = UserId("U0LEE0001")
Said = tuple[UserId, str]


def at(step: str, *said: Said) -> ReadRequest:
    """Answers to a step as it is shipped."""
    content = next(one for one in shipped() if one.id == step)
    return replace(request(step, *said), step=content)


def later(before: ReadRequest, step: str, *said: Said) -> tuple[ReadRequest, Draft]:
    """A later step, read behind an earlier one."""
    made = at(step, *said)
    answers = tuple(replace(one, ts=Ts(f"18{one.ts[2:]}")) for one in made.answers)
    claims, others = read(before).claims, before.answers
    made = replace(made, answers=answers, claims=claims, other_answers=others)
    return made, read(made)


def asked(made: ReadRequest, draft: Draft) -> list[tuple[str, str]]:
    """The lines of which one is asked which of both holds."""
    return list(_pairs(made, draft))


def _pairs(made: ReadRequest, draft: Draft) -> Iterator[tuple[str, str]]:
    for one in difference_asked(made, draft.claims):
        assert one.line
        assert one.other
        yield one.line.quote, one.other.quote


HUT = "Weighed against a keypad. I'd stay with padlocks."


def test_what_somebody_takes_back_in_quotes_replaces_their_last_line_of_it() -> None:
    made, draft = later(
        at("03-02", (PRIYA, HUT)),
        "03-04",
        (SAM, "two of ten padlocks freeze"),
        (PRIYA, "ok, keypad with a roof then. I take back “padlocks”."),
    )
    gone = superseded((*made.claims, *draft.claims))
    assert [one.text for one in made.claims if one.id in gone] == ["I'd stay with padlocks."]


@pytest.mark.parametrize(
    "reply",
    [
        (PRIYA, "I take back padlocks that are broken, every Monday"),
        (SAM, "I take back “padlocks”."),
        (PRIYA, "the shop takes “padlocks” back"),
    ],
)
def test_nobody_takes_back_the_line_of_another_nor_in_other_words(reply: Said) -> None:
    made, draft = later(at("03-02", (PRIYA, HUT)), "03-04", reply)
    assert not superseded((*made.claims, *draft.claims))


def test_of_a_line_with_two_ranks_the_one_that_still_holds_may_differ() -> None:
    said = ((PRIYA, "Should: B, E"), (PRIYA, "B joins the musts"), (SAM, "E is a must too!!"))
    made = at("01-08", *said)

    def rank(answer: int, requirement: str, priority: str, **more: Any) -> Claim:
        spoken, data = made.answers[answer], {"requirement": requirement, "priority": priority}
        id_ = f"01-08/{requirement}{answer}"
        return Claim(id_, spoken.step, "priority", spoken.text, (spoken.id,), data=data, **more)

    replaced = rank(0, "FR-002", "should")
    newer = rank(1, "FR-002", "must", supersedes=(line_of(replaced),))
    contested, other = rank(0, "FR-005", "should"), rank(2, "FR-005", "must")
    differences = found(made, (replaced, contested, newer, other))
    assert [(one.first.claim, one.second.claim) for one in differences] == [(contested, other)]


def test_a_no_to_a_question_of_its_author_replaces_nothing_else() -> None:
    said = ("make that 400", "who empties the bins? is that us?? no. that's the harbour")
    draft = read(request("01-06", *((PRIYA, text) for text in said)))
    assert not superseded(draft.claims)


NAMES = {PRIYA: "Priya", SAM: "Sam Okoye"}


@pytest.mark.parametrize(
    ("first", "second", "is_asked"),
    [
        ("Sam Okoye mends the lamps", "Out: Sam Okoye, music", False),
        ("the head keeper mends the lamps", "Out: head keeper, music", True),
    ],
)
def test_a_person_who_takes_part_is_no_matter_on_which_lines_differ(
    first: str, second: str, is_asked: bool
) -> None:
    made = request("01-06", (PRIYA, first), (SAM, second), names=NAMES)
    assert bool(found(made, read(made).claims)) is is_asked


@pytest.mark.parametrize(
    ("first", "second", "is_asked"),
    [("45 files", "6 helm files", False), ("45 files", "30 changed files", True)],
)
def test_files_of_one_sort_are_no_other_number_of_files(
    first: str, second: str, is_asked: bool
) -> None:
    made = at("00-03", (PRIYA, first), (SAM, second))
    assert bool(asked(made, read(made))) is is_asked


def test_on_another_part_of_the_size_people_are_asked_before_they_are_asked_on_one_again() -> None:
    said = [(PRIYA, "size: small"), (SAM, "size: medium")]
    made = at("00-01", *said)
    first = read(made).follow_up
    assert first is not None
    more = [(PRIYA, "complexity: low"), (SAM, "complexity: high"), (LEE, "size: large")]
    made = replace(at("00-01", *said, *more), follow_ups=(first.ended("skipped"),))
    second = read(made).follow_up
    assert second is not None
    assert "complexity" in second.question


def test_people_who_differ_on_the_confidence_are_asked_about_it() -> None:
    made = at("00-03", (PRIYA, "confidence: medium"), (SAM, "confidence: low"))
    assert asked(made, read(made)) == [("confidence: medium", "confidence: low")]
