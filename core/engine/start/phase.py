"""How a phase begins: its files, and what is known of its steps from before, become its state."""

from collections.abc import Mapping
from dataclasses import replace

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import (
    PhaseKey,
    StepId,
)
from core.domain.session.step import StepState
from core.domain.steps.playbook import PinnedFile
from core.engine.council import debate
from core.engine.flow import navigation, seats
from core.engine.kernel.turn import Turn
from core.engine.prompts import begin_reading, offer_menu
from core.engine.start import folder_progress


def phase_opened(turn: Turn, event: on.PhaseOpened) -> None:
    if event.phase != turn.course.phase:
        return
    steps = _steps_of_files(turn, event)
    # A session whose own row was damaged is taken up from its folder, which may be a step behind.
    turn.course = turn.course.steps_pinned(steps)
    for state in (*_steps_without_files(turn), *turn.course.steps):
        turn.save(state)
    if event.folder:
        folder_progress.report(turn, event.folder)
    phase = turn.course.current_phase
    unsized = turn.session.flow == "analysis" and turn.session.scan.scope is None
    if not navigation.is_scan(phase.key) and unsized:
        turn.fault("ERR-DEPTH-001")
    _report_strangers(turn)
    if event.fault:
        facts = {"input_source": event.phase}
        words = {"phase_key": event.phase}
        turn.fault(event.fault, thread=navigation.thread(turn), words=words, facts=facts)
    debated = seats.phase_of(turn, event.phase)
    if debated is not None and turn.course.steps and turn.course.steps[0].fault is None:
        debate.opened(turn, debated)
        return
    if turn.course.is_resuming and _take_up(turn):
        return
    turn.course = turn.course.resume_ended()
    navigation.advance(turn)


def _report_strangers(turn: Turn) -> None:
    """ERR-INT-002: step ids of this phase that no file of it bears, and ids of no phase at all."""
    phase = turn.course.current_phase
    pinned = {state.id for state in turn.course.steps}
    number, numbers = phase.key[:2], {phase_state.key[:2] for phase_state in turn.course.phases}
    strangers = [
        step
        for step in turn.course.done
        if step[:2] not in numbers or (step[:2] == number and step not in pinned)
    ]
    mark = f"ERR-INT-002:{','.join(strangers)}"
    if strangers and turn.set_mark(mark):
        listed = ", ".join(strangers)
        turn.fault("ERR-INT-002", detail=listed, facts={"actual_value": listed})


def _steps_of_files(turn: Turn, event: on.PhaseOpened) -> tuple[StepState, ...]:
    """The files found now, with what is known of each step from an earlier visit."""
    stored = {state.id: state for state in turn.situation.stored}
    return tuple(_pinned(turn, event.phase, file, stored) for file in event.files)


def _steps_without_files(turn: Turn) -> list[StepState]:
    """Steps of an earlier visit whose files are gone. What was said to them is kept."""
    pinned = {state.id for state in turn.course.steps}
    return [
        replace(state, pinned=False) for state in turn.situation.stored if state.id not in pinned
    ]


def _pinned(
    turn: Turn, phase: PhaseKey, file: PinnedFile, stored: Mapping[StepId, StepState]
) -> StepState:
    step, fault = file.step, file.fault
    before_state = stored.get(file.step_id) or StepState(
        id=file.step_id, phase=phase, file=file.file, title=file.file, digest=None
    )
    faulty = before_state.status in ("failed", "blocked") or (
        before_state.status == "skipped" and before_state.skipped_by is None
    )
    status = "pending" if faulty else before_state.status
    if file.step_id in turn.course.done and status == "pending":
        status = "completed"
    return replace(
        before_state,
        file=file.file,
        title=step.title if step else before_state.title,
        digest=step.digest if step else before_state.digest if status == "completed" else None,
        status=status,
        fault=None if status == "completed" else fault,
        shown_marks=() if turn.course.is_resuming else before_state.shown_marks,
        pinned=True,
    )


def _take_up(turn: Turn) -> bool:
    """Go on where a resumed session stood. False: nothing stood open, so the course decides."""
    session = turn.session
    state = turn.state(session.course.step)
    phase = session.course.current_phase
    turn.do(
        fx.Say(
            "resumed",
            navigation.thread(turn),
            {
                "done": str(len(session.course.done)),
                "total": str(sum(phase_state.count for phase_state in session.course.phases)),
                "phase": phase.label,
                "step": state.title if state else "",
            },
        )
    )
    if state is None or not state.pinned or state.status != "completed":
        return False
    if session.menus.current is None and state.choice.name:
        return False
    turn.course = turn.course.resume_ended()
    navigation.take_the_chair(turn)
    offer_menu(turn, state, anew=True)
    if session.reading.has_unread:
        begin_reading(turn, state)
    return True
