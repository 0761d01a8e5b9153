"""`take_turn`, `contribute` and `find_cause`: a persona's words about what people wrote."""

from difflib import get_close_matches
from typing import Any, Final

from bot.devtools.provider.exchange import ProviderRequest
from bot.devtools.provider.personalities.thoughtful import asking
from bot.devtools.provider.personalities.thoughtful.reading import pieces_of
from bot.devtools.provider.personalities.thoughtful.sentences import Piece

LINES_MAX: Final = 5
ASKED_FOR: Final = "you are asked for: "
UNCLEAR: Final = "Nothing that was reported shows what the failure came from."
NOTHING: Final = "So far nothing was said that I could take up."


def turn(request: ProviderRequest) -> dict[str, Any]:
    return {"text": _remark(pieces_of(request))}


def contribution(request: ProviderRequest) -> dict[str, Any]:
    """What the system message asks for: "You are asked for: questions"."""
    wanted, lines = request.system.partition(ASKED_FOR)[2], pieces_of(request)
    questions = asking.questions(request, lines) if wanted.startswith("questions") else ()
    return {
        "text": "" if wanted.startswith("cross-question") else _remark(lines),
        "to": None,
        "questions": [{"domain": "scope", "text": row["text"]} for row in questions][:1],
        "lines": [
            {"kind": line.kind, "text": line.text, "quotes": line.quoted()}
            for line in lines[:LINES_MAX]
        ],
        "agrees": True if wanted.startswith("vote") else None,
        "more": False,
    }


def cause(request: ProviderRequest) -> dict[str, Any]:
    """The name of a document that is most like the one that leads nowhere."""
    names = [str(row.get("question")) for row in request.data.get("asked") or ()]
    documents = [str(row.get("name")) for row in request.data.get("documents") or ()]
    alike = [
        (name, document) for name in names for document in get_close_matches(name, documents, n=1)
    ]
    words = [f"“{name}” leads nowhere; “{document}” is there." for name, document in alike]
    return {
        "category": None,
        "findings": " ".join(words) or UNCLEAR,
        "corrections": [{"named": name, "there": document} for name, document in alike],
        "fixed": bool(alike),
    }


def _remark(lines: list[Piece]) -> str:
    wishes = [line for line in lines if line.kind == "requirement"] or lines
    if not wishes:
        return NOTHING
    return f"I take up one sentence: “{wishes[0].quotes[0].rstrip('.')}”. The rest follows from it."
