"""Shortcuts: what each one does. A table; nothing is decided here but what is nobody's to do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import structlog

from bot.interactions.forms.start_form import open_start
from bot.interactions.forms.take_form import open_take
from bot.interactions.interaction_context import InteractionContext
from bot.payloads import inbound_views
from bot.payloads.inbound_views import Called
from core.domain.effects import Reply
from core.domain.events import AnswerTakenOut

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A row of the manifest, and what comes of choosing it."""

    name: str  # as Slack shows it; 24 characters at most
    type: Literal["global", "message"]
    description: str
    does: Callable[[InteractionContext, Called], None]


def _start(interaction: InteractionContext, called: Called) -> None:
    open_start(interaction, called.opening)


def _not_an_answer(interaction: InteractionContext, called: Called) -> None:
    message, place = called.message, called.opening.place
    assert message is not None
    assert place is not None
    event = AnswerTakenOut(place.user, interaction.now(), message.channel, message.ts)
    if message.by != place.user:
        interaction.ephemerals.later(
            lambda: _take_out_of_a_shared_channel(interaction, called, event)
        )
        return
    interaction.settle(place, event, called.keys)


def _take_out_of_a_shared_channel(
    interaction: InteractionContext, called: Called, event: AnswerTakenOut
) -> None:
    """In a worker. To whoever is not in the channel, nothing that was said there is an answer."""
    place = called.opening.place
    assert place is not None
    if interaction.channels.shares(place.user, place.channel):
        interaction.settle(place, event, called.keys)
    else:
        interaction.reply(place, Reply("no-answer"))


SHORTCUTS: Final[Mapping[str, Shortcut]] = {
    "start": Shortcut(
        "Start at the Roundtable", "global", "Start an analysis or a new project", _start
    ),
    "take_this": Shortcut(
        "Take to the Roundtable",
        "message",
        "Start an analysis with this message and its thread",
        open_take,
    ),
    "not_an_answer": Shortcut(
        "Not an answer", "message", "Take this reply out of its step", _not_an_answer
    ),
}
"""Every shortcut by its callback id. The manifest lists the same; a test compares them."""


def used(interaction: InteractionContext, body: Mapping[str, Any]) -> None:
    called = inbound_views.shortcut_used(body, interaction.workspace)
    shortcut = SHORTCUTS.get(called.callback_id)
    if called.outsider:
        _tell(interaction, called, Reply("not-yours"))
    elif shortcut is None or (shortcut.type == "message") != (called.message is not None):
        log.info("shortcut.unknown", shortcut=called.callback_id[:80])
        _tell(interaction, called, Reply("gone"))
    else:
        shortcut.does(interaction, called)


def _tell(interaction: InteractionContext, called: Called, reply: Reply) -> None:
    if called.opening.place is not None:
        interaction.reply(called.opening.place, reply)
