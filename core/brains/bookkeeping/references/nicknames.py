"""The line that people call by words of their own: "the gas thing", "June putting them in"."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.task_cache import cached
from core.brains.text.wording import words_of
from core.english import stem

LINE_WORDS_MAX: Final = 40  # of a line that says several things: a word calls only one of them
SHARE_MIN: Final = 0.5  # of the words of a nickname that one line has more of
_ROWS: Final = lexicon.table("evidence")["ranks"]
_NAMES_NOTHING: Final = frozenset(_ROWS["names-nothing"].split())
_RANKING_WORDS: Final = lexicon.pattern("ranking-words")
_OF_ANOTHER: Final = lexicon.compiled(_ROWS["of-another"])
_LABELLED: Final = patterns.compile(r"^\([a-z0-9]{1,3}\) ", patterns.IGNORECASE)
_NUMBER: Final = patterns.compile(r"(?<![\w-])[0-9]+(?![\w-])")


def lines_called(nickname: str, lines: Mapping[str, str]) -> tuple[str, ...]:
    """The ref of the one line that a nickname fits; several, if they fit equally; else none.

    `lines`: ref → text. A line fits if it has all words of the nickname, or alone has a word that
    no other has, and more than half of them.
    """
    words = stems_of_name(nickname)
    shared = {ref: words & _stems(_OF_ANOTHER.sub("", text)) for ref, text in _of_one_thing(lines)}
    if all_words := [ref for ref, own in shared.items() if words and own == words]:
        opening = _opening_with(nickname, {ref: lines[ref] for ref in all_words})
        return tuple(opening if len(opening) == 1 else all_words)
    holders = Counter(word for own in shared.values() for word in own)
    having = [ref for ref, own in shared.items() if any(holders[word] == 1 for word in own)]
    if len(having) == 1:
        return tuple(ref for ref in having if len(shared[ref]) > SHARE_MIN * len(words))
    are_equal = len({len(shared[ref]) for ref in having}) == 1
    has_every = frozenset().union(*(shared[ref] for ref in having)) == words
    return tuple(having) if are_equal and has_every else ()


def stems_of_name(nickname: str) -> frozenset[str]:
    """The words of a nickname that say which line it means."""
    return _stems(" ".join(_telling_words(nickname)))


def _telling_words(nickname: str) -> Iterator[str]:
    words = _RANKING_WORDS.sub(" ", nickname).split()
    return (word for word in words if word.casefold().strip(".,!()'\"") not in _NAMES_NOTHING)


def _of_one_thing(lines: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    return ((ref, text) for ref, text in lines.items() if len(text.split()) <= LINE_WORDS_MAX)


def _opening_with(nickname: str, lines: Mapping[str, str]) -> list[str]:
    """The lines that open with these words: `invoice` of "Invoice on the 1st, as a PDF"."""
    opening = f"{' '.join(_RANKING_WORDS.sub(' ', nickname).split()).casefold().strip('.!')} "
    texts = ((ref, _LABELLED.sub("", text).casefold()) for ref, text in lines.items())
    return [ref for ref, text in texts if text.startswith(opening)]


@cached
def _stems(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning, and the numbers."""
    return frozenset(map(stem, words_of(text))).union(m[0] for m in _NUMBER.finditer(text))
