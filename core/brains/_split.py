"""An answer as the thoughts it is made of: code blocks, lines, list items, sentences.

Nothing is dropped but white space and the signs that open a list item.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_CODE: Final = re.compile(r"(?<!`)(`{3,})(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
_LINE_END: Final = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
_ITEM: Final = re.compile(r"(?:(?:[-*+•‣◦▪●–—]|\(?[0-9]{1,3}[.)]|[A-Za-z]\))\s+)+(?=\S)")
_ITEM_ALONE: Final = re.compile(r"[-*+•‣◦▪●–—]|\(?[0-9]{1,3}\)|[A-Za-z]\)")
_SENTENCE_END: Final = re.compile(r"[.!?…]+[\"'”’)\]]*\s+(?=\S)|[。！？]+[\"'”’」』）)]*\s*(?=\S)")
_STORY_OPENS: Final = re.compile(r"as (?:an?|the)\b[^.!?]*$", re.IGNORECASE)
_STORY_GOES_ON: Final = re.compile(
    r"(?:i (?:want|need|wish|would like)|i['’]d like|so that|in order to|so (?:i|we|they) can)\b",
    re.IGNORECASE,
)
_NEVER_ENDS: Final = frozenset({"e.g", "i.e", "vs", "cf", "approx", "mr", "mrs", "ms", "dr", "fig"})
_SELDOM_ENDS: Final = frozenset(
    {"etc", "no", "nr", "incl", "min", "max", "al"}
)  # not before a small one


@dataclass(frozen=True, slots=True)
class Fragment:
    """One thought. `opens` is false for a sentence that goes on from the one before it."""

    text: str
    opens: bool = True
    code: bool = False


def split(text: str) -> tuple[Fragment, ...]:
    """The fragments of an answer, in its order. An answer of a bare sign is one fragment."""
    found = tuple(_fragments(text))
    return found or ((Fragment(text.strip()),) if text.strip() else ())


def _fragments(text: str) -> Iterator[Fragment]:
    start = 0
    for block in _CODE.finditer(text):
        yield from _prose(text[start : block.start()])
        yield Fragment(block[0], code=True)
        start = block.end()
    yield from _prose(text[start:])


def _prose(piece: str) -> Iterator[Fragment]:
    for line in _lines(piece):
        for number, sentence in enumerate(_sentences(line)):
            yield Fragment(sentence, opens=number == 0)


def _lines(piece: str) -> list[str]:
    """Lines without their list signs; a user story written over several lines is one line."""
    lines: list[str] = []
    for raw in _LINE_END.split(piece):
        line = _ITEM.sub("", raw.strip(), count=1) if _ITEM.match(raw.strip()) else raw.strip()
        if not line or _ITEM_ALONE.fullmatch(line):
            continue
        if lines and _STORY_GOES_ON.match(line) and _STORY_OPENS.match(lines[-1]):
            lines[-1] = f"{lines[-1]} {line}"
        else:
            lines.append(line)
    return lines


def _sentences(line: str) -> list[str]:
    sentences, start = [], 0
    for match in _SENTENCE_END.finditer(line):
        if _ends(line[start : match.start()], match[0].rstrip(), line[match.end()]):
            sentences.append(line[start : match.end()].strip())
            start = match.end()
    return [*sentences, line[start:].strip()]


def _ends(before: str, sign: str, following: str) -> bool:
    """Whether a full stop ends the sentence, or only a shortened word."""
    if sign != ".":
        return not (sign in ("...", "…") and following.islower())
    word = before.rsplit(None, 1)[-1].lstrip("(\"'“‘[").casefold() if before.strip() else ""
    if word in _NEVER_ENDS or (len(word) == 1 and word.isalpha()):
        return False
    return not (word in _SELDOM_ENDS and not following.isupper())
