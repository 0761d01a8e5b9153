"""A model's question and its proposals, as far as they are about lines that people gave. Pure."""

from collections.abc import Iterable, Iterator
from typing import Final

from core.brains.model import wording
from core.brains.model.harmless import Ids, harmless
from core.brains.model.quotes import line_ref
from core.brains.model.replies import AskReply, ReplyProposal, ReplyQuote
from core.domain.answers import Claim, Draft, LineRef, ReadRequest
from core.domain.follow_ups import FollowUp
from core.domain.lines import find_line, quoted_in
from core.domain.persona_proposals import PROPOSALS_MAX, PersonaProposal

QUESTION_CHARS_MAX: Final = 300
REASON_CHARS_MAX: Final = 200


def question_of(reply: AskReply, request: ReadRequest, draft: Draft, ids: Ids) -> FollowUp | None:
    """The question, if it is one and about a line that there is, or about none.

    What may be asked besides is said by the follow-ups' own rules.
    """
    question = reply.question
    text = harmless(question.text, ids, QUESTION_CHARS_MAX) if question else ""
    if question is None or not text.endswith(("?", "？")) or text.count("?") + text.count("？") > 1:
        return None
    claim = _claim(question.line, request, draft, ids)
    if (question.line and claim is None) or wording.points(text, said_in(request)):
        return None
    return FollowUp(question.kind, text, line_ref(question.line, ids))


def proposals_of(
    reply: AskReply, request: ReadRequest, draft: Draft, ids: Ids
) -> tuple[PersonaProposal, ...]:
    """The proposals about lines that there are, which say what nobody said yet."""
    texts = {
        proposal.text: proposal for proposal in _proposals(reply.proposals, request, draft, ids)
    }
    taken_texts = {choice.proposal.text for choice in request.taken_proposals}
    return tuple(proposal for text, proposal in texts.items() if text not in taken_texts)[
        :PROPOSALS_MAX
    ]


def _proposals(
    proposals: Iterable[ReplyProposal], request: ReadRequest, draft: Draft, ids: Ids
) -> Iterator[PersonaProposal]:
    for proposal in proposals:
        claim, of = _claim(proposal.of, request, draft, ids), line_ref(proposal.of, ids)
        text = harmless(proposal.text, ids)
        if claim is None or of is None or not text or wording.points(text, said_in(request)):
            continue
        if proposal.kind == "wording":
            is_good = not wording.loses(" ".join(quoted_in(claim)), [text])
            is_good = is_good and not wording.invents(text, " ".join(quoted_in(claim)))
        else:
            is_good = not any(_says(line, text, proposal.kind) for line in _lines(request, draft))
        if is_good:
            reason = harmless(proposal.reason, ids, REASON_CHARS_MAX)
            name = request.persona.name
            yield PersonaProposal(request.step.id, proposal.kind, text, reason, name, of)


def _says(claim: Claim, text: str, kind: str) -> bool:
    """True for a line of that kind in which somebody said as much."""
    return claim.kind == kind and not wording.loses(
        text, [" ".join((claim.text, *quoted_in(claim)))]
    )


def _claim(quote: ReplyQuote | None, request: ReadRequest, draft: Draft, ids: Ids) -> Claim | None:
    of: LineRef | None = line_ref(quote, ids)
    return find_line(of, _lines(request, draft)) if of else None


def _lines(request: ReadRequest, draft: Draft) -> tuple[Claim, ...]:
    return (*draft.claims, *request.claims)


def said_in(request: ReadRequest) -> str:
    """All that people said, in which a file or an address may be named."""
    return "\n".join(answer.text for answer in request.every_answer)
