"""What a session may use of language models; once it is used up, the script reads on."""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.model_calls import Usage
from core.domain.session.menu import Menu, MenuKind
from core.domain.session.step import StepState
from core.engine.kernel.turn import Turn

KIND: Final[MenuKind] = "budget"
TOKENS_EXPECTED: Final = 8_000  # of one request with its reply, before any is known


def is_enough(turn: Turn, requests: int = 1) -> bool:
    """True if so many more requests are within what the session may use."""
    use = turn.model
    expected = Usage(TOKENS_EXPECTED, usd=0.0)
    if use.calls:  # as much as one took on average
        usd = None if use.usage.usd is None else use.usage.usd / use.calls
        expected = Usage(use.usage.tokens // use.calls, usd=usd)
    return use.may_use(expected.times(requests), turn.situation.offer)


def say(turn: Turn, state: StepState) -> None:
    """Said once, with what the owner can do about it."""
    if turn.set_mark(f"model-budget:{turn.model.allowed}"):
        menu = turn.open_menu(KIND, ("allow",), state.id)
        turn.do(fx.SayBudget(menu, turn.phase_of(state).persona))


def allowed(turn: Turn, menu: Menu, event: on.ChoiceMade) -> None:
    """The owner or an admin allows as much again."""
    if turn.refuses(event.by, event.admin):
        return
    turn.end_menu(menu.id, event.by, event.choice)
    turn.model = replace(turn.model, allowed=turn.model.allowed + 1)
    turn.do(fx.SayBudget(menu.id, turn.phase_of(turn.existing(menu.step)).persona))
