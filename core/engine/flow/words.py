"""Words that act when they are a whole message: a depth, or a choice of the open menu."""

from collections.abc import Mapping
from typing import Final

from core.domain.ids import Depth

DEPTH_WORDS: Final[Mapping[str, Depth]] = {
    "deep": "deep",
    "more detail": "deep",
    "let's dig in": "deep",
    "brief": "brief",
    "faster": "brief",
    "keep it short": "brief",
}
MENU_WORDS: Final[Mapping[str, str]] = {
    "c": "forward",
    "continue": "forward",
    "accept": "accept",
    "amend": "amend",
    "s": "skip",
    "skip rest": "skip",
    "e": "elaborate",
    "elaborate": "elaborate",
    "done": "done",
}
WORD_CHARS_MAX: Final = 40  # longer than any of these words


def is_word(text: str) -> bool:
    """True if the whole message is a word that acts, should a menu or a step be open for it."""
    return word_of(text) in DEPTH_WORDS or is_menu_word(text)


def is_menu_word(text: str) -> bool:
    """True if the whole message is the word of a choice."""
    return word_of(text) in MENU_WORDS


def word_of(text: str) -> str:
    """A whole message as a command would be typed: no case, no closing dot, straight quotes."""
    if len(text := text.strip()) > WORD_CHARS_MAX:
        return ""
    return " ".join(text.lower().replace("’", "'").split()).rstrip(".!")
