"""Which lines are questions, which of them yes or no would answer, and which are alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.content.questions import ALIKE_FROM, asked, is_open, likeness, meant, numbered


def test_a_numbered_line_may_go_on_and_other_lines_are_not_numbered() -> None:
    text = "Tell me.\n\n1. Who needs this,\n   and where?\n2) What for?\n\n- 3 files?\n4.5 is it?"
    assert numbered(text) == ("Who needs this, and where?", "What for?")


def test_a_shortened_word_does_not_end_a_question() -> None:
    text = "Hello. Which of them, e.g. PDF, matter? Say so.\n\n1. What for?\n2. No question"
    assert asked(text) == ("Which of them, e.g. PDF, matter?", "What for?")


@pytest.mark.parametrize(
    "question",
    [
        "What happens today?",
        "From which screens does this get started?",
        "At what number, in seconds or cost, would you call this a failure?",
        "If it fails, what does the person see?",
        "Which requirements are must, should, could or won't for this time?",
        "What goes in, and what comes back out?",
        "Who may start it, who may stop it and who may only look?",
    ],
)
def test_a_question_that_asks_for_a_story_is_open(question: str) -> None:
    assert is_open(question)


@pytest.mark.parametrize(
    "question",
    [
        "Is it fast?",
        "Doesn't anybody need this?",
        "Can you say who uses it?",
        "It is fast, right?",
        "You know who it is, don't you?",
        "What fails, and do we notice?",
        "When it fails, is anybody told?",
        "You need it?",
        "?",
    ],
)
def test_a_question_that_yes_or_no_would_answer_is_not(question: str) -> None:
    assert not is_open(question)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Which files would have to change?", "What files change?"),
        ("Who are the users, and in what situation?", "In which situation is the customer?"),
        ("Which choice is hardest to undo?", "What option would be hardest to revert?"),
    ],
)
def test_the_same_in_other_words_is_alike(one: str, other: str) -> None:
    assert likeness(meant(one), meant(other)) >= ALIKE_FROM


def test_other_questions_are_not_alike_and_one_shared_word_is_nothing() -> None:
    one, other = "Who needs this most often?", "What could go wrong most often?"
    assert likeness(meant(one), meant(other)) == 0
    assert likeness(meant("How big?"), meant("How big?")) == 0


@given(st.text(max_size=200), st.text(max_size=200))
def test_likeness_is_between_none_and_all_and_has_no_direction(one: str, other: str) -> None:
    found = likeness(meant(one), meant(other))
    assert 0 <= found <= 1
    assert found == likeness(meant(other), meant(one))
    assert all(question.endswith(("?", "？")) for question in asked(one))
    assert is_open(one) in (True, False)
