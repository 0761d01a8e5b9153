"""The tutorial shows what really happens: its transcript is played again and compared."""

import pytest

from tests.tutorial import EXTRACTS, FILES, PAGE, blocks, filled, held, named

TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.whole
def test_the_tutorial_says_what_a_play_gives_word_for_word() -> None:
    assert filled(TEXT, blocks(held())) == TEXT


def test_every_block_stands_in_the_tutorial_once() -> None:
    assert sorted(named(TEXT)) == sorted([*EXTRACTS, FILES])
    assert TEXT.count("<!-- play:") == TEXT.count("```text") == len(named(TEXT))


def test_a_block_nobody_knows_is_an_error() -> None:
    with pytest.raises(KeyError, match="votes"):
        filled(TEXT, dict.fromkeys(set(named(TEXT)) - {"votes"}, ""))
