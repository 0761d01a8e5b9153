"""Lines that put requirements under a story or a goal, by their names or numbers alone."""

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim, Claims
from tests.core.test_scripted import answer, request

LISTED = """\
The member sees which boats are free.
The member must name the crew before the boat is given out.
The office must see who has the key.
A broken oar must be reported with a photo."""
STORIES = """\
As a member I want to know what is free so that I don't drive out for nothing.
As the office I want to know who is out so that nobody is locked in."""


def known(listed: str = LISTED) -> Claims:
    """A goal, four requirements, two stories."""
    goals = read(request("01-01", "Goal: nobody drives out for nothing.")).claims
    earlier = read(request("01-06", listed, claims=goals)).claims
    stories = read(request("01-07", STORIES, claims=earlier)).claims
    return tuple(claim for claim in (*goals, *earlier, *stories) if claim.ref)


def read_at(step: str, said: str, listed: str = LISTED) -> list[Claim]:
    return [
        claim
        for claim in read(
            request(step, said, claims=known(listed), other_answers=(answer("01-06", 1, listed),))
        ).claims
        if claim.kind != "assumption"
    ]


def links(said: str, listed: str = LISTED) -> list[tuple[str, str]]:
    """Story or goal and requirements of each link line."""
    return [
        (claim.data.get("stories") or claim.data["goals"], claim.data["requirements"])
        for claim in read_at("01-08", said, listed)
        if claim.kind == "link"
    ]


@pytest.mark.parametrize(
    "said",
    [
        "US-001: FR-001, FR-002",
        "US-1: 1, 2",
        "us1 needs 1 and 2",
        "story 1 covers 1-2",
        "- Story #1 → 1, 2",
        "FR-001 and FR-002 belong to US-001",
        "1, 2 are for the story 1.",
        "FR-001, 2: US-001",
        "1 & 2 → US-1",
        "also US-1: 1, 2",
        "US-1: 1 and 2 too",
        "FR-1, 2 serve US-1, I think, because the boats are ours",
    ],
)
def test_requirements_are_put_under_a_story_by_name_or_number(said: str) -> None:
    assert links(said) == [("US-001", "FR-001, FR-002")]


def test_each_line_links_for_itself() -> None:
    assert links("US-1: 1, 2\nUS-2: 3") == [("US-001", "FR-001, FR-002"), ("US-002", "FR-003")]


def test_numbers_are_those_that_people_gave_the_requirements() -> None:
    numbered = "\n".join(f"R{n + 4} - {line}" for n, line in enumerate(LISTED.splitlines()))
    assert links("US-1: R4, R5", numbered) == [("US-001", "FR-001, FR-002")]


@pytest.mark.parametrize(
    "said",
    [
        "US-1: 77",
        "US-9: 1, 2",
        "US-1: 1, 2 and a boat shed",
        "US-1 is nice",
        "US-1: 1, 2 also a boat shed",
        "1, 2 must",
        "story 1: 2 days of work",
    ],
)
def test_what_names_no_such_lines_or_says_more_links_nothing(said: str) -> None:
    assert links(said) == []


def test_parentheses_behind_a_story_name_its_requirements_and_are_no_part_of_it() -> None:
    said = "As a rower I want a boat so that I can row (FR-001, 2).\nAs a guest I want tea. (4)"
    story, other, link = read_at("01-07", said)
    assert (story.data["requirements"], story.data["benefit"]) == ("FR-001, FR-002", "I can row")
    assert (other.ref, link.data["stories"], link.data["requirements"]) == (
        "US-004",
        "US-004",
        "FR-004",
    )


@pytest.mark.parametrize("numbers", ["1, 3", "1+3", "FR-001 FR-003", "1 and 3."])
def test_numbers_alone_right_behind_a_story_name_its_requirements(numbers: str) -> None:
    _, link = read_at("01-07", f"As a rower I want a boat so that I can row. {numbers}")
    assert (link.kind, link.data["requirements"]) == ("link", "FR-001, FR-003")


@pytest.mark.parametrize("said", ["FR-3 and 4 serve GOAL-1", "goal 1: 3, 4", "3, 4 → GOAL-001"])
def test_requirements_are_put_under_a_goal(said: str) -> None:
    assert links(said) == [("GOAL-001", "FR-003, FR-004")]


def test_a_name_with_a_blank_is_no_number_of_peoples_own() -> None:
    numbered = "\n".join(
        f"R{n} - {line}" for n, line in zip("4321", LISTED.splitlines(), strict=True)
    )
    assert links("US-1: FR 2", numbered) == [("US-001", "FR-002")]
