"""Which claims say something, and whether people have more to say: for any brain."""

from collections.abc import Mapping
from typing import Final

from core.brains.text.filler import is_closing, is_filler, is_foreign, is_unknown
from core.domain.answers import Claim, Claims, ReadRequest
from core.domain.ids import Depth

QUESTIONS_MAX: Final[Mapping[Depth, int]] = {"brief": 1, "standard": 2, "deep": 2}


def spoken(claims: Claims) -> Claims:
    """The claims that say something: no filler, no line of ours."""
    return tuple(
        claim
        for claim in claims
        if claim.sources and (claim.kind == "question" or not is_filler(claim.text))
    )


def is_over(request: ReadRequest, claims: Claims) -> bool:
    """Nobody said anything yet, enough was asked, or those who answered cannot or need not say."""
    points = [claim for claim in spoken(claims) if not _is_plain_unknown(claim)]
    if not points:
        return True
    if len(request.follow_ups) >= QUESTIONS_MAX[request.depth]:
        return True
    unnumbered = (claim for claim in claims if "question" not in claim.data)
    if any(is_unknown(claim.text) or is_closing(claim.text) for claim in unnumbered):
        return True
    if any(answer.source == "draft" for answer in request.answers):
        return True
    return all(is_foreign(answer.text) for answer in request.answers)


def _is_plain_unknown(claim: Claim) -> bool:
    return claim.kind == "question" and is_unknown(claim.text)
