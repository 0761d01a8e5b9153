"""How a text is measured: words, sentences, syllables, and Flesch's reading ease."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.content import prose


@pytest.mark.parametrize(
    ("word", "count"),
    [
        ("make", 1), ("makes", 1), ("asked", 1), ("refused", 2), ("wanted", 2), ("table", 2),
        ("little", 2), ("changes", 2), ("notices", 3), ("the", 1), ("these", 1), ("people", 2),
        ("customers", 3), ("somebody", 4), ("interface", 3), ("PDF", 1), ("30", 1),
    ],
)  # fmt: skip
def test_syllables_are_groups_of_vowels_without_a_silent_e(word: str, count: int) -> None:
    assert prose.syllables(word) == count


def test_list_signs_marks_and_code_are_no_words() -> None:
    text = "Ask *this*:\n\n1. Who needs `it`?\n- A well-known app's name.\n\n```\nnot a word\n```\n"
    assert prose.words(text) == ["Ask", "this", "Who", "needs", "it", "A", "well-known", "app's",
                                 "name"]  # fmt: skip


def test_a_line_of_a_list_is_a_sentence_and_a_wrapped_line_is_none() -> None:
    assert prose.sentences("One. Two three!\n\n1. What?\n2. Why\n   or so\n- Then") == 5
    assert prose.sentences("a sentence that is\nwrapped over two lines.") == 1


def test_the_formula_is_the_one_of_flesch() -> None:
    assert prose.reading_ease("The cat sat on the mat.") == pytest.approx(
        206.835 - 1.015 * 6 - 84.6 * 1
    )


def test_long_words_in_long_sentences_are_harder_to_read() -> None:
    easy = prose.reading_ease("Who needs this? What do they do today?")
    hard = prose.reading_ease(
        "Which organisational considerations necessitate the implementation of additional "
        "functionality, notwithstanding previously articulated prioritisation criteria?"
    )
    assert easy is not None
    assert hard is not None
    assert easy > 90
    assert hard < 0


def test_nothing_to_read_has_no_ease() -> None:
    assert prose.reading_ease(" \n- \n```\ncode\n```") is None


@given(st.text(max_size=300))
def test_every_text_can_be_measured(text: str) -> None:
    ease = prose.reading_ease(text)
    assert (ease is None) == (not prose.words(text))
