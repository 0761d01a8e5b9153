"""Ranks that a line gives to things in plain words: "SHOULD the banner", "the banner is a must"."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from core import patterns
from core.brains.bookkeeping.differences import lexis
from core.brains.bookkeeping.differences.lexis import WORD, content

LINES_CACHED_MAX: Final = 1_024
CHARS_READ_MAX: Final = 200
THING_WORDS_MAX: Final = 3  # before a rank that stands alone
MUST: Final = "must"
_MENTION: Final = patterns.compile(r"\s@[\w.-]+")
_PART_END: Final = patterns.compile(r"[,;.!]+(?:\s|$)|\s/\s|\b(?:and|but)\b", patterns.IGNORECASE)

Ranks = tuple[tuple[str, frozenset[str], bool], ...]
"""A rank, the words of what has it, and whether the line denies it."""


@lru_cache(maxsize=LINES_CACHED_MAX)
def ranks_in(line: str) -> Ranks:
    return tuple(_ranks(_MENTION.sub("", line[:CHARS_READ_MAX].casefold())))


def _ranks(text: str) -> Iterator[tuple[str, frozenset[str], bool]]:
    if heading := lexis.pattern("rank-heads").match(text):
        for part in _PART_END.split(heading["things"]):
            yield heading["rank"], _words(part), False
        return
    before = frozenset[str]()
    for part in _PART_END.split(text):
        if before and (alone := lexis.pattern("rank-alone").fullmatch(part.strip())):
            yield alone["rank"], before, False  # "the lamp is missing. must"
        before = _words(part) if len(part.split()) <= THING_WORDS_MAX else frozenset()
        if match := lexis.pattern("rank-follows").fullmatch(part.strip()):
            yield match["rank"], _words(match["thing"]), bool(match["not"])
        elif needed := lexis.pattern("rank-by-need").search(part):
            yield MUST, _words(needed["thing"]), False


def _words(text: str) -> frozenset[str]:
    """The words of a thing; of one that has none the letter by which people call it."""
    tokens = WORD.findall(text)
    is_letter = len(tokens) == 1 and tokens[0] not in lexis.words("denies")
    return frozenset(content(tokens) or (tokens if is_letter else ()))


def is_ranked_otherwise(first: str, second: str) -> bool:
    """True if the second line gives another rank to a thing that the first one ranks."""
    return any(
        words and words <= thing and (rank != first_rank or denied)
        for rank, words, denied in ranks_in(second)
        for first_rank, thing, _ in ranks_in(first)
    )


def ranks_all_of(first: str, second: str) -> bool:
    """True if the second line ranks all that the first one does."""
    ranked = [words for _, words, _ in ranks_in(second) if words]
    return all(any(words <= thing for words in ranked) for _, thing, _ in ranks_in(first))
