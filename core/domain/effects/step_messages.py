"""What was taken in at a step, and what its phase came to."""

from dataclasses import dataclass

from core.domain.effects.declaration import AFTER_POSTS, IN_ORDER, Effect
from core.domain.ids import PersonaKey, PhaseKey, StepId


@dataclass(frozen=True)
class ShowStep(
    Effect, lane="visible", rank=IN_ORDER, key=None, edit_key="shown:step:{step}", is_needed=True
):
    """The step's one message: posted once, edited from then on; `anew` posts it again."""

    step: StepId
    thread: PersonaKey
    anew: bool = False


@dataclass(frozen=True)
class PaintStep(Effect, lane="visible", rank=AFTER_POSTS, key="step:{step}"):
    """Edit the step's message, if it stands. The latest wins."""

    step: StepId


@dataclass(frozen=True)
class SayTurn(Effect, lane="visible", rank=IN_ORDER, key=None):
    """What another persona says to a step."""

    step: StepId
    number: int  # from 1, over all elaborations of the step
    thread: PersonaKey


@dataclass(frozen=True)
class ShowPhase(
    Effect, lane="visible", rank=IN_ORDER, key=None, edit_key="shown:phase:{phase}", is_needed=True
):
    """The phase's summary and menu as a message of its own."""

    phase: PhaseKey
    thread: PersonaKey | None  # None: the card's thread
    anew: bool = False
