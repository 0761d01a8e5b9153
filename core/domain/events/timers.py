"""Timers of a session that ran out."""

from dataclasses import dataclass

from core.domain.ids import StepId


@dataclass(frozen=True, slots=True)
class QuietPassed:
    at: float
    step: StepId


@dataclass(frozen=True, slots=True)
class ReminderDue:
    """It has been quiet for long enough to remind those who are awaited."""

    at: float
    step: StepId


@dataclass(frozen=True, slots=True)
class TakeBackPassed:
    """The time is over in which a cancel can be taken back."""

    at: float
