"""A text as quotes are compared with it: compatibility forms, case, quote marks, dashes, spaces.

The folded text knows where each part stands in the original, so that the words can be marked there.
"""

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from core.characters import readable

WORDS_MIN: Final = 2  # of a quote
CHARS_MIN: Final = 4  # of a quote in a script that puts no space between words
_EDGES: Final = " .,;:\"'()[]*_"
_SIGNS: Final = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»〝〞", '"'),
        **dict.fromkeys("‘’‚‛‹›`´", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)
_UNSPACED: Final = (
    *(("\u0e00", "\u0eff"), ("\u1000", "\u109f"), ("\u1780", "\u17ff"), ("\u2e80", "\ua4cf")),
    *(("\uf900", "\ufaff"), ("\uff66", "\uff9f"), ("\U00020000", "\U0003ffff")),
)
Span = tuple[int, int]


class _Word(NamedTuple):
    """Where a word begins folded; where it stands in the original, and if it is as long there."""

    begins: int
    start: int
    size: int
    is_as_long: bool


@dataclass(frozen=True)
class FoldedText:
    """`text`: the words of the original folded, with one blank between them."""

    original: str
    text: str

    def spans(self, words: str, start: int = 0) -> Iterator[Span]:
        """Where folded words stand, as whole words, from `start` on."""
        at = self.text.find(words, start) if words else -1
        while at >= 0:
            end = at + len(words)
            if not (self._cuts(at) or self._cuts(end)):
                yield at, end
            at = self.text.find(words, at + 1)

    def original_span(self, span: Span) -> Span:
        """Where folded words that are not empty stand in the original."""
        if self.original.isascii() and len(self.original) == len(self.text):
            return span
        return self._original(span[0])[0], self._original(span[1] - 1)[1]

    def words_at(self, span: Span) -> str:
        """The words of a folded span as they were written, on one line."""
        start, end = self.original_span(span)
        return " ".join(self.original[start:end].split())

    def _cuts(self, at: int) -> bool:
        """True inside a word of a script that puts spaces between words."""
        if not 0 < at < len(self.text):
            return False
        before, after = self.text[at - 1], self.text[at]
        return before.isalnum() and after.isalnum() and not (_joins(before) or _joins(after))

    @cached_property
    def _words(self) -> tuple[_Word, ...]:
        """The words in order. They are looked up when something is marked."""
        words: list[_Word] = []
        at = end = 0
        is_ascii = self.original.isascii()
        for word in self.original.split():
            start = self.original.index(word, end)
            end = start + len(word)
            if size := len(word if is_ascii else _plain(word)):
                words.append(_Word(at, start, len(word), size == len(word)))
                at += size + 1
        return tuple(words)

    def _original(self, at: int) -> Span:
        word = self._words[bisect_right(self._words, at, key=lambda word: word.begins) - 1]
        if not word.is_as_long:
            return word.start, word.start + word.size
        place = word.start + at - word.begins
        return place, place + 1


def fold(text: str) -> FoldedText:
    return FoldedText(text, folded(text))


def folded(text: str) -> str:
    if text.isascii():
        return " ".join(_plain(text).split())
    words = text.split()
    plain = {word: _plain(word) for word in set(words)}
    return " ".join(filter(None, (plain[word] for word in words)))


def bare(words: str) -> str:
    """Folded words without the signs round them; a question mark stays."""
    return words.strip(_EDGES)


def is_enough(words: str) -> bool:
    """True for folded words that can be told from others: two of them, or four characters."""
    count = sum(any(sign.isalnum() for sign in word) for word in words.split())
    return count >= WORDS_MIN or sum(map(_joins, words)) >= CHARS_MIN


def _plain(word: str) -> str:
    if word.isascii():
        return word.lower().replace("`", "'")
    plain = unicodedata.normalize("NFKC", readable(word.translate(_SIGNS)))
    return "".join(plain.casefold().split())


def _joins(sign: str) -> bool:
    """True for a letter of a script that puts no space between words."""
    return sign > "\u0dff" and any(first <= sign <= last for first, last in _UNSPACED)
