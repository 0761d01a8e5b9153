"""Steps whose answers rest on what has changed since: marked, shown, and kept or asked again."""

from dataclasses import replace

from core.domain.events import ChoiceMade
from core.domain.ids import StepId
from core.domain.session import Menu, StepState
from core.engine.asking import offer_menu, shown_here
from core.engine.turn import Turn


def mark(turn: Turn, here: StepState) -> None:
    """Later steps are stale only where their claims rest on what changed (4.4)."""
    for step in turn.situation.resting:
        state = turn.state(step)
        if state is not None and state.status == "completed" and step > here.id:
            turn.save(replace(state, status="stale"))
            turn.set(stale=tuple(dict.fromkeys((*turn.session.stale, step))))


def offer(turn: Turn, here: StepState) -> None:
    """A menu of its own beside the step's: keep each as it is, or have it asked again."""
    steps = turn.session.stale
    turn.end_menu(turn.session.stale_menu)
    turn.set(stale_menu=None)
    if steps:
        each = tuple(f"{verb}:{step}" for step in steps for verb in ("keep", "again"))
        turn.set(stale_menu=turn.open_menu("stale", (*each, "keep-all"), here.id))


def offer_here(turn: Turn) -> None:
    """A late answer changed what later steps rest on: say so where people are now."""
    here = turn.state(turn.session.step)
    known = turn.situation.stale_offered
    if here is None or turn.session.status != "choosing" or set(turn.session.stale) <= known:
        return
    offer(turn, here)
    turn.do(shown_here(turn, here))


def keep_one(turn: Turn, menu: Menu, here: StepState, event: ChoiceMade, step: str) -> None:
    _resolve(turn, menu, here, event, keep=(step,), again=())


def keep_all(turn: Turn, menu: Menu, here: StepState, event: ChoiceMade, _: str) -> None:
    _resolve(turn, menu, here, event, keep=turn.session.stale, again=())


def ask_again(turn: Turn, menu: Menu, here: StepState, event: ChoiceMade, step: str) -> None:
    _resolve(turn, menu, here, event, keep=(), again=(step,))


def _resolve(
    turn: Turn,
    menu: Menu,
    here: StepState,
    event: ChoiceMade,
    *,
    keep: tuple[str, ...],
    again: tuple[str, ...],
) -> None:
    turn.end_menu(menu.id, event.by, event.choice)
    turn.set(stale_menu=None)
    for each in (*keep, *again):
        state = turn.state(StepId(each))
        if state is not None and state.status == "stale":
            turn.save(replace(state, status="completed" if each in keep else "pending"))
            if each in again:
                turn.mark_done(state, done=False)
                turn.set_phase(state.phase, status="open")
    left = tuple(step for step in turn.session.stale if step not in (*keep, *again))
    turn.set(stale=left)
    offer(turn, here)
    if turn.session.status == "choosing":
        offer_menu(turn, here)
