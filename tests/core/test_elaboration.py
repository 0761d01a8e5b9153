"""What personas say in an elaboration: questions of their lens, against what people said."""

import re

import pytest

from core.brains.script.elaboration import GOODBYE, lens_turn, synthesis

SAID = (
    "1. She sets her filters, presses the button and waits a moment.\n2. The job sends the mail.",
    "Nothing to add.",
)
SHIPPED = ("business-analyst", "solutions-architect", "system-designer")


def whole(persona: str, said: tuple[str, ...] = SAID) -> list[str]:
    turns: list[tuple[str, str]] = []
    while (turn := lens_turn(persona, "Journeys", said, tuple(turns), False)) is not None:
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
        assert quote in SAID[0]
        assert len(quote.split()) <= 8


def test_each_lens_asks_in_its_own_way() -> None:
    first = {persona: lens_turn(persona, "Journeys", SAID, (), False) for persona in SHIPPED}
    assert len(set(first.values())) == len(SHIPPED)


def test_what_is_covered_or_was_asked_by_another_is_not_asked() -> None:
    covered = ("We can take it back with a flag. The parser owns it.",)
    assert not any("take this back" in turn for turn in whole("solutions-architect", covered))
    asked = tuple(("system-designer", turn) for turn in whole("business-analyst"))
    assert lens_turn("business-analyst", "Journeys", SAID, asked, False) is None


def test_who_is_addressed_says_once_that_there_is_no_more() -> None:
    done = tuple(("system-designer", turn) for turn in whole("system-designer"))
    assert lens_turn("system-designer", "Journeys", SAID, done, True) == GOODBYE
    said = (*done, ("system-designer", GOODBYE))
    assert lens_turn("system-designer", "Journeys", SAID, said, True) is None


@pytest.mark.parametrize(
    "said", [(), ("",), ("```\ncode sends\n```",), ("https://example.com",), ("{} “a” {0}",)]
)
def test_a_persona_speaks_whatever_was_said(said: tuple[str, ...]) -> None:
    turn = lens_turn("business-analyst", "", said, (), False)
    assert turn is not None
    assert turn.endswith("?")


def test_the_synthesis_says_who_said_what_and_what_stays_open() -> None:
    turns = (("Alex", "I stop at “the mail”. What becomes of it at ten times the load?"),
             ("Jordan", "Which part owns this, and which parts only ask it?"))  # fmt: skip
    answers = (("Priya", "The load\nstays small."), ("Sam", "+1"))
    assert synthesis(turns, answers) == (
        "Priya said: The load stays small.",
        "Jordan asked: Which part owns this, and which parts only ask it?",
    )
