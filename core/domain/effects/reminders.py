"""Reminders to those who are awaited."""

from dataclasses import dataclass

from core.domain.effects.declaration import AFTER_POSTS, IN_ORDER, Effect
from core.domain.ids import MenuId, PersonaKey, StepId, UserId


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
