"""Which of two lines that differ a later decision has given up.

Whoever said a line and decides otherwise later has settled it. Somebody else's decision settles
nothing: nobody's line wins silently.
"""

from collections.abc import Mapping, Sequence

from core.artifacts.compose.lines.claims import REJECTED, detail
from core.artifacts.compose.lines.context import amounts_in, said_before
from core.domain.answers import Answer, Claim
from core.domain.ids import AnswerId, UserId, order_of


def is_settled(
    first: Claim, second: Claim, everything: Sequence[Claim], answers: Mapping[AnswerId, Answer]
) -> bool:
    """True if the author of one of the lines decided later for what the other one says."""
    decisions = [
        claim
        for claim in everything
        if claim.kind == "decision" and detail(claim, "choice") != REJECTED and claim.sources
    ]
    return any(
        _gives_up(decision, own, other, answers)
        for decision in decisions
        for own, other in ((first, second), (second, first))
    )


def _gives_up(
    decision: Claim, own: Claim, other: Claim, answers: Mapping[AnswerId, Answer]
) -> bool:
    """True if a decision takes the other line, and its author had said their own before."""
    by = _authors(decision, answers)
    if decision.id == own.id or not by & _authors(own, answers):
        return False
    if not _time(own, answers) < _time(decision, answers):
        return False
    if decision.id == other.id:
        return True
    is_later = decision.step == other.step and _time(other, answers) < _time(decision, answers)
    if not is_later or by & _authors(other, answers):
        return False
    amounts, others = amounts_in(decision.text), amounts_in(other.text)
    own_amounts = amounts_in(own.text)
    is_theirs = bool(amounts & others - own_amounts)
    is_without_it = bool(amounts & own_amounts) and bool(own_amounts & others - amounts)
    before = said_before(decision, answers.values())
    return is_theirs or is_without_it or any(answer.id in other.sources for _, answer in before)


def _authors(claim: Claim, answers: Mapping[AnswerId, Answer]) -> frozenset[UserId]:
    return frozenset(answers[source].by for source in claim.sources if source in answers)


def _time(claim: Claim, answers: Mapping[AnswerId, Answer]) -> tuple[int, ...]:
    """When it was said first; before all, where that is not known."""
    return min((order_of(answers[it].ts) for it in claim.sources if it in answers), default=())
