"""Texts in any script are read as they were by the patterns of the first version."""

from collections.abc import Callable, Iterable

import pytest

from tests.core.reading_reference import KEPT, SHARES, digest, texts

TEXTS_MIN = 250


def changed(shares_of: Callable[[int], Iterable[int]]) -> list[tuple[str, int]]:
    """The texts that these shares of the readers read otherwise than before."""
    every = texts()
    assert len(every) > TEXTS_MIN
    kept = KEPT.read_text().splitlines()
    return [
        (text, share)
        for number, (text, digests) in enumerate(zip(every, kept, strict=True))
        for share in shares_of(number)
        if digest(text, share) != digests.split()[share]
    ]


@pytest.mark.whole
def test_texts_in_many_scripts_and_all_plays_are_read_as_before_by_readers_in_turn() -> None:
    in_turn = changed(lambda number: [number % SHARES])
    assert in_turn == [], "python -m tests.core.reading_reference keeps what is meant"


@pytest.mark.slow
def test_texts_in_many_scripts_and_all_plays_are_read_as_before_by_every_reader() -> None:
    assert changed(lambda _: range(SHARES)) == []
