"""What personas say in an elaboration: questions of their lens, against what people said."""

import re
from typing import Any

import pytest

from core.brains.script.elaboration import (
    GOODBYE,
    NOTHING_SAID,
    WAITS,
    Lines,
    lens_turn,
    synthesis,
    turn_of,
)
from core.brains.script.reading import read
from core.domain.answers import Claim, TurnRequest
from core.domain.ids import AnswerId, StepId
from core.domain.steps.playbook import BUILT_IN, Persona
from tests.core.test_scripted import request

SAID = (
    (
        "Priya",
        "1. She sets her filters, presses the button and waits a moment.\n"
        "2. The job sends the mail.",
    ),
    ("Sam", "Nothing to add."),
)
MAYA, ALEX, JORDAN = BUILT_IN
SHIPPED = ("business-analyst", "solutions-architect", "system-designer")


def whole(persona: str, said: Lines = SAID) -> list[str]:
    turns: list[tuple[str, str]] = []
    while (turn := lens_turn(persona, said, tuple(turns))) is not None:
        turns.append((persona, turn))
        assert len(turns) < 20
    return [text for _, text in turns]


@pytest.mark.parametrize("persona", [*SHIPPED, "security-lead", "chief-poet", ""])
def test_a_persona_asks_until_its_lens_has_nothing_left(persona: str) -> None:
    turns = whole(persona)
    assert turns == whole(persona)
    assert len(turns) == len(set(turns)) >= 3
    for turn in turns:
        assert turn.endswith("?")
        assert 1 <= len(re.split(r"(?<=[.?!])\s", turn)) <= 3


@pytest.mark.parametrize("persona", SHIPPED)
def test_a_persona_quotes_no_more_than_a_few_words_that_were_said(persona: str) -> None:
    quotes = [quote for turn in whole(persona) for quote in re.findall("“(.+?)”", turn)]
    assert quotes
    assert len(quotes) == len(set(quotes))
    for quote in quotes:
        assert quote in SAID[0][1]
        assert len(quote.split()) <= 8


def test_each_lens_asks_in_its_own_way() -> None:
    first = {persona: lens_turn(persona, SAID, ()) for persona in SHIPPED}
    assert len(set(first.values())) == len(SHIPPED)


def test_what_is_covered_or_was_asked_by_another_is_not_asked() -> None:
    covered = (("Sam", "We can take it back with a flag. The parser owns it."),)
    assert not any("take this back" in turn for turn in whole("solutions-architect", covered))
    asked = tuple(("system-designer", turn) for turn in whole("business-analyst"))
    more = lens_turn("business-analyst", SAID, asked) or ""
    assert not any(text.endswith(more.partition("”. ")[2]) for _, text in asked)


def turn(persona: Persona, said: Lines, turns: Lines = (), **more: Any) -> str | None:
    return turn_of(TurnRequest(persona, "Journeys", said, turns, addressed=True, **more))


def test_who_is_addressed_says_once_that_there_is_no_more() -> None:
    done = tuple(("system-designer", text) for text in whole("system-designer"))
    assert turn(JORDAN, SAID, done) == GOODBYE
    assert turn(JORDAN, SAID, (*done, ("system-designer", GOODBYE))) is None


@pytest.mark.parametrize("text", ["", "```\ncode sends\n```", "https://example.com", "👍"])
def test_a_persona_is_silent_where_there_is_no_line_to_ask_about(text: str) -> None:
    assert lens_turn("business-analyst", (), ()) is None
    assert lens_turn("business-analyst", (("Sam", text),), ()) is None


def test_every_question_is_put_to_a_line_with_the_name_of_who_said_it() -> None:
    for text in (*whole("business-analyst"), *whole("system-designer")):
        assert text.startswith("Priya said “")


KEPT = (
    Claim("03-01/1", StepId("03-01"), "option", "Keep the cache in memory", (AnswerId("a"),)),
    Claim("03-01/2", StepId("03-01"), "fact", "The bakery opens at six.", (AnswerId("b"),)),
)
PEOPLE = {AnswerId("a"): "Sam", AnswerId("b"): "Priya"}


def test_a_persona_that_is_asked_says_who_said_what_and_that_the_question_waits() -> None:
    asked = (("Priya", "Alex, what do you think of the cache?"),)
    said = turn(ALEX, asked, claims=KEPT, people=PEOPLE)
    assert said is not None
    assert said.startswith("Of that, Sam said “Keep the cache in memory”. What nobody has said: ")
    assert said.endswith(WAITS)
    assert "bakery" not in said


def test_a_persona_that_is_asked_what_nobody_spoke_of_says_so() -> None:
    asked = (("Priya", "Jordan, which oven would you buy?"),)
    assert turn(JORDAN, asked, claims=KEPT, people=PEOPLE) == f"{NOTHING_SAID} {WAITS}"


def test_a_question_to_a_persona_is_an_open_question_of_the_step() -> None:
    draft = read(request("03-01", "Alex, what do you think of the cache?"))
    assert [claim.kind for claim in draft.claims] == ["question"]


def test_the_synthesis_says_who_said_what_and_what_stays_open() -> None:
    turns = (("Alex", "I stop at “the mail”. What becomes of it at ten times the load?"),
             ("Jordan", "Which part owns this, and which parts only ask it?"))  # fmt: skip
    answers = (("Priya", "The load\nstays small."), ("Sam", "+1"))
    assert synthesis(turns, answers) == (
        "Priya said: The load stays small.",
        "Jordan asked: Which part owns this, and which parts only ask it?",
    )
