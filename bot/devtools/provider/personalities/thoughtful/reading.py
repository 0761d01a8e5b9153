"""`read_answers`: lines with their quotes, criteria that are met, and the size that was named."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from bot.devtools.provider.exchange import Asked, Json
from bot.devtools.provider.personalities.thoughtful.cues import (
    CRITERIA,
    KINDS,
    SCAN,
    has_any,
    has_number,
    stems,
    words_of,
)
from bot.devtools.provider.personalities.thoughtful.sentences import Piece, pieces


def pieces_of(asked: Asked) -> list[Piece]:
    return pieces(asked.answers, _plain_kind(asked.data))


def meaning(asked: Asked) -> dict[str, Any]:
    lines = pieces_of(asked)
    return {
        "lines": [
            {"kind": line.kind, "text": line.text, "quotes": line.quoted(), "of": None}
            for line in lines
        ],
        "criteria": [_judged(criterion, lines) for criterion in criteria_of(asked)],
        "scan": _scan(lines),
        "cannot_tell": None,
    }


def criteria_of(asked: Asked) -> Sequence[Json]:
    criteria: Sequence[Json] = (asked.data.get("step") or {}).get("validation") or ()
    return criteria


def _plain_kind(data: Json) -> str:
    """The kind that the step's title speaks of, for a sentence without a sign of its own."""
    title = str((data.get("step") or {}).get("title", ""))
    return next((kind for kind in KINDS if has_any(title, (kind, f"{kind}s"))), "fact")


def _judged(criterion: Json, lines: Sequence[Piece]) -> dict[str, Any]:
    support = supporting(str(criterion.get("text", "")), lines)
    return {
        "id": criterion.get("id"),
        "met": support is not None,
        "quotes": support.quoted() if support else [],
    }


def supporting(criterion: str, lines: Sequence[Piece]) -> Piece | None:
    """The piece that meets a criterion: by the signs that it asks for, else by two of its words."""
    statements = [line for line in lines if line.kind != "question"]
    for row in CRITERIA:
        if has_any(criterion, row["asks"]):
            return next((line for line in statements if _gives(line, row)), None)
    wanted = stems(criterion)
    shared = max(statements, key=lambda line: len(wanted & stems(line.text)), default=None)
    return shared if shared and len(wanted & stems(shared.text)) >= 2 else None


def _gives(line: Piece, row: Mapping[str, Any]) -> bool:
    return (
        (bool(row.get("number")) and has_number(line.text))
        or line.kind in row.get("kinds", ())
        or bool(has_any(line.text, row.get("words", ())))
    )


def _scan(lines: Sequence[Piece]) -> dict[str, Any] | None:
    """What somebody called the size; nothing is guessed from anything else."""
    fields = {
        "scope": _named(lines, SCAN["scope"]),
        "complexity": _named(lines, SCAN["complexity"]),
        "file_count": next(_counts(lines), None),
    }
    return fields if any(fields.values()) else None


def _named(lines: Sequence[Piece], words: Mapping[str, str]) -> dict[str, Any] | None:
    for line in lines:
        if line.kind != "question" and (word := has_any(line.text, words)):
            return {"value": words[word], "quotes": line.quoted()}
    return None


def _counts(lines: Sequence[Piece]) -> Iterator[dict[str, Any]]:
    for line in lines:
        words = words_of(line.text)
        for number, noun in pairwise(words):
            if noun in SCAN["files"] and number.isdecimal():
                yield {"value": int(number), "quotes": line.quoted()}
