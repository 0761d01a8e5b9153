"""Follow-ups for tests: those of a request or a step, and what a draft asks."""

from core.domain.answers import Draft
from core.domain.follow_ups import FollowUp, FollowUpOutcome


def question_of(draft: Draft) -> str | None:
    """What the draft asks."""
    return draft.follow_up.question if draft.follow_up else None


def asked_before(
    *questions: str | None, outcome: FollowUpOutcome = "answered"
) -> tuple[FollowUp, ...]:
    """Follow-ups about no line, by their questions."""
    return tuple(FollowUp("missing", text, outcome=outcome) for text in questions if text)


def passed(*questions: str | None) -> tuple[FollowUp, ...]:
    """Follow-ups that people went on from."""
    return asked_before(*questions, outcome="passed")


def still_open(*questions: str) -> tuple[FollowUp, ...]:
    """Follow-ups that wait for an answer."""
    return asked_before(*questions, outcome="open")
