"""A question for one of our words is answered from the glossary, and is no open question."""

from dataclasses import replace

import pytest

from core.brains import lexicon
from core.brains.script.glossary import term_asked
from core.brains.script.reading import read
from core.domain.follow_ups import FollowUp
from core.domain.steps.glossary import Term
from tests.core.test_scripted import kinds, request


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("what is a quality attribute?", "quality attribute"),
        ("what is a module? is that something I have to click", "module"),
        ("sorry, whats an ADR?", "adr"),
        ("What are acceptance criteria?", "acceptance check"),
        ("what does blast radius mean", "blast radius"),
        ("What's “scope” supposed to mean?", "scope"),
        ("what do you mean by dependencies?", "dependency"),
        ("wtf is an entry point", "entry point"),
        ("what the heck is an ADR", "adr"),
        ("what does MoSCoW even mean", "moscow"),
        ("no idea what a quality attribute is", "quality attribute"),
        ("entry point??", "entry point"),
        ("sorry, blast radius = ?", "blast radius"),
        ("no clue what the risk is", ""),
        ("large?", ""),
        ("what is the price of a ticket?", ""),
        ("what is our bakery's risk?", ""),
        ("do lymph drainage patients count as a group of their own?", ""),
        ("the module is late", ""),
    ],
)
def test_only_a_question_for_a_word_of_ours_is_for_us(text: str, term: str) -> None:
    asked = term_asked(text)
    assert (asked.name if asked else "") == term


def test_it_is_answered_in_the_one_message_and_stays_out_of_the_open_questions() -> None:
    draft = read(request("04-01", "what is a module? The shop is one part, the till another."))
    assert "You asked what “module” means. A part of the system" in draft.recorded
    assert "question" not in {kind for kind, _ in kinds(draft)}


def test_it_is_no_line_of_what_its_step_asks_for_and_answers_no_follow_up() -> None:
    made = request("02-02", "The barrier opens at six.", "wtf is an entry point")
    asked = FollowUp("missing", "What calls it?", after=made.answers[0].ts)
    draft = read(replace(made, follow_ups=(asked,)))
    assert ("note", "wtf is an entry point") in kinds(draft)
    assert "You asked what “entry point” means." in draft.recorded
    assert draft.closed == ()


def test_the_shipped_glossary_has_forty_terms_of_one_plain_sentence() -> None:
    terms = lexicon.table("glossary")["terms"]
    assert len(terms) >= 40
    names = [name for term, row in terms.items() for name in (term, *row.get("also", ()))]
    assert len(names) == len(set(names))
    for row in terms.values():
        assert row["means"].endswith(".")
        assert len(row["means"]) <= 140


def test_the_glossary_of_the_tree_answers_before_the_shipped_one() -> None:
    own = (Term("scope", "How far the van drives.", ("round",)),)
    asked = replace(request("04-01", "what is a round? what is a module?"), glossary=own)
    recorded = read(asked).recorded
    assert "You asked what “scope” means. How far the van drives." in recorded
    assert "You asked what “module” means. A part of the system" in recorded


BODY = """
## Standard Mode

We look at who moves whom. A slot means a quarter of an hour.

### Waiting list

Everybody who would come earlier. It is kept by the front desk.

1. What is a move?

## Validation

- A veto is a reason.
"""


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("what is a waiting list?", "“waiting list” means. Everybody who would come earlier."),
        ("what's a slot?", "“slot” means. A slot means a quarter of an hour."),
        ("what are slots?", "“slots” means. A slot means a quarter of an hour."),
    ],
)
def test_a_word_that_no_glossary_has_is_answered_from_the_text_of_the_step(
    said: str, answer: str
) -> None:
    asked = request("01-02", said)
    draft = read(replace(asked, step=replace(asked.step, body=BODY)))
    assert f"You asked what {answer}" in draft.recorded
    assert "question" not in {kind for kind, _ in kinds(draft)}


@pytest.mark.parametrize("said", ["what is a move?", "what is a veto?", "what is standard mode?"])
def test_questions_criteria_and_headings_of_the_form_explain_nothing(said: str) -> None:
    asked = request("01-02", said)
    draft = read(replace(asked, step=replace(asked.step, body=BODY)))
    assert "You asked" not in draft.recorded
