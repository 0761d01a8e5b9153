"""Reminders to those who are awaited, and what became of them."""

from bot.publish.render.last_commit import Look, Scene
from bot.views.thread import reminder as reminder_view
from core.domain.effects import PostReminder
from core.domain.ids import MenuId, StepId
from core.domain.session import Menu, Session
from core.ports import Gone, Post


def reminder(look: Look, session: Session, effect: PostReminder) -> Scene:
    menu = look.reader.menu(effect.menu)
    if menu is None or menu.state != "open":
        return reminded(look, session, effect.menu, effect.step)
    message = reminder_view.reminder(
        _asked_about(look, session, menu, effect.step),
        menu,
        mention=effect.mention,
        since=effect.since,
        at=effect.at,
        url=look.url(session, _asking(look, session, effect.step)),
        last=effect.last,
    )
    return Scene(message, look.chair(session, menu.phase, effect.thread))


def reminded(look: Look, session: Session, menu_id: MenuId, about: StepId) -> Scene:
    menu = look.reader.menu(menu_id)
    if menu is None:
        raise Gone(menu_id)
    names = look.names(session, [menu.used_by] if menu.used_by else [])
    title = _asked_about(look, session, menu, about)
    return Scene(reminder_view.settled(title, menu, names), look.chair(session, menu.phase, None))


def _asked_about(look: Look, session: Session, menu: Menu, about: StepId) -> str:
    """The step's title; of a phase's summary the phase."""
    return look.state(session, about).title if menu.step else look.label(session, menu.phase)


def _asking(look: Look, session: Session, about: StepId) -> Post | None:
    """Where people are asked: at the prompt, or at the phase's summary."""
    if session.menus.on_summary and session.phase:
        return look.reader.last_post(session.id, f"phase:{session.phase}:")
    return look.reader.last_post(session.id, f"prompt:{about}:")
