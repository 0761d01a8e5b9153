"""How the words of items are counted, on records made by hand."""

import pytest
import yaml

from core.brains.script.weights import features_of
from tests.facilitation.hand_made import HOLD, answer, claim, item, record
from tests.facilitation.printing import Measured
from tests.facilitation.weights import (
    LINES_MIN,
    LISTS,
    SOURCES_MIN,
    as_yaml,
    counted,
    lines_of,
    listed_lines,
)

ASIDE = "sigh"


def measured() -> Measured:
    """An item in which somebody says a requirement and an aside, at 01-06."""
    facts = item(requirements=[{"quote": HOLD}])
    lines = (claim("requirement", HOLD), claim("check", HOLD), claim("note", ASIDE))
    return Measured(facts, record(*lines, answers=(answer(1, f"{HOLD}\n{ASIDE}"),)), ())


def test_each_line_counts_once_as_what_the_facts_say_of_it() -> None:
    assert list(lines_of(measured())) == [
        (frozenset(features_of(HOLD, "features")), True),
        (frozenset(features_of(ASIDE, "features")), False),
    ]


def test_counts_are_of_requirements_and_of_other_lines() -> None:
    counts = counted([list(lines_of(measured()))] * LINES_MIN)
    assert counts["lines"] == [LINES_MIN, LINES_MIN]
    assert counts["lengths"] == {"0": [0, LINES_MIN], "2": [LINES_MIN, 0]}
    assert counts["words"][ASIDE] == [0, LINES_MIN]
    assert counts["first"][HOLD.split()[0].casefold()] == [LINES_MIN, 0]


def test_the_topic_counts_where_something_else_is_asked_for() -> None:
    assert ("topics", "journey") in features_of(HOLD, "journey")
    assert ("topics", "features") not in features_of(HOLD, "features")


def test_what_few_lines_or_few_items_have_is_left_out() -> None:
    assert counted([list(lines_of(measured()))] * (LINES_MIN - 1))["words"] == {}
    many = [(frozenset(features_of(ASIDE, "features")), False)] * LINES_MIN
    assert ASIDE not in counted([many] * (SOURCES_MIN - 1))["words"]
    assert counted([many] * SOURCES_MIN)["words"][ASIDE] == [0, LINES_MIN * SOURCES_MIN]


@pytest.mark.parametrize("name", LISTS)
def test_of_a_list_words_alone_are_counted(name: str) -> None:
    lines = list(listed_lines(name))
    assert {table for features, _ in lines for table, _ in features} == {"words", "pairs", "first"}
    assert {is_requirement for _, is_requirement in lines} == {True, False}


def test_the_file_reads_back_as_it_was_counted() -> None:
    counts = counted([list(lines_of(measured()))] * LINES_MIN)
    assert yaml.safe_load(as_yaml(counts)) == counts
