"""Reminders to those who are awaited, and what became of them."""

from bot.publish.message_targets import edit_of, unless_answered
from bot.publish.render.drawings import draws
from bot.publish.render.last_commit import LastCommit, Scene
from bot.views.thread import reminder as reminder_view
from core.domain.effects import PaintReminder, PostReminder
from core.domain.ids import MenuId, StepId
from core.domain.session.menu import Menu
from core.domain.session.session import Session


@draws(PostReminder, unless_answered("reminder:{menu}"))
def reminder(commit: LastCommit, session: Session, effect: PostReminder) -> Scene:
    menu = commit.reader.menu(effect.menu)
    if menu is None or menu.state != "open":
        return _settled(commit, session, effect.menu, effect.step)
    message = reminder_view.reminder(
        _asked_about(commit, session, menu, effect.step),
        menu,
        mention=effect.mention,
        since=effect.since,
        at=effect.at,
        url=commit.url(session, commit.asking(session, effect.step)),
        last=effect.last,
    )
    return Scene(message, commit.chair(session, menu.phase, effect.thread))


@draws(PaintReminder, edit_of("reminder:{menu}"))
def reminded(commit: LastCommit, session: Session, effect: PaintReminder) -> Scene:
    return _settled(commit, session, effect.menu, effect.step)


def _settled(commit: LastCommit, session: Session, menu_id: MenuId, about: StepId) -> Scene:
    menu = commit.menu(menu_id)
    names = commit.names(session, [menu.used_by])
    title = _asked_about(commit, session, menu, about)
    return Scene(reminder_view.settled(title, menu, names), commit.chair(session, menu.phase, None))


def _asked_about(commit: LastCommit, session: Session, menu: Menu, about: StepId) -> str:
    """The step's title; of a phase's summary the phase."""
    return commit.state(session, about).title if menu.step else commit.label(session, menu.phase)
