"""Clicks: which menu and choice a control stands for. Nothing that a button holds is trusted."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeAlias

import structlog

from bot.interactions.commands import catch_up_message, why_message
from bot.interactions.forms import start_form, take_form
from bot.interactions.forms.both_form import both_pressed
from bot.interactions.forms.sorting_form import sorting_pressed
from bot.interactions.forms.stance_forms import differ_pressed, settle_pressed
from bot.interactions.interaction_context import InteractionContext
from bot.payloads import inbound_clicks, inbound_views
from bot.payloads.inbound_clicks import Click
from bot.payloads.inbound_views import ViewClick
from bot.payloads.people import Opening
from bot.views.home import HOME_PAGE, HOME_START
from bot.views.kit import menus
from bot.views.kit.controls import OPENS
from bot.views.private import brain
from bot.views.private.both import BOTH
from bot.views.private.commands import CANCEL_WHICH
from bot.views.private.replies import DELETE_CONFIRM, START_AGAIN
from bot.views.private.sorting import SORT
from bot.views.private.why import WHY_PICKED
from bot.views.thread import differences
from core import patterns
from core.domain import events
from core.domain.effects import Reply
from core.domain.ids import MenuId, SessionId, UserId
from core.domain.session.session import Session
from core.engine.start.session import may_start_again

PAGE_NUMBER: Final = patterns.compile(r"[0-9]{1,6}")

Pressed: TypeAlias = Callable[[InteractionContext, Click], None]

log = structlog.get_logger(__name__)


def clicked(interaction: InteractionContext, body: Mapping[str, Any]) -> None:
    """Whatever was pressed gets its consequence or a kind word: no button is dead."""
    click = inbound_clicks.click_made(body, interaction.workspace)
    if click is None:
        _used_in_view(interaction, body)
        return
    if click.link:
        return
    if click.standing == "outsider" or not _is_at_home(interaction, click):
        interaction.reply(click.place, Reply("not-yours"))
        return
    kind, colon, _ = click.action_id.partition(":")
    pressed = _PRESSED.get(click.action_id) or _PRESSED.get(kind + colon, _unknown_pressed)
    pressed(interaction, click)


def _used_in_view(interaction: InteractionContext, body: Mapping[str, Any]) -> None:
    """A control of a modal or of the App Home: there is no channel to tell anything in."""
    click = inbound_views.view_clicked(body, interaction.workspace)
    if click.action_id.startswith(OPENS):
        return
    used = None if click.outsider else _IN_VIEW.get(click.action_id)
    if used is None:
        log.info("click.unknown", action=click.action_id[:80], view=True)
    else:
        used(interaction, click)


def _choice_pressed(interaction: InteractionContext, click: Click) -> None:
    _, _, choice = click.action_id.partition(":")
    _choose(interaction, click, MenuId(click.value), choice)


def _overflow_pressed(interaction: InteractionContext, click: Click) -> None:
    menu, _, _ = click.block_id.partition("|")
    _choose(interaction, click, MenuId(menu), click.value)


def _on_session(
    event_at: Callable[[UserId, float], events.Event],
) -> Pressed:
    """A control that becomes an event of the session it names."""

    def pressed(interaction: InteractionContext, click: Click, session: Session) -> None:
        event = event_at(click.place.user, interaction.now())
        interaction.settle(click.place, event, click.keys, session.id)

    return _of_this_channel(pressed)


def _of_this_channel(
    pressed: Callable[[InteractionContext, Click, Session], None],
    session_of: Callable[[Click], str] = lambda click: click.value,
) -> Pressed:
    """A control that names a session of its own channel, which may be gone by now."""

    def checked(interaction: InteractionContext, click: Click) -> None:
        session = interaction.session_in(click.place.channel, SessionId(session_of(click)))
        if session is None:
            interaction.reply(click.place, Reply("gone"))
        else:
            pressed(interaction, click, session)

    return checked


def _catchup_pressed(interaction: InteractionContext, click: Click, session: Session) -> None:
    context = interaction.context_after_ack(click.place)
    interaction.ephemerals.tell(click.place, lambda: catch_up_message(session.id, context))


def _why_picked(interaction: InteractionContext, click: Click, session: Session) -> None:
    """The line that was picked may be gone, or have changed, since the list was shown."""
    context = interaction.context_after_ack(click.place)
    interaction.ephemerals.tell(
        click.place, lambda: why_message(click.value, (session.id,), session.slug, context)
    )


def _delete_pressed(interaction: InteractionContext, click: Click, session: Session) -> None:
    event = events.DeletionRequested(click.place.user, interaction.now(), sure=True)
    handled = interaction.settle(click.place, event, click.keys, session.id)
    if handled.reply is not None and handled.reply.kind == "deleted":
        interaction.homes.changed(session)


def _brain_pressed(
    interaction: InteractionContext, click: Click, session: Session | None = None
) -> None:
    """Of a session, or of the channel where it was clicked."""
    place = click.place
    event = events.BrainChosen(
        place.user,
        interaction.now(),
        interaction.workspace.team,
        place.channel,
        script_only=click.action_id.endswith(f":{brain.SCRIPT}"),
    )
    interaction.settle(place, event, click.keys, session.id if session else None)


def _consent_pressed(interaction: InteractionContext, click: Click) -> None:
    """Only an admin of the workspace agrees for it: Slack is asked, after the acknowledgement."""
    place = click.place

    def settle() -> None:
        if interaction.admins.ask(place.user):
            interaction.consent.give(interaction.workspace.team)
            interaction.ephemerals.tell(place, brain.agreed)
        else:
            interaction.reply(place, Reply("not-yours"))

    interaction.ephemerals.later(settle)


def _again_pressed(interaction: InteractionContext, click: Click) -> None:
    if not _opened_again(interaction, click.opening, click.value):
        interaction.reply(click.place, Reply("gone"))


def _again_in_view(interaction: InteractionContext, click: ViewClick) -> None:
    if not _opened_again(interaction, click.opening, click.value):
        log.info("click.unknown", action=click.action_id[:80], view=True)


def _opened_again(interaction: InteractionContext, opening: Opening, session_id: str) -> bool:
    """A start that could not begin: nothing of what was filled in is lost."""
    refused = interaction.session(SessionId(session_id))
    if refused is None or refused.team != interaction.workspace.team:
        return False
    if not may_start_again(refused, opening.user):
        return False
    module = start_form if refused.origin is None else take_form
    module.open_again(interaction, opening, refused)
    return True


def _unknown_pressed(interaction: InteractionContext, click: Click) -> None:
    log.info("click.unknown", action=click.action_id[:80])
    interaction.reply(click.place, Reply("gone"))


_PRESSED: Final[Mapping[str, Pressed]] = {
    menus.ACTION: _choice_pressed,
    BOTH: both_pressed,
    menus.OVERFLOW: _overflow_pressed,
    menus.PICK: _overflow_pressed,
    menus.CARD_PAUSE: _on_session(events.PauseRequested),
    menus.CARD_RESUME: _on_session(partial(events.SessionResumed, if_stopped=True)),
    menus.CARD_EXPORT: _on_session(events.ExportRequested),
    menus.CARD_CATCHUP: _of_this_channel(_catchup_pressed),
    CANCEL_WHICH: _on_session(events.SessionCancelled),
    brain.OF_SESSION: _of_this_channel(_brain_pressed),
    brain.OF_CHANNEL: _brain_pressed,
    brain.OF_WORKSPACE: _consent_pressed,
    WHY_PICKED: _of_this_channel(_why_picked, lambda click: click.block_id.partition("|")[2]),
    DELETE_CONFIRM: _of_this_channel(_delete_pressed),
    START_AGAIN: _again_pressed,
    SORT: _of_this_channel(sorting_pressed),
    differences.SAY: differ_pressed,
    differences.SETTLE: settle_pressed,
}


def _start_pressed(interaction: InteractionContext, click: ViewClick) -> None:
    start_form.open_start(interaction, click.opening)


def _page_pressed(interaction: InteractionContext, click: ViewClick) -> None:
    wanted = click.value if PAGE_NUMBER.fullmatch(click.value) else "0"
    interaction.homes.show(click.opening.user, int(wanted))


_IN_VIEW: Final[Mapping[str, Callable[[InteractionContext, ViewClick], None]]] = {
    HOME_START: _start_pressed,
    START_AGAIN: _again_in_view,
    f"{HOME_PAGE}:back": _page_pressed,
    f"{HOME_PAGE}:here": _page_pressed,
    f"{HOME_PAGE}:on": _page_pressed,
}


def _choose(interaction: InteractionContext, click: Click, menu: MenuId, choice: str) -> None:
    place = click.place
    made = events.ChoiceMade(place.user, interaction.now(), menu, choice, place.channel)
    interaction.settle(place, made, click.keys)


def _is_at_home(interaction: InteractionContext, click: Click) -> bool:
    """True for a member; for a person of the organization where what they clicked is stored so.

    An Enterprise Grid names nobody's workspace: the control's menu or session, the channel and the
    message that carries it have to match.
    """
    if click.standing == "member":
        return True
    reader = interaction.runtime.reader
    ids = (click.value, click.block_id.partition("|")[0])
    menu = next(filter(None, (reader.menu(MenuId(menu_id)) for menu_id in ids)), None)
    named_session = menu.session if menu else SessionId(click.value)
    session = interaction.session_in(click.place.channel, named_session)
    return (
        session is not None
        and click.message is not None
        and reader.is_post(session.id, click.place.channel, click.message)
    )
