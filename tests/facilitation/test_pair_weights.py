"""How pairs of lines are weighed, on an item made by hand and on those of the file."""

from bot.devtools.play.script.file import parse
from tests.facilitation.facts import facts_of
from tests.facilitation.items import Item
from tests.facilitation.pair_weights import fitted_pairs, listed_pairs, pairs_of

PLAY = """
people: [pm, dev]
start: {by: pm, command: "/roundtable analyze Slots"}
steps:
  "01-06":
    - {by: pm, reply: "a slot is held for 10 minutes"}
    - {by: dev, reply: "10 minutes is too long"}
    - {by: pm, reply: "ok 5 minutes"}
    - {by: pm, click: continue}
  "01-08":
    - {by: dev, reply: "the bell rings at noon"}
    - {by: dev, click: continue}
"""
REVERSAL = {
    "old": "a slot is held for 10 minutes", "old_step": "01-06", "old_by": "pm",
    "new": "ok 5 minutes", "new_step": "01-06", "new_by": "pm",
}  # fmt: skip


def slots() -> Item:
    facts, faults = facts_of({"reversals": [REVERSAL]}, ("pm", "dev"))
    assert faults == []
    return Item("slots", parse(PLAY), facts)


def test_two_lines_differ_if_a_fact_has_both_and_those_of_two_steps_need_common_words() -> None:
    pairs = list(pairs_of(slots()))
    assert [pair.is_one for pair in pairs] == [False, True, False]
    assert all(("forms", "elsewhere") not in pair.features for pair in pairs)


def test_what_others_said_between_two_lines_of_one_person_counts() -> None:
    _, own, _ = pairs_of(slots())
    names = {name for _, name in own.features}
    assert {"by-one", "gap-2", "between-same-number", "between-concedes"} <= names


def test_the_pairs_of_the_file_differ_or_do_not() -> None:
    sorts = [pair.is_one for pair in listed_pairs()]
    assert 0.4 * len(sorts) <= sum(sorts) <= 0.6 * len(sorts)


def test_what_pairs_that_differ_have_speaks_for_it() -> None:
    weights = fitted_pairs([slots()] * 9)
    assert weights["opposite"] > 0
    assert weights["later-asks"] <= 0
