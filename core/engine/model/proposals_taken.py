"""What a model proposes counts once a person takes it, and goes without a word if nobody does."""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.persona_proposals import TakenProposal
from core.domain.session.menu import Menu, MenuKind
from core.engine.kernel.turn import Turn
from core.engine.prompts import begin_reading

KIND: Final[MenuKind] = "taking"


def taken(turn: Turn, menu: Menu, event: on.ChoiceMade) -> None:
    """Somebody takes a proposal: the step is read once more, with it."""
    state = turn.state(menu.step)
    key = event.choice.partition(":")[2]
    proposals = state.model.proposals if state else ()
    wanted = next((proposal for proposal in proposals if proposal.key == key), None)
    if state is None or wanted is None or state.id != turn.course.step:
        turn.say_back(fx.Reply("gone"))
        return
    turn.end_menu(menu.id, event.by, event.choice)
    model = replace(
        state.model,
        proposals=tuple(proposal for proposal in proposals if proposal != wanted),
        taken=(*state.model.taken, TakenProposal(wanted, event.by, event.at)),
    )
    begin_reading(turn, turn.save(replace(state, model=model)))
