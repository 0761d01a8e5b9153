"""How a text reads: its words, its sentences, and Flesch's reading ease. English, and no library.

The syllables of a word are its groups of vowels (a, e, i, o, u, y), without a silent e at the end
(as in "make", "makes", "asked"; not in "table", "changes", "wanted"), and at least one. That is a
rule of thumb: wrong for a word in twenty, right enough for a page.
"""

from typing import Final

from core import patterns

_CODE: Final = patterns.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", patterns.DOTALL)
_ITEM: Final = patterns.compile(r"^[ \t]*(?:[-*+]|[0-9]{1,3}[.)])[ \t]+", patterns.MULTILINE)
_WORD: Final = patterns.compile(r"[^\W_](?:[\w'’.-]*[^\W_])?")
_BLOCK_END: Final = patterns.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+]|[0-9]{1,3}[.)])[ \t])")
_SENTENCE_END: Final = patterns.compile(r"(?<![.!?…])[.!?…]+[\"'”’)\]]*(?=\s|\Z)")
_VOWELS: Final = patterns.compile(r"[aeiouy]+")
_VOWEL_SIGNS: Final = frozenset("aeiouy")


def without_code(text: str) -> str:
    return _CODE.sub("", text)


def plain(text: str) -> str:
    """A section as somebody reads it aloud: no blocks of code, no list signs, no marks."""
    bare = _ITEM.sub("", without_code(text))
    return bare.replace("`", "").replace("*", "")


def words(text: str) -> list[str]:
    return _WORD.findall(plain(text))


def sentences(text: str) -> int:
    """How many sentences a text has. A line of a list is one, with or without a full stop."""
    blocks = _BLOCK_END.split(without_code(text))
    parts = (part for block in blocks for part in _SENTENCE_END.split(plain(block)))
    return sum(1 for part in parts if _WORD.search(part))


def syllables(word: str) -> int:
    small = word.casefold()
    groups = len(_VOWELS.findall(small))
    return max(1, groups - (1 if groups > 1 and _ends_silently(small) else 0))


def _ends_silently(word: str) -> bool:
    """True if it ends in a group of vowels that is not spoken: "make", "makes", "asked"."""
    if word.endswith("e"):
        last, before_last = word[-2:-1], word[-3:-2]
        return last not in _VOWEL_SIGNS and (last != "l" or before_last in _VOWEL_SIGNS)
    last = word[-3:-2]
    if word.endswith("es"):
        return last not in _VOWEL_SIGNS and last not in tuple("szcgxht")
    return word.endswith("ed") and last not in _VOWEL_SIGNS and last not in ("t", "d")


def reading_ease(text: str) -> float | None:
    """Flesch's formula: about 100 for a child's book, 60 for plain English, 30 for a contract.

    Nothing for a text without a word.
    """
    all_words = words(text)
    if not all_words:
        return None
    per_sentence = len(all_words) / max(1, sentences(text))
    per_word = sum(map(syllables, all_words)) / len(all_words)
    return 206.835 - 1.015 * per_sentence - 84.6 * per_word
