"""Language models read what none of them has read, once somebody asks for it.

One step after the other, also after the end. Their lines wait with each step, and one message per
phase shows what they would change (`core.engine.answers.enriched` says what comes of it).
"""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import MenuId, PhaseKey
from core.domain.session.course import AWAITS_PEOPLE, ENDED
from core.domain.session.enriching import EnrichedPhase
from core.domain.session.menu import Menu, MenuKind
from core.domain.session.model_reading import ModelCall
from core.domain.session.step import StepState
from core.engine.flow import seats
from core.engine.kernel.turn import Turn
from core.engine.model import budget, refining
from core.engine.model.tries import first_call

KIND: Final[MenuKind] = "enriched"
ACCEPT, KEEP, STEPWISE = "take-in", "leave-as-is", "step-by-step"


def requested(turn: Turn, event: on.EnrichRequested) -> None:
    """Have models read every step with answers that none has read."""
    if not turn.situation.offer.models or turn.model.script_only:
        turn.say_back(fx.Reply("enrich-no-model"))
        return
    if any(phase.awaited for phase in turn.model.enriched):
        turn.say_back(fx.Reply("enrich-under-way"))
        return
    begun = [enriched for phase in turn.course.phases if (enriched := _begun(turn, phase.key))]
    if not begun:
        turn.say_back(fx.Reply("enrich-nothing", {"title": turn.session.title}))
        return
    for enriched in begun:
        turn.model = turn.model.with_enriched(enriched)
        if not enriched.awaited:
            show(turn, enriched)
    turn.say_back(fx.Reply("enrich-begun", {"title": turn.session.title}))
    _ask_next(turn)


def _begun(turn: Turn, key: PhaseKey) -> EnrichedPhase | None:
    """What is to be read in a phase, and what waits there; None: nothing new."""
    before = next((enriched for enriched in turn.model.enriched if enriched.phase == key), None)
    open_before = before if before and before.menu else None
    states = {state.id: state for state in (*turn.course.steps, *turn.situation.others.values())}
    phase_states = [states[step] for step in sorted(states) if states[step].phase == key]
    unread = tuple(state.id for state in phase_states if _is_unread(turn, state))
    waiting = tuple(
        state.id for state in phase_states if state.model.waiting and state.id not in unread
    )
    if not unread and (open_before or not waiting):
        return None
    turn.end_menu(open_before.menu if open_before else None)
    name = open_before.key if open_before else turn.fresh("enriched")
    return EnrichedPhase(key, name, awaited=unread, offered=waiting)


def _is_unread(turn: Turn, state: StepState) -> bool:
    """True for a step with answers that no model has read as they are; people are past it."""
    phase, basis = turn.phase_of(state), refining.answers_in(state.basis)
    if not basis or state.model.call is not None:
        return False
    if phase.facilitated or seats.phase_of(turn, state.phase) is not None:
        return False
    if state.id == turn.course.step and turn.status in AWAITS_PEOPLE and not state.choice.name:
        return False  # its own reading is for that
    return basis != state.model.basis or not state.model.model


def _ask_next(turn: Turn) -> None:
    """The next step, if a model may be asked; else nothing more is read."""
    phase = next((enriched for enriched in turn.model.enriched if enriched.awaited), None)
    if phase is None:
        return
    state, use = turn.existing(phase.awaited[0]), turn.model
    wanted = ModelCall(turn.task(), "read_answers", use.first_tier, is_aside=True)
    call = first_call(wanted, turn.situation.offer, use, turn.at)
    enough = budget.is_enough(turn)
    if not enough:
        budget.say(turn, state)
    if call is None or not enough:
        _stop(turn)
        return
    state = turn.save(
        replace(state, model=state.model.begun_aside(call, refining.answers_in(state.basis)))
    )
    refining.send(turn, state, call)


def go_on(turn: Turn, event: on.ModelReplied | on.ModelFailed) -> None:
    """Once a step was read, or could not be: the next one, and the message after the last."""
    phase = next(
        (enriched for enriched in turn.model.enriched if event.step in enriched.awaited[:1]), None
    )
    state = turn.state(event.step)
    if phase is None or state is None:
        return
    if state.model.call is not None and state.model.call.is_aside:
        return  # its next try is under way
    is_read = isinstance(event, on.ModelReplied)
    if not is_read:  # it may be asked for again
        turn.save(replace(state, model=replace(state.model, basis=())))
    phase = phase.came(event.step, is_read=is_read, brings=bool(state.model.waiting))
    turn.model = turn.model.with_enriched(phase)
    if not phase.awaited:
        show(turn, phase)
    if turn.model.script_only or turn.status in ENDED - {"completed"}:
        _stop(turn)
    else:
        _ask_next(turn)


def _stop(turn: Turn) -> None:
    """What is awaited is not read any more."""
    for phase in turn.model.enriched:
        if phase.awaited:
            show(turn, phase.stopped())


def show(turn: Turn, phase: EnrichedPhase) -> None:
    """The message of a phase as it is now, with a menu while something waits there."""
    menu = _menu(turn, phase) if phase.offered else None
    turn.model = turn.model.with_enriched(replace(phase, menu=menu))
    if turn.status in ENDED - {"completed"}:
        return
    thread = turn.phase(phase.phase).persona
    turn.do(fx.ShowEnriched(phase.key, phase.phase, thread))


def _menu(turn: Turn, phase: EnrichedPhase) -> MenuId:
    more = (STEPWISE,) if len(phase.shown) > 1 else ()
    menu = Menu(
        MenuId(turn.fresh("menu")), turn.session.id, KIND, (ACCEPT, KEEP, *more),
        phase.phase, phase.offered[0],
    )  # fmt: skip
    turn.record(fx.MenuOpened(menu))
    return menu.id
