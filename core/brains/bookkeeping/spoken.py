"""Which claims say something: for any brain."""

from core.brains.text.filler import is_filler
from core.domain.answers import Claim

Claims = tuple[Claim, ...]


def spoken(claims: Claims) -> Claims:
    """The claims that say something: no filler, no line of ours."""
    return tuple(
        claim
        for claim in claims
        if claim.sources and (claim.kind == "question" or not is_filler(claim.text))
    )
