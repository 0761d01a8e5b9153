"""Follow-ups of other steps that nobody answered, and that a line which was said later settles.

By what is recorded: a choice between the options, a check of that line, a line in the place of
another, what the criteria of the step ask for. Words alone settle nothing.
"""

from core.brains.bookkeeping.answering import is_settled, said_at
from core.brains.bookkeeping.spoken import Claims
from core.brains.script.criteria import is_said_anywhere
from core.brains.script.follow_ups.checks import is_check_of
from core.brains.script.follow_ups.lines import Grounds
from core.brains.script.follow_ups.people import options_at, takes_one
from core.domain.answers import Claim, ReadRequest
from core.domain.follow_ups import FollowUp
from core.domain.ids import AnswerId, order_of
from core.domain.lines import find_line, superseded


def settled_elsewhere(request: ReadRequest, claims: Claims) -> tuple[FollowUp, ...]:
    """Those of other steps that are answered by now. `claims`: those of the step that is read."""
    grounds = Grounds(request, claims)
    unanswered = (asked for asked in request.asked_elsewhere if asked.is_unanswered)
    return tuple(asked.ended("answered") for asked in unanswered if _is_settled(asked, grounds))


def _is_settled(asked: FollowUp, grounds: Grounds) -> bool:
    line = find_line(asked.line, grounds.every) if asked.line else None
    later = _said_since(asked, grounds)
    match asked.kind:
        case "difference":
            return is_settled(asked, grounds.every)
        case "missing":
            return is_said_anywhere(asked, later)
        case "check":
            return line is not None and any(is_check_of(claim, line) for claim in later)
        case "alternative" if line is not None and line.kind == "option":
            options = options_at(line.step, grounds)
            return any(takes_one(claim, options) for claim in later)
        case _:
            return False


def _said_since(asked: FollowUp, grounds: Grounds) -> Claims:
    """The lines that stand, and that people said after they were asked."""
    answers = (*grounds.request.other_answers, *grounds.request.answers)
    after = order_of(asked.after)
    since = {answer.id for answer in answers if said_at(answer) > after}
    gone = superseded(grounds.every)
    return tuple(claim for claim in grounds.every if claim.id not in gone and _is_of(claim, since))


def _is_of(claim: Claim, answers: set[AnswerId]) -> bool:
    return not answers.isdisjoint(claim.sources[:1]) and claim.confidence != "assumed"
