"""`ask_and_propose`: one question about one line, and up to two things that nobody said."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from bot.devtools.provider.exchange import ProviderRequest
from bot.devtools.provider.personalities.thoughtful.cues import (
    DEEDS,
    NOBODY,
    VAGUE,
    has_any,
    has_number,
    is_english,
)
from bot.devtools.provider.personalities.thoughtful.reading import (
    criteria_of,
    pieces_of,
    supporting,
)
from bot.devtools.provider.personalities.thoughtful.sentences import Piece

QUOTE_CHARS_MAX: Final = 90
PROPOSALS_MAX: Final = 2
OPEN: Final = "open"  # a question that waits for its answer: another one would be too many
NEXT: Final = "next"  # what would be asked now if nobody had anything better
WISHES: Final = ("requirement", "quality", "story")


def meaning(request: ProviderRequest) -> dict[str, Any]:
    lines = [line for line in pieces_of(request) if line.is_sure]
    waits = any(row.get("outcome") == OPEN for row in request.data.get("asked") or ())
    if not is_english(" ".join(line.text for line in lines)):
        return {"question": None, "proposals": []}
    return {
        "question": None if waits else next(questions(request, lines), None),
        "proposals": list(_proposals(lines))[:PROPOSALS_MAX],
    }


def questions(request: ProviderRequest, lines: Sequence[Piece]) -> Iterator[dict[str, Any]]:
    """Questions that were not asked before, and are about no line that one was asked about."""
    earlier_rows = [row for row in request.data.get("asked") or () if row.get("outcome") != NEXT]
    texts = {row.get("question") for row in earlier_rows}
    about = {(row.get("line") or {}).get("text") for row in earlier_rows}
    for question in _questions(request, lines):
        if question["text"] not in texts and question["line"]["text"] not in about:
            yield question


def _questions(request: ProviderRequest, lines: Sequence[Piece]) -> Iterator[dict[str, Any]]:
    for line in lines:
        if (
            line.kind in WISHES
            and (word := has_any(line.text, VAGUE))
            and not has_number(line.text)
        ):
            yield _question("number", f"which number says what “{word}” means here", line)
    for line in lines:
        if line.kind == "requirement" and not _is_checked(line, lines):
            yield _question("check", "what would you look at to see that it is done", line)
    for line in lines:
        if line.kind == "decision" and not any(piece.kind == "option" for piece in lines):
            yield _question("alternative", "what else did you look at before that", line)
    for line in lines:
        if word := has_any(line.text, NOBODY):
            yield _question("person", f"who exactly is meant by “{word}”", line)
    if any(row.get("outcome") == NEXT for row in request.data.get("asked") or ()):
        return  # what will be asked anyhow is about something that is missing as well
    for criterion in criteria_of(request):
        text = str(criterion.get("text", "")).rstrip(".")
        if lines and text and supporting(text, lines, request) is None:
            wanted, _, _ = text.partition(", or ")
            yield _question("missing", f"what would you add about “{wanted}”", lines[0])


def _question(kind: str, words: str, line: Piece) -> dict[str, Any]:
    quote = line.quoted()[0]
    return {"text": f"{_short(quote['text'])}: {words}?", "kind": kind, "line": quote}


def _proposals(lines: Sequence[Piece]) -> Iterator[dict[str, Any]]:
    wishes = [line for line in lines if line.kind in WISHES]
    unchecked = [line for line in wishes if not _is_checked(line, lines)]
    for line in unchecked[:1]:
        text = f"Somebody who did not build it has seen that it holds: {_inner(line.text)}."
        yield _proposal("check", text, "Nothing that was said tells how to see that.", line)
    if any(line.kind in ("risk", "error") for line in lines):
        return
    for line in wishes:
        if deed := has_any(line.text, DEEDS):
            text = f"{DEEDS[deed]} stops half-way, and whoever waits for it is not told."
            yield _proposal("risk", text, "Nobody spoke of what happens when it fails.", line)
            return


def _proposal(kind: str, text: str, reason: str, line: Piece) -> dict[str, Any]:
    return {"kind": kind, "text": text, "reason": reason, "of": line.quoted()[0]}


def _is_checked(line: Piece, lines: Sequence[Piece]) -> bool:
    return has_number(line.text) or any(
        piece.kind == "check" and piece.answer == line.answer for piece in lines
    )


def _short(text: str) -> str:
    """The line's first words, letter for letter."""
    text = text.rstrip(".?!")
    if len(text) <= QUOTE_CHARS_MAX:
        return f"“{text}”"
    return f"“{text[:QUOTE_CHARS_MAX].rpartition(' ')[0]}” …"


def _inner(text: str) -> str:
    is_name = text[1:2].isupper() or text.startswith("I ")
    return (text if is_name else f"{text[:1].lower()}{text[1:]}").rstrip(".?!")
