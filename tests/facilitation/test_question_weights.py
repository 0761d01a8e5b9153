"""How what speaks for a question to be open still is weighed, on an item made by hand."""

from bot.devtools.play.script.file import parse
from tests.facilitation.facts import facts_of
from tests.facilitation.items import Item
from tests.facilitation.question_weights import fitted_questions, questions_of, samples_of

PLAY = """
people: [pm, dev]
start: {by: pm, command: "/roundtable analyze Slots"}
steps:
  "01-06":
    - {by: pm, reply: "who of us writes the letter to the people on the list?"}
    - {by: dev, reply: "a slot is held for 10 minutes. till?"}
    - {by: pm, reply: "it lies in the office. is the slot shown?"}
    - {by: dev, reply: "the slot is"}
    - {by: pm, click: continue}
"""
WHO = "who of us writes the letter to the people on the list?"
FACTS = {"questions": [{"quote": WHO}]}


def slots(name: str = "slots") -> Item:
    facts, faults = facts_of(FACTS, ("pm", "dev"))
    assert faults == []
    return Item(name, parse(PLAY), facts)


def test_a_question_is_weighed_unless_somebody_answers_in_words_of_it() -> None:
    asked = [(step, by, question.text) for step, by, question in questions_of(slots())]
    assert asked == [("01-06", "pm", WHO), ("01-06", "dev", "till?")]


def test_each_question_has_its_forms() -> None:
    who, till = samples_of(slots())
    assert (who.is_one, till.is_one) == (True, False)
    assert {"asks-who", "says-we", "opens-message"} <= {form for _, form in who.features}
    assert {"words-0", "ends-message", "others-next"} <= {form for _, form in till.features}


def test_what_an_open_question_has_speaks_for_it() -> None:
    weights = fitted_questions([slots(str(number)) for number in range(30)])
    assert weights["asks-who"] > 0 > weights["asks-for-nothing"]
