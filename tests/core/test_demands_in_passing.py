"""What people demand of a system where they were asked for something else, and what looks alike."""

from dataclasses import replace

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim, LineRef
from core.domain.lines import Correction, sortable, superseded
from tests.core.listed_lines import listed_lines
from tests.core.test_scripted import PRIYA, request

LINES = "demands_in_passing"
MISSED_MAX = 0.11  # of the lines that demand something
MISTAKEN_MAX = 0.28  # of the lines that only look like a demand
REFUSED = "An unknown filter is refused at once."


def claims(step: str, line: str) -> tuple[Claim, ...]:
    return read(request(step, line)).claims


def kinds_of(step: str, line: str) -> set[str]:
    return {claim.kind for claim in claims(step, line)}


def test_most_of_what_is_demanded_of_the_system_is_a_requirement_wherever_it_is_said() -> None:
    demanded = listed_lines(LINES, "requirement")
    missed = [line for step, line in demanded if "requirement" not in kinds_of(step, line)]
    assert len(missed) <= MISSED_MAX * len(demanded), missed


@pytest.mark.parametrize(("step", "line"), listed_lines(LINES, "quality"))
def test_a_number_or_a_degree_with_its_subject_is_a_quality(step: str, line: str) -> None:
    assert [claim.kind for claim in claims(step, line)] == ["quality"]


def test_most_of_what_only_looks_like_a_demand_is_none() -> None:
    alike = listed_lines(LINES, "none")
    asked_for = {"requirement", "quality"}
    mistaken = [line for step, line in alike if asked_for & kinds_of(step, line)]
    assert len(mistaken) <= MISTAKEN_MAX * len(alike), mistaken


def test_half_of_the_lines_look_alike_and_are_none() -> None:
    assert (
        len(listed_lines(LINES, "none")) >= len(listed_lines(LINES, "requirement", "quality")) >= 30
    )


@pytest.mark.parametrize(
    ("line", "condition", "response"),
    [
        ("Refuse loans over 30 days.", "loans over 30 days", "Refuse"),
        ("Refuse a return date in the past.", "a return date in the past", "Refuse"),
        (
            "Refused at the tablet: day in the past, closed shop",
            "day in the past, closed shop",
            "Refused at the tablet",
        ),
        ("Heals by itself: failover, late batches.", "failover, late batches", "Heals by itself"),
        ("needs a human: the brake", "the brake", "needs a human"),
        ("older than 48 h: `late`, next invoice", "older than 48 h", "`late`, next invoice"),
    ],
)
def test_what_happens_may_stand_before_what_it_happens_to(
    line: str, condition: str, response: str
) -> None:
    errors = [claim for claim in read(request("04-04", line)).claims if claim.kind == "error"]
    assert [claim.data for claim in errors] == [{"condition": condition, "response": response}]


def test_what_is_refused_is_a_failure_and_a_requirement() -> None:
    requirement, failure = claims("04-04", REFUSED)
    assert (requirement.kind, requirement.ref, requirement.text) == (
        "requirement",
        "FR-001",
        REFUSED,
    )
    assert (failure.kind, failure.text) == ("error", REFUSED)
    assert failure.data == {"condition": "An unknown filter", "response": "is refused at once"}


def test_a_line_that_is_two_things_is_one_line_to_sort_and_to_quote() -> None:
    draft = read(request("04-04", REFUSED))
    assert [claim.kind for claim in sortable(draft.claims, draft.claims[0].step)] == ["requirement"]
    assert draft.recorded.count("unknown filter") == 1


def test_a_correction_of_a_line_that_is_two_things_concerns_both() -> None:
    said = claims("04-04", REFUSED)
    line = LineRef(said[0].sources[0], REFUSED)
    noted = Correction(said[0].step, line, "note", PRIYA, 1.0)
    draft = read(request("04-04", REFUSED, corrections=(noted,)))
    assert [claim.kind for claim in draft.claims] == ["note"]


def test_a_line_that_is_two_things_is_struck_through_as_both() -> None:
    requirement, failure = claims("04-04", REFUSED)
    line = LineRef(requirement.sources[0], REFUSED)
    newer = replace(requirement, id="04-04/9", text="It is let through.", supersedes=(line,))
    assert set(superseded((requirement, failure, newer))) == {requirement.id, failure.id}


def test_who_it_is_stands_with_what_they_may_do() -> None:
    said = "the new skipper also. look yes, sell no"
    assert [claim.text for claim in claims("01-02", said)] == [said]
