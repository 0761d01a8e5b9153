"""The people of a session: who answered, who settles differences, whom it waits for."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.domain.ids import MenuId, UserId


@dataclass(frozen=True, slots=True)
class People:
    """The default is a session that nobody has answered."""

    answered: tuple[UserId, ...] = ()  # in this session
    answered_step: tuple[UserId, ...] = ()  # the current step
    names: tuple[tuple[UserId, str], ...] = ()  # of those who are mentioned in answers
    decider: UserId | None = None  # who settles differences beside the owner

    def with_answer(self, by: UserId, *, at_step: bool) -> "People":
        """`by` has answered; `at_step`: the current step, which no longer waits for them."""
        answered = tuple(dict.fromkeys((*self.answered, by)))
        answered_step = (
            tuple(dict.fromkeys((*self.answered_step, by))) if at_step else self.answered_step
        )
        return replace(self, answered=answered, answered_step=answered_step)

    def asked_anew(self) -> "People":
        """The next step waits for everybody."""
        return replace(self, answered_step=())

    def mentioned(self, names: Iterable[tuple[UserId, str]]) -> "People":
        """Keep the names of those who are mentioned; a newer name wins."""
        return replace(self, names=tuple((dict(self.names) | dict(names)).items()))

    def decided_by(self, decider: UserId | None) -> "People":
        return replace(self, decider=decider)


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

    @property
    def about(self) -> str:
        """The step or phase, whichever prompt of it stands."""
        return self.at.partition("@")[0]

    def moved(self, place: str, at: float) -> "ReminderState":
        """People are waited for at another place; empty: nobody is."""
        start = at if place else 0.0
        return ReminderState(place, start, start, last=self.last, hushed=self.hushed)

    def heard(self, at: float) -> "ReminderState":
        """Somebody said or chose something: the quiet begins anew."""
        return replace(self, quiet=at, menu=None)

    def reminded(self, menu: MenuId, at: float) -> "ReminderState":
        return replace(self, sent=self.sent + 1, last=at, menu=menu)

    def put_off(self, until: float) -> "ReminderState":
        return replace(self, menu=None, until=until)

    def silenced(self) -> "ReminderState":
        """No more reminders of this step or phase."""
        return replace(self, menu=None, hushed=self.about)
