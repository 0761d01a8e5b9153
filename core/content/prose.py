"""How a text reads: its words, its sentences, and Flesch's reading ease. English, and no library.

The syllables of a word are its groups of vowels (a, e, i, o, u, y), without a silent e at the end
(as in "make", "makes", "asked"; not in "table", "changes", "wanted"), and at least one. That is a
rule of thumb: wrong for a word in twenty, right enough for a page.
"""

import re
from typing import Final

_CODE: Final = re.compile(r"(```|~~~).*?(?:\1|\Z)", re.DOTALL)
_ITEM: Final = re.compile(r"^[ \t]*(?:[-*+]|[0-9]{1,3}[.)])[ \t]+", re.MULTILINE)
_WORD: Final = re.compile(r"[^\W_](?:[\w'’.-]*[^\W_])?")
_BLOCK_END: Final = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+]|[0-9]{1,3}[.)])[ \t])")
# Only where a run of signs begins, and without giving any back: a page of dots is read once.
_SENTENCE_END: Final = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s|\Z)")
_VOWELS: Final = re.compile(r"[aeiouy]+")
_SILENT: Final = re.compile(
    r"(?<![aeiouy])(?:(?<!l)e|(?<=[aeiouy]l)e|(?<![szcgxht])es|(?<![td])ed)\Z"
)


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
    return max(1, groups - (1 if groups > 1 and _SILENT.search(small) else 0))


def reading_ease(text: str) -> float | None:
    """Flesch's formula: about 100 for a child's book, 60 for plain English, 30 for a contract.

    Nothing for a text without a word.
    """
    found = words(text)
    if not found:
        return None
    per_sentence = len(found) / max(1, sentences(text))
    per_word = sum(map(syllables, found)) / len(found)
    return 206.835 - 1.015 * per_sentence - 84.6 * per_word
