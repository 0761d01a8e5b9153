"""`take_turn`, `contribute` and `find_cause`: a persona's words about what people wrote."""

from difflib import get_close_matches
from typing import Any, Final

from bot.devtools.provider.exchange import Asked
from bot.devtools.provider.personalities.thoughtful import asking
from bot.devtools.provider.personalities.thoughtful.reading import pieces_of
from bot.devtools.provider.personalities.thoughtful.sentences import Piece

LINES_MAX: Final = 5
NOTHING: Final = "So far nothing was said that I could take up."


def turn(asked: Asked) -> dict[str, Any]:
    return {"text": _remark(pieces_of(asked))}


def contribution(asked: Asked) -> dict[str, Any]:
    lines = pieces_of(asked)
    wanted = [question["text"] for question in asking.questions(asked, lines)]
    return {
        "text": _remark(lines),
        "to": None,
        "questions": [{"domain": "scope", "text": text} for text in wanted[:1]],
        "lines": [
            {"kind": line.kind, "text": line.text, "quotes": line.quoted()}
            for line in lines[:LINES_MAX]
        ],
        "agrees": True,
        "more": False,
    }


def cause(asked: Asked) -> dict[str, Any]:
    """The name of a document that is most like the one that leads nowhere."""
    missing, there = str(asked.data.get("missing") or ""), asked.data.get("there") or ()
    alike = get_close_matches(missing, there, n=1)
    findings = f"“{missing}” leads nowhere; “{alike[0]}” is there." if alike else NOTHING
    return {
        "category": None,
        "findings": findings,
        "corrections": [{"named": missing, "there": name} for name in alike],
        "fixed": bool(alike),
    }


def _remark(lines: list[Piece]) -> str:
    wishes = [line for line in lines if line.kind == "requirement"] or lines
    if not wishes:
        return NOTHING
    return f"I take up one sentence: “{wishes[0].quotes[0].rstrip('.')}”. The rest follows from it."
