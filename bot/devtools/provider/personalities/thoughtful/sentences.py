"""Answers cut into pieces: each is a sentence as it was typed, so that it can be quoted."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from bot.devtools.provider.exchange import Json
from bot.devtools.provider.personalities.thoughtful.cues import (
    DOUBTS,
    KINDS,
    NOT_PLAIN,
    ONLY_AT,
    OPENERS,
    PRONOUNS,
    STATING,
    STORY_STARTS,
    SUBJECTS,
    has_any,
    words_of,
)

MARKERS: Final = tuple("-*•–")
ENDS: Final = (".", "!", "?", "…")
WORDS_MIN: Final = 2
QUOTE_CHARS_MAX: Final = 600  # a reply has room for 2,000 a text
PLAIN_WORDS_MIN: Final = 4
JOINED_WORDS_MAX: Final = 12


@dataclass(frozen=True, slots=True)
class Piece:
    """`quotes`: the words as they were typed, each of the answer with that id.

    `number`: of the item in the answer, as people number what they answer; 0 without one.
    `is_sure`: its words show its kind, and not only the step's title.
    """

    answer: str
    quotes: tuple[str, ...]
    text: str
    kind: str
    number: int = 0
    is_sure: bool = False

    def quoted(self) -> list[dict[str, str]]:
        return [{"answer": self.answer, "text": quote} for quote in self.quotes]


def pieces(answers: Iterable[Json], plain_kind: str = "fact") -> list[Piece]:
    """All pieces of all answers; one that goes on about the last is joined to it."""
    result: list[Piece] = []
    for answer in answers:
        name, start = str(answer.get("id", "")), len(result)
        for number, quote in _quotes(answer["text"]):
            if len(result) > start and result[-1].is_sure and _goes_on(quote):
                result[-1] = _joined(result[-1], quote)
            else:
                sign = sign_of(quote, plain_kind)
                kind = sign or ("question" if quote.endswith("?") else plain_kind)
                result.append(Piece(name, (quote,), line_of(quote), kind, number, bool(sign)))
    return result


def line_of(quote: str) -> str:
    """The quote as a sentence of its own: capital, full stop, nothing to begin with."""
    text = quote.strip()
    for opener in OPENERS:
        if text.casefold().startswith(f"{opener} "):
            text = text[len(opener) :].strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith(ENDS) else f"{text.rstrip(',;:')}."


def sign_of(quote: str, plain_kind: str) -> str:
    """The kind that a sentence's words show; empty for a question, and where they show none."""
    if quote.rstrip().endswith("?"):
        return ""
    if quote.casefold().startswith(tuple(f"{start} " for start in STORY_STARTS)):
        return "story"
    kind = next((kind for kind, phrases in KINDS.items() if has_any(quote, phrases)), "")
    if kind:
        return kind if plain_kind in ONLY_AT.get(kind, (plain_kind,)) else ""
    return plain_kind if plain_kind in STATING and _is_plain(quote) else ""


def _is_plain(quote: str) -> bool:
    words = quote.split()
    is_whole = quote[:1].isupper() and quote.endswith(".") and len(words) >= PLAIN_WORDS_MIN
    return is_whole and ":" not in quote and not has_any(quote, NOT_PLAIN)


def _goes_on(quote: str) -> bool:
    words = words_of(quote)
    return words[0] in PRONOUNS and len(words) <= JOINED_WORDS_MAX and not quote.endswith("?")


def _joined(piece: Piece, quote: str) -> Piece:
    rest = line_of(quote)
    text = f"{piece.text.rstrip('.')}; {rest[:1].lower()}{rest[1:]}"
    return replace(piece, quotes=(*piece.quotes, quote), text=text)


def numbered(line: str) -> tuple[int, str]:
    """The number of a list's item and the text behind it; 0 for a line without one."""
    line = line.strip()
    if line[:1] in MARKERS and line[1:2].isspace():
        line = line[1:].strip()
    number, sign, rest = line.partition(" ")
    if sign and number[:-1].isdecimal() and number.endswith((".", ")")):
        return int(number[:-1]), rest.strip()
    return 0, line


def _quotes(text: str) -> Iterator[tuple[int, str]]:
    for line in text.splitlines():
        number, item = numbered(line)
        for sentence in _sentences(item):
            for part in _parts(sentence):
                if len(words_of(part)) >= WORDS_MIN and len(part) <= QUOTE_CHARS_MAX:
                    yield number, part


def _sentences(line: str) -> Iterator[str]:
    sentence = ""
    for word in line.split():
        if sentence.endswith(ENDS) and (word[:1].isupper() or not word[:1].isalnum()):
            yield sentence
            sentence = word
        else:
            sentence = f"{sentence} {word}".strip()
    if sentence:
        yield sentence


def _parts(sentence: str) -> Iterator[str]:
    """Both sides of a semicolon, where each is a sentence; one with a doubt in it stays whole."""
    parts = [part.strip() for part in sentence.split("; ")]
    starts = {(words_of(part) or [""])[0] for part in parts[1:]}
    if starts <= SUBJECTS and not has_any(sentence, DOUBTS):
        yield from parts
    else:
        yield sentence
