"""How English lines of an analysis read: the words and patterns of `english.yaml`."""

from pathlib import Path
from typing import Final

from core import patterns
from core.artifacts.document.words import Words

_ENGLISH: Final = Words(Path(__file__).with_name("english.yaml"))
_LIST: Final = patterns.compile("@([a-z]+)@")

LEVELS: Final = _ENGLISH.row("levels")  # of a risk, from low to high
METHODS: Final = _ENGLISH.row("methods")  # of HTTP
JOINTS: Final = frozenset(_ENGLISH.row("joints"))


def pattern(name: str) -> patterns.Pattern:
    """A pattern by its name. Raises `KeyError` for one that the file does not have."""
    text = _LIST.sub(lambda place: "|".join(_ENGLISH.row(place[1])), _ENGLISH.text(name))
    return patterns.compile(text, patterns.IGNORECASE | patterns.DOTALL)
