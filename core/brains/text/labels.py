"""Labels with which people sort their own lines: "Out of scope: …", "Risks:" over a list.

A label says of what kind a line is, whatever its words are.
"""

from collections.abc import Sequence
from typing import Final

from core import patterns
from core.brains import lexicon
from core.patterns import Pattern

LABEL_CHARS_MAX: Final = 60

_WORDS, RANKS = (
    tuple((row["name"], "|".join(row["words"])) for row in lexicon.table("labels")[of])
    for of in ("analysis", "ranks")
)
_HEADING: Final = patterns.compile(r"#{1,6}\s+|\*{1,2}(?=\S)")


def _followed_by(words: Sequence[tuple[str, str]], end: str) -> tuple[tuple[str, Pattern], ...]:
    return tuple(
        (name, patterns.compile(rf"\**(?:{label})\**{end}", patterns.IGNORECASE))
        for name, label in words
    )


class Labels:
    """The labels that people may use, each a name with the words that stand for it."""

    def __init__(self, words: Sequence[tuple[str, str]]) -> None:
        arrow = r"\*\s*(?:→|[-=]>)"  # without a mark before it, it is a state: "open -> closed"
        end = rf"(?:\s*(?::\**|[–—]|\s--?)|{arrow})\s+(?=\S)"
        self._labelled = _followed_by(words, end)
        every_word = "|".join(label for _, label in words)
        ((_, self._any_label),) = _followed_by([("any", every_word)], end)
        self._alone = _followed_by(words, r"\s*:?\**")

    def label_of(self, text: str) -> tuple[str, str]:
        """The label that opens a line, and the rest: "Risk: it leaks" → ("risk", "it leaks")."""
        start = text[: 2 * LABEL_CHARS_MAX]
        if self._any_label.match(start):  # most lines have none, and cost one search
            for name, pattern in self._labelled:
                if match := pattern.match(start):
                    return name, text[match.end() :]
        return "", text

    def heading_of(self, line: str) -> str:
        """The label that a line of its own gives to the lines below it: "Risks:", "## Risks"."""
        marked = _HEADING.match(line)
        plain = line[marked.end() :] if marked else line
        if len(line) > LABEL_CHARS_MAX or not (marked or plain.rstrip("* ").endswith(":")):
            return ""
        return next((name for name, words in self._alone if words.fullmatch(plain.strip())), "")


ANALYSIS: Final = Labels(_WORDS)
WORDS_OF_LABEL: Final = dict(_WORDS)
label_of: Final = ANALYSIS.label_of
heading_of: Final = ANALYSIS.heading_of
