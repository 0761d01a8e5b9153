"""A cancellation that can still be taken back."""

from dataclasses import dataclass

from core.domain.ids import FaultId, UserId
from core.domain.session.status import Status


@dataclass(frozen=True, slots=True)
class Cancelled:
    """A cancel that can still be taken back, and what it changed."""

    by: UserId
    at: float  # seconds since the epoch
    was: Status
    outcome: str = ""  # of the step it ended
    chosen_by: UserId | None = None
    question: str | None = None
    fault: FaultId | None = None  # of the menu that halted it
