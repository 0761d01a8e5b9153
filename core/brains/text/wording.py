"""Which line speaks of which: by name (`FR-001`), else by the words that two lines share.

Guesses by shared words are only made when one line is closer than every other; a tie is no answer.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from core import patterns
from core.brains import lexicon

REF_RANGE_MAX: Final = 50  # a longer range ("FR-001 to FR-900") is taken for a slip of the pen
SHARED_WORDS_MIN: Final = 2
STEM_CHARS: Final = 5
TEXTS_MAX: Final = 10_000  # whose words are remembered: each line is compared with each other

_WORD: Final = patterns.compile(r"[^\W\d_]{3,}")
_GIVES_WORDS: Final = patterns.compile(
    r"\W*(?:(?:and|so|also|ok(?:ay)?|oh|well|but|then|no|btw|better)\W+)*"
    r"(?P<name>(?P<prefix>n?fr|art)(?:icle)?[- ]?[0-9]{1,4})"
    r"\s*(?:[:=]|(?:should|must|shall|has to|needs to) (?:say\b[:,]?|read\s*[:,]))"
    r"\s*(?P<words>\S.*)",
    patterns.IGNORECASE | patterns.DOTALL,
)
_SPELT: Final = {"ART": "ART(?:ICLE)?"}  # "article 7"
_COMMON: Final = lexicon.listed("common")
_AROUND_WORDS: Final = ".,;:!?\"'“”()*_`"
_SAME_WITH: Final = lexicon.listed("same-with")


def plain(text: str) -> str:
    """The form in which two people's sentences are the same sentence."""
    if text.startswith("```"):
        return text
    folded = " ".join(text.split()).casefold()
    return folded.rstrip(".! ") or folded


def gist(text: str) -> str:
    """The form in which two wordings of a rule are the same rule: its words in their order."""
    words = (word.strip(_AROUND_WORDS) for word in text.casefold().split())
    telling = (_singular(word) for word in words if word not in _SAME_WITH)
    return " ".join(filter(None, telling)) or plain(text)


def refs_in(prefix: str, text: str) -> tuple[str, ...]:
    """`FR-1`, `fr 001` and `FR-001 to FR-003` as `FR-001`…, in the order in which they stand."""
    refs: dict[str, None] = {}
    for match in ref_pattern(prefix).finditer(text):
        refs |= dict.fromkeys(refs_of(prefix, match))
    return tuple(refs)


def worded_anew(text: str) -> tuple[str, str]:
    """The requirement, quality or article with whose name a text opens, and the words for it:
    "FR-012" and "the price holds" of "FR-12: the price holds". Two empty strings for any other."""
    match = _GIVES_WORDS.match(text)
    names = refs_in(match["prefix"].upper(), match["name"]) if match else ()
    return (names[0], match["words"]) if match and names else ("", "")


@cache
def ref_pattern(prefix: str) -> patterns.Pattern:
    """One ref, or a range of them; the numbers are the first two groups."""
    ref = rf"\b{_SPELT.get(prefix, prefix)}[- ]?0*([0-9]{{1,4}})\b"
    return patterns.compile(rf"{ref}(?:\s*(?:-|–|—|to|through)\s*{ref})?", patterns.IGNORECASE)


def refs_of(prefix: str, match: patterns.Match) -> tuple[str, ...]:
    first, last = int(match[1]), int(match[2] or match[1])
    is_range = 0 <= last - first < REF_RANGE_MAX
    numbers = range(first, last + 1) if is_range else (first, last)
    return tuple(f"{prefix}-{number:03d}" for number in numbers)


@lru_cache(maxsize=TEXTS_MAX)
def words_of(text: str) -> frozenset[str]:
    """The words that carry meaning, without their plural."""
    words = (word for word in _WORD.findall(text.casefold()) if word not in _COMMON)
    return frozenset(_singular(word) for word in words)


def stems_of(text: str) -> frozenset[str]:
    """How those words begin: "natively" and "native" are alike."""
    return frozenset(word[:STEM_CHARS] for word in words_of(text))


def closest(text: str, lines: Mapping[str, str]) -> str | None:
    """The name of the one line that shares most words with `text`, if it shares enough of them."""
    words = words_of(text)
    shared = {name: _shared(words, words_of(line)) for name, line in lines.items()}
    best = max(shared.values(), default=0)
    nearest = [name for name, count in shared.items() if count == best]
    return nearest[0] if best and len(nearest) == 1 else None


def _shared(words: frozenset[str], others: frozenset[str]) -> int:
    """How many words both have; too few count as none, unless they are all that one of them has."""
    common = len(words & others)
    return common if common >= min(SHARED_WORDS_MIN, len(words), len(others)) else 0


def _singular(word: str) -> str:
    """As `core.english.singular`, and of short words too: a rule on "IDs" is one on the "ID"."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word
