"""Rules of English that several floors write and compare by."""

from collections.abc import Collection


def joined(names: Collection[str]) -> str:
    """ "Quick Scan, Requirements and Design"; empty for none."""
    *others, last = names or ("",)
    return f"{', '.join(others)} and {last}" if others else last


def singular(word: str) -> str:
    """A word in small letters without the ending of a plural; a short one may be none ("bus")."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
