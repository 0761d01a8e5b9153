"""A reply as the result of its task, where that needs no reading of people's words."""

from typing import Final

from core.brains.model.replies import CauseReply, ContributionReply, ReplyError
from core.brains.tasks import Diagnosis, DiagnosisRequest
from core.domain.answers import Claim
from core.domain.party import Question
from core.domain.party.contributions import ConsultRequest, Contribution, Want

MAY_ASK: Final[frozenset[Want]] = frozenset({"questions", "proposal", "draft"})
"""Turns that may hold questions to people, once a phase."""


def diagnosis_of(reply: CauseReply, request: DiagnosisRequest) -> Diagnosis:
    """What a model found; the name that leads nowhere is corrected to one that exists, or not."""
    corrections = tuple(
        (correction.named, correction.there)
        for correction in reply.corrections
        if correction.named == request.missing and correction.there in request.there
    )[:1]
    return Diagnosis(reply.fixed and bool(corrections), reply.findings, corrections)


def contribution_of(
    reply: ContributionReply, request: ConsultRequest, claims: tuple[Claim, ...] = ()
) -> Contribution:
    """A member's turn, without what nobody asked it for; `claims`: its lines with true quotes.

    Raises `ReplyError` for a vote that says neither yes nor no, and for questions without any.
    """
    key, want = request.member.key, request.want
    questions = reply.questions if want in MAY_ASK and not request.asked else ()
    if want == "vote" and reply.agrees is None:
        raise ReplyError("agrees: a vote is for or against")
    if want == "questions" and not (questions or reply.text.strip()):
        raise ReplyError("questions: there is none, and no reason for it")
    others = (member for member in request.phase.members if member != key)
    return Contribution(
        key,
        want,
        reply.text,
        next((member for member in others if member == reply.to), None),
        tuple(
            Question(f"{key}-{number}", question.domain, question.text)
            for number, question in enumerate(questions, start=1)
        ),
        claims,
        reply.agrees if want == "vote" else None,
        reply.more,
    )
