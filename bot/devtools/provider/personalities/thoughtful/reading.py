"""`read_answers`: lines with their quotes, and criteria that are met."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from bot.devtools.provider.exchange import Json, ProviderRequest
from bot.devtools.provider.personalities.thoughtful.cues import (
    CRITERIA,
    TITLES,
    has_any,
    has_number,
    stems,
)
from bot.devtools.provider.personalities.thoughtful.sentences import Piece, numbered, pieces

OF_ANOTHER: Final = ("check", "priority")
_SORTED: Final = frozenset(
    (
        *("requirement", "check", "exclusion", "decision", "option", "risk", "question"),
        *("quality", "story", "priority", "scope", "module", "interface", "data", "error"),
        *("entry-point", "fact", "constraint", "note"),
    )
)
"""The kinds that a line of this task may have."""


def pieces_of(request: ProviderRequest) -> list[Piece]:
    return pieces(request.answers, _plain_kind(request.data))


def meaning(request: ProviderRequest) -> dict[str, Any]:
    pieces = pieces_of(request)
    lines = [
        line
        for piece in pieces
        for line in ((piece,) if piece.is_sure else _as_sorted(piece, request.data))
    ]
    return {
        "lines": [
            {
                "kind": line.kind,
                "text": line.text,
                "quotes": line.quoted(),
                "of": _whose(line, lines[:place]),
            }
            for place, line in enumerate(lines)
        ],
        "criteria": [_judged(criterion, pieces, request) for criterion in criteria_of(request)],
        "cannot_tell": None,
    }


def _as_sorted(piece: Piece, data: Json) -> Iterator[Piece]:
    """The lines that the request's own rules made of the piece, in people's words, if they did.

    The last entry of `earlier` holds them, where it is of the step itself.
    """
    earlier = data.get("earlier") or [{}]
    step_entry = earlier[-1] if earlier[-1].get("step") == step_of(data).get("id") else {}
    quoted_text = " ".join(piece.quotes)
    for line in step_entry.get("lines") or ():
        kind, text = str(line.get("kind")), str(line.get("text"))
        words = text if text in quoted_text else quoted_text if quoted_text in text else ""
        if words and kind in _SORTED:
            yield replace(piece, kind=kind, text=words, quotes=(words,))


def _whose(line: Piece, earlier_lines: Sequence[Piece]) -> dict[str, str] | None:
    """The requirement that a check or a rank is of: the last one in the same answer."""
    if line.kind not in OF_ANOTHER:
        return None
    wishes = [
        wish for wish in earlier_lines if wish.kind == "requirement" and wish.answer == line.answer
    ]
    return wishes[-1].quoted()[0] if wishes else None


def criteria_of(request: ProviderRequest) -> Sequence[Json]:
    criteria: Sequence[Json] = step_of(request.data).get("validation") or ()
    return criteria


def step_of(data: Json) -> Json:
    step: Json = data.get("step") or {}
    return step


def _plain_kind(data: Json) -> str:
    """The kind that the step's title speaks of, for a sentence without a sign of its own."""
    title = str(step_of(data).get("title", ""))
    return next((kind for kind, words in TITLES.items() if has_any(title, words)), "fact")


def _judged(criterion: Json, lines: Sequence[Piece], request: ProviderRequest) -> dict[str, Any]:
    support = supporting(str(criterion.get("text", "")), lines, request)
    return {
        "id": criterion.get("id"),
        "met": support is not None,
        "quotes": support.quoted() if support else [],
    }


def supporting(criterion: str, lines: Sequence[Piece], request: ProviderRequest) -> Piece | None:
    """The piece that meets a criterion, by the first of these that there is: the signs that it asks
    for, the number of the question that asks for it, two of its words."""
    for row in CRITERIA:
        if has_any(criterion, row["asks"]):
            return next((line for line in lines if _gives(line, row)), None)
    statements = [line for line in lines if line.kind != "question"]
    number = _question_number(criterion, str(step_of(request.data).get("section", "")))
    if numbered_line := next((line for line in statements if line.number == number > 0), None):
        return numbered_line
    wanted = stems(criterion)
    shared = max(statements, key=lambda line: len(wanted & stems(line.text)), default=None)
    return shared if shared and len(wanted & stems(shared.text)) >= 2 else None


def _question_number(criterion: str, section: str) -> int:
    """The number of the step's question that has most words of the criterion; 0 for none."""
    wanted = stems(criterion)
    questions = [numbered(line) for line in section.splitlines()]
    counts = {number: len(wanted & stems(text)) for number, text in questions if number}
    best = max(counts, key=lambda number: counts[number], default=0)
    return best if counts.get(best) else 0


def _gives(line: Piece, row: Mapping[str, Any]) -> bool:
    return (
        (bool(row.get("number")) and has_number(line.text))
        or line.kind in row.get("kinds", ())
        or bool(has_any(line.text, row.get("words", ())))
    )
