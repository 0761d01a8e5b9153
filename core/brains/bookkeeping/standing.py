"""Which lines of a step stand after people settled where they differ. For any brain.

What does not stand is left out of the claims, so that the size, the depth and every artifact follow
the view that stands. It is still shown, with how it was settled, by
`core.artifacts.compose.stances`.
"""

from collections.abc import Iterator

from core.brains.bookkeeping.conflicts import differences
from core.brains.text.wording import closest
from core.domain.answers import Claim, Claims, ReadRequest
from core.domain.ids import AnswerId
from core.domain.stances import Settlement, is_view_on


def standing(claims: Claims, request: ReadRequest) -> Claims:
    """The claims of the request's step without those that another view stands against."""
    fallen = {
        line.id
        for settlement in _last(request)
        for line in _fallen_lines(claims, request, settlement)
    }
    return tuple(claim for claim in claims if claim.id not in fallen) if fallen else claims


def _last(request: ReadRequest) -> Iterator[Settlement]:
    """The last settlement of each answer of the step, while the answer says the same as then."""
    last = {
        settlement.answer: settlement
        for settlement in request.settlements
        if settlement.step == request.step.id
    }
    revisions = {answer.id: answer.revision for answer in request.answers}
    return (
        settlement
        for settlement in last.values()
        if revisions.get(settlement.answer) == settlement.revision
    )


def _fallen_lines(claims: Claims, request: ReadRequest, settled: Settlement) -> Claims:
    others = {user for user, _ in settled.views}
    their_ids = {answer.id for answer in request.answers if answer.by in others}
    views = [line for line in claims if any(is_view_on(settled.answer, s) for s in line.sources)]
    own_lines = [line for line in claims if settled.answer in line.sources and line not in views]
    their_lines = [line for line in claims if set(line.sources) <= their_ids and line not in views]
    match settled.stands:
        case "both":
            return ()
        case "answer":
            return (*views, *_against(their_lines, own_lines, claims, request))
        case "other":
            fallen = _against(own_lines, [*views, *their_lines], claims, request)
            return fallen or _nearest_lines(own_lines, views or their_lines, settled.answer)


def _against(
    losing: list[Claim], winning: list[Claim], claims: Claims, request: ReadRequest
) -> Claims:
    """The losing lines that say something else than a winning one, on the same matter."""
    lost, won = {line.id for line in losing}, {line.id for line in winning}
    fallen: dict[str, Claim] = {}
    for difference in differences(request, claims):
        sides = [claim for _, _, claim in difference.said]
        if any(claim.id in won for claim in sides):
            fallen |= {claim.id: claim for claim in sides if claim.id in lost}
    return tuple(fallen.values())


def _nearest_lines(own_lines: list[Claim], stands: list[Claim], answer: AnswerId) -> Claims:
    """The line that the other view is nearest to in words; all of the answer, if none is."""
    sole_lines = [line for line in own_lines if line.sources == (answer,)]
    lines = {line.id: line.text for line in sole_lines}
    near = closest(" ".join(line.text for line in stands), lines) if len(sole_lines) > 1 else None
    return tuple(line for line in sole_lines if near in (None, line.id))
