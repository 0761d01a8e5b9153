"""Messages that act by their words: a depth, a choice of the open menu, or leave to go on."""

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


WORDS_MAX: Final = 16
SIGNS: Final = ".,;:!?()[]\"'“”‘’„«»`*_~…–—-"
_LISTED: Final = """
    a about add added again ahead already an and any anymore are aren't at available be been but by
    can can't carry come comes continue could delete deleted did didn't do document does doesn't
    don't done drop exist existed exists file folder for forget found further get go goes gone good
    got has hasn't have haven't here i i've ignore in into is isn't it it's just leave lies longer
    lost maybe me mind more moved much need needed needs never next no nobody none nor not nothing
    now of off ok okay on one our out over please proceed put ready removed retry right same see
    skip skipped so some something sorry still step such sure thank thanks that that's the them
    then there there's these they this those to too try up upload uploaded us was wasn't we we'll
    we've were will with without won't work yes yet you
"""
WORDS: Final = frozenset(_LISTED.split())


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
