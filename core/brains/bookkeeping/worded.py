"""Lines in a wording of their own: read in people's words, kept in the wording. For any brain.

Every rule reads what people said. A wording is only how a line is shown.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from core.domain.answers import Claim, Draft, ReadRequest
from core.domain.lines import BETWEEN, QUOTED, quoted_in

WORDED: Final = "worded"
"""Key of the wording while a line is read."""


def in_peoples_words(request: ReadRequest) -> ReadRequest:
    """The request, its lines in the words that they quote."""
    return replace(
        request,
        claims=_as_said(request.claims),
        unread=_as_said(request.unread),
        previous=_as_said(request.previous),
    )


def worded(draft: Draft) -> Draft:
    """The draft, its lines in their wordings."""
    return replace(draft, claims=tuple(map(_worded, draft.claims)))


def _as_said(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    return tuple(
        replace(claim, text=BETWEEN.join(quoted_in(claim)), data={**claim.data, WORDED: claim.text})
        if QUOTED in claim.data
        else claim
        for claim in claims
    )


def _worded(claim: Claim) -> Claim:
    if WORDED not in claim.data:
        return claim
    data = {key: value for key, value in claim.data.items() if key != WORDED}
    return replace(claim, text=claim.data[WORDED], data=data)
