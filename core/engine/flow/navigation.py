"""Which step comes next, and at which depth it is asked."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain.answers import Size
from core.domain.faults import facts_of
from core.domain.ids import Depth, PersonaKey, PhaseKey, StepId
from core.domain.session.menu import OpenMenus
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.domain.steps.condition import ConditionError, parse
from core.domain.steps.playbook import Step, StepFault
from core.engine.flow import seats
from core.engine.kernel.turn import Turn
from core.taxonomy.catalogue import shown

DEPTH_OF_SCOPE: Final[Mapping[Size, Depth]] = {
    "small": "brief",
    "medium": "standard",
    "large": "deep",
}


def depth_of(session: Session, phase: PhaseKey, step: Step) -> Depth:
    """Override → finished quick scan → in the first phase the step's own → standard (4.3)."""
    override = dict(session.course.depths).get(phase)
    if override:
        return override
    if is_scan(phase):
        return step.depth
    finished = any(
        is_scan(phase_state.key) and phase_state.status == "completed"
        for phase_state in session.course.phases
    )
    if finished and session.scan.scope:
        return DEPTH_OF_SCOPE[session.scan.scope]
    return "standard"


def is_scan(phase: PhaseKey) -> bool:
    """True if it is phase 00, which finds out how large the item is."""
    return phase.startswith("00-")


def upcoming(turn: Turn) -> StepState | None:
    """The first step in order that would run now. Decides nothing."""
    for state in turn.course.steps:
        if state.status in ("pending", "stale") and _obstacle(turn, state) is None:
            return state
    return None


def _obstacle(turn: Turn, state: StepState) -> str | None:
    """The code that skips this step, "skip-if" or "short-path" for no fault, None when it runs."""
    step = turn.content(state)
    if state.fault or step is None:
        return state.fault.code if state.fault else "ERR-STEP-003"
    if (
        turn.session.short_path.chosen_by
        and not is_scan(state.phase)
        and not step.short
        and not state.prompt.revision
    ):
        return "short-path"
    if _missing(turn.session, step):
        return "ERR-STEP-008"
    was_prompted = state.prompt.revision > 0  # whoever goes back to a step wants to see it
    return "skip-if" if not was_prompted and skips(turn.session, step) else None


def _missing(session: Session, step: Step) -> StepId | None:
    return next((need for need in step.depends_on if need not in session.course.done), None)


def skips(session: Session, step: Step) -> bool:
    """True if the step's condition says that it is not asked."""
    try:
        return step.skip_if is not None and parse(step.skip_if)(_variables(session, step))
    except ConditionError:
        return False  # ERR-STEP-009 is told when the step runs


def broken_condition(session: Session, step: Step) -> str | None:
    """Why `skip_if` cannot be evaluated, if so."""
    try:
        if step.skip_if is not None:
            parse(step.skip_if)(_variables(session, step))
    except ConditionError as error:
        return str(error)
    return None


def _variables(session: Session, step: Step) -> Mapping[str, str | int | None]:
    return {
        "scope": session.scan.scope,
        "complexity": session.scan.complexity,
        "file_count": session.scan.file_count,
        "depth": depth_of(session, step.phase, step),
    }


def pass_over(turn: Turn) -> None:
    """Skip what stands before the next step that runs, and say why where a fault is the reason."""
    ahead = upcoming(turn)
    for state in turn.course.steps:
        if ahead is not None and state.id == ahead.id:
            return
        if state.status in ("pending", "stale"):
            _skip(turn, state)


def _skip(turn: Turn, state: StepState) -> None:
    why = _obstacle(turn, state)
    if why is None:
        return
    if why == "skip-if":
        turn.save(replace(state, status="skipped"))
        return
    if why == "short-path":
        turn.save(replace(state, status="skipped", skipped_by=turn.session.short_path.chosen_by))
        return
    step, fault = turn.content(state), state.fault or StepFault(why, state.file, "")
    if why == "ERR-STEP-008" and step is not None:
        need = str(_missing(turn.session, step))
        words = {"step_id": state.id, "dep_id": need}
        facts = {"input_source": state.file, "actual_value": need}
        turn.fault(why, step=state, thread=thread(turn), words=words, facts=facts)
    else:
        message = fault.message or shown("ERR-STEP-003", filename=state.file)
        facts = {"input_source": state.file, **facts_of(fault)}
        turn.fault(why, step=state, thread=thread(turn), message=message, facts=facts)
    saved = turn.state(state.id) or state
    turn.save(replace(saved, status="skipped", fault=fault))
    turn.save_phase(turn.phase_of(state).flawed())


CONCLUDING: Final = ("accept", "amend", "elaborate")


def thread(turn: Turn) -> PersonaKey | None:
    """The thread of the phase's persona once it is open, else the card's."""
    if turn.course.phase is None:
        return None
    persona = turn.course.current_phase.persona
    return persona if persona in turn.course.threads else None


def show_current_message(
    turn: Turn, state: StepState, menus: OpenMenus | None = None, *, anew: bool = False
) -> fx.ShowPhase | fx.ShowStep:
    """What carries the menu: the phase's summary, or the step's message.

    `menus`: those that were open, where they are closed by now.
    """
    phase = turn.course.current_phase
    if (menus or turn.menus).on_summary:
        return fx.ShowPhase(phase.key, phase.persona, anew)
    return fx.ShowStep(state.id, phase.persona, anew)


def open_threads(turn: Turn, personas: Iterable[PersonaKey]) -> bool:
    """Whoever has no thread, or whose thread is gone, gets one. True: somebody does."""
    new = [persona for persona in personas if persona not in turn.course.threads]
    for persona in new:
        turn.do(fx.OpenThread(persona))
        turn.course = turn.course.thread_opened(persona)
    return bool(new)


def take_the_chair(turn: Turn) -> None:
    """Greet where a persona leads for the first time; hand over where another led before."""
    phase, voice = turn.course.current_phase, turn.course.thread
    persona = phase.persona
    leaving = voice if voice != persona else None
    is_new = open_threads(turn, (persona,))
    if is_new or leaving:
        turn.do(fx.Greet(persona, phase.key, leaving))
    if leaving:
        turn.do(fx.HandOver(leaving, persona))
    turn.course = turn.course.thread_entered(persona)


def advance(turn: Turn) -> None:
    """Go to the next step that runs; at the phase's end to its summary, or past it."""
    pass_over(turn)
    ahead = upcoming(turn)
    if ahead is not None:
        turn.status, turn.course = "opening", turn.course.gone_to(ahead.id)
        turn.do(fx.OpenStep(ahead.phase, ahead.file, ahead.id), fx.PaintCard())
    elif any(state.status == "completed" for state in turn.course.steps):
        conclude_phase(turn)
    else:
        finish_phase(turn)


def conclude_phase(turn: Turn) -> None:
    """The summary with Accept and Amend as a message of its own."""
    take_the_chair(turn)
    turn.close_menus()
    phase = turn.course.current_phase
    done = [state for state in turn.course.steps if state.status == "completed"]
    turn.menus = turn.menus.moved(to_summary=True)
    turn.people = turn.people.asked_anew()
    turn.status, turn.course = "choosing", turn.course.gone_to(done[-1].id)
    choices = ("accept", "amend") if turn.session.flow == "inception" else CONCLUDING
    turn.open_menu("phase", choices, done[-1].id)
    turn.open_menu("assumptions", ("right", "wrong"), done[-1].id)
    turn.do(fx.ShowPhase(phase.key, phase.persona), fx.PaintCard())


def finish_phase(turn: Turn, *, failed: bool = False) -> None:
    """Close the phase and open the next one that is not closed; after the last the session ends."""
    phase = turn.course.current_phase
    turn.course = turn.course.phase_closed(failed=failed)
    seats.phase_left(turn, phase.key, failed=failed)
    turn.close_menus()
    turn.reading = turn.reading.dropped()
    turn.people = turn.people.asked_anew()
    turn.cancel_timers()
    following = next(
        (phase for phase in turn.course.phases if phase.status in ("pending", "open")), None
    )
    if following is None:
        turn.status, turn.course = "completed", turn.course.resume_ended()
        turn.do(fx.PaintCard(), fx.WriteFolder(None))
        if turn.session.flow == "analysis" and turn.course.done:
            turn.do(fx.ShowResult())
        seats.team_finished(turn)
        return
    turn.do(fx.WriteFolder(None))
    open_phase(turn, following.key)


def begin(turn: Turn) -> None:
    """Open the first phase that is not closed; with none there is nothing to do."""
    following = next((phase for phase in turn.course.phases if phase.status == "pending"), None)
    turn.do(fx.WriteFolder(None))
    if following is not None:
        open_phase(turn, following.key)
        return
    turn.status = "completed"
    turn.do(fx.PaintCard())
    seats.team_finished(turn)


def open_phase(turn: Turn, key: PhaseKey, *, look_at_folder: bool = False) -> None:
    """Have the phase's directory read; what comes back is `PhaseOpened`."""
    turn.save_phase(turn.phase(key).opened())
    seats.phase_entered(turn, key)
    step = turn.course.step if look_at_folder else None
    turn.status, turn.course = "opening", turn.course.moved_to(key, step)
    turn.do(fx.OpenPhase(key, look_at_folder), fx.PaintCard())
