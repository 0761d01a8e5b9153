"""What stands before and behind a trial, told at any step and in any trade."""

import pytest

from core.brains.script.reading import read
from tests.core.test_scripted import SAM, request

ROUND = (
    "A. drivers see their stops in order\n"
    "B. a stop that is skipped must come back the next day\n"
    "C. the depot gets a mail when a van is late"
)


@pytest.mark.parametrize(
    ("said", "of"),
    [
        ("for B I skip a stop tonight and look for it tomorrow", ["FR-002"]),
        ("for (c) I don't move for an hour and get one mail", ["FR-003"]),
        ("checks? for B: skip and count", ["FR-002"]),
        ("tests? for (a) I drive it. for (c) I park behind the church and wait",
         ["FR-001", "FR-003"]),
        ("acceptance -- B: skip the bakery, bakery is there on Tuesday. C: park, one mail",
         ["FR-002", "FR-003"]),
        ("how we know: A = drive it blind. C = park behind the church, mail",
         ["FR-001", "FR-003"]),
        ("Check for the mail: park two hours, one mail. For the order: drive it blind. "
         "For the skipped one I call the baker and ask.", ["FR-003", "FR-001", "FR-002"]),
    ],
)  # fmt: skip
def test_trials_go_on_line_by_line_by_the_names_of_lines(said: str, of: list[str]) -> None:
    draft = read(request("01-06", ROUND, (SAM, said)))
    assert [claim.data.get("of") for claim in draft.claims if claim.kind == "check"] == of


@pytest.mark.parametrize(
    ("step", "said", "kinds"),
    [
        ("01-05", "The belt shows the bus. It must be readable.", ["quality", "quality"]),
        ("01-07", "As a vet I want a list so I'd see who is late", ["story"]),
        ("01-07", "As a vet I want a list, and I'd like it blue", ["story"]),
        ("01-02", "Kim said she'd come and I'd see her at nine", ["fact"]),
    ],
)  # fmt: skip
def test_what_goes_on_behind_a_line_is_no_check_by_what_somebody_would_do(
    step: str, said: str, kinds: list[str]
) -> None:
    assert [claim.kind for claim in read(request(step, said)).claims] == kinds


TRIED = "I'd press it twice and see if the horn sounds."


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("01-06", "Each cabin owns two keys, and the spare one opens the store, never the safe; we "
         "had it the other way round in 2020."),
        ("04-04", "Refused: a bag above the limit, at the belt, with the weight on the lamp."),
        ("03-03", "If the pump is away the tank waits and fills up later the same night."),
        ("04-01", "the scale never learns the price of a thing, only its weight."),
        ("01-03", "the second letter is sent by post, without a logo."),
    ],
)  # fmt: skip
def test_what_a_check_follows_on_its_line_is_asked_for_and_checked_by_it(
    step: str, said: str
) -> None:
    claims = read(request(step, f"{said} {TRIED}")).claims
    demands = [claim.ref for claim in claims if claim.kind == "requirement"]
    of = [claim.data.get("of") for claim in claims if claim.kind == "check"]
    assert demands == of == ["FR-001"]


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("01-03", "We counted the keys twice last year."),
        ("01-02", "Kim is on holiday."),
        ("04-04", "who answers the phone then?"),
        ("02-01", "That was ugly."),
        ("03-04", "I like the small one."),
    ],
)
def test_what_tells_of_no_deed_is_not_asked_for_by_what_follows_it(step: str, said: str) -> None:
    claims = read(request(step, f"{said} {TRIED}")).claims
    assert [claim.data.get("of") for claim in claims if claim.kind == "check"] == [None]
    assert "requirement" not in {claim.kind for claim in claims}


def test_what_somebody_by_name_does_behind_a_story_is_its_check() -> None:
    story = "As treasurer I want the fines in the file so that nobody rings me."
    tried = "Kim opens the file and looks for one she knows"
    *_, check = read(request("01-07", f"{story} {tried}")).claims
    assert (check.kind, check.text, check.data["of"]) == ("check", tried, "US-001")


def test_an_outcome_before_its_check_is_asked_for() -> None:
    claims = read(request("01-06", "gate dies = no car lost. kill -9 it, list still goes out"))
    assert [claim.kind for claim in claims.claims] == ["requirement", "check"]
