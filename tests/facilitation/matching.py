"""Whether a text holds words of somebody: by their words alone, never by ours.

Compared are words, numbers and signs of units in small letters: blanks, quotation marks, markup and
punctuation count for nothing.
"""

import html
import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

SHARE_MIN: Final = 0.8  # of a quote's words, that a text must have
PART_WORDS_MIN: Final = 3  # of a text that is a part of a quote
PART_MIN: Final = 0.5  # or that much of the quote
# A number with its decimals, a word, or the sign of a unit.
_TOKEN: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[%€$£°]")

_SENTENCE_END: Final = re.compile(r"(?<=[.!?;])\s+")


@lru_cache(maxsize=50_000)
def tokens(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(html.unescape(text.replace("\\", "")).casefold()))


def contains(quote: str, text: str) -> bool:
    """True if the text has all of a quote's words, one after the other."""
    return _is_part(tokens(quote), tokens(text))


def shares(quote: str, text: str) -> bool:
    """True if one contains the other, or the text has four fifths of the quote's words."""
    wanted, given = tokens(quote), tokens(text)
    if _is_part(wanted, given) or overlap(wanted, given) >= SHARE_MIN:
        return True
    is_enough = len(given) >= PART_WORDS_MIN or len(given) >= PART_MIN * len(wanted)
    return bool(given) and is_enough and _is_part(given, wanted)


def is_sentence_of(quote: str, text: str) -> bool:
    """ "Large." of "not small. Large.": a whole sentence, however short."""
    return bool(tokens(text)) and tokens(text) in map(tokens, sentences(quote))


def is_nearer(text: str, one: str, other: str) -> bool:
    """True if the text shares the one, or has more of its words than of the other's."""
    if shares(one, text):
        return True
    given = Counter(tokens(text))
    return (Counter(tokens(one)) & given).total() > (Counter(tokens(other)) & given).total()


def covered(quote: str, texts: Iterable[str]) -> bool:
    """True if one of the texts shares the quote, or they have its words together."""
    every = tuple(texts)
    if any(shares(quote, text) for text in every):
        return True
    together = tuple(token for text in every for token in tokens(text))
    return overlap(tokens(quote), together) >= SHARE_MIN


def overlap(wanted: tuple[str, ...], given: tuple[str, ...]) -> float:
    """The share of the wanted words that are given, 0 to 1; each as often as it is wanted."""
    if not wanted:
        return 0.0
    return sum((Counter(wanted) & Counter(given)).values()) / len(wanted)


def stands_in(quote: str, lines: Iterable[str]) -> bool:
    """True if a line of a file shares the quote with every number and what follows it."""
    wanted = _numbers_with_units(tokens(quote))
    return any(
        shares(quote, line) and wanted <= _numbers_with_units(tokens(line), of_a_line=True)
        for line in lines
    )


def _numbers_with_units(given: tuple[str, ...], *, of_a_line: bool = False) -> frozenset[str]:
    """Numbers, each with the word or the sign after it; a line also has them without."""
    followed = zip(given, (*given[1:], ""), strict=True)
    numbers = [(one, after) for one, after in followed if one[:1].isdigit()]
    alone = [one for one, after in numbers if of_a_line or not after]
    return frozenset((*(f"{one} {after}" for one, after in numbers if after), *alone))


def sentences(text: str) -> tuple[str, ...]:
    """What may stand in lines of its own. A sentence has a word."""
    return tuple(part for part in _SENTENCE_END.split(text) if tokens(part))


def _is_part(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    size = len(part)
    if not size:
        return False
    return any(whole[at : at + size] == part for at in range(len(whole) - size + 1))
