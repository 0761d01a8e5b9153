"""What people choose about lines that a model read once they had gone on.

Accepted, the step is read again with them; names stay, nothing is removed and nothing moves. One
step is read after the other: what it shows of other steps' lines has to be what those say by then.
"""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import StepId
from core.domain.session.menu import Menu
from core.engine.answers import corrections
from core.engine.kernel.turn import Turn
from core.engine.model import enriching

KIND: Final = enriching.KIND


def chosen(turn: Turn, menu: Menu, event: on.ChoiceMade) -> None:
    phase = next((enriched for enriched in turn.model.enriched if enriched.menu == menu.id), None)
    if phase is None:
        turn.say_back(fx.Reply("gone"))
        return
    turn.end_menu(menu.id, event.by, event.choice)
    if event.choice == enriching.STEPWISE:
        enriching.show(turn, replace(phase, is_stepwise=True))
        return
    accepts = event.choice == enriching.ACCEPT
    for step in phase.shown:
        _decide(turn, step, accepts=accepts)
    enriching.show(turn, phase.decide("accepted" if accepts else "kept", event.by))
    if accepts:
        _write(turn)


def _decide(turn: Turn, step: StepId, *, accepts: bool) -> None:
    state = turn.state(step)
    if state is None or not state.model.waiting:
        return  # it was read anew meanwhile
    model = state.model.accepted() if accepts else replace(state.model, waiting=())
    turn.save(replace(state, model=model))


def _write(turn: Turn) -> None:
    """Read the next step with the lines that were accepted for it."""
    for phase in turn.model.enriched:
        for step in phase.unwritten:
            corrections.correct(turn, step, ())
            if turn.existing(step).rebuild.task is not None:
                return
            _written(turn, step)


def _written(turn: Turn, step: StepId) -> None:
    for phase in turn.model.enriched:
        steps = tuple(unwritten for unwritten in phase.unwritten if unwritten != step)
        turn.model = turn.model.with_enriched(replace(phase, unwritten=steps))


def go_on(turn: Turn, event: on.BrainReplied | on.BrainFailed) -> None:
    """Once a step was read with them, the next one is."""
    steps = [step for phase in turn.model.enriched for step in phase.unwritten]
    if event.step in steps and turn.existing(event.step).rebuild.task is None:
        _written(turn, event.step)
        _write(turn)
