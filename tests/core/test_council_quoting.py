"""What a turn quotes: a piece of a line as it was said, which neither pings nor formats."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.brains.bookkeeping.agreement import sentences_of
from core.brains.script.council import quoting
from core.brains.script.council.quoting import (
    QUOTE_CHARS_MAX,
    QUOTE_WORDS_MAX,
    TEXT_CHARS_MAX,
    fit,
    inside,
    listed,
    occurs,
    plain_name,
    quote,
    quote_of,
    quotes_in,
)
from tests.support.council_requests import flat


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("accountants in small firms", "accountants in small firms"),
        ("Yes, but accountants in small firms.", "accountants in small firms"),
        ("clerks", "clerks"),
        ("1. clerks", "clerks"),
        ("- and because it is so", "it is so"),
        ("one two three four five six seven eight nine ten", "one two three four five six seven "
         "eight nine"),
        ("one two three four five six seven eight of the town", "one two three four five six seven "
         "eight"),
        ("<@U1> hello <!here> all of you", "all of you"),
        ("@channel look at this", "channel look at this"),
        ("*bold words* here", "bold words"),
        ("snake_case names stay", "snake_case names stay"),
        ("_so_ it is", "it is"),
        ("0__", "0"),
        ("see https://example.com/a_b?c for it all", "for it all"),
        ("“quoted words” of others", "quoted words"),
        ("a\u202eb c", "b c"),
        ("none", "none"),
        ("👍", ""),
        ("…", ""),
        ("", ""),
        ("x" * 80, "x" * 60),
        ("e\u0301" * 40, "e\u0301" * 30),
    ],
)  # fmt: skip
def test_a_clause_is_quoted_and_nothing_that_acts(text: str, quoted: str) -> None:
    assert quote(text) == quoted


@given(st.text(max_size=200))
def test_a_quote_stands_in_the_line_word_for_word(text: str) -> None:
    found = quote(text)
    assert found in flat(text)
    assert occurs(found, text)
    assert len(found.split()) <= QUOTE_WORDS_MAX
    assert len(found) <= QUOTE_CHARS_MAX
    assert not re.search(r"[*~`<>“”\"|]|(?<![^\W_])[@#_]|_(?![^\W_])", found)
    assert not found or unicodedata.category(found[0]) != "Cc"


def test_what_was_put_together_from_pieces_is_not_quoted() -> None:
    assert quote_of("Reader", "| Reader | reads |") == "Reader"
    assert quote_of("Reader reads", "| Reader | reads |") == ""


def test_the_clause_that_is_about_something_comes_first() -> None:
    text = "We type all day, and the law asks for ten years."
    assert quote(text) == "We type all day"
    assert quote(text, re.compile("law").search) == "the law asks for ten years"
    assert quote(text, re.compile("tax").search) == "We type all day"


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Priya", "Priya"),
        ("*<!here>* \n Sam", "!here Sam"),
        ("", "somebody"),
        ("👻", "somebody"),
        ("A" * 60, "A" * 40),
        ("محمد", "محمد"),
    ],
)
def test_a_name_is_plain(name: str, plain: str) -> None:
    assert plain_name(name) == plain


@given(st.lists(st.text(max_size=400), max_size=6))
def test_a_turn_holds_whole_sentences_as_far_as_they_fit(sentences: list[str]) -> None:
    text = fit(sentences)
    assert len(text) <= TEXT_CHARS_MAX
    assert text == "" or any(text.startswith(one) for one in sentences if one)
    if len(" ".join(filter(None, sentences))) <= TEXT_CHARS_MAX:
        assert text == " ".join(filter(None, sentences))


def test_what_does_not_fit_is_left_out_as_a_whole() -> None:
    assert fit(["a" * 590, "b" * 20, "c" * 5]) == f"{'a' * 590} {'c' * 5}"
    assert fit(["a" * 601]) == ""


def test_a_line_of_the_party_file_stands_inside_a_sentence() -> None:
    assert inside("Each tool has a reason.") == "each tool has a reason"
    assert inside("SQL stays out.") == "SQL stays out"
    assert inside("A *bold* <@U1> line") == "a bold U1 line"


def test_lists_and_sentences_read_well() -> None:
    assert [listed(one) for one in ((), ("a",), ("a", "b"), ("a", "b", "a", "c"))] == [
        "", "a", "a and b", "a, b and c",
    ]  # fmt: skip
    assert sentences_of("I say so. “Quoted” it is! Yes.") == (
        "I say so.",
        "“Quoted” it is!",
        "Yes.",
    )
    assert sentences_of("") == ()
    assert quotes_in("“a” and “b” and “a”") == ("a", "b")
    assert quoting.begun("so it is") == "So it is"
