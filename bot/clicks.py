"""Clicks: which menu and choice a control stands for. Nothing that a button holds is trusted."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import structlog

from bot import inbound, inbound_views, starting, taking
from bot.desk import Desk
from bot.differing import differ_pressed, settle_pressed
from bot.inbound import Click, Opening
from bot.inbound_views import ViewClick
from bot.telling import tell_how_it_stands, tell_why
from bot.views import differences, menus
from bot.views.commands import CANCEL_WHICH, DELETE_CONFIRM, only_its_owner
from bot.views.home import HOME_PAGE, HOME_START
from bot.views.replies import START_AGAIN
from bot.views.why import WHY_PICKED
from core import patterns
from core.domain.effects import Reply
from core.domain.events import ChoiceMade, ExportRequested, SessionCancelled, SessionResumed
from core.domain.ids import MenuId, SessionId, UserId
from core.domain.session import ENDED, Session
from core.engine.leaving import is_paused
from core.ports import Gone

PAGE_NUMBER: Final = patterns.compile(r"[0-9]{1,6}")

log = structlog.get_logger(__name__)


def clicked(desk: Desk, body: Mapping[str, Any]) -> None:
    """Whatever was pressed gets its consequence or a kind word: no button is dead."""
    click = inbound.click_made(body, desk.workspace)
    if click is None:
        _used_in_view(desk, body)
        return
    if click.link:
        return
    if click.standing == "outsider" or not _is_at_home(desk, click):
        desk.reply(click.place, Reply("not-yours"))
        return
    kind, colon, _ = click.action_id.partition(":")
    pressed = _PRESSED.get(click.action_id) or _PRESSED.get(kind + colon, _unknown_pressed)
    pressed(desk, click)


def _used_in_view(desk: Desk, body: Mapping[str, Any]) -> None:
    """A control of a modal or of the App Home: there is no channel to tell anything in."""
    click = inbound_views.view_clicked(body, desk.workspace)
    used = None if click.outsider else _IN_VIEW.get(click.action_id)
    if used is None:
        log.info("click.unknown", action=click.action_id[:80], view=True)
    else:
        used(desk, click)


def _choice_pressed(desk: Desk, click: Click) -> None:
    _, _, choice = click.action_id.partition(":")
    _choose(desk, click, MenuId(click.value), choice)


def _overflow_pressed(desk: Desk, click: Click) -> None:
    menu, _, _ = click.block_id.partition("|")
    _choose(desk, click, MenuId(menu), click.value)


def _pause_pressed(desk: Desk, click: Click) -> None:
    session = _session_here(desk, click)
    if session is None:
        desk.reply(click.place, Reply("gone"))
    elif session.status == "paused":  # the card could not be painted when that happened
        desk.reply(click.place, is_paused(session))
    elif session.prompt_menu is None:
        desk.reply(click.place, Reply("busy"))
    else:
        _choose(desk, click, session.prompt_menu, "pause")


def _resume_pressed(desk: Desk, click: Click) -> None:
    session = _session_here(desk, click)
    if session is None:
        desk.reply(click.place, Reply("gone"))
    elif session.status == "cancelled":
        _for_owner(desk, click, session, SessionResumed(click.place.user, desk.now()))
    elif session.status == "paused" or session.status in ENDED:
        wanted = SessionResumed(click.place.user, desk.now())
        desk.settle(click.place, wanted, click.keys, session.id)
    else:
        desk.reply(click.place, Reply("already-going", {"title": session.title}))


def _cancel_pressed(desk: Desk, click: Click) -> None:
    """One of several was chosen to be cancelled."""
    session = _session_here(desk, click)
    if session is None:
        desk.reply(click.place, Reply("gone"))
    else:
        _for_owner(desk, click, session, SessionCancelled(click.place.user, desk.now()))


def _for_owner(
    desk: Desk, click: Click, session: Session, event: SessionCancelled | SessionResumed
) -> None:
    known = desk.admins.known(event.by)
    if known is None and session.owner != event.by:
        desk.settle_later(click.place, event, click.keys, session.id)
    else:
        desk.settle(click.place, replace(event, admin=known), click.keys, session.id)


def _export_pressed(desk: Desk, click: Click) -> None:
    session = _session_here(desk, click)
    if session is None:
        desk.reply(click.place, Reply("gone"))
        return
    wanted = ExportRequested(click.place.user, desk.now())
    desk.settle(click.place, wanted, click.keys, session.id)


def _catchup_pressed(desk: Desk, click: Click) -> None:
    session = _session_here(desk, click)
    if session is None:
        desk.reply(click.place, Reply("gone"))
    else:
        tell_how_it_stands(desk, click, session)


def _why_picked(desk: Desk, click: Click) -> None:
    _, _, session_id = click.block_id.partition("|")
    session = _session_here(desk, replace(click, value=session_id))
    if session is None:
        desk.reply(click.place, Reply("gone"))
    else:
        tell_why(desk, click, session)


def _delete_pressed(desk: Desk, click: Click) -> None:
    session = _session_here(desk, click)
    if session is None:
        desk.reply(click.place, Reply("gone"))
    elif session.owner != click.place.user:
        desk.whisper.tell(click.place, only_its_owner)
    elif desk.runtime.delete(
        session.id, click.place.user, team=desk.workspace.team, keys=click.keys
    ):
        desk.homes.changed(session)
        gone = {"slug": session.slug, "title": session.title}
        desk.reply(click.place, Reply("deleted", gone))


def _again_pressed(desk: Desk, click: Click) -> None:
    if not _opened_again(desk, click.opening, click.value):
        desk.reply(click.place, Reply("gone"))


def _again_in_view(desk: Desk, click: ViewClick) -> None:
    if not _opened_again(desk, click.opening, click.value):
        log.info("click.unknown", action=click.action_id[:80], view=True)


def _opened_again(desk: Desk, opening: Opening, named: str) -> bool:
    """A start that could not begin: nothing of what was filled in is lost."""
    refused = _load(desk, SessionId(named))
    if refused is None or refused.status != "refused":
        return False
    if (refused.team, refused.owner) != (desk.workspace.team, opening.user):
        return False
    module = starting if refused.origin is None else taking
    module.open_again(desk, opening, refused)
    return True


def _unknown_pressed(desk: Desk, click: Click) -> None:
    log.info("click.unknown", action=click.action_id[:80])
    desk.reply(click.place, Reply("gone"))


_PRESSED: Final[Mapping[str, Callable[[Desk, Click], None]]] = {
    menus.ACTION: _choice_pressed,
    menus.OVERFLOW: _overflow_pressed,
    menus.PICK: _overflow_pressed,
    menus.CARD_PAUSE: _pause_pressed,
    menus.CARD_RESUME: _resume_pressed,
    menus.CARD_EXPORT: _export_pressed,
    menus.CARD_CATCHUP: _catchup_pressed,
    CANCEL_WHICH: _cancel_pressed,
    WHY_PICKED: _why_picked,
    DELETE_CONFIRM: _delete_pressed,
    START_AGAIN: _again_pressed,
    differences.SAY: differ_pressed,
    differences.SETTLE: settle_pressed,
}


def _start_pressed(desk: Desk, click: ViewClick) -> None:
    starting.open_start(desk, click.opening)


def _page_pressed(desk: Desk, click: ViewClick) -> None:
    wanted = click.value if PAGE_NUMBER.fullmatch(click.value) else "0"
    desk.homes.turned(click.opening.user, int(wanted))


_IN_VIEW: Final[Mapping[str, Callable[[Desk, ViewClick], None]]] = {
    HOME_START: _start_pressed,
    START_AGAIN: _again_in_view,
    f"{HOME_PAGE}:back": _page_pressed,
    f"{HOME_PAGE}:here": _page_pressed,
    f"{HOME_PAGE}:on": _page_pressed,
}


_FOR_OWNERS: Final = frozenset(
    {"cancel", "cancel-now", "redact", "check", "classic", "put-back"}
)  # and admins


def _choose(desk: Desk, click: Click, menu: MenuId, choice: str) -> None:
    place = click.place
    made = ChoiceMade(place.user, desk.now(), menu, choice, place.channel)
    if choice.partition(":")[0] not in _FOR_OWNERS:
        desk.settle(place, made, click.keys)
        return
    known = desk.admins.known(place.user)
    if known is None and not _owns(desk, place.user, menu):
        desk.settle_later(place, made, click.keys)
    else:
        desk.settle(place, replace(made, admin=known), click.keys)


def _owns(desk: Desk, user: UserId, menu: MenuId) -> bool:
    found = desk.runtime.reader.menu(menu)
    session = None if found is None else _load(desk, found.session)
    return session is None or session.owner == user


def _session_here(desk: Desk, click: Click) -> Session | None:
    """The session a button names: its id comes from outside, so it must be of this very channel."""
    session = _load(desk, SessionId(click.value))
    here = (desk.workspace.team, click.place.channel)
    return session if session is not None and (session.team, session.channel) == here else None


def _is_at_home(desk: Desk, click: Click) -> bool:
    """True for a member; for a person of the organization where what they clicked is stored so.

    An Enterprise Grid names nobody's workspace: the control's menu or session, the channel and the
    message that carries it have to match.
    """
    if click.standing == "member":
        return True
    reader = desk.runtime.reader
    named = (click.value, click.block_id.partition("|")[0])
    menu = next(filter(None, (reader.menu(MenuId(each)) for each in named)), None)
    session = _session_here(desk, replace(click, value=menu.session if menu else click.value))
    return (
        session is not None
        and click.message is not None
        and reader.is_post(session.id, click.place.channel, click.message)
    )


def _load(desk: Desk, session: SessionId) -> Session | None:
    try:
        return desk.runtime.reader.load(session)
    except Gone:
        return None
