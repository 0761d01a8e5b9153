"""Replies of a model to a request, written by hand, and the draft that comes of them."""

from functools import partial
from typing import Any

from core.brains.model.quotes import Verified, verify
from core.brains.model.refine import refined
from core.brains.model.replies import ReadReply, parse
from core.brains.model.sent_text import RequestIds
from core.brains.script.reading import read
from core.domain.answers import Claim, Draft, ReadRequest

Quoted = tuple[str, str]
"""An id and words: ("A1", "within ten seconds")."""


def ids_of(request: ReadRequest) -> RequestIds:
    every = (*request.answers, *request.other_answers)
    people = {f"P{number}": user for number, user in enumerate(request.names, start=1)}
    return RequestIds(
        {f"A{number}": answer.id for number, answer in enumerate(every, start=1)},
        people=people,
        names={number: request.names[user] for number, user in people.items()},
    )


def quote(answer: str, text: str) -> dict[str, str]:
    return {"answer": answer, "text": text}


def line(kind: str, text: str, *quotes: Quoted, of: Quoted | None = None) -> dict[str, Any]:
    every = [quote(*one) for one in quotes]
    return {"kind": kind, "text": text, "quotes": every, "of": quote(*of) if of else None}


def reply(*lines: dict[str, Any], **more: Any) -> ReadReply:
    whole = {"lines": list(lines), "criteria": [], "cannot_tell": None, **more}
    parsed = parse("read_answers", whole)
    assert isinstance(parsed, ReadReply)
    return parsed


def verified(request: ReadRequest, *lines: dict[str, Any], **more: Any) -> Verified:
    return verify(reply(*lines, **more), request, ids_of(request))


def laid_over(request: ReadRequest, *lines: dict[str, Any], **more: Any) -> Draft:
    """The draft of the script, refined by a reply."""
    true = verified(request, *lines)
    return read(request, partial(refined, verified=true, request=request), **more)


def only(draft: Draft, kind: str) -> Claim:
    (claim,) = [claim for claim in draft.claims if claim.kind == kind]
    return claim
