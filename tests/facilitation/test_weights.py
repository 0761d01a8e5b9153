"""How the words of items are weighed, on items made by hand."""

from dataclasses import replace
from typing import Any

import pytest
import yaml

from bot.devtools.play.script.file import parse
from core.brains.text.weights import features_of
from tests.facilitation.facts import facts_of
from tests.facilitation.hand_made import HOLD
from tests.facilitation.items import Item
from tests.facilitation.weights import (
    FILES,
    LISTS,
    OF_LINES,
    TABLES,
    Said,
    as_yaml,
    fitted,
    lines_of,
    listed_lines,
)

ASIDE = "sigh"
PLAY = f"""
people: [pm, dev]
start: {{by: pm, command: "/roundtable analyze Slots"}}
steps:
  "01-06":
    - by: dev
      reply: |-
        {HOLD}
        {ASIDE}
    - {{by: pm, reply: "{HOLD}"}}
    - {{by: pm, click: continue}}
"""


def slots() -> Item:
    """An item in which dev says a requirement and an aside, and pm repeats it unlisted."""
    row = {"step": "01-06", "by": "dev", "quote": HOLD}
    facts, faults = facts_of({"requirements": [row]}, ("pm", "dev"))
    assert faults == []
    return Item("slots", parse(PLAY), facts)


def said(text: str, item: int, *kinds: str) -> Said:
    return Said(f"item {item}", frozenset(features_of(text, "features")), frozenset(kinds))


def many(text: str, *kinds: str, items: int = OF_LINES.items_min) -> list[Said]:
    """The line as often as a feature has to stand there to be kept, and ten times that."""
    return [said(text, number % items, *kinds) for number in range(OF_LINES.samples_min * 10)]


def added(content: dict[str, Any], kind: str, text: str) -> float:
    """What the line's features add to the odds of that kind."""
    rows = content[kind]
    return float(sum(rows[table].get(name, 0) for table, name in features_of(text, "features")))


def test_a_line_is_of_the_kinds_whose_facts_quote_it_by_its_author() -> None:
    features = [frozenset(features_of(text, "features")) for text in (HOLD, ASIDE, HOLD)]
    assert list(lines_of(slots())) == [
        Said("slots", features[0], frozenset({"requirement"})),
        Said("slots", features[1], frozenset()),
        Said("slots", features[2], frozenset(), signs=frozenset({"by-decider", "shares-a-word"})),
    ]


def test_words_of_a_kind_speak_for_it_and_words_of_other_lines_against_it() -> None:
    lines = many("the slot is held", "requirement") + many("sigh again") + many("try it", "check")
    content = fitted([*lines, *many("not now", "exclusion"), *many("so be it", "decision")])
    assert added(content, "requirement", "the slot is held") > 0
    assert added(content, "check", "the slot is held") <= 0
    assert added(content, "requirement", "sigh again") <= 0


def names_with_a_weight(lines: list[Said]) -> set[str]:
    others = many("sigh again") + many("try it", "check") + many("not now", "exclusion")
    others += many("so be it", "decision")
    tables = fitted([*others, *lines])["requirement"]
    return {name for table in ("words", "pairs", "first", "last") for name in tables[table]}


def test_what_few_lines_or_few_items_have_has_no_weight() -> None:
    assert names_with_a_weight(many("slots", "requirement")) >= {"slots"}
    seldom = [
        said("slots", number, "requirement") for number in range(OF_LINES.samples_min // 2 - 1)
    ]
    assert "slots" not in names_with_a_weight(seldom)
    of_few = many("slots", "requirement", items=OF_LINES.items_min - 1)
    assert "slots" not in names_with_a_weight(of_few)


def test_a_line_says_nothing_of_a_kind_that_its_list_does_not_tell() -> None:
    untold = [replace(line, told=frozenset({"decision"})) for line in many("ok slots", "decision")]
    assert "slots" not in names_with_a_weight([*many("it is held", "requirement"), *untold])
    assert all(line.told == {"decision"} for line in listed_lines("decisions"))


@pytest.mark.parametrize("name", FILES)
def test_the_lines_of_a_file_are_of_a_kind_or_of_none(name: str) -> None:
    kinds = [line.kinds for line in listed_lines(name)]
    assert any(one & LISTS.keys() for one in kinds)
    assert not all(one & LISTS.keys() for one in kinds)


@pytest.mark.parametrize("kind", LISTS)
def test_the_file_reads_back_as_it_was_fitted(kind: str) -> None:
    lines = many("the slot is held", kind) + many("sigh again")
    lines += [line for other in LISTS if other != kind for line in many(f"so {other}", other)]
    content = fitted(lines)
    assert yaml.safe_load(as_yaml(content)) == content
    assert set(content[kind]) == {"bias", *TABLES}
