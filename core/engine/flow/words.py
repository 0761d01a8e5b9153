"""Messages that act by their words: a depth, a choice of the open menu, or leave to go on."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from core import patterns
from core.data_tables import read_table
from core.domain.ids import DEPTHS

_TABLE: Final = read_table(Path(__file__).with_name("words.toml"))
_DEPTHS: Final = _TABLE.table("depth")
DEPTH_WORDS: Final = {word: _DEPTHS.word(word, DEPTHS) for word in _DEPTHS.content}
MENU_WORDS: Final = _TABLE.table("menu").texts()
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


# Of a list that somebody puts: "A) a lock", "(B) a lease", "C: no lock"; "A a lock" opens a line.
# Small letters number what is asked for, and take nothing from the words of a menu.
_OPTION: Final = patterns.compile(
    r"(?:^|\s)\(?(?P<marked>[A-E])[):](?:\s|$)|(?:^|\n)[\s>*-]*(?P<opens>[A-E])\.?\s"
)


def is_letter(text: str) -> bool:
    """True if the whole message is one letter."""
    return len(word_of(text)) == 1


def is_option(letter: str, answers: Iterable[str]) -> bool:
    """True if an answer puts options A, B and so on, and the letter is that of one of them."""
    for text in answers:
        letters = {match["marked"] or match["opens"] for match in _OPTION.finditer(text)}
        if len(letters) > 1 and word_of(letter).upper() in letters:
            return True
    return False


WORDS_MAX: Final = 16
SIGNS: Final = ".,;:!?()[]\"'“”‘’„«»`*_~…–—-"
WORDS: Final = frozenset(_TABLE.table("unblocking").texts()["words"].split())


def only_unblocks(text: str, missing: str) -> bool:
    """True if a reply says no more than that the step can go on.

    `missing` is the name of the document it waits for, which may be named.
    """
    words = text.casefold().replace("’", "'").split()
    if not words or len(words) > WORDS_MAX:
        return False
    empty = WORDS | {missing.casefold()}
    plain = (word.strip(SIGNS) for word in words)
    return all(word in empty or not word for word in plain)
