"""Which of a step's documents a draft quotes: one that only lay there was not read for it."""

from collections.abc import Iterator
from typing import Final

from core.artifacts.compose.notes import Documents
from core.domain.answers import Draft, ReadRequest

QUOTED_WORDS_MIN: Final = 6  # in a row; fewer may stand in any two texts
DOCUMENT_CHARS_MAX: Final = 1_000_000  # what lies beyond is not compared

Passage = tuple[str, ...]


def documents_of(request: ReadRequest, draft: Draft) -> Documents:
    """The documents of a request: those from which a line of the draft takes words in a row."""
    lines = frozenset(
        passage
        for claim in draft.claims
        for text in (claim.text, *claim.data.values())
        for passage in _passages(text)
    )
    quoted = tuple(
        name
        for name, text in request.sources.items()
        if any(passage in lines for passage in _passages(text[:DOCUMENT_CHARS_MAX]))
    )
    return Documents(quoted, tuple(name for name in request.sources if name not in quoted))


def _passages(text: str) -> Iterator[Passage]:
    """Every row of `QUOTED_WORDS_MIN` words, without the signs round them."""
    words = [word for part in text.casefold().split() if (word := part.strip(_SIGNS))]
    for start in range(len(words) - QUOTED_WORDS_MIN + 1):
        yield tuple(words[start : start + QUOTED_WORDS_MIN])


_SIGNS: Final = ".,;:!?…()[]{}<>\"'`*_~#|-–—“”‘’«»„"
