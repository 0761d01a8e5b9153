"""Cancelling: asked first, done once somebody is sure, and taken back for ten minutes.

The owner or an admin may do each of these. What was halted for a secret is not taken back.
"""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import StepId, UserId
from core.domain.session.halt import Cancelled
from core.domain.session.menu import Menu, MenuKind
from core.domain.session.reading import Elaboration
from core.domain.session.session import Session
from core.domain.session.step import StepChoice, StepState
from core.engine.flow import navigation, pause_resume, seats
from core.engine.kernel.turn import Turn

KIND: Final[MenuKind] = "cancel"
CHOICES: Final = ("cancel-now", "keep-going")
TIMER: Final = "take-back"
TAKE_BACK_S: Final = 600.0


def command(turn: Turn, event: on.SessionCancelled) -> None:
    if event.sure:
        cancel(turn, event.by, event.admin)
    else:
        ask(turn, event.by, event.admin)


def ask(turn: Turn, by: UserId, admin: bool | None) -> None:
    """Nothing ends yet: whoever asked is shown the question, with a menu of its own."""
    if turn.refuses(by, admin):
        return
    menu = turn.open_menu(KIND, CHOICES, None)
    turn.say_back(fx.Reply("cancel-question", {"title": turn.session.title, "menu": menu}))


def answered(turn: Turn, menu: Menu, event: on.ChoiceMade) -> None:
    if event.choice == "keep-going":
        turn.end_menu(menu.id, event.by, event.choice)
        turn.say_back(fx.Reply("kept-going", {"title": turn.session.title}))
    elif not turn.refuses(event.by, event.admin):
        turn.end_menu(menu.id, event.by, event.choice)
        cancel(turn, event.by, event.admin)


def cancel(turn: Turn, by: UserId, admin: bool | None) -> None:
    before = turn.session
    if turn.refuses(by, admin):
        return
    state = turn.state(before.course.step)
    recovery = before.menus.recovery
    if recovery is not None:
        turn.end_menu(recovery, by, "cancel")
        turn.do(fx.ShowRecovery(recovery, None))
    turn.close_menus()
    turn.cancel_timers()
    seats.team_cancelled(turn)
    turn.reading, turn.elaboration = turn.reading.dropped(), Elaboration()
    turn.status = "cancelled"
    if state is not None and before.course.phase:
        turn.save(replace(state, choice=StepChoice("cancel", by)))
        if before.menus.current is not None:
            turn.do(navigation.show_current_message(turn, state, before.menus))
        if state.prompt.revision:
            turn.do(fx.PaintPrompt(state.id))
    _leave_a_way_back(turn, before, state, by)
    turn.do(fx.PaintCard())
    if turn.course.phases:
        turn.do(fx.WriteFolder(None))
    about = {"title": before.title, "by": by}
    way = {"session": before.id} if turn.session.cancelled else {}
    turn.say_back(fx.Reply("cancelled", about | way))


def _leave_a_way_back(turn: Turn, before: Session, state: StepState | None, by: UserId) -> None:
    if before.holds_back or not before.course.phases:
        return
    menu = turn.situation.menu
    cancelled = Cancelled(
        by=by,
        at=turn.at,
        was=before.status,
        choice=state.choice if state else StepChoice(),
        fault=menu.fault if menu and before.status == "halted" else None,
    )
    turn.cancelled = cancelled
    turn.record(fx.TimerSet(TIMER, StepId(""), turn.at + TAKE_BACK_S))


def way_back_closed(turn: Turn, _: on.TakeBackPassed) -> None:
    """The ten minutes are over."""
    turn.cancelled = None
    turn.do(fx.PaintCard())


def take_back(turn: Turn, event: on.SessionResumed) -> None:
    """It goes on where it stood, as after a pause."""
    session, cancelled = turn.session, turn.session.cancelled
    if cancelled is None or event.at > cancelled.at + TAKE_BACK_S:
        turn.say_back(fx.Reply("not-taken-back", {"title": session.title}))
        return
    if turn.refuses(event.by, event.admin):
        return
    state = turn.state(session.course.step)
    if state is not None and state.choice.name == "cancel":
        turn.save(replace(state, choice=cancelled.choice))
    turn.cancel_timers()
    turn.cancelled, turn.status = None, cancelled.was
    if cancelled.was == "halted":
        _halt_again(turn, cancelled)
    elif cancelled.was == "paused":
        turn.do(fx.PaintCard())
        turn.say_back(pause_resume.is_paused(turn.session))
        return
    elif session.mode == "party" and session.party.records:
        _seat_again(turn)
    elif cancelled.was == "starting" or session.roster.needs_choice:
        turn.status = "starting"
        turn.do(fx.OpenFlow())  # nothing began: the mode, the team or who leads is asked for again
    else:
        pause_resume.resumed(turn)
        return
    turn.say_back(fx.Reply("resuming", {"title": session.title, "slug": session.slug}))


def _halt_again(turn: Turn, cancelled: Cancelled) -> None:
    """Halted it was, and halted it is: its menu stands again."""
    menu = turn.open_menu("fatal", ("check", "cancel"), None, cancelled.fault)
    turn.do(fx.ShowRecovery(menu, turn.course.thread), fx.PaintCard())


def _seat_again(turn: Turn) -> None:
    """The team is gone: it is made anew, and the phase that was under way begins once more."""
    session = turn.session
    for phase in session.course.phases:
        turn.save_phase(phase.interrupted())
    turn.status, turn.party = "starting", turn.party.revived()
    turn.do(fx.CreateTeam(tuple(persona.key for persona in turn.playbook.personas)), fx.PaintCard())
