"""A fact is found by people's words: what counts as the same words, and what does not."""

import pytest

from tests.facilitation.matching import (
    contains,
    covered,
    is_sentence_of,
    sentences,
    shares,
    stands_in,
)

RULE = "The old slot becomes free only after the new one is confirmed."


@pytest.mark.parametrize(
    "text",
    [
        RULE,
        "R3 the old slot becomes free  only after the new one is CONFIRMED",
        "The *old* slot becomes free only after the “new” one is confirmed!",
        "3) the old slot becomes free only after the new one gets confirmed, ok?",
        "the old slot becomes free",
        "becomes free only",
    ],
)
def test_a_line_shares_a_quote_that_it_holds_or_is_a_part_of(text: str) -> None:
    assert shares(RULE, text)


@pytest.mark.parametrize(
    "text", ["", "free", "new one", "Slots are offered once the therapist is qualified.", "👍"]
)
def test_a_line_with_few_of_the_words_shares_nothing(text: str) -> None:
    assert not shares(RULE, text)


def test_a_part_of_a_word_is_no_word() -> None:
    assert not contains("art", "a party")
    assert contains("2h", "less than 2 h ahead")


def test_markup_and_escapes_of_files_count_for_nothing() -> None:
    assert contains('say "held" -> free', r"\- **FR-001** say \"held\" -&gt; free (see `x`)")


def test_several_lines_have_the_words_of_a_quote_together() -> None:
    quote = "out: season passes, swaps, gift cards"
    assert not shares(quote, "swaps")
    assert covered(quote, ["out: season passes", "swaps", "gift cards"])
    assert not covered(quote, ["swaps"])


def test_a_number_stands_in_a_file_only_with_what_follows_it() -> None:
    quote = "99.5 % available between 6:00 and 22:00"
    assert stands_in(quote, ["- It is 99.5 % available between 6:00 and 22:00 — said by dev"])
    assert not stands_in(quote, ["- It is 99.5 available between 6:00 and 22:00"])
    assert not stands_in("within 10 minutes of the order", ["within 15 minutes of the order"])


def test_sentences_are_looked_for_one_by_one() -> None:
    assert sentences("60 files. maybe 80.") == ("60 files.", "maybe 80.")
    assert sentences("99.5 % up 👍") == ("99.5 % up 👍",)


def test_a_short_line_is_of_a_quote_that_has_it_as_a_sentence() -> None:
    assert is_sentence_of("not small. Large.", "Large")
    assert not is_sentence_of("not small. Large.", "small")
    assert not is_sentence_of("not small, Large.", "")
