"""Requirements that somebody says are none."""

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claims
from core.domain.lines import standing
from tests.core.test_scripted import PRIYA, SAM, answer, request

LISTED = "The member sees which boats are free.\nThe lamp must be green.\nThe gate must lock."


def after(said: str, step: str = "01-07") -> tuple[Claims, Claims]:
    """All lines of which the second was said to be none, and those that still hold."""
    known = read(request("01-06", (SAM, LISTED))).claims
    assert [claim.ref for claim in known] == ["FR-001", "FR-002", "FR-003"]
    asked = request(step, (PRIYA, said), claims=known, other_answers=(answer("01-06", 1, LISTED),))
    every = (*known, *read(asked).claims)
    return every, standing(every)


@pytest.mark.parametrize(
    "said",
    [
        "FR-002 is not a requirement",
        "FR-002 isnt a requirement lol",
        "2 is no requirement, just Sam",
        "fr-2 = not a requiremnt btw",
        "FR-002 won't, it is not a requirement, just chatter",
        "FR-002 ist keine Anforderung.",
        "remove FR-002 from the list please",
        "drop FR-002",
        "FR-002 is an anecdote, drop it",
        "and FR-002 was me complaining, not reqs",
        "So FR-002 is wrong now.",
        "oh FR-002 is a joke",
        "FR-002 no es un requisito, es de Sam",
        "the lamp = not a requiremnt btw lol, you listed it as FR-002",
    ],
)
@pytest.mark.parametrize("step", ["01-07", "01-08", "04-05"])
def test_what_is_said_to_be_no_requirement_holds_no_more(said: str, step: str) -> None:
    every, holding = after(said, step)
    assert [claim.ref for claim in holding if claim.kind == "requirement"] == ["FR-001", "FR-003"]
    assert [claim.kind for claim in every if claim.text in said] == ["note"]


def test_a_story_is_removed_as_well() -> None:
    known = read(request("01-07", (SAM, "As a member I want a nap so that I am rested."))).claims
    known = (*known, *read(request("01-06", (SAM, LISTED))).claims)
    every = (*known, *read(request("01-08", (PRIYA, "remove US-001"), claims=known)).claims)
    assert "US-001" not in {claim.ref for claim in standing(every)}


@pytest.mark.parametrize(
    "said",
    [
        "FR-002 is not a must",
        "FR-002 needs FR-001, and the map is no requirement",
        "FR-001 has no requirements on speed",
        "FR-009 is no requirement",
        "FR-002 is wrong in the rain, it should stay green",
        "FR-002 is fast, kill the lamp and see",
    ],
)
def test_what_says_something_else_takes_nothing_out(said: str) -> None:
    _, holding = after(said)
    refs = [claim.ref for claim in holding if claim.ref in ("FR-001", "FR-002", "FR-003")]
    assert refs == ["FR-001", "FR-002", "FR-003"]


def test_what_is_said_to_be_no_requirement_without_a_name_is_none_itself() -> None:
    every, holding = after("the coffee must be hot. that is not a requirement, just me")
    said = [claim for claim in every if "just me" in claim.text]
    assert [claim.kind for claim in said] == ["note"]
    assert len([claim for claim in holding if claim.ref in ("FR-001", "FR-002", "FR-003")]) == 3


@pytest.mark.parametrize("said", ["Das muss weg.", "That must go!", "this really has to stop"])
@pytest.mark.parametrize("step", ["00-01", "01-01", "01-06"])
def test_what_has_to_end_is_no_requirement_by_itself(said: str, step: str) -> None:
    claims = read(request(step, (PRIYA, f"61 payslips were wrong in July. {said}"))).claims
    assert [claim.kind for claim in claims if claim.text == said][:1] in (["fact"], ["note"])


def test_neither_takes_out_another_one_behind_it() -> None:
    _, holding = after("FR-002 is not a requirement lol. and FR-003 neither, that one is LATER")
    assert [claim.ref for claim in holding if claim.kind == "requirement"] == ["FR-001"]


def test_a_quality_is_taken_out_by_its_name() -> None:
    known = read(request("01-05", (SAM, "The list must be there within 2 seconds."))).claims
    known = (*known, *read(request("01-06", (SAM, LISTED))).claims)
    assert "NFR-001" in {claim.ref for claim in known}
    said = "NFR-001 is an anecdote, drop it"
    every = (*known, *read(request("01-08", (PRIYA, said), claims=known)).claims)
    assert "NFR-001" not in {claim.ref for claim in standing(every)}


@pytest.mark.parametrize("step", ["01-07", "01-08", "04-01", "04-05"])
@pytest.mark.parametrize(
    "said",
    [
        "FR-002 is out",
        "so FR-002 out.",
        "FR-002 is out of scope for this version",
        "the lamp -> no, that was a joke, FR-002 out.",
    ],
)
def test_what_is_out_by_its_name_is_out_of_scope_and_holds_no_more(said: str, step: str) -> None:
    known = read(request("01-06", (SAM, LISTED))).claims
    earlier = (answer("01-06", 1, LISTED),)
    asked = request(step, "hm.", (PRIYA, said), claims=known, other_answers=earlier)
    every = (*known, *read(asked).claims)
    assert [one.ref for one in standing(every) if one.kind == "requirement"] == ["FR-001", "FR-003"]
    assert [claim.kind for claim in every if claim.text in said] == ["exclusion"]


@pytest.mark.parametrize("said", ["FR-002 is out of stock", "FR-002 must be out by nine"])
def test_what_is_out_in_another_sense_holds(said: str) -> None:
    _, holding = after(said)
    assert "FR-002" in [claim.ref for claim in holding]
