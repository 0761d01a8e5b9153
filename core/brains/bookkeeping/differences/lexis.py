"""The words of `steps/brains/differences.yaml`, and what remains of a word without its ending."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from core import patterns
from core.brains import lexicon

STEM_CHARS_MIN: Final = 3
WORDS_CACHED_MAX: Final = 8_192
WORD_CHARS_MIN: Final = 2
WORD: Final = patterns.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[%€$£]")
TIME: Final = "time"


@dataclass(frozen=True, slots=True)
class Opposites:
    """Two sides that one thing cannot have at once; `shared`: words that the lines share beside."""

    one: frozenset[str]
    other: frozenset[str]
    shared: int = 2
    is_adjective: bool = False  # "… is public": one shared word says of what


def row(name: str) -> Any:
    return lexicon.table("differences")[name]


@cache
def words(name: str) -> frozenset[str]:
    """The words of a row, which is a text of words or a list of such texts."""
    texts = row(name)
    return frozenset(" ".join(texts if isinstance(texts, list) else [texts]).split())


@cache
def pattern(name: str, before: str = "", after: str = "") -> patterns.Pattern:
    """The pattern of a row, in any letter case, between two others."""
    expression = row(name)
    alternatives = "|".join(expression) if isinstance(expression, list) else expression
    return patterns.compile(f"{before}(?:{alternatives}){after}", patterns.IGNORECASE)


@cache
def named(row_words: str) -> patterns.Pattern:
    """A pattern of words that stand anywhere in a text."""
    return patterns.compile(rf"\b(?:{row_words})\b", patterns.IGNORECASE)


@cache
def opposites() -> tuple[Opposites, ...]:
    return tuple(
        Opposites(
            frozenset(pair["one"].split()),
            frozenset(pair["other"].split()),
            pair.get("shared", 2),
            pair.get("sides") == "adjective",
        )
        for pair in row("opposites")
    )


@cache
def numerals() -> Mapping[str, str]:
    """Word of a number → its figures: "two" → "2". "One" is more often somebody or something."""
    english = lexicon.table("english")
    ones = {word: number for number, word in enumerate(english["number-words"], start=1)}
    tens = {word: 10 * number for number, word in enumerate(english["tens-words"], start=1)}
    both = {f"{ten}-{one}": tens[ten] + ones[one] for ten in tens for one in ones if ones[one] < 10}
    words = both | tens | ones
    return {word: str(number) for word, number in words.items() if word != "one"}


@cache
def numeral() -> patterns.Pattern:
    return patterns.compile(rf"\b(?:{'|'.join(numerals())})\b", patterns.IGNORECASE)


@cache
def units() -> Mapping[str, tuple[str, float]]:
    """Word of measure → its dimension, and how many of the dimension's unit it is."""
    of_time = {
        word: (TIME, float(seconds))
        for seconds, names in row("time").items()
        for word in names.split()
    }
    others = {
        word: (str(name), 1.0) for name, names in row("units").items() for word in names.split()
    }
    return of_time | others


@cache
def roles() -> Mapping[str, str]:
    """Word → what a number behind it bounds."""
    return {word: role for role, names in row("roles").items() for word in names.split()}


@lru_cache(maxsize=WORDS_CACHED_MAX)
def stem(word: str) -> str:
    """A word without its ending: "rounded" and "rounding" are one."""
    for end in row("ends").split():
        if word.endswith(end) and len(word) - len(end) >= max(STEM_CHARS_MIN, len(end)):
            if word.endswith("ss"):
                return word
            root = word[: -len(end)]
            doubled = len(root) > STEM_CHARS_MIN and root[-1] == root[-2] and root[-1] not in "ls"
            return root[:-1] if doubled else root
    return word


@cache
def stems(name: str) -> frozenset[str]:
    """The stems of the words of a row."""
    return frozenset(map(stem, words(name)))


@cache
def _name_nothing() -> frozenset[str]:
    return words("light") | words("denies") | units().keys()


def content(tokens: Sequence[str]) -> list[str]:
    """The stems of the words that name something, in order."""
    return [
        stem(token)
        for token in tokens
        if len(token) >= WORD_CHARS_MIN and not token[0].isdigit() and token not in _name_nothing()
    ]
