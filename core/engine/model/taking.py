"""What a model proposes counts once a person takes it, and goes without a word if nobody does."""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.session.menu import Menu, MenuKind
from core.engine.kernel.turn import Turn
from core.engine.prompts import begin_reading

KIND: Final[MenuKind] = "taking"


def taken(turn: Turn, menu: Menu, event: on.ChoiceMade) -> None:
    """Somebody takes a proposal: the step is read once more, with it."""
    here = turn.state(menu.step)
    place = int(event.choice.partition(":")[2])
    if here is None or here.id != turn.course.step or place >= len(here.model.proposals):
        turn.say_back(fx.Reply("gone"))
        return
    turn.end_menu(menu.id, event.by, event.choice)
    proposals = list(here.model.proposals)
    proposals[place] = replace(proposals[place], taken_by=event.by)
    here = turn.save(replace(here, model=replace(here.model, proposals=tuple(proposals))))
    begin_reading(turn, here)
