"""Lines that only speak of an earlier one, with whose name they open."""

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim
from core.domain.ids import UserId
from tests.core.test_scripted import PRIYA, SAM, answer, request

LISTED = "The member sees which boats are free.\nThe lamp must be green.\nThe gate must lock."


def read_at(step: str, said: str) -> list[Claim]:
    known = read(request("01-06", (SAM, LISTED))).claims
    earlier = (answer("01-06", 1, LISTED),)
    draft = read(request(step, (PRIYA, said), claims=known, other_answers=earlier))
    return [claim for claim in draft.claims if claim.text in said]


@pytest.mark.parametrize("step", ["01-06", "02-02", "03-03", "04-01", "04-02", "04-03", "04-04"])
@pytest.mark.parametrize(
    "said",
    [
        "FR-002 replaces it.",
        "and FR-001 is what the harbour asked for, the list is the same",
        "FR-003: see mail",
    ],
)
def test_what_only_speaks_of_a_line_is_no_line_of_its_own(step: str, said: str) -> None:
    assert {claim.kind for claim in read_at(step, said)} <= {"note", "fact"}


@pytest.mark.parametrize(
    "said", ["FR-002 should turn red at night", "FR-002 must be seen from the bridge, too"]
)
def test_what_is_demanded_of_a_line_is_a_requirement(said: str) -> None:
    assert "requirement" in {claim.kind for claim in read_at("01-06", said)}


@pytest.mark.parametrize("name", ["FR-003", "FR-3", "fr 3"])
@pytest.mark.parametrize(("by", "is_replaced"), [(SAM, True), (PRIYA, False)])
def test_other_words_for_a_line_by_its_name_replace_or_are_asked_about(
    by: UserId, is_replaced: bool, name: str
) -> None:
    known = read(request("01-06", (SAM, LISTED))).claims
    earlier = (answer("01-06", 1, LISTED, SAM),)
    said = f"{name}: the gate must lock itself after ten minutes"
    draft = read(request("01-07", "hm.", (by, said), claims=known, other_answers=earlier))
    (line,) = [claim for claim in draft.claims if claim.text == said]
    assert line.kind == "requirement"
    assert [old.quote for old in line.supersedes] == ["The gate must lock."] * is_replaced
    is_asked = draft.follow_up is not None and draft.follow_up.kind == "difference"
    assert is_asked is not is_replaced


def test_what_is_said_of_a_decision_by_its_name_is_no_second_one() -> None:
    decided, said = "We go with own code, because a gem has to be kept.", "adr-001 = own code"
    known = read(request("03-02", (SAM, decided))).claims
    assert [claim.ref for claim in known] == ["ADR-001"]
    claims = read(request("03-02", (SAM, decided), (SAM, said), previous=known)).claims
    assert [claim.text for claim in claims if claim.kind == "decision"] == [decided]


def test_a_list_whose_author_gave_it_such_names_is_one_of_requirements() -> None:
    own = (
        "FR-1: The coach can see the crew.\nFR-2: The office sees the key.\nFR-3: Oars are listed."
    )
    assert [claim.kind for claim in read_at("01-06", own)] == ["requirement"] * 3


def test_a_reply_that_opens_with_the_name_of_the_line_is_its_check() -> None:
    asked = read(request("01-06", (SAM, LISTED)))
    assert asked.follow_up is not None
    (name,) = [word for word in asked.follow_up.question.split() if word.startswith("FR-")]
    said = f"{name}: kill the pump on staging at 10:00, mail in the inbox of Ida by 11:00"
    follow_ups = (asked.follow_up,)
    draft = read(request("01-06", (SAM, LISTED), (PRIYA, said), follow_ups=follow_ups))
    (check,) = [claim for claim in draft.claims if claim.text in said]
    assert (check.kind, check.data["of"]) == ("check", name)
    assert [one.outcome for one in draft.closed] == ["answered"]
