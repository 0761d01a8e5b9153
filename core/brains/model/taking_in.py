"""What of a model's reply is taken in: lines that quote people, a question, what it proposes. Pure.

And how lines that were taken in are laid over the script's at every reading since: their quotes are
looked for again, in the answers as they read then.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from core.brains.model.asking import (
    QUESTION_CHARS_MAX,
    proposals_of,
    question_of,
    said_in,
)
from core.brains.model.flaws import ask_flaws, flaws
from core.brains.model.harmless import harmless
from core.brains.model.quotes import VerifiedLine, ref_of, verify
from core.brains.model.refine import refined
from core.brains.model.replies import (
    AskReply,
    LineKind,
    ReadReply,
    ReplyError,
    ReplyLine,
    ReplyQuote,
    parse,
)
from core.brains.model.sent_text import RequestIds
from core.brains.model.wording import points
from core.domain.answers import Claims, Draft, ReadRequest
from core.domain.follow_ups import FollowUp
from core.domain.ids import order_of
from core.domain.model_calls import ModelLine, ModelTask, ProviderFault
from core.domain.persona_proposals import PersonaProposal

Parsed = TypeVar("Parsed", ReadReply, AskReply)


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
    open_criteria: tuple[str, ...] = ()
    question: FollowUp | None = None
    proposals: tuple[PersonaProposal, ...] = ()


def lines_in(arguments: Mapping[str, Any], request: ReadRequest, ids: RequestIds) -> TakenIn:
    """What of a reading stands. Raises `FlawedReplyError`, as `asked_in` does."""
    reply = _parse_reply(ReadReply, "read_answers", arguments)
    if reply.cannot_tell and not reply.lines:
        text = harmless(reply.cannot_tell, ids, QUESTION_CHARS_MAX).replace("?", ".")
        raise FlawedReplyError("unsure", *([] if points(text, said_in(request)) else [text]))
    verified = verify(reply, request, ids)
    if reply_flaws := flaws(reply, verified, request, ids):
        raise FlawedReplyError("misaligned", *reply_flaws)
    return TakenIn(tuple(map(_as_model_line, verified.lines)), verified.open)


def asked_in(
    arguments: Mapping[str, Any],
    request: ReadRequest,
    draft: Draft,
    ids: RequestIds,
    *,
    is_repair: bool = False,
) -> TakenIn:
    """What of a question and of proposals stands. Raises `FlawedReplyError`."""
    reply = _parse_reply(AskReply, "ask_and_propose", arguments)
    if reply_flaws := ask_flaws(reply, request, draft, ids, may_end=is_repair):
        raise FlawedReplyError("misaligned", *reply_flaws)
    question = question_of(reply, request, draft, ids)
    if question is not None:
        newest = max((answer.ts for answer in request.answers), key=order_of, default="")
        question = replace(question, after=newest)
    return TakenIn(question=question, proposals=proposals_of(reply, request, draft, ids))


def _parse_reply(kind: type[Parsed], task: ModelTask, arguments: Mapping[str, Any]) -> Parsed:
    try:
        reply = parse(task, arguments)
    except ReplyError as error:
        raise FlawedReplyError("unexpected", str(error)) from None
    assert isinstance(reply, kind), task
    return reply


def _as_model_line(line: VerifiedLine) -> ModelLine:
    text = "" if line.text == line.quoted else line.text  # what stands in its quotes stands once
    return ModelLine(line.kind, text, tuple(map(ref_of, line.quotes)), line.of)


def laid_over(request: ReadRequest) -> Callable[[Claims], Claims]:
    """What lays the lines that a model read over the script's."""
    lines = request.model.lines if request.model else ()
    ids = RequestIds({answer.id: answer.id for answer in request.answers})
    reply = ReadReply(lines=tuple(map(_line, lines)), criteria=())

    def lay(script: Claims) -> Claims:
        return refined(script, verify(reply, request, ids), request) if lines else script

    return lay


def _line(line: ModelLine) -> ReplyLine:
    quotes = tuple(ReplyQuote(answer=quote.answer, text=quote.quote) for quote in line.quotes)
    of = ReplyQuote(answer=line.of.answer, text=line.of.quote) if line.of else None
    text = line.text or " … ".join(quote.quote for quote in line.quotes)
    return ReplyLine(kind=cast("LineKind", line.kind), text=text, quotes=quotes, of=of)
