"""How people sort the lines of a step: what somebody chose stands above what any brain reads."""

from collections.abc import Iterable

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import StepId
from core.domain.lines import Correction, lines_mark
from core.domain.session.course import AWAITS_PEOPLE
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.engine.answers import collect
from core.engine.kernel.turn import Turn
from core.engine.prompts import begin_reading, rebuild


def form_refusal(session: Session) -> fx.Reply | None:
    """Why nobody is given a form about lines or answers now; None: whoever may answer is."""
    if session.is_correctable:
        return None
    kind: fx.ReplyKind = "is-halted" if session.status == "halted" else "ended-thread"
    return fx.Reply(kind, {"title": session.title})


def lines_sorted(turn: Turn, event: on.LinesSorted) -> None:
    state = turn.state(event.step)
    lines = [claim for claim in turn.situation.claims if claim.step == event.step]
    if state is None or not lines:
        turn.say_back(fx.Reply("gone"))
    elif event.shown != lines_mark(lines):
        turn.say_back(fx.Reply("lines-changed"))
    elif event.corrections:
        correct(turn, event.step, event.corrections)
        turn.say_back(fx.Reply("lines-sorted", {"step": state.title}))


def correct(turn: Turn, step: StepId, corrections: Iterable[Correction]) -> None:
    """Keep what people chose, and have the step read again by it. Nothing moves."""
    for correction in corrections:
        turn.record(fx.CorrectionSaved(correction))
    state = turn.existing(step)
    if may_read_again(turn, state) and not turn.reading.is_under_way:
        begin_reading(turn, state)


def may_read_again(turn: Turn, state: StepState) -> bool:
    """True where the step can be read again now; one that was passed is rebuilt.

    Any other is read once people are awaited here again.
    """
    if collect.is_passed(turn, state):
        rebuild(turn, state, None)
        return False
    turn.reading = turn.reading.answers_came()
    debated_anew = turn.council is not None and turn.council.changes
    is_busy = turn.elaboration.is_open or debated_anew
    return turn.session.status in AWAITS_PEOPLE and not is_busy
