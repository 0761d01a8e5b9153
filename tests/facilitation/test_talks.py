"""Talks are read as items: messages as people typed them, and what each line is."""

import pytest

from tests.facilitation.facts import Quote
from tests.facilitation.items import Item
from tests.facilitation.talks import FOLDER, read_talks, talk_of
from tests.facilitation.weights import lines_of

CONTENT = {
    "people": ["pm", "dev"],
    "item": "Export a report",
    "talk": [
        {
            "step": "01-06",
            "by": "pm",
            "says": [["requirement decision", "The file has page numbers."], ["other", "hm"]],
        },
        {"step": "01-06", "by": "dev", "says": [["other", "fonts"], ["check", "print it once"]]},
        {"step": "01-06", "by": "pm", "says": [["exclusion", "no covers"]]},
    ],
}


@pytest.fixture(scope="module")
def talks() -> tuple[Item, ...]:
    return read_talks()


def test_a_sentence_stands_behind_a_sentence_and_anything_else_below_it() -> None:
    item = talk_of("report", CONTENT)
    texts = [getattr(move, "text", "") for move in item.script.steps["01-06"]]
    assert texts == ["The file has page numbers. hm", "fonts\nprint it once", "no covers"]


def test_each_line_is_a_fact_of_its_kinds_by_who_said_it() -> None:
    facts = talk_of("report", CONTENT).facts
    numbers = Quote("The file has page numbers.", "01-06", "pm")
    assert list(facts.quotes("requirements")) == list(facts.quotes("decisions")) == [numbers]
    assert list(facts.quotes("checks")) == [Quote("print it once", "01-06", "dev")]
    assert [quote.text for quote in facts.quotes("not_requirements")] == ["hm", "fonts"]


def test_a_line_has_signs_of_who_says_it_and_of_what_was_said_before() -> None:
    lines = lines_of(talk_of("report", CONTENT))
    decider, last = {"by-decider"}, {"by-decider", "again", "gives-up"}
    assert [line.signs for line in lines] == [decider, decider, set(), set(), last]


def test_a_line_by_nobody_of_the_talk_is_a_fault() -> None:
    message = {"step": "01-06", "by": "ops", "says": [["other", "hm"]]}
    with pytest.raises(ValueError, match=r'report: .*"ops" is nobody'):
        talk_of("report", {**CONTENT, "talk": [message]})


def test_every_talk_is_said_as_it_is_quoted(talks: tuple[Item, ...]) -> None:
    assert len(talks) == len(list(FOLDER.glob("*.yaml"))) > 200
    missing = [quote.text for item in talks for _, quote in item.not_said()]
    assert not [text for text in missing if any(map(str.isalnum, text))]
