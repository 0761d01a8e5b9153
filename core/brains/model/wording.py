"""What a model's wording of people's words adds to them, and what it leaves out. Pure.

Words are compared by their beginnings ("export", "exporting"); numbers, units, dates, names, files
and addresses stand or do not.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.conflicts import UNITS
from core.brains.model.folding import folded
from core.brains.text.wording import stems_of, words_of

SHARED_MIN: Final = 0.5  # of the words of a wording that stand in its quotes
KEPT_MIN: Final = 0.34  # of the words of people that stand in a wording of them
_NUMBER: Final = patterns.compile(r"[0-9]+(?:[.,:][0-9]+)*")
_MEASURE: Final = patterns.compile(r"([0-9]+(?:[.,:][0-9]+)*)(?:\s?(%|[$€£]|[^\W\d_]+))?")
_REF: Final = patterns.compile(r"[A-Z]{2,5}-[0-9]+")
_FILE: Final = patterns.compile(r"[\w./-]*\w\.[A-Za-z][A-Za-z0-9]{0,4}")
_MORE_UNITS: Final = ("s", "ms", "min", "h", "%", "kb", "mb", "gb", "tb", "day", "week", "month")
_KNOWN_UNITS: Final = frozenset((*_MORE_UNITS, "year", "$", "€", "£", "euro", "dollar"))
_NEGATES: Final = lexicon.pattern("negates")
_REMARKABLE: Final = (_NEGATES, lexicon.pattern("on-condition"), lexicon.pattern("doubts"))
_SENTENCE_SIGNS: Final = (".", "!", "?", ":")
_QUESTION_SIGNS: Final = ("?", "？")
_EDGES: Final = ".,;:!?\"'“”‘’()[]{}*_`"


def invents(wording: str, quoted: str) -> bool:
    """True for a wording of which most words stand in none of its quotes, or that points to
    something that is not there: a file, an address, a name of a line."""
    stems = stems_of(wording)
    shared = len(stems & stems_of(quoted))
    is_made_up = bool(stems) and shared <= len(stems) * SHARED_MIN and shared < len(stems)
    return is_made_up or points(wording, quoted)


def points(text: str, words: str) -> bool:
    """True for a text with a file, an address or a name of a line that the words do not have."""
    return any(pointer not in folded(words) for pointer in _pointers(text))


def adds(wording: str, quoted: str) -> bool:
    """True where a number, unit, date, name or negation of a wording stands in no quote, or a
    negation, condition, doubt or question mark of a quote not in the wording."""
    return bool(
        measures(wording) - measures(quoted)
        or _dates(wording) - _dates(quoted)
        or not set(_names(wording)) <= set(folded(quoted).translate(_APART).split())
        or (negates(wording) and not negates(quoted))
        or _leaves_out(quoted, wording)
    )


def loses(words: str, wordings: Collection[str]) -> bool:
    """True where people's words hold what none of the wordings of them says."""
    together = " ".join(wordings)
    stems = stems_of(words)
    enough = len(stems & stems_of(together)) >= len(stems) * KEPT_MIN
    return (
        not enough
        or bool(measures(words) - measures(together) or _dates(words) - _dates(together))
        or points(words, together)
        or (negates(words) != negates(together))
        or _leaves_out(words, together)
    )


def negates(text: str) -> bool:
    return bool(_NEGATES.search(text))


def is_remarkable(text: str) -> bool:
    """True for what no quote may leave out: a negation, condition, doubt or question mark."""
    return _asks(text) or any(sign.search(text) for sign in _REMARKABLE)


def _leaves_out(words: str, wording: str) -> bool:
    """True for a negation, condition, doubt or question mark of the words that the other lacks."""
    is_told = any(sign.search(words) and not sign.search(wording) for sign in _REMARKABLE)
    return is_told or (_asks(words) and not _asks(wording))


def _asks(text: str) -> bool:
    return any(sign in text for sign in _QUESTION_SIGNS)


def says_something(text: str) -> bool:
    """True for words that carry a meaning of their own."""
    return bool(words_of(text) or _NUMBER.search(text) or is_remarkable(text))


def measures(text: str) -> frozenset[str]:
    """Its numbers, those with a unit with it: "10", "10 min"."""
    found: set[str] = set()
    for match in _MEASURE.finditer(_in_digits(text)):
        found.add(match[1])
        unit = (match[2] or "").casefold()
        unit = UNITS.get(unit, unit.rstrip("s") or unit)
        if unit in _KNOWN_UNITS:
            found.add(f"{match[1]} {unit}")
    return frozenset(found)


def _in_digits(text: str) -> str:
    """With the words of numbers as digits; "one" is often none."""
    digits = _digits_of()
    words = [word.strip(_EDGES).casefold() for word in text.split()]
    if digits.keys().isdisjoint(words):
        return text
    return " ".join((text, ".", *(digits.get(word, word) for word in words)))


@lru_cache(maxsize=1)
def _digits_of() -> Mapping[str, str]:
    rows = lexicon.table("english")
    ones = {word: str(number) for number, word in enumerate(rows["number-words"], start=1)}
    tens = {word: str(number * 10) for number, word in enumerate(rows["tens-words"], start=1)}
    return {word: number for word, number in (ones | tens).items() if word != "one"}


def _dates(text: str) -> frozenset[str]:
    """Its months and days of the week, by their first letters."""
    return frozenset(match[0].casefold()[:3] for match in _DATE.finditer(text))


_DATE: Final = lexicon.compiled(r"\b(?:{month}|{weekday})")
_APART: Final = str.maketrans(dict.fromkeys(".,;:!?\"'()[]{}*_`/", " "))


def _pointers(text: str) -> Iterator[str]:
    """The files, addresses and names of lines in a text, folded."""
    for word in text.split():
        bare = word.strip(_EDGES)
        has_sign = any(sign in bare for sign in ("/", "@", "\\"))
        is_ref = "-" in bare and _REF.fullmatch(bare)
        if has_sign or is_ref or ("." in bare and _FILE.fullmatch(bare)):
            yield folded(bare)


def _names(text: str) -> Iterator[str]:
    """The words with a capital that no sentence begins with, folded."""
    opens = True
    for word in text.split():
        bare = word.strip(_EDGES)
        capitals = sum(sign.isupper() for sign in bare)
        if bare != "I" and (capitals > 1 or (capitals and not opens)):
            yield from folded(bare).translate(_APART).split()
        opens = word.endswith(_SENTENCE_SIGNS)
