"""Whom the session waits for, and the reminders it sent."""

from dataclasses import dataclass

from core.domain.ids import MenuId


@dataclass(frozen=True, slots=True)
class ReminderState:
    """Since when people are waited for, and what was done to remind them. Times: the epoch's."""

    at: str = ""  # "01-02@1", or the phase whose summary it is; empty: nobody is waited for
    since: float = 0.0
    quiet: float = 0.0  # the last sign of life there
    until: float = 0.0  # put off until then
    due: float | None = None  # when the timer runs out
    sent: int = 0  # reminders there
    menu: MenuId | None = None  # of the one that stands
    last: float = 0.0  # when the newest one of the session went out, wherever that was
    hushed: str = ""  # the step or phase of which nobody wants to be reminded again
