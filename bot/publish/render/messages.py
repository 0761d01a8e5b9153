"""Every visible effect as a message: where it goes, what it shows, and who says it.

Reads the last commit, never writes, never sends.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from bot.publish.message_targets import Plan

# Imported for the drawings they register.
from bot.publish.render import card, faults, models, phases, reminders, steps
from bot.publish.render.drawings import DRAWINGS
from bot.publish.render.last_commit import LastCommit, Scene
from bot.views.kit.blocks import mentioned, with_mentions
from core.domain.effects import EFFECTS, Effect, Mark, Respond, ShowReading, Tell, UploadExport
from core.domain.session.session import Session
from core.ports import Order

__all__ = ["card", "faults", "locate", "models", "phases", "reminders", "scene_of", "steps"]

CALLS: Final = frozenset({Mark, Tell, Respond, ShowReading, UploadExport})
"""What is seen and no message of ours: the stage has a call for each."""


def check_drawings(effects: Collection[type[Effect]]) -> None:
    """Raises `TypeError` for a visible effect that nobody draws."""
    visible = {kind for kind in effects if kind.lane == "visible"}
    undrawn = visible - set(DRAWINGS) - CALLS
    if undrawn:
        names = ", ".join(sorted(kind.__name__ for kind in undrawn))
        raise TypeError(f"nobody draws {names}: register a drawing in bot/publish/render")


check_drawings(EFFECTS.values())


def locate(commit: LastCommit, session: Session, order: Order) -> Plan:
    """Which message an order is, and whether it is a new one."""
    return DRAWINGS[type(order.effect)].locate(commit, session, order)


def scene_of(commit: LastCommit, session: Session, effect: Effect) -> Scene:
    """What an effect shows. Its fallback text has names where blocks mention people.

    Raises `core.ports.Gone` where what it shows is not there any more.
    """
    scene = DRAWINGS[type(effect)].draw(commit, session, effect)
    users = mentioned(scene.message)
    if not users:
        return scene
    return replace(scene, message=with_mentions(scene.message, commit.names(session, users)))
