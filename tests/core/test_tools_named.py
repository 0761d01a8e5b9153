"""Tools named where a step asks which are used, and the stages in which something is brought."""

from dataclasses import replace

import pytest

from core.brains.script.reading import read
from core.domain.answers import LineRef
from core.domain.follow_ups import FollowUp
from core.domain.ids import UserId
from tests.core.test_scripted import PRIYA, SAM, request


def chosen(step: str, said: str) -> list[str]:
    claims = read(request(step, (PRIYA, "how?"), (SAM, said))).claims
    return [
        claim.data.get("option", "") for claim in claims if claim.data.get("choice") == "chosen"
    ]


@pytest.mark.parametrize(
    ("said", "option"),
    [
        ("Rails, MySQL, Puma.", "Rails, MySQL, Puma"),
        ("python, sqlite, no docker", "python, sqlite, no docker"),
        ("Kotlin and PostGIS like today's map", ""),
        ("Vue + MariaDB as now", "Vue + MariaDB"),
        (
            "Svelte (the two of us know it), MongoDB on the old box",
            "Svelte, MongoDB on the old box",
        ),
        ("`bleach` for the comments", "`bleach` for the comments"),
        ("OIDC for the staff (new for Ben)", "OIDC for the staff"),
        ("Parcels via SendCloud", "Parcels via SendCloud"),
        ("maps.me for the drivers", "maps.me for the drivers"),
        ("CalDAV for the rooms, that one is new for me", "CalDAV for the rooms"),
    ],
)
def test_tools_named_where_they_are_asked_for_are_a_choice(said: str, option: str) -> None:
    assert chosen("03-02", said) == ([option] if option else [])


@pytest.mark.parametrize(
    "said",
    [
        "MySQL.",
        "the `lodash` thing",
        "MySQL, see above",
        "Postgres, but there are 40 rows",
        "Rails or Django",
        "Rails, Django?",
        "maybe Rails, Puma",
        "Rails, MySQL today",
        "New for us: Svelte, MongoDB",
        "hardest to undo: MySQL for the stock",
        "weighed Mongo against MySQL",
        "Anna, Ben",
        "Anna for the stock, Ben for the till",
        "MySQL in the cellar is slow",
        "not MySQL, not Mongo",
        "no MySQL for the stock",
        "we thought of MongoDB for the stock",
        "MariaDB would do for the stock",
    ],
)
def test_a_name_alone_or_weighed_or_doubted_or_of_a_person_is_none(said: str) -> None:
    assert chosen("03-02", said) == []


@pytest.mark.parametrize("step", ["01-06", "02-01", "03-03", "04-01"])
def test_tools_named_at_another_step_choose_nothing(step: str) -> None:
    assert chosen(step, "Rails, MySQL, Puma.") == []


@pytest.mark.parametrize(
    "said",
    [
        "The night shift for two weeks, after that everybody.",
        "after that everyone, from May on",
        "Ward 3 for a month and the others one by one",
        "behind a switch, the office in Bern, then all sites",
        "Beta with the two friendly clubs, 3 weeks, then GA",
    ],
)
def test_stages_to_their_end_are_a_choice_where_the_change_is_brought(said: str) -> None:
    assert chosen("02-04", said) == [said.rstrip(".")]
    assert chosen("01-06", said) == []


@pytest.mark.parametrize(
    "said",
    [
        "we could do the night shift, after that everybody",
        "switch it off, then all open loans get closed",
        "then everybody?",
        "if it breaks, then everyone calls me",
    ],
)
def test_stages_that_are_doubted_asked_or_what_happens_are_none(said: str) -> None:
    assert chosen("02-04", said) == []


def test_another_tool_of_the_same_person_for_the_same_thing_takes_the_place_of_the_first() -> None:
    claims = read(
        request(
            "03-02",
            (SAM, "Parcels via SendCloud. Letters via PostCom."),
            (PRIYA, "do we not have a contract with MyParcel?"),
            (SAM, "we do! MyParcel for the parcels."),
        )
    ).claims
    (line,) = [claim for claim in claims if claim.text == "MyParcel for the parcels."]
    assert [ref.quote for ref in line.supersedes] == ["Parcels via SendCloud."]


@pytest.mark.parametrize("by", [PRIYA, SAM])
@pytest.mark.parametrize(
    "reply", ["SQS for the queue", "Rails, MySQL", "SQS for the queue. too dear"]
)
def test_tools_that_answer_what_else_it_could_have_been_are_no_choice(
    by: UserId, reply: str
) -> None:
    line = "RabbitMQ for the queue."
    told = request("03-02", line, (by, reply), (SAM, "SQS for the queue"))
    first = told.answers[0]
    question = FollowUp("alternative", "well?", LineRef(first.id, line), after=first.ts)
    claims = read(replace(told, follow_ups=(question,))).claims
    assert [claim.text for claim in claims if claim.data.get("choice") == "chosen"] == [line]
    assert not any(claim.supersedes for claim in claims)


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("Ruby 3.3\n`shrine`, tus\nabout 40 stalls", ["Ruby 3.3", "`shrine`, tus"]),
        ("kotlin, koin, ktor", ["kotlin, koin, ktor"]),
        ("backend django", ["backend django"]),
    ],
)
def test_names_alone_are_a_choice_of_whoever_speaks_first(said: str, options: list[str]) -> None:
    def taken(*pairs: tuple[UserId, str]) -> list[str]:
        claims = read(request("03-02", *pairs)).claims
        return [line.data["option"] for line in claims if line.data.get("choice") == "chosen"]

    assert taken((SAM, said)) == options
    assert taken((PRIYA, "how?"), (SAM, said)) == []


@pytest.mark.parametrize(
    "said", ["django?", "no django", "new: kotlin", "keep django", "kotlin or java", "Anna"]
)
def test_names_in_passing_are_none(said: str) -> None:
    claims = read(request("03-02", (SAM, said))).claims
    assert not any("choice" in line.data for line in claims)
