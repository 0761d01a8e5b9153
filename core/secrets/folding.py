"""A text as a reader sees it, for scanning: full-width letters are plain, invisible ones gone.

NFKC, letter by letter, without soft hyphens, zero-width and other format characters. The folded
text knows where each part stands in the original, so that redaction cuts the right span. Plain
text costs nothing: it is its own folding.
"""

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

_INVISIBLE: Final = frozenset(
    {
        0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0,  # joiners and fillers
        *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0),  # variations
    }
)  # fmt: skip
_VOICED: Final = "\uff9e\uff9f"  # half-width marks: they belong to the letter before


class FoldedPart(NamedTuple):
    """`size` original code points from `start`, which are as they were or changed."""

    start: int
    size: int
    changed: bool


@dataclass(frozen=True, slots=True)
class Folded:
    """`parts` of the original, by the indexes in `text` where they begin; none: all is the same."""

    text: str
    begins: tuple[int, ...] = ()
    parts: tuple[FoldedPart, ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The original span of a folded one that is not empty."""
        if not self.parts:
            return start, end
        return self._place(start)[0], self._place(end - 1)[1]

    def _place(self, index: int) -> tuple[int, int]:
        number = bisect_right(self.begins, index) - 1
        part = self.parts[number]
        if part.changed:
            return part.start, part.start + part.size
        place = part.start + index - self.begins[number]
        return place, place + 1


def fold(text: str) -> Folded:
    if text.isascii():
        return Folded(text)
    changing = {sign for sign in set(text) if _is_mark(sign) or _folded(sign) != sign}
    if not changing:
        return Folded(text)
    same_size = {sign for sign in changing if not _is_mark(sign) and len(_folded(sign)) == 1}
    for sign in same_size:
        text = text.replace(sign, _folded(sign))
    changing -= same_size
    if not changing:
        return Folded(text)
    pieces, begins, parts, length = list[str](), list[int](), list[FoldedPart](), 0
    for part in _parts(text, changing):
        piece = text[part.start : part.start + part.size]
        if part.changed:
            piece = _folded(piece)
        if piece:
            pieces.append(piece)
            begins.append(length)
            parts.append(part)
            length += len(piece)
    return Folded("".join(pieces), tuple(begins), tuple(parts))


def _parts(text: str, changing: set[str]) -> Iterator[FoldedPart]:
    """What changes, each letter with the marks that are put on it, and the runs between."""
    done = 0
    for place in sorted(place for sign in changing for place in _places(text, sign)):
        if place < done:
            continue  # taken in with the letter before
        start = place - 1 if place > done and _is_mark(text[place]) else place
        at = place + 1
        while at < len(text) and _is_mark(text[at]):
            at += 1
        if start > done:
            yield FoldedPart(done, start - done, changed=False)
        yield FoldedPart(start, at - start, changed=True)
        done = at
    if done < len(text):
        yield FoldedPart(done, len(text) - done, changed=False)


def _places(text: str, sign: str) -> Iterator[int]:
    at = text.find(sign)
    while at >= 0:
        yield at
        at = text.find(sign, at + 1)


@lru_cache(maxsize=4096)
def _folded(letter: str) -> str:
    if letter.isascii():
        return letter
    return unicodedata.normalize("NFKC", "".join(filter(_is_visible, letter)))


@lru_cache(maxsize=4096)
def _is_mark(sign: str) -> bool:
    return unicodedata.combining(sign) > 0 or sign in _VOICED


def _is_visible(sign: str) -> bool:
    return unicodedata.category(sign) != "Cf" and ord(sign) not in _INVISIBLE
