"""Reminders: who is waited for, since when, and when it is time to say so again.

`watch` runs after every decision and is the only place that sets or ends the timer, so that no way
of answering, pausing or ending has to think of it. At most one reminder a day in a session.
"""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import PersonaKey
from core.domain.session.course import AWAITS_PEOPLE
from core.domain.session.menu import Menu
from core.domain.session.people import ReminderState
from core.domain.session.session import Session
from core.engine.kernel.turn import Turn

TIMER: Final = "reminder"
DAY_S: Final = 86_400.0
REMINDERS_PER_STEP_MAX: Final = 5  # whoever is silent that long has heard it
PUT_OFF_S: Final = {"tomorrow": DAY_S, "three-days": 3 * DAY_S}
CHOICES: Final = ("tomorrow", "three-days", "not-again")


def watch(turn: Turn, event: on.Event) -> None:
    """Keep the timer in step with who is waited for."""
    before = turn.session.waiting
    place = _place(turn)
    waiting, alive = before, place == before.at and _sign_of_life(turn, event)
    if place != before.at:
        waiting = before.moved(place, turn.at)
    elif alive:
        waiting = before.heard(turn.at)
    if before.menu is not None and waiting.menu is None:
        _retire_reminder(turn, before)
    next_due = _due(turn, waiting)
    if waiting is not before or next_due != before.due:
        turn.waiting = replace(waiting, due=next_due)
    _keep_timer(turn, event, before.due, next_due)


def due(turn: Turn, event: on.ReminderDue) -> None:
    """The timer ran out: say it once more, to those who are awaited and to nobody else."""
    waiting, session = turn.session.waiting, turn.session
    step = session.course.step
    if waiting.due is None or event.at < waiting.due or not _place(turn) or step is None:
        return
    if waiting.menu is not None:
        _retire_reminder(turn, waiting)
    menu = turn.open_menu(TIMER, CHOICES, None if session.menus.on_summary else step)
    turn.waiting = waiting.reminded(menu, event.at)
    turn.do(
        fx.PostReminder(
            menu,
            step,
            _thread(session),
            session.awaited,
            waiting.since,
            event.at,
            last=turn.waiting.sent == REMINDERS_PER_STEP_MAX,
        )
    )


def put_off(turn: Turn, menu: Menu, event: on.ChoiceMade) -> None:
    """Tomorrow, in three days, or not again: for whoever is awaited, and for the owner."""
    session, waiting = turn.session, turn.session.waiting
    if menu.id != waiting.menu:
        turn.say_back(fx.Reply("unknown-choice"))
        return
    if event.by not in (*session.awaited, session.owner):
        turn.say_back(fx.Reply("not-awaited", {"owner": session.owner}))
        return
    turn.end_menu(menu.id, event.by, event.choice)
    if session.course.step is not None:
        turn.do(fx.PaintReminder(menu.id, session.course.step))
    later = PUT_OFF_S.get(event.choice)
    turn.waiting = waiting.silenced() if later is None else waiting.put_off(event.at + later)


def hush(turn: Turn) -> None:
    """Slack would not take it: it is not tried again where it cannot be read."""
    waiting = turn.session.waiting
    turn.end_menu(waiting.menu)
    turn.waiting = waiting.silenced()


def _place(turn: Turn) -> str:
    """Where people are waited for. A menu for the owner alone waits for a choice, not for words."""
    session = turn.session
    if session.status not in AWAITS_PEOPLE or session.menus.recovery is not None:
        return ""
    if session.course.step is None or not session.awaited:
        return ""
    if session.menus.on_summary:
        return str(session.course.phase)
    state = turn.state(session.course.step)
    return f"{session.course.step}@{state.prompt.revision if state else 0}"


def _thread(session: Session) -> PersonaKey | None:
    """Where the step is; a council's recommendation stands in the card's thread."""
    is_recommendation = session.party.council is not None and session.menus.on_summary
    return None if is_recommendation else session.course.thread


def _sign_of_life(turn: Turn, event: on.Event) -> bool:
    """Somebody said or chose something here: the quiet begins anew."""
    clicked = turn.situation.menu if isinstance(event, on.ChoiceMade) else None
    if clicked is not None and clicked.kind == TIMER:
        return False
    return isinstance(event, on.DepthChosen) or any(
        record.answer.step == turn.course.step or record.answer.source == "confirmed"
        if isinstance(record, fx.AnswerSaved)
        else isinstance(record, fx.MenuEnded) and record.by is not None
        for record in turn.records
    )


def _due(turn: Turn, waiting: ReminderState) -> float | None:
    remind_s = turn.situation.remind_s
    over = waiting.sent >= REMINDERS_PER_STEP_MAX or waiting.hushed == waiting.about
    if not remind_s or not waiting.at or over:
        return None
    pause = max(remind_s, DAY_S) if waiting.sent else DAY_S
    again = waiting.last + pause if waiting.last else 0.0
    return max(waiting.quiet + remind_s, waiting.until, again)


def _retire_reminder(turn: Turn, waiting: ReminderState) -> None:
    """A reminder that stands loses its buttons: it was heard, or another one takes its place."""
    turn.end_menu(waiting.menu)
    if waiting.menu is not None and turn.course.step is not None:
        turn.do(fx.PaintReminder(waiting.menu, turn.course.step))


def _keep_timer(turn: Turn, event: on.Event, was: float | None, now: float | None) -> None:
    gone = isinstance(event, on.ReminderDue) or any(
        isinstance(record, fx.TimersCancelled) for record in turn.records
    )
    if now is not None and (gone or now != was):
        turn.record(fx.TimerSet(TIMER, str(turn.course.step), now))
    elif now is None and was is not None and not gone:
        turn.record(fx.TimerCancelled(TIMER))
