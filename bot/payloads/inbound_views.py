"""Slack's shortcuts, submitted modals and clicks in views → core values. Decides nothing.

docs: reference/interaction-payloads/shortcuts-interaction-payload, view-interactions-payload,
block_actions-payload
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.payloads import payload_models
from bot.payloads.inbound_messages import SLACKBOT
from bot.payloads.links import readable
from bot.payloads.people import InteractionPlace, Opening, act_keys, is_from_outside
from core.domain.ids import ChannelId, TeamId, Ts, UserId
from core.ports import Workspace


@dataclass(frozen=True, slots=True)
class Pointed:
    """The message that a message shortcut was used on, and whose it is."""

    channel: ChannelId
    ts: Ts
    thread_ts: Ts | None
    by: UserId | None  # None: no person's
    text: str


@dataclass(frozen=True, slots=True)
class Called:
    """A shortcut was used. `message`: on which message; a global one has none."""

    callback_id: str
    outsider: bool
    opening: Opening
    message: Pointed | None = None
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Submission:
    """A modal that was submitted. `values`: block id → what was filled in; empty for nothing.

    Whatever is in it comes from outside. `metadata` was sealed by `bot.interactions.forms.modals`
    and is only handed on where the seal is ours.
    """

    callback_id: str
    view_id: str
    team: TeamId
    user: UserId
    outsider: bool
    metadata: str
    values: Mapping[str, str]
    respond_to: Mapping[ChannelId, str]  # of a channel that was chosen in it
    trigger: str = ""

    @property
    def acts(self) -> tuple[str, ...]:
        """The key of this one submission."""
        return act_keys(self.team, self.user, self.trigger)

    @property
    def keys(self) -> tuple[str, ...]:
        """A view that is submitted twice acts once; one that was refused can be submitted again."""
        return (f"view:{self.team}:{self.view_id}", *self.acts)


@dataclass(frozen=True, slots=True)
class ViewClick:
    """A control of a modal or of the App Home was used."""

    action_id: str
    value: str
    outsider: bool
    opening: Opening


def shortcut_used(body: Mapping[str, Any], workspace: Workspace) -> Called:
    used = payload_models.read(payload_models.ShortcutPayload, body)
    user = used.user.id
    pointed, place = None, None
    if used.channel is not None and used.message is not None:
        channel, message = used.channel.id, used.message
        author = author_of(message, workspace)
        pointed = Pointed(channel, message.ts, message.thread_ts, author, readable(message.text))
        place = InteractionPlace(user, channel, message.thread_ts, used.response_url)
    return Called(
        callback_id=used.callback_id,
        outsider=is_from_outside(used, workspace),
        opening=Opening(user, used.trigger_id, place),
        message=pointed,
        keys=act_keys(workspace.team, user, used.trigger_id, used.action_ts),
    )


def author_of(message: payload_models.MessagePayload, workspace: Workspace) -> UserId | None:
    """The person of this workspace who wrote it; None where it is nobody's, or an outsider's."""
    nobody = message.bot_id is not None or message.user in (None, SLACKBOT, workspace.bot_user)
    strange = message.subtype not in _SAID
    away = message.author_team not in (None, workspace.team)
    return None if nobody or strange or away else message.user


_SAID: Final = frozenset({None, "file_share", "thread_broadcast"})  # what people post


def view_submitted(body: Mapping[str, Any], workspace: Workspace) -> Submission:
    payload = payload_models.read(payload_models.ViewSubmission, body)
    return Submission(
        callback_id=payload.view.callback_id,
        view_id=payload.view.id,
        team=workspace.team,
        user=payload.user.id,
        outsider=is_from_outside(payload, workspace),
        metadata=payload.view.private_metadata,
        values={
            block: _filled(control)
            for block, controls in payload.view.state.values.items()
            for control in controls.values()
        },
        respond_to={url.channel_id: url.response_url for url in payload.response_urls},
        trigger=payload.trigger_id,
    )


def _filled(control: payload_models.Filled) -> str:
    chosen = [*control.selected_options, *filter(None, [control.selected_option])]
    option = chosen[0].value if chosen else None
    return control.value or option or control.selected_conversation or control.selected_user or ""


def home_opened(body: Mapping[str, Any]) -> UserId | None:
    """Whose Home tab is looked at; None for the app's other tabs."""
    opened = payload_models.read(
        payload_models.HomeOpened, payload_models.read(payload_models.Envelope, body).event
    )
    return opened.user if opened.tab == "home" else None


def view_clicked(body: Mapping[str, Any], workspace: Workspace) -> ViewClick:
    pressed = payload_models.read(payload_models.ViewActions, body)
    action = pressed.actions[0]
    option = action.selected_option.value if action.selected_option else None
    return ViewClick(
        action_id=action.action_id,
        value=option or action.selected_conversation or action.value or "",
        outsider=is_from_outside(pressed, workspace),
        opening=Opening(pressed.user.id, pressed.trigger_id, above=pressed.view.type == "modal"),
    )
