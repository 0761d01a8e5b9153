"""What a linked repository shows of a step: asked for when the step was read, and never waited for.

It moves nothing: no claim is made of it, no size and no depth. It may bring a question, within
those that a step may ask.
"""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.follow_ups import FOLLOW_UPS_MAX
from core.domain.ids import StepId
from core.domain.session.course import AWAITS_PEOPLE
from core.domain.session.menu import Menu, MenuKind
from core.domain.session.step import StepState
from core.domain.steps.code import sorts_of
from core.engine.kernel.turn import Turn
from core.engine.prompts import offer_follow_up

KIND: Final[MenuKind] = "measured"


def search(turn: Turn, state: StepState) -> None:
    """Have the repository searched for what a step is about, where something is measured there."""
    step = turn.content(state)
    if step is not None and not sorts_of(step):
        return
    task = turn.task()
    state = turn.existing(state.id)
    turn.save(replace(state, measured=state.measured.asked(task)))
    commit = turn.code.pin(state.phase)
    turn.do(fx.SearchCode(task, state.id, turn.code.repository, commit))


def searched(turn: Turn, event: on.CodeSearched) -> None:
    """Its lines join the step's message and its files."""
    state = turn.state(event.step)
    is_current = state is not None and event.task == state.measured.task
    if state is None or not is_current or event.repository != turn.code.repository:
        return  # of an older reading, or of a repository that was unlinked since
    if event.commit:
        turn.code = turn.code.pinned(state.phase, event.commit)
    before = state.measured.lines
    state = turn.save(replace(state, measured=state.measured.found(event.lines)))
    _ask(turn, state, event)
    if before != state.measured.lines:
        _show(turn, state.id)


def dropped(turn: Turn, menu: Menu, event: on.ChoiceMade) -> None:
    """Somebody dropped a line, of whatever step."""
    state = turn.state(menu.step)
    number = int(event.choice.partition(":")[2])
    if state is None or number >= len(state.measured.lines):
        turn.say_back(fx.Reply("gone"))
        return
    turn.end_menu(menu.id, event.by, event.choice)
    line = state.measured.lines[number]
    turn.save(replace(state, measured=state.measured.without(line, event.by)))
    _show(turn, state.id)


def _show(turn: Turn, step: StepId) -> None:
    """The lines as they are now, with a menu on which one of them can be dropped."""
    state = turn.existing(step)
    turn.end_menu(state.measured.menu)
    choices = tuple(f"drop:{number}" for number in range(len(state.measured.lines)))
    menu = turn.open_menu(KIND, choices, step) if choices else None
    turn.save(replace(state, measured=replace(state.measured, menu=menu)))
    turn.do(fx.PaintStep(step), fx.WriteFolder(step, aside=True))


def _ask(turn: Turn, state: StepState, event: on.CodeSearched) -> None:
    """A question about what differs, while people are at the step and none is open."""
    if event.question is None or state.id != turn.course.step or state.choice.name:
        return
    if turn.status not in AWAITS_PEOPLE or turn.reading.is_under_way or turn.elaboration.is_open:
        return
    questions = state.questions
    if questions.open or len(questions.follow_ups) >= FOLLOW_UPS_MAX or state.prompt.is_short:
        return
    turn.save(replace(state, questions=questions.raised(event.question)))
    if turn.status == "choosing":
        offer_follow_up(turn, state)
    turn.do(fx.PaintStep(state.id))
