"""What a persona proposed and somebody took, among the lines of its step. For any brain."""

from collections.abc import Iterator
from dataclasses import replace

from core.brains.bookkeeping.references.checks import CHECKABLE, RELATED
from core.brains.bookkeeping.worded import WORDED
from core.domain.answers import Claim, Claims, ReadRequest
from core.domain.lines import find_line
from core.domain.persona_proposals import taken_lines, with_taken_wordings


def with_taken(lines: Claims, request: ReadRequest) -> Claims:
    """The lines in the wordings that were taken, and behind them the lines that were."""
    if not request.taken_proposals:
        return lines
    every = (*with_taken_wordings(lines, request.taken_proposals, WORDED), *_lines(lines, request))
    return tuple(
        claim if claim.id else replace(claim, id=f"{request.step.id}/{number}")
        for number, claim in enumerate(every, start=1)
    )


def _lines(lines: Claims, request: ReadRequest) -> Iterator[Claim]:
    """Each line that was taken, a check with the line that it is of."""
    checked = [claim for claim in (*lines, *request.claims) if claim.kind in CHECKABLE]
    for claim, of in taken_lines(request.taken_proposals):
        line = find_line(of, checked) if claim.kind == "check" else None
        more = {"of": line.ref or line.text, RELATED: "taken"} if line else {}
        yield replace(claim, data={**claim.data, **more})
