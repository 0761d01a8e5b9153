"""What must always be true of a stored session (product, section 10). Cheap enough for each event.

A session that breaks a rule is halted (ERR-DATA-002) before anything is decided on it; a decision
that would break one is not saved.
"""

from collections.abc import Callable, Mapping
from typing import Final

from core.domain.session.course import AWAITS_PEOPLE
from core.domain.session.session import Session


class InvariantError(Exception):
    """A decision would have broken a rule. Its text names the rule."""


def _phase_is_known(session: Session) -> bool:
    course = session.course
    return course.phase is None or any(phase.key == course.phase for phase in course.phases)


def _asks_in_a_phase(session: Session) -> bool:
    return session.status not in AWAITS_PEOPLE or session.course.phase is not None


def _asks_a_known_step(session: Session) -> bool:
    if session.status not in AWAITS_PEOPLE:
        return True
    return any(state.id == session.course.step for state in session.course.steps)


def _does_a_step_once(session: Session) -> bool:
    return len(set(session.course.done)) == len(session.course.done)


RULES: Final[Mapping[str, Callable[[Session], bool]]] = {
    "the current phase is one of the session's": _phase_is_known,
    "a question belongs to a phase": _asks_in_a_phase,
    "a question belongs to a step of its phase": _asks_a_known_step,
    "a step is done once": _does_a_step_once,
}


def broken(session: Session) -> str | None:
    """The first rule that `session` breaks, in words; None where all hold."""
    return next((rule for rule, holds in RULES.items() if not holds(session)), None)
