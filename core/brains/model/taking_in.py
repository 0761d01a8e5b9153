"""What of a model's reply is taken in: lines that quote people, a question, what it proposes. Pure.

And how lines that were taken in are laid over the script's at every reading since: their quotes are
looked for again, in the answers as they read then.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from core.brains.bookkeeping.answering import order_of
from core.brains.bookkeeping.spoken import Claims
from core.brains.model.harmless import harmless
from core.brains.model.quotes import VerifiedLine, line_ref, verify
from core.brains.model.refine import refined
from core.brains.model.replies import (
    AskReply,
    Line,
    LineKind,
    ProposalKind,
    Quote,
    ReadReply,
    ReplyError,
    parse,
)
from core.brains.model.requests import Prepared
from core.brains.model.review import flaws_of_asking, flaws_of_reading
from core.brains.model.sent_text import RequestIds
from core.domain.answers import ClaimKind, ReadRequest
from core.domain.follow_ups import FollowUp, LineRef
from core.domain.model_calls import ModelLine, ModelTask, Proposal, ProviderFault

REASON_CHARS_MAX: Final = 200
_PROPOSED: Final[Mapping[ProposalKind, ClaimKind]] = {
    "check": "check",
    "option": "option",
    "risk": "risk",
    "requirement": "requirement",
    "wording": "note",
}


class FlawedReplyError(Exception):
    """A reply that is not taken in. `flaws`: why, in words for its repair."""

    def __init__(self, kind: ProviderFault, *flaws: str) -> None:
        super().__init__("; ".join(flaws))
        self.kind: ProviderFault = kind
        self.flaws = flaws


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What a reply brought."""

    lines: tuple[ModelLine, ...] = ()
    question: FollowUp | None = None
    proposals: tuple[Proposal, ...] = ()


def taken_in(
    asks: ModelTask, request: ReadRequest, prepared: Prepared, arguments: Mapping[str, Any]
) -> TakenIn:
    """What of a reply to one of the two requests of a reading stands. Raises `FlawedReplyError`."""
    try:
        reply = parse(asks, arguments)
    except ReplyError as error:
        raise FlawedReplyError("unexpected", str(error)) from None
    if isinstance(reply, ReadReply):
        return _read(reply, request, prepared.ids)
    assert isinstance(reply, AskReply), asks
    return _asked(reply, request, prepared.ids)


def _read(reply: ReadReply, request: ReadRequest, ids: RequestIds) -> TakenIn:
    if reply.cannot_tell and not reply.lines:
        raise FlawedReplyError("unsure", harmless(reply.cannot_tell, ids))
    verified = verify(reply, request, ids)
    if flaws := flaws_of_reading(reply, verified, request, ids):
        raise FlawedReplyError("misaligned", *flaws)
    return TakenIn(tuple(map(_kept, verified.lines)))


def _kept(line: VerifiedLine) -> ModelLine:
    """The line as it is stored: its quotes are looked for anew at each reading."""
    quotes = tuple(LineRef(quote.answer, quote.words) for quote in line.quotes)
    kind = cast("ClaimKind", line.suggested or line.kind)
    return ModelLine(kind, line.text, quotes, line.of)


def _asked(reply: AskReply, request: ReadRequest, ids: RequestIds) -> TakenIn:
    if flaws := flaws_of_asking(reply, request, ids):
        raise FlawedReplyError("misaligned", *flaws)
    proposals = tuple(
        Proposal(
            _PROPOSED[one.kind],
            harmless(one.text, ids),
            harmless(one.reason, ids, REASON_CHARS_MAX),
            line_ref(one.of, ids),
        )
        for one in reply.proposals
    )
    if reply.question is None:
        return TakenIn(proposals=proposals)
    newest = max((answer.ts for answer in request.answers), key=order_of, default="")
    question = FollowUp(
        reply.question.kind,
        harmless(reply.question.text, ids),
        line_ref(reply.question.line, ids),
        after=newest,
    )
    return TakenIn((), question, proposals)


def laid_over(request: ReadRequest) -> Callable[[Claims], Claims]:
    """What lays the lines that a model read over the script's."""
    lines = request.model.lines if request.model else ()
    ids = RequestIds({answer.id: answer.id for answer in request.answers})
    reply = ReadReply(lines=tuple(map(_line, lines)), criteria=())

    def lay(script: Claims) -> Claims:
        return refined(script, verify(reply, request, ids), request) if lines else script

    return lay


def _line(line: ModelLine) -> Line:
    quotes = tuple(Quote(answer=one.answer, text=one.quote) for one in line.quotes)
    of = Quote(answer=line.of.answer, text=line.of.quote) if line.of else None
    text = line.text or " … ".join(one.quote for one in line.quotes)
    return Line(kind=cast("LineKind", line.kind), text=text, quotes=quotes, of=of)
