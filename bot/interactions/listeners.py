"""Bolt listeners: one each for events, clicks, commands with shortcuts, and views.

Each turns a payload into core values, hands it to the runtime and acknowledges; a table says what
becomes of each kind. No listener calls Slack: what a person has to be told is told after the
acknowledgement. The error handler is the one place that chooses a status.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import structlog
from slack_bolt import Ack, App, BoltContext, BoltResponse

from bot.interactions.clicks import clicked
from bot.interactions.command_line import BadCommand, parse
from bot.interactions.commands import COMMAND, NeedsAdmin, Outcome, run
from bot.interactions.forms import submissions
from bot.interactions.forms.submissions import submitted
from bot.interactions.interaction_context import STORE, InteractionContext, told_of
from bot.interactions.shortcuts import used
from bot.payloads import inbound_clicks, inbound_installs, inbound_messages, inbound_views
from bot.payloads.inbound_messages import Mention
from bot.payloads.payload_models import UnreadablePayloadError
from bot.payloads.people import InteractionPlace
from bot.views.kit.blocks import Message, context, message
from bot.views.kit.wording import WORDING
from bot.views.private.commands import not_taken_in
from core.store.connection.database import DatabaseError

Body: TypeAlias = Mapping[str, Any]
Spoken: TypeAlias = dict[str, Any] | str  # the body of an acknowledgement

INTERACTION: Final = "interaction"  # in the context of a request
ANYTHING: Final = re.compile(".*")
NOTHING_HERE: Final = message(context("Roundtable does nothing with this yet."))

log = structlog.get_logger(__name__)


def register(app: App) -> None:
    @app.event(ANYTHING)
    def event_happened(context: BoltContext, body: dict[str, Any]) -> None:
        ON_EVENT.get(body["event"]["type"], _ignored)(interaction_of(context), body)

    @app.action(ANYTHING)
    def control_clicked(ack: Ack, context: BoltContext, body: dict[str, Any]) -> None:
        clicked(interaction_of(context), body)
        ack()

    @app.command(ANYTHING)
    @app.shortcut(ANYTHING)
    def command_given(ack: Ack, context: BoltContext, body: dict[str, Any]) -> None:
        answer = ON_COMMAND.get(body.get("command") or body.get("type", ""), _not_given)
        ack(answer(interaction_of(context), body))

    @app.view(ANYTHING)
    def view_submitted(ack: Ack, context: BoltContext, body: dict[str, Any]) -> None:
        ack(**submitted(interaction_of(context), body))

    @app.error
    def request_failed(
        error: Exception, context: BoltContext, body: dict[str, Any]
    ) -> BoltResponse:
        return _failed(interaction_of(context), error, body)


def interaction_of(context: BoltContext) -> InteractionContext:
    """What the listeners of a request work with; whoever let it in has put it there."""
    interaction = context[INTERACTION]
    assert isinstance(interaction, InteractionContext)
    return interaction


# ── events ─────────────────────────────────────────────────────────────────────────────────────


def _message_came(interaction: InteractionContext, body: Body) -> None:
    heard = inbound_messages.message_heard(body, interaction.workspace, interaction.now())
    if heard is not None:
        interaction.settle(heard.place, heard.event, heard.keys)


def _mention_came(interaction: InteractionContext, body: Body) -> None:
    mention = inbound_messages.mention_heard(body, interaction.workspace, interaction.now())
    if mention is None:
        return
    outcome = _mention_outcome(interaction, mention)
    words = _settled(interaction, mention.place, outcome)
    if words is not None:
        interaction.ephemerals.tell(mention.place, lambda: words)


def _home_opened(interaction: InteractionContext, body: Body) -> None:
    user = inbound_views.home_opened(body)
    if user is not None:
        interaction.homes.show(user)


def _reaction_came(interaction: InteractionContext, body: Body) -> None:
    """Whatever comes of it, nobody is told anything: a reaction is no question."""
    changed = inbound_messages.reaction_changed(body, interaction.workspace, interaction.now())
    if changed is not None:
        interaction.handle(*changed)


def _app_left(interaction: InteractionContext, body: Body) -> None:
    happened_at = inbound_installs.uninstalled_at(body, interaction.workspace)
    if happened_at is not None:
        interaction.uninstalled(interaction.workspace.team, happened_at)


def _ignored(_interaction: InteractionContext, _body: Body) -> None:
    """Acknowledged, so that Slack does not count it against us."""


ON_EVENT: Final[Mapping[str, Callable[[InteractionContext, Body], None]]] = {
    "message": _message_came,
    "app_mention": _mention_came,
    "app_home_opened": _home_opened,
    "reaction_added": _reaction_came,
    "reaction_removed": _reaction_came,
    "app_uninstalled": _app_left,
    "tokens_revoked": _app_left,
}


# ── commands and shortcuts ─────────────────────────────────────────────────────────────────────


def _line_given(interaction: InteractionContext, body: Body) -> Spoken:
    line = inbound_clicks.command_given(body, interaction.workspace)
    outcome = run(
        parse(line.text), interaction.command_context(line.place, line.keys, line.respond_to)
    )
    words = _settled(interaction, line.place, outcome)
    if words is not None and line.respond_to and interaction.ephemerals.has_newer_blocks(words):
        interaction.ephemerals.respond(line.respond_to, words)
        return ""
    return ephemeral(words)


def _not_given(_interaction: InteractionContext, body: Body) -> Spoken:
    """A command of another manifest. Only a command can be answered in words."""
    return ephemeral(NOTHING_HERE if "command" in body else None)


def _shortcut_given(interaction: InteractionContext, body: Body) -> Spoken:
    used(interaction, body)
    return ""


ON_COMMAND: Final[Mapping[str, Callable[[InteractionContext, Body], Spoken]]] = {
    COMMAND: _line_given,
    "shortcut": _shortcut_given,
    "message_action": _shortcut_given,
}


def _settled(
    interaction: InteractionContext, place: InteractionPlace, outcome: Outcome
) -> Message | None:
    if not isinstance(outcome, NeedsAdmin):
        return outcome
    interaction.ask_admin(place, outcome.event, outcome.keys, outcome.session)
    return None


def ephemeral(words: Message | None) -> Spoken:
    """An acknowledgement that carries words; an empty one where there are none.

    Drawn plainly: nobody would learn that Slack refuses the blocks of an acknowledgement. What is
    drawn with newer ones goes through the command's reply address instead.
    """
    if words is None:
        return ""
    body = {"response_type": "ephemeral", "text": words.text, "blocks": list(words.blocks)}
    return {key: value for key, value in body.items() if value}


# ── what went wrong ────────────────────────────────────────────────────────────────────────────


def _failed(interaction: InteractionContext, error: Exception, body: Body) -> BoltResponse:
    """An event that was not committed comes again if we refuse it; nothing else ever does."""
    kind = "command" if "command" in body else str(body.get("type"))
    if isinstance(error, UnreadablePayloadError):
        log.warning("request.unreadable", on=kind, fault=str(error))
        return BoltResponse(status=200)
    code = STORE if isinstance(error, DatabaseError) else None
    log.error("request.failed", on=kind, code=code, exc_info=error)
    return ON_FAILURE.get(kind, _quietly)(interaction, body, told_of(error))


def _event_failed(_interaction: InteractionContext, _body: Body, _said: Message) -> BoltResponse:
    return BoltResponse(status=500)


def _command_failed(_interaction: InteractionContext, _body: Body, words: Message) -> BoltResponse:
    return BoltResponse(status=200, body=ephemeral(words))


def _click_failed(interaction: InteractionContext, body: Body, words: Message) -> BoltResponse:
    click = inbound_clicks.click_made(body, interaction.workspace)
    if click is not None:
        interaction.ephemerals.tell(click.place, lambda: words)
    return BoltResponse(status=200)


def _view_failed(interaction: InteractionContext, body: Body, words: Message) -> BoltResponse:
    return BoltResponse(
        status=200, body=json.dumps(submissions.failed(interaction, body, words.text))
    )


def _quietly(_interaction: InteractionContext, _body: Body, _said: Message) -> BoltResponse:
    return BoltResponse(status=200)


ON_FAILURE: Final[Mapping[str, Callable[[InteractionContext, Body, Message], BoltResponse]]] = {
    "event_callback": _event_failed,
    "command": _command_failed,
    "block_actions": _click_failed,
    "view_submission": _view_failed,
}


# ── mentions ─────────────────────────────────────────────────────────────────────────────────────


def _mention_outcome(interaction: InteractionContext, mention: Mention) -> Outcome:
    """Do the command that follows our name.

    Elsewhere than in a session's thread, people may speak of us without being answered.
    """
    command = parse(mention.line)
    if command == BadCommand(WORDING.credential_typed):
        return run(command, interaction.command_context(mention.place, mention.keys))
    if (
        isinstance(command, BadCommand)
        and command.code is None
        and _in_session(interaction, mention)
    ):
        return not_taken_in()
    if isinstance(command, BadCommand) and not mention.leading:
        return None
    return run(command, interaction.command_context(mention.place, mention.keys))


def _in_session(interaction: InteractionContext, mention: Mention) -> bool:
    place = mention.place
    if place.thread_ts is None:
        return False
    where = (interaction.workspace.team, place.channel, place.thread_ts)
    return interaction.runtime.reader.session_of_thread(*where) is not None
