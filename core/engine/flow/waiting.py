"""For whom a session waits: one rule for reminders, lists and the Home tab."""

from dataclasses import dataclass

from core.domain.session import AWAITS_PEOPLE, ENDED, Status


@dataclass(frozen=True, slots=True)
class Involvement:
    """What one person has to do with a session.

    `has_answered`: the current step. `has_recovery`: a menu waits for the owner's choice.
    `has_proposal`: words of theirs wait to be confirmed.
    """

    is_owner: bool
    took_part: bool
    has_answered: bool
    has_recovery: bool = False
    has_proposal: bool = False


def waits_for(status: Status, person: Involvement) -> bool:
    """True if they are to answer, to choose how it goes on, or to confirm what they said before."""
    is_asked = status in AWAITS_PEOPLE and not person.has_answered
    if is_asked and (person.is_owner or person.took_part):
        return True
    if person.has_recovery and person.is_owner and status not in ("completed", "cancelled"):
        return True
    return person.has_proposal and status not in ENDED
