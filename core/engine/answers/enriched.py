"""What people choose about lines that a model read once they had gone on.

Accepted, the step is read again with them; names stay, nothing is removed and nothing moves.
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
    phase = next((one for one in turn.model.enriched if one.menu == menu.id), None)
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


def _decide(turn: Turn, step: StepId, *, accepts: bool) -> None:
    here = turn.state(step)
    if here is None or not here.model.waiting:
        return  # it was read anew meanwhile
    model = here.model.accepted() if accepts else replace(here.model, waiting=())
    turn.save(replace(here, model=model))
    if accepts:
        corrections.correct(turn, step, ())
