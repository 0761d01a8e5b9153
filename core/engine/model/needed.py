"""Whether anybody waits for a model's reply: what nobody waits for is not sent, or cut off."""

from collections.abc import Collection
from typing import Final

from core.domain.ids import TaskId
from core.domain.session.course import Status
from core.domain.session.session import Session
from core.domain.session.step import StepState

_AT_WORK: Final[frozenset[Status]] = frozenset({"asking", "choosing", "opening", "debating"})
_STANDING: Final[frozenset[Status]] = _AT_WORK | {"paused", "completed"}


def needed_tasks(session: Session, steps: Collection[StepState]) -> frozenset[TaskId]:
    """The requests to models whose reply still changes something."""
    if session.model.script_only:
        return frozenset()
    council, failure = session.party.council, session.reading.escalation
    calls = (step.model.call for step in steps if step.model.call is not None)
    standing = {
        call.task for call in calls if session.status in (_STANDING if call.is_aside else _AT_WORK)
    }
    if session.status not in _AT_WORK:
        return frozenset(standing)
    spoken = {
        *(seat.task for seat in (council.seats if council else ()) if seat.call is not None),
        failure.task if failure else None,
        session.elaboration.speaking,
    }
    return frozenset(task for task in (*standing, *spoken) if task is not None)
