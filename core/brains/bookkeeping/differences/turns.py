"""What a line does to what was said before: it gives in, turns down, judges a number."""

from collections.abc import Iterator
from typing import Final

from core import patterns
from core.brains.bookkeeping.differences import lexis
from core.brains.bookkeeping.differences.lexis import WORD, content

GIVEN_UP_WORDS_MAX: Final = 4
_SENTENCE_END: Final = patterns.compile(r"[.;!?]+\s+|\n")


def concedes(text: str) -> bool:
    """ "ok 14", "fair, dropping slack", "I'd have said 50 but ok, 25", "72h then, since …"."""
    return bool(
        lexis.pattern("concedes", r"\W{0,3}", r"[\s,.:;!–-]+[^\s,.:;!?–-]").match(text)
        or lexis.pattern("concedes-behind").search(text)
        or lexis.pattern("concedes-last", r"\w", r"\W*$").search(text)
        or lexis.pattern("cues-last", r"\b", r"\s*(?:[.,;!)]|$)").search(text)
    )


def is_denied(line: str, message: str, reply: str) -> bool:
    """True if a reply of somebody else opens with a plain no, and the line ends the message that
    stands right before it; a no to a question denies nothing."""
    if "?" in message or not lexis.pattern("opens-with-no").match(reply):
        return False
    return not message.rpartition(line)[2].strip(" .!\n")


# ── turned down ────────────────────────────────────────────────────────────────────────────────


def given_up(text: str) -> Iterator[frozenset[str]]:
    """The things that a line turns down: "forget the kiosk", "the kiosk is dead"."""
    for sentence in _SENTENCE_END.split(text):
        for form in ("gives-up", "is-given-up"):
            if match := lexis.pattern(form).match(sentence):
                tokens = WORD.findall(match["thing"])
                words = frozenset(content(tokens))
                is_condition = tokens[:1] and tokens[0] in lexis.words("condition")
                if not is_condition and 0 < len(words) <= GIVEN_UP_WORDS_MAX:
                    yield words
    for match in lexis.pattern("asked-and-denied").finditer(text):
        if words := frozenset(content(WORD.findall(match["thing"]))):
            yield words


def commented(text: str) -> Iterator[patterns.Match]:
    """Numbers of which a sentence says how they are: "120 is an eternity at 3am"."""
    for sentence in _SENTENCE_END.split(text):
        if match := lexis.pattern("comments-number").match(sentence):
            yield match
