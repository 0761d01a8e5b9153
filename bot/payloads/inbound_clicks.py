"""Slack's clicks in messages and slash commands → core values. Decides nothing.

A payload that lacks Slack's shape raises `UnreadablePayloadError`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.payloads import payload_models
from bot.payloads.links import readable
from bot.payloads.people import InteractionPlace, Opening, Standing, act_keys, standing
from core.domain.ids import Ts
from core.ports import Workspace


@dataclass(frozen=True, slots=True)
class Click:
    action_id: str
    block_id: str
    value: str
    link: bool  # a button that only opens an address
    standing: Standing
    message: Ts | None  # the one that carries the control
    place: InteractionPlace
    opening: Opening
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InboundCommand:
    """A slash command as it was typed."""

    text: str
    keys: tuple[str, ...]
    place: InteractionPlace
    respond_to: str | None


def click_made(body: Mapping[str, Any], workspace: Workspace) -> Click | None:
    """A click on a message of ours; None for one outside any channel."""
    pressed = payload_models.read(payload_models.BlockActions, body)
    if pressed.channel is None:
        return None
    action, message = pressed.actions[0], pressed.message
    thread_ts = pressed.container.thread_ts or (message.thread_ts if message else None)
    message_ts = pressed.container.message_ts or (message.ts if message else None)
    chosen = action.selected_option.value if action.selected_option else action.value
    place = InteractionPlace(
        pressed.user.id, pressed.channel.id, thread_ts, respond_to=pressed.response_url
    )
    return Click(
        action_id=action.action_id,
        block_id=action.block_id,
        value=chosen or "",
        link=action.url is not None,
        standing=standing(pressed, workspace),
        message=message_ts,
        place=place,
        opening=Opening(place.user, pressed.trigger_id, place),
        keys=act_keys(workspace.team, place.user, pressed.trigger_id, action.action_ts),
    )


def command_given(body: Mapping[str, Any], workspace: Workspace) -> InboundCommand:
    payload = payload_models.read(payload_models.SlashCommand, body)
    return InboundCommand(
        text=readable(payload.text),
        keys=act_keys(workspace.team, payload.user_id, payload.trigger_id),
        place=InteractionPlace(payload.user_id, payload.channel_id),
        respond_to=payload.response_url,
    )
