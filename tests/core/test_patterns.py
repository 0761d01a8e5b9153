"""Patterns find what `re` finds, in any script, and never take more than linear time."""

import gc
import importlib
import pkgutil
import re
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bot
import core
from core import patterns
from core.patterns import DOTALL, IGNORECASE, MULTILINE, Pattern, find_word, other_word

ANSWER_CHARS_MAX = 40_000
SECONDS_MAX = 1.0
FLAGS = {IGNORECASE: re.IGNORECASE, DOTALL: re.DOTALL, MULTILINE: re.MULTILINE}
ALIKE = [
    (r"\w+", 0),
    (r"[^\W\d_]{3,}", 0),
    (r"[^\W_]", IGNORECASE),
    (r"\d+", 0),
    (r"\s*,\s*", 0),
    (r"\S+", 0),
    (r"\b(?:must|should|k|s|i+)\b", IGNORECASE),
    (r"\bis\b|\Bit", IGNORECASE),
    (r"(?P<name>[A-Z]\w*)=(?P<value>\d*)", 0),
    (r"(?<!\w)a(?:b|c)*(?!\w)", IGNORECASE),
    (r"[.!?…]+[\"'”’)]*\s+(?=\S)|[。！？]+\s*(?=\S)", 0),
    (r"(?<=[a-z])(?=[A-Z])", 0),
    (r"^\s*([0-9]{1,2})[.)]\s+(\S.*)$", MULTILINE),
    (r"a.*?b", DOTALL),
    (r"a.*?b", 0),
    (r"(?<=~)~|_(?![^\W_])|[`*\[\]|]", 0),
    (r"(a)|(b)|([-–—])", 0),
    (r"x{,2}y{1}z{0,}\{", 0),
    (r"[-a-c\]\\^]+", 0),
    (r"\x41\u2019\t|”", 0),
]  # fmt: skip
TEXTS = st.lists(
    st.text(max_size=4)
    | st.sampled_from(
        ["must", "Should", "İstanbul", "ışık", "\u212a", "\u017f", "été", "Größe", "мир",
         "नमस्ते", "१२",
         "٣", "²", "东京。", "好！", "“q”", "a", "ab", "aC", "b", "1. x",
         "\n", "\r\n", "\u2028", "\x1c",
         "\u00a0", "_", "~~", "…", " ", "_a_", "xxyz{", "A’\t", "\ud800"]
    ),
    max_size=12,
).map("".join)  # fmt: skip


@pytest.mark.parametrize(("written", "flags"), ALIKE)
@given(text=TEXTS)
@example("a\u0130b \u0131s k\u0301")
def test_a_pattern_finds_what_re_finds(written: str, flags: int, text: str) -> None:
    theirs = re.compile(written, sum(old for new, old in FLAGS.items() if flags & new))
    ours = patterns.compile(written, flags)
    spans = [(each.span(), each.groups(), each.groupdict()) for each in theirs.finditer(text)]
    assert [(each.span(), each.groups(), each.groupdict()) for each in ours.finditer(text)] == spans
    first, other = theirs.match(text), ours.match(text)
    assert (other and other.span()) == (first and first.span())
    assert ours.findall(text) == theirs.findall(text)
    assert ours.split(text) == theirs.split(text)
    assert ours.sub("-", text) == theirs.sub("-", text)


@pytest.mark.parametrize(
    "written", [r"(a)\1", r"(?=a)b", r"(?:a(?=b))*", r"(?<!ab)c", r"c(?!ab)", r"[\u00e0-\u00ff]",
                r"ß", r"a(?<!b)", r"((?<!b)a)", r"\ba", r"(?i:a)"],
)  # fmt: skip
def test_what_cannot_be_said_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r".|\n"):
        patterns.compile(written).search("a")


def test_every_pattern_of_the_code_can_be_said() -> None:
    for package in (core, bot):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__") and ".peers" not in module.name:
                importlib.import_module(module.name)
    ours = [each for each in gc.get_objects() if isinstance(each, Pattern)]
    assert len(ours) > 10
    for pattern in ours:
        pattern.search("A text, 12 words - or “none”.")


@pytest.mark.parametrize("sign", ["a", "é", "!", " ", "_", "9", "(", "。"])
def test_thousands_of_matches_in_a_long_text_take_no_second(sign: str) -> None:
    text = sign * ANSWER_CHARS_MAX
    begun = time.process_time()
    for written, flags in ALIKE:
        for _ in patterns.compile(written, flags).finditer(text):
            pass
    assert time.process_time() - begun < SECONDS_MAX * len(ALIKE)


def test_a_word_is_found_where_nothing_of_a_word_is_beside_it() -> None:
    assert find_word("Ada", "Adam and Ada, and _Ada") == 9
    assert find_word("Ada", "Adam Öada Ada1") == -1
    assert find_word("C++", "in C++.") == 3
    assert find_word("a" * 40, "a" * ANSWER_CHARS_MAX) == -1


@given(st.text("tofreхé_1 -", max_size=8))
@example("to")
@example("of to_")
def test_another_word_is_what_a_look_ahead_would_let_pass(text: str) -> None:
    theirs = re.compile(r"(?<!\w)(?!(?:to|the|of|for|fore)\b)\w+(?!\w)", re.IGNORECASE)
    other = other_word("to", "the", "of", "for", "fore")
    ours = patterns.compile(rf"(?<!\w){other}(?!\w)", IGNORECASE)
    assert ours.findall(text) == theirs.findall(text)


def test_a_refused_match_is_none_and_the_search_goes_on_behind_its_first_character() -> None:
    rank = patterns.compile("must|us", unless=lambda match: match.before.endswith("not a "))
    assert rank.findall("not a must, a must") == ["us", "must"]
    assert rank.match("must not a must", 11) is None
    assert rank.sub("-", "a must, not a us") == "a -, not a us"
