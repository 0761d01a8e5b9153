"""A draft from the lines of any brain: names, links, what stands, differences, what stays open."""

from collections.abc import Callable, Mapping

from core.brains.bookkeeping.conflicts import differences, marked
from core.brains.bookkeeping.gaps import Claims, Gap
from core.brains.bookkeeping.recorded import recorded
from core.brains.bookkeeping.refs import attached, linked, numbered
from core.brains.bookkeeping.standing import standing
from core.brains.bookkeeping.unanswered import assumptions
from core.domain.answers import ClaimKind, Draft, ReadRequest, Scan


def drafted(
    request: ReadRequest,
    lines: Claims,
    *,
    prefixes: Mapping[ClaimKind, str],
    estimate: Callable[[Claims], Scan | None],
    ask: Callable[[Claims, Scan], Gap | None],
) -> Draft:
    """The draft that a brain's lines make, which are claims with their kinds, data and sources.

    `prefixes`: the kinds that have names; `estimate` gives the quick scan where the step is part of
    it; `ask` the one question about what is still missing.
    """
    named = standing(attached(numbered(lines, request, prefixes)), request)
    settled = marked(linked(named, request), request)
    claims = (*settled, *assumptions(request.step.id, request.gaps, start=len(settled) + 1))
    scan = estimate(settled)
    gap = ask(claims, scan or request.scan)
    return Draft(
        recorded=recorded(request, claims, differences(request, claims), gap),
        claims=claims,
        question=gap.question if gap else None,
        scan=scan,
    )
