"""The part of an answer that a line rests on, its very words in bold."""

from collections.abc import Iterator
from typing import Final

from bot.views.kit.leaves import Leaf, words
from bot.views.kit.text import CUT_SHORT, cut, one_line
from core.domain.answers import Answer, Claim
from core.domain.lines import SPANS, quoted_in

QUOTE_CHARS_MAX: Final = 220
BEFORE_CHARS_MAX: Final = 40  # of an answer, before the words that are quoted from it
APART_CHARS_MAX: Final = 80  # between two quotes, before what lies between is left out
APART: Final = " … "

Place = tuple[int, int]


def marked(answer: Answer, claim: Claim) -> list[Leaf]:
    """An excerpt of the answer; of one in which no words of the line stand, its beginning."""
    text, places = one_line(answer.text), sorted(set(_places(answer, claim)))
    if not places:
        return _leaves([(excerpt(answer.text, claim.text), False)])
    begin = _begin(text, places[0][0])
    parts, at = [(CUT_SHORT if begin else "", False)], begin
    for start, end in places:
        between = text[at:start]
        parts.append((between if len(between) <= APART_CHARS_MAX else APART, False))
        parts.append((text[max(at, start) : end], True))
        at = max(at, end)
    return _leaves([*parts, (text[at:], False)])


def excerpt(answer: str, wanted: str) -> str:
    """The part of an answer that a line was taken from; its beginning, where that is not found."""
    text, words_of_it = one_line(answer), one_line(wanted)
    place = text.find(words_of_it[:BEFORE_CHARS_MAX]) if words_of_it else -1
    begin = _begin(text, place)
    return (CUT_SHORT if begin else "") + cut(text[begin:], QUOTE_CHARS_MAX)


def _places(answer: Answer, claim: Claim) -> Iterator[Place]:
    """Where the quoted words stand in the answer as one line: by their offsets, else by the words.

    An answer that was edited since has other words at the offsets.
    """
    text = one_line(answer.text)
    quotes = list(filter(None, map(one_line, quoted_in(claim))))
    for start, end in _offsets(answer, claim):
        quote = one_line(answer.text[start:end])
        place = len(one_line(f"{answer.text[:start]}.")) - 1
        if quote in quotes and text.startswith(quote, place):
            quotes.remove(quote)
            yield place, place + len(quote)
    for quote in quotes:
        place = text.find(quote)
        if place >= 0:
            yield place, place + len(quote)


def _offsets(answer: Answer, claim: Claim) -> Iterator[Place]:
    for row in claim.data.get(SPANS, "").splitlines():
        span, _, of = row.partition(" ")
        start, _, end = span.partition("-")
        if of == answer.id:
            yield int(start), int(end)


def _begin(text: str, place: int) -> int:
    """Some words before the place, from the beginning of one on."""
    start = max(place - BEFORE_CHARS_MAX, 0)
    return min(text.find(" ", start) + 1 or start, place) if start else 0


def _leaves(parts: list[tuple[str, bool]]) -> list[Leaf]:
    """As much of the parts as there is room for."""
    leaves, room = list[Leaf](), QUOTE_CHARS_MAX
    for text, is_quoted in parts:
        piece = cut(text, room) if room > 0 else ""
        if piece:
            leaves.append(words(piece, bold=is_quoted))
        room -= len(text)
    return leaves
