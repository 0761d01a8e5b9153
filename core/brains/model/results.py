"""A reply as the result of its task, where that needs no reading of people's words."""

from core.brains.model.replies import CauseReply
from core.brains.tasks import Diagnosis, DiagnosisRequest


def diagnosis_of(reply: CauseReply, request: DiagnosisRequest) -> Diagnosis:
    """What a model found; the name that leads nowhere is corrected to one that exists, or not."""
    corrections = tuple(
        (correction.named, correction.there)
        for correction in reply.corrections
        if correction.named == request.missing and correction.there in request.there
    )[:1]
    return Diagnosis(reply.fixed and bool(corrections), reply.findings, corrections)
