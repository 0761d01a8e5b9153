"""Texts in any script are read as they were by the patterns of the first version."""

from tests.core.reading_reference import KEPT, digests, texts


def test_texts_in_many_scripts_and_all_plays_are_read_as_before() -> None:
    every = texts()
    assert len(every) > 250
    kept = KEPT.read_text().splitlines()
    changed = [
        (text, now, before)
        for text, now, before in zip(every, digests(every), kept, strict=True)
        if now != before
    ]
    assert changed == [], "python -m tests.core.reading_reference keeps what is meant"
