"""Rules of English that several floors write and compare by."""

from collections.abc import Collection
from typing import Final

STEM_LETTERS_MIN: Final = 4  # of a word before an ending that makes a noun of it
_NOUN_ENDINGS: Final = ("ation", "ment", "ness", "ure", "ion", "ly")
_VOWELS: Final = frozenset("aeiouy")


def joined(names: Collection[str]) -> str:
    """ "Quick Scan, Requirements and Design"; empty for none."""
    *others, last = names or ("",)
    return f"{', '.join(others)} and {last}" if others else last


def singular(word: str) -> str:
    """A word in small letters without the ending of a plural; a short one may be none ("bus")."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def stem(word: str) -> str:
    """What a word in small letters has in common with its other forms: "putting" and "puts"."""
    base = singular(word)
    if base.endswith("ied") and len(base) > STEM_LETTERS_MIN:
        return f"{base[:-3]}y"
    for ending in ("ing", "ed"):
        short = base.removesuffix(ending)
        if short != base and len(short) > 1 and short[-1] != "e" and _VOWELS & set(short):
            return _without_last_e(short[:-1] if short[-1] == short[-2] not in "lsz" else short)
    for ending in _NOUN_ENDINGS:
        short = base.removesuffix(ending)
        if short != base and len(short) >= STEM_LETTERS_MIN:
            return _without_last_e(short)
    return _without_last_e(base)


def _without_last_e(word: str) -> str:
    return word[:-1] if word.endswith("e") and len(word) > 3 else word
