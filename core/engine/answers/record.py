"""What a brain made of the answers: stored, written into the files, and then shown with a menu."""

from dataclasses import replace
from typing import Final, cast

from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Draft
from core.domain.follow_ups import FOLLOW_UPS_MAX, FollowUp
from core.domain.ids import StepId
from core.domain.session.course import AWAITS_PEOPLE
from core.domain.session.halt import CREDENTIAL
from core.domain.session.session import Session
from core.domain.session.step import Questions, StepState
from core.engine.answers import collect, measured, stale, stances
from core.engine.council import absence
from core.engine.faults import halt
from core.engine.flow import navigation
from core.engine.kernel.turn import Turn
from core.engine.model import refining
from core.engine.prompts import SIZE_SAID, offer_menu, rebuild
from core.taxonomy.aggregation import Raised, aggregate
from core.taxonomy.catalogue import CATALOGUE, Code

# codes whose message names the artifact
NAMED_FAULTS: Final = frozenset({"ERR-ART-002", "ERR-ART-003"})
ABSENT: Final = frozenset({"ERR-ART-001", "ERR-META-001"})  # the folder, and its meta.json


def read(turn: Turn, event: on.BrainReplied) -> None:
    state = turn.state(event.step)
    if state is None:
        return
    if new := set(event.mentioned) - set(turn.people.names):
        turn.people = turn.people.mentioned(sorted(new))
    if event.task == state.rebuild.task:
        _rebuilt(turn, state, event)
    elif event.task == turn.reading.task:
        _read_here(turn, state, event)
    # any other result came after a time-out, a cancel or a step back: recorded, ignored


def _rebuilt(turn: Turn, state: StepState, event: on.BrainReplied) -> None:
    by = state.rebuild.late_by
    turn.save(
        replace(
            state,
            rebuild=replace(state.rebuild, task=None, late_by=None),
            questions=state.questions.closed(event.draft.closed),
            basis=event.basis,
        )
    )
    _store(turn, state, event)
    if turn.code.repository:
        measured.search(turn, state)
    stale.mark(turn, state, event)
    turn.do(fx.WriteFolder(state.id), fx.PaintStep(state.id))  # how its lines are sorted now
    if by is not None:
        words = {"step": state.title, "by": by}
        turn.do(fx.Say("late-answer", turn.phase_of(state).persona, words))


def _store(turn: Turn, state: StepState, event: on.BrainReplied) -> None:
    """Record the claims and sections. `state` is the step as it was read before."""
    draft = event.draft
    turn.record(fx.ClaimsReplaced(state.id, draft.claims))
    turn.record(fx.SectionsSaved(state.id, draft.sections, anew=event.basis != state.basis))
    _close_elsewhere(turn, state.id, draft.closed)
    # A file is written once, with the sections of all steps; models may keep the step's own back.
    files = set() if turn.situation.offer.models else {section.file for section in draft.sections}
    for section in event.elsewhere:
        turn.record(fx.SectionsSaved(section.step, (section,), partly=True))
        if section.file not in files or section.step == turn.course.step:  # a menu waits for it
            turn.do(fx.WriteFolder(section.step))
        files.add(section.file)
    if draft.scan is not None:
        if draft.scan.scope != turn.session.scan.scope:  # another size is said again
            turn.shown_marks = tuple(mark for mark in turn.shown_marks if mark != SIZE_SAID)
        turn.scan = draft.scan


def _close_elsewhere(turn: Turn, step: StepId, closed: tuple[FollowUp, ...]) -> None:
    """What was said at the step answers what was asked at others: those are read again."""
    for state in (*turn.course.steps, *turn.situation.others.values()):
        current = turn.existing(state.id)
        questions = current.questions.closed(closed)
        if current.id != step and questions != current.questions:
            rebuild(turn, replace(current, questions=questions), None)


def _read_here(turn: Turn, state: StepState, event: on.BrainReplied) -> None:
    draft = event.draft
    answered = bool(event.basis) or turn.council is not None
    turn.reading = turn.reading.succeeded()
    if not answered:
        turn.people = turn.people.asked_anew()
    recovery = turn.menus.recovery
    if recovery is not None:  # it went well after all
        turn.end_menu(recovery)
        turn.do(fx.ShowRecovery(recovery, None))
    _store(turn, state, event)
    stale.mark(turn, state, event)
    questions = _questions(state, draft)
    now = replace(
        state,
        status="completed" if answered else "pending",
        recorded=draft.recorded,
        questions=questions,
        basis=event.basis,
        model=state.model.without_asked(questions.follow_ups),
    )
    turn.save(now)
    if turn.code.repository:
        measured.search(turn, now)
    if any("conflicts" in claim.data for claim in draft.claims):
        stances.let_it_be_settled(turn, now.id)
    course = turn.course
    turn.course = course.step_completed(now) if answered else course.step_reopened(now)
    offered = turn.situation.offer.models
    if not (offered and refining.begin(turn, turn.existing(now.id), event)):
        turn.do(fx.WriteFolder(state.id))
    elif now.questions.open != state.questions.open:  # a model may ask a better one
        refining.hold_question(turn, turn.existing(now.id), state.questions.closed(draft.closed))


def _questions(state: StepState, draft: Draft) -> Questions:
    """What became of the follow-ups, and the next one: one at a time, two in all."""
    questions = state.questions.closed(draft.closed)
    may_ask = questions.open is None and len(questions.follow_ups) < FOLLOW_UPS_MAX
    if draft.follow_up is None or not may_ask or state.prompt.is_short:
        return questions
    return questions.raised(draft.follow_up)


def written(turn: Turn, event: on.FolderWritten) -> None:
    """The artifacts are on disk, or it is known why not: only now does the menu appear."""
    event = replace(event, faults=_unexpected(turn.session, event))
    state = turn.state(event.step)
    if _halts(turn, event, state):
        return
    faults = event.faults if turn.council is None else absence.unwritten(turn, event.faults)
    for fault in faults:
        turn.fault(
            fault.code,
            step=state,
            thread=navigation.thread(turn),
            detail=fault.detail,
            message=fault.message,
            words={"artifact_name": fault.artifact} if fault.code in NAMED_FAULTS else None,
            facts=facts_of_file(fault),
        )
    if turn.session.status not in AWAITS_PEOPLE or state is None or event.aside:
        return
    turn.do(fx.PaintCard())  # once, with what comes of the files
    if state.id != turn.course.step or turn.menus.on_summary:
        stale.offer_here(turn)
        current = turn.state(turn.course.step)
        waits = turn.menus.current is None and turn.reading.task is None
        if current is not None and turn.menus.on_summary and waits:
            offer_menu(turn, current, of_summary=True)  # an elaboration of the summary has ended
        summed_up = turn.menus.on_summary or turn.menus.assumptions is not None
        if current is not None and summed_up and state.phase == turn.course.phase:
            turn.do(
                navigation.show_current_message(turn, current)
            )  # what the summary says has changed
        return
    if state.choice.name:
        return  # a rebuild of a step whose menu is used
    if state.status == "completed":
        offer_menu(turn, state)
        stale.offer(turn, state)
    elif not turn.elaboration.is_open:
        turn.end_menu(turn.menus.current)
        turn.status = "asking"
        turn.do(fx.ShowStep(state.id, turn.course.current_phase.persona))
    if turn.reading.has_unread:
        collect.listen(turn, state)


def _unexpected(session: Session, event: on.FolderWritten) -> tuple[on.FileFault, ...]:
    """What went wrong with the files; a start that creates its folder is no fault."""
    if session.course.done or event.step is not None:
        return event.faults
    return tuple(fault for fault in event.faults if fault.code not in ABSENT)


def _halts(turn: Turn, event: on.FolderWritten, state: StepState | None) -> bool:
    """Several faults at once are one answer (seed 004, Aggregation): a fatal one stops everything.

    What it suppresses is recorded with its note, and not told.
    """
    together = aggregate([_raised(fault, event.at) for fault in event.faults])
    if together is None or together.winning != "fatal":
        return False
    notes = {suppressed.error.signature: suppressed.note for suppressed in together.suppressed}
    (winner,) = together.reported
    fatal = next(fault for fault in event.faults if fault.artifact == winner.signature)
    for fault in event.faults:
        if fault.artifact in notes:
            detail = f"{notes[fault.artifact]}: {fault.detail}"
            facts = facts_of_file(fault)
            turn.fault(fault.code, step=state, detail=detail, show=False, facts=facts)
    if not _is_known(turn, fatal):
        halt.damage_found(turn, on.DamageFound(turn.at, fatal.code, fatal.artifact, fatal.detail))  # type: ignore[arg-type]
    return True


def _is_known(turn: Turn, fatal: on.FileFault) -> bool:
    """True for what halted the session already: a write that was under way then met it too."""
    if turn.session.status != "halted" or turn.halt.code != fatal.code:
        return False
    return fatal.code != CREDENTIAL or turn.halt.place == fatal.artifact


def facts_of_file(fault: on.FileFault) -> dict[str, str]:
    """What is known of a file that could not be read or written."""
    facts = {"input_source": fault.artifact, "error": fault.detail, "actual_value": fault.actual}
    return {name: value for name, value in facts.items() if value}


def _raised(fault: on.FileFault, at: float) -> Raised:
    entry = CATALOGUE[cast("Code", fault.code)]
    return Raised(
        type=fault.code,
        handling=entry.handling,
        routing=entry.routing,
        severity=entry.severity,
        at=at,
        signature=fault.artifact,
    )
