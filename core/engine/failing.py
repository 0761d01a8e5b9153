"""When a brain fails: once more where it helps, then the facilitator, then on without the phase."""

from dataclasses import replace
from typing import Final

from core.domain.effects import PaintPrompt, ReadAnswers
from core.domain.events import BrainFailed
from core.domain.playbook import FACILITATOR
from core.domain.session import StepState
from core.engine import course
from core.engine.asking import begin_reading, reader_of
from core.engine.hearing import rebuild
from core.engine.turn import Turn

TRIES_MAX: Final = 2  # of one request, where trying once more is worth it
WORTH_ANOTHER_TRY: Final = frozenset({"invalid", "overflow"})


def failed(turn: Turn, event: BrainFailed) -> None:
    """ERR-INT-001: once more where that helps, then the facilitator, then on without the phase."""
    here = turn.state(event.step)
    if here is None or event.task not in (here.rereading, turn.session.reading):
        return
    if event.task == here.rereading:
        _rebuild_failed(turn, here, event)
        return
    attempt = turn.session.attempts + 1
    phase = turn.session.current_phase
    if event.why in WORTH_ANOTHER_TRY and attempt < TRIES_MAX:
        task = turn.task()
        turn.set(reading=task, attempts=attempt)
        less = event.why == "overflow"
        turn.do(ReadAnswers(task, here.id, reader_of(phase, here), attempt + 1, less))
        return
    if phase.facilitated:
        _give_up(turn, here, event)
        return
    turn.fault("ERR-INT-001", step=here, thread=phase.persona, persona=here.persona,
               detail=f"{event.why}: {event.detail}")  # fmt: skip
    turn.set_phase(phase.key, facilitated=True)
    begin_reading(turn, here)


def _rebuild_failed(turn: Turn, here: StepState, event: BrainFailed) -> None:
    """The step was passed already: its section stays unless the facilitator can read it."""
    phase, tries = turn.phase_of(here), here.tries + 1
    if event.why in WORTH_ANOTHER_TRY and tries < TRIES_MAX:
        rebuild(turn, here, here.late_by, tries=tries, less=event.why == "overflow")
        return
    turn.fault("ERR-INT-001", step=here, thread=phase.persona, persona=here.persona,
               detail=f"{event.why}: {event.detail}")  # fmt: skip
    if phase.facilitated:
        turn.save(replace(turn.state(here.id) or here, rereading=None, late_by=None))
        return
    turn.set_phase(phase.key, facilitated=True)
    rebuild(turn, turn.state(here.id) or here, late_by=here.late_by)


def _give_up(turn: Turn, here: StepState, event: BrainFailed) -> None:
    phase = turn.session.current_phase
    turn.fault("ERR-INT-001", step=here, thread=phase.persona, persona=FACILITATOR.key,
               message=f"Skipping {phase.label}: its analysis could not be run. "
               "Use /roundtable resume to try it again.",
               detail=f"{event.why}: {event.detail}")  # fmt: skip
    turn.save(replace(turn.state(here.id) or here, status="failed"))
    turn.set_phase(phase.key, faulty=True)
    turn.do(PaintPrompt(here.id))
    course.finish_phase(turn, failed=True)
