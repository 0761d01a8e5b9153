"""What a step still lacks, and which claims say something: for any brain."""

from dataclasses import dataclass

from core.brains.text.filler import is_filler
from core.domain.answers import Claim

Claims = tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """What nobody has said: as a question, and as words that end a line ("… who benefits")."""

    question: str
    missing: str


def spoken(claims: Claims) -> Claims:
    """The claims that say something: no filler, no gap of ours."""
    return tuple(
        claim
        for claim in claims
        if claim.sources and (claim.kind == "question" or not is_filler(claim.text))
    )
