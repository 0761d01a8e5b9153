"""What is said of the time when the bot was away: clicks that were lost, threads it cannot read."""

from collections.abc import Iterable

from bot.views.kit.blocks import context
from bot.views.kit.rich_text import Block
from bot.views.kit.wording import WORDING
from core.domain.session.session import Session
from core.domain.session.step import StepState


def missed_clicks(steps: Iterable[StepState]) -> Block | None:
    """One line on the message with an open menu, where people wrote while nobody listened."""
    waiting = any(step.prompt.missed_clicks and not step.choice.name for step in steps)
    return context(WORDING.click_again) if waiting else None


def read_back_off(session: Session) -> Block | None:
    """The card's line for a session whose threads cannot be read back."""
    return context(WORDING.read_back_off[session.read_back_off]) if session.read_back_off else None
