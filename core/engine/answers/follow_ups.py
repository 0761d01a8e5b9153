"""The one follow-up that is open at a step: its buttons, and what comes of them.

It has a menu of its own beside the step's, in the same message. It never stands in the way: whoever
goes on passes it by.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, cast

from core.domain import effects as fx
from core.domain import events as on
from core.domain.follow_ups import SIDES, FollowUp, FollowUpOutcome
from core.domain.ids import UserId
from core.domain.lines import Side, find_line, settled
from core.domain.session.menu import Menu, MenuKind
from core.domain.session.step import StepState
from core.engine.flow import navigation
from core.engine.kernel.turn import Turn
from core.engine.prompts import begin_reading, rebuild

KIND: Final[MenuKind] = "follow-up"
OUTCOMES: Final[Mapping[str, FollowUpOutcome]] = {
    "skip-question": "skipped",
    "unknown": "unknown",
    **dict.fromkeys(SIDES, "answered"),
}
SKIP_WORD: Final = "skip"


def chosen(turn: Turn, menu: Menu, event: on.ChoiceMade) -> None:
    """Somebody ended the follow-up by its button."""
    state = turn.state(menu.step)
    follow_up = state.questions.open if state else None
    if state is None or follow_up is None or menu.step != turn.course.step:
        turn.say_back(fx.Reply("gone"))
        return
    turn.end_menu(menu.id, event.by, event.choice)
    if event.choice in SIDES:
        _settle(turn, follow_up, event)
    end(turn, state, OUTCOMES[event.choice], event.by)


def _settle(turn: Turn, follow_up: FollowUp, event: on.ChoiceMade) -> None:
    """Keep which of two lines holds, and have the steps of those that do read again."""
    side, claims = cast("Side", event.choice), turn.situation.claims
    correction = settled(follow_up, side, claims, event.by, event.at)
    if correction is None:
        return
    turn.record(fx.CorrectionSaved(replace(correction, why=event.reason)))
    of = correction.of if correction.sort == "beside" else None
    beside = find_line(of, claims) if of else None
    for step in dict.fromkeys((correction.step, *([beside.step] if beside else ()))):
        of_line = turn.state(step)
        if of_line is not None and step != turn.course.step:
            rebuild(turn, of_line, None)


def skip_by_word(turn: Turn, state: StepState, by: UserId) -> None:
    """*skip* as a whole message, while a follow-up is open."""
    turn.end_menu(turn.menus.follow_up, by, "skip-question")
    end(turn, state, "skipped", by)


def end(turn: Turn, state: StepState, outcome: FollowUpOutcome, by: UserId) -> None:
    """The open follow-up ends; the step is read again, which may bring the next one."""
    turn.save(replace(state, questions=state.questions.ended(outcome, by)))
    turn.do(navigation.show_current_message(turn, state))
    if turn.elaboration.is_open:
        return  # its end has everything read
    if turn.reading.is_under_way:
        turn.reading = turn.reading.answers_came()  # that reading does not know of it yet
    else:
        begin_reading(turn, turn.state(state.id) or state)
