"""How what a check is of is weighed, on an item made by hand."""

from bot.devtools.play.script.file import parse
from tests.facilitation.check_weights import checks_of, fitted_checks, samples_of
from tests.facilitation.facts import facts_of
from tests.facilitation.items import Item

PLAY = """
people: [pm, dev]
start: {by: pm, command: "/roundtable analyze Slots"}
steps:
  "01-06":
    - {by: pm, reply: "a slot is held for 10 minutes"}
    - {by: dev, reply: "the mail has a link. I press the link twice"}
    - {by: pm, reply: "check for 2: I press it"}
    - {by: pm, click: continue}
"""
SLOT, LINK = "a slot is held for 10 minutes", "the mail has a link."
FACTS = {
    "requirements": [{"quote": SLOT}, {"quote": LINK}],
    "checks": [
        {"quote": "I press the link twice", "of": LINK},
        {"quote": "check for 2: I press it", "of": LINK},  # by its number, which no weight tells
    ],
}


def slots() -> Item:
    facts, faults = facts_of(FACTS, ("pm", "dev"))
    assert faults == []
    return Item("slots", parse(PLAY), facts)


def test_a_check_is_weighed_with_each_requirement_before_it_unless_it_names_one() -> None:
    ((quote, check, lines, is_of),) = checks_of(slots())
    assert (quote, check.before) == ("I press the link twice", "the mail has a link. ")
    assert [line.text for line in lines.values()] == [SLOT, LINK]
    assert list(is_of.values()) == [False, True]


def test_each_pair_has_its_forms() -> None:
    slot, link = samples_of(slots())
    assert (slot.is_one, link.is_one) == (False, True)
    assert {"right-before", "last", "shares"} <= {form for _, form in link.features}
    assert "right-before" not in {form for _, form in slot.features}


def test_what_the_line_of_a_check_has_speaks_for_it() -> None:
    weights = fitted_checks([slots()] * 30)
    assert weights["shares"] > 0 >= weights["bias"]
