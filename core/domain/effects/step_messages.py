"""What people are asked, what was taken in at a step, and what its phase came to."""

from dataclasses import dataclass

from core.domain.effects.declaration import AFTER_POSTS, IN_ORDER, Effect
from core.domain.ids import ChannelId, MenuId, PersonaKey, PhaseKey, StepId, Ts, UserId


@dataclass(frozen=True)
class PostPrompt(Effect, lane="visible", rank=IN_ORDER, key="ask:{step}", is_needed=True):
    """The questions of a step, as a message of their own for each revision."""

    step: StepId
    revision: int
    thread: PersonaKey  # in whose thread
    mention: tuple[UserId, ...] = ()


@dataclass(frozen=True)
class PaintPrompt(Effect, lane="visible", rank=AFTER_POSTS, key="prompt:{step}"):
    """Edit the prompt of the step's current revision. The latest wins."""

    step: StepId


@dataclass(frozen=True)
class PostQuestions(Effect, lane="visible", rank=IN_ORDER, key=None, is_needed=True):
    """A persona's part of the merged questions, in its own thread."""

    step: StepId
    revision: int
    thread: PersonaKey
    mention: tuple[UserId, ...] = ()


@dataclass(frozen=True)
class ShowProposals(Effect, lane="visible", rank=IN_ORDER, key=None):
    """What people said before, each with the buttons of its author: posted once, then edited."""

    thread: PersonaKey


@dataclass(frozen=True)
class Mark(Effect, lane="visible", rank=AFTER_POSTS, key="mark:{channel}:{ts}"):
    """The ✓ on a recorded answer, put on or taken off."""

    channel: ChannelId
    ts: Ts
    on: bool


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
class ShowReading(Effect, lane="visible", rank=AFTER_POSTS, key="reading:{step}"):
    """The line under a thread that says who reads, while a step's message waits for a model.

    Once nothing waits any more, the same effect takes it away.
    """

    step: StepId
    thread: PersonaKey


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


@dataclass(frozen=True)
class PostReminder(Effect, lane="visible", rank=IN_ORDER, key=None):
    """To those who are awaited. One that is not needed any more when it is sent is not sent."""

    menu: MenuId
    step: StepId
    thread: PersonaKey | None  # None: the card's thread
    mention: tuple[UserId, ...]
    since: float  # when they were asked
    at: float  # when it was due
    last: bool = False  # no other one follows at this step


@dataclass(frozen=True)
class PaintReminder(Effect, lane="visible", rank=AFTER_POSTS, key=None):
    """A reminder that stands, without its buttons: what came of it."""

    menu: MenuId
    step: StepId
