"""What people are asked, and what they said before."""

from dataclasses import dataclass

from core.domain.effects.declaration import AFTER_POSTS, IN_ORDER, Effect
from core.domain.ids import ChannelId, PersonaKey, StepId, Ts, UserId


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
