"""What is said of the time when the bot was away: clicks that were lost, threads it cannot read."""

from collections.abc import Iterable, Mapping
from typing import Final

from bot.views.kit.blocks import context
from bot.views.kit.rich_text import Block
from core.domain.session import Session, StepState

CLICK_AGAIN: Final = (
    "I was away for a while. What you wrote meanwhile is in; if you clicked something, "
    "please click it again."
)
READ_BACK_OFF: Final[Mapping[str, str]] = {
    "scope": (
        "I may not read threads here. What you write while I am offline does not reach me: "
        "please send it again."
    ),
    "limits": (
        "Slack lets me read too little of a thread. What you write while I am offline may not "
        "reach me: please send it again."
    ),
}


def missed_clicks(steps: Iterable[StepState]) -> Block | None:
    """One line on the message with an open menu, where people wrote while nobody listened."""
    waiting = any(step.prompt.missed_clicks and not step.choice.name for step in steps)
    return context(CLICK_AGAIN) if waiting else None


def read_back_off(session: Session) -> Block | None:
    """The card's line for a session whose threads cannot be read back."""
    return context(READ_BACK_OFF[session.read_back_off]) if session.read_back_off else None
