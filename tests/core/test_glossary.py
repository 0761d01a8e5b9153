"""A question for one of our words is answered from the glossary, and is no open question."""

import pytest

from core.brains import lexicon
from core.brains.script.glossary import term_asked
from core.brains.script.reading import read
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
        ("what is the price of a ticket?", ""),
        ("what is our bakery's risk?", ""),
        ("do lymph drainage patients count as a group of their own?", ""),
        ("the module is late", ""),
    ],
)
def test_only_a_question_for_a_word_of_ours_is_for_us(text: str, term: str) -> None:
    assert term_asked(text) == term


def test_it_is_answered_in_the_one_message_and_stays_out_of_the_open_questions() -> None:
    draft = read(request("04-01", "what is a module? The shop is one part, the till another."))
    assert "You asked what “module” means. A part of the system" in draft.recorded
    assert "question" not in {kind for kind, _ in kinds(draft)}


def test_the_shipped_glossary_has_forty_terms_of_one_plain_sentence() -> None:
    terms = lexicon.table("glossary")["terms"]
    assert len(terms) >= 40
    names = [name for term, row in terms.items() for name in (term, *row.get("also", ()))]
    assert len(names) == len(set(names))
    for row in terms.values():
        assert row["means"].endswith(".")
        assert len(row["means"]) <= 140
