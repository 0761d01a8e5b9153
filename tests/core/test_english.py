"""Rules of English: lists of names, and words without their plural."""

import pytest

from core.english import joined, singular


@pytest.mark.parametrize(
    ("names", "text"),
    [((), ""), (("a",), "a"), (("a", "b"), "a and b"), (("a", "b", "c"), "a, b and c")],
)
def test_names_are_joined_with_an_and_before_the_last(names: tuple[str, ...], text: str) -> None:
    assert joined(names) == text
    assert joined(dict.fromkeys(names)) == text


@pytest.mark.parametrize(
    ("word", "without"),
    [
        ("policies", "policy"),
        ("ties", "tie"),
        ("orders", "order"),
        ("access", "access"),
        ("bus", "bus"),
    ],
)
def test_a_plural_loses_its_ending_and_other_words_stay(word: str, without: str) -> None:
    assert singular(word) == without
