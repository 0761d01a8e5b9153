"""Follow-ups of other steps that nobody answered, and that a line which was said later settles.

By what is recorded: a choice between the options, a check of that line, a line in the place of
another, what the criteria of the step ask for. Words alone settle nothing.
"""

from core.brains.bookkeeping.answering import is_settled
from core.brains.script.criteria import is_said_anywhere
from core.brains.script.follow_ups.checks import is_check_of
from core.brains.script.follow_ups.lines import Grounds
from core.brains.script.follow_ups.people import options_at, takes_one
from core.domain.answers import Claims, ReadRequest
from core.domain.follow_ups import FollowUp
from core.domain.ids import order_of
from core.domain.lines import find_line, standing


def settled_elsewhere(request: ReadRequest, claims: Claims) -> tuple[FollowUp, ...]:
    """Those of other steps that are answered by now. `claims`: those of the step that is read."""
    unanswered = [follow_up for follow_up in request.asked_elsewhere if follow_up.is_unanswered]
    if not unanswered:
        return ()
    grounds = Grounds(request, claims)
    lines = standing(claim for claim in grounds.every if claim.confidence != "assumed")
    return tuple(
        follow_up.ended("answered")
        for follow_up in unanswered
        if _is_settled(follow_up, grounds, lines)
    )


def _is_settled(follow_up: FollowUp, grounds: Grounds, lines: Claims) -> bool:
    line = find_line(follow_up.line, grounds.every) if follow_up.line else None
    later = _said_since(follow_up, grounds, lines)
    match follow_up.kind:
        case "difference":
            return is_settled(follow_up, grounds.every)
        case "missing":
            return is_said_anywhere(follow_up, later)
        case "check":
            return line is not None and any(is_check_of(claim, line) for claim in later)
        case "alternative" if line is not None and line.kind == "option":
            options = options_at(line.step, grounds)
            return any(takes_one(claim, options) for claim in later)
        case _:
            return False


def _said_since(follow_up: FollowUp, grounds: Grounds, lines: Claims) -> Claims:
    """The lines that people said after they were asked."""
    after = order_of(follow_up.after)
    later_ids = {answer for answer, at in grounds.times.items() if at > after}
    return tuple(line for line in lines if not later_ids.isdisjoint(line.sources[:1]))
