"""What people say in the threads, and what a brain makes of it."""

from dataclasses import replace
from typing import Final, cast

from core.domain.answers import Answer
from core.domain.effects import (
    AnswerSaved,
    ClaimsReplaced,
    Mark,
    PaintCard,
    PaintPrompt,
    Reply,
    Say,
    SectionsSaved,
    ShowPhase,
    ShowRecovery,
    ShowStep,
    TimerSet,
    WriteFolder,
)
from core.domain.events import (
    BrainReplied,
    DamageFound,
    FileFault,
    FolderWritten,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    QuietPassed,
)
from core.domain.ids import AnswerId, Depth, StepId, UserId
from core.domain.session import StepState
from core.engine import absence, asking_all, course, elaborating, halting
from core.engine.asking import begin_reading, offer_menu, rebuild
from core.engine.turn import Turn
from core.taxonomy.aggregate import Raised, aggregate
from core.taxonomy.catalogue import CATALOGUE, Code

COMMENT: Final = "//"
QUESTIONS_MAX: Final = 2
# codes whose message names the artifact
NAMED_FAULTS: Final = frozenset({"ERR-ART-002", "ERR-ART-003"})


def is_comment(text: str) -> bool:
    return text.lstrip().startswith(COMMENT)


def is_nothing(answer: Answer) -> bool:
    """Whether its message says nothing any more: it became a comment, or empty."""
    return is_comment(answer.text) or not (answer.text.strip() or answer.files)


def posted(turn: Turn, event: MessagePosted) -> None:
    if is_comment(event.text) or not (event.text.strip() or event.files):
        return
    asked = turn.situation.asked
    if turn.situation.thread is None or asked is None or _is_left(turn):
        turn.say_back(_elsewhere(turn))
        return
    here = turn.state(asked.id) or asked
    joins = turn.session.talking and here.id == turn.session.step
    keep(
        turn,
        here,
        Answer(
            id=AnswerId(f"{event.channel}:{event.ts}"),
            step=here.id,
            by=event.by,
            text=event.text,
            ts=event.ts,
            thread_ts=event.thread_ts,
            permalink=event.permalink,
            files=event.files,
            source="elaboration" if joins else "said",
        ),
    )
    turn.do(Mark(event.channel, event.ts, on=True))
    if turn.session.council is not None:
        asking_all.share(turn, turn.situation.thread)
    if joins:
        elaborating.heard(turn, turn.state(here.id) or here, event)


def _is_left(turn: Turn) -> bool:
    """A thread of a party that fell back to classic takes no more answers."""
    return turn.session.mode == "classic" and turn.situation.thread not in turn.session.met


def _elsewhere(turn: Turn) -> Reply:
    """A reply where nothing was asked."""
    voice = turn.session.voice
    name = turn.playbook.persona(voice).name if voice else ""
    return Reply("wrong-thread", {"persona": name, "key": voice or ""})


def set_depth(turn: Turn, here: StepState | None, depth: Depth, by: UserId) -> None:
    """For the current and later steps of the phase."""
    phase = turn.session.current_phase
    kept = tuple(pair for pair in turn.session.overrides if pair[0] != phase.key)
    turn.set(overrides=(*kept, (phase.key, depth)))
    if here is not None and here.phase == phase.key and here.revision:
        turn.save(replace(here, depth=depth))
        turn.do(PaintPrompt(here.id))
    turn.say_back(Reply("depth-set", {"depth": depth, "phase": phase.label}))


def keep(turn: Turn, here: StepState, answer: Answer) -> None:
    """Save a new, changed or withdrawn answer, and have it read."""
    turn.record(AnswerSaved(answer))
    if here.status == "blocked" and here.needs and not answer.withdrawn:
        # What was missing is there now, or they told us: either way it goes on without asking.
        here = turn.save(
            replace(here, status="pending", without=(*here.without, here.needs), needs="")
        )
    if not answer.withdrawn:
        turn.set(people=tuple(dict.fromkeys((*turn.session.people, answer.by))))
    if _is_passed(turn, here):
        if here.revision:
            rebuild(turn, here, late_by=answer.by)
        return
    if not answer.withdrawn:
        turn.set(heard=tuple(dict.fromkeys((*turn.session.heard, answer.by))))
    turn.set(unread=True)
    turn.do(PaintCard())
    if turn.session.status in ("asking", "choosing") and not turn.session.talking:
        listen(turn, here)


def _is_passed(turn: Turn, here: StepState) -> bool:
    """Whether somebody went on from it: then whatever comes is late, and it stays completed."""
    ended = turn.session.status in ("completed", "cancelled", "halted")
    return ended or here.id != turn.session.step or turn.session.summary


def listen(turn: Turn, here: StepState) -> None:
    """Have the new answers read once it has been quiet for a while."""
    if turn.session.reading is not None or turn.session.escalation is not None:
        return  # read again when that result comes
    if turn.situation.quiet_s > 0:
        turn.record(TimerSet("quiet", here.id, turn.at + turn.situation.quiet_s))
    else:
        _read_now(turn, here)


def _read_now(turn: Turn, here: StepState) -> None:
    if not asking_all.heard(turn, here):
        begin_reading(turn, here)


def edited(turn: Turn, event: MessageEdited) -> None:
    answer = turn.situation.answer
    if answer is None or answer.text == event.text:
        return
    out = answer.out_by is not None
    if answer.withdrawn and not is_comment(answer.text) and not out:
        return  # it was deleted
    if answer.edited_ts is not None and float(answer.edited_ts) >= float(event.edited_ts):
        return  # an older edit that came late
    gone = is_comment(event.text) or not (event.text.strip() or answer.files)
    here = turn.state(answer.step)
    assert here is not None, answer.step
    changed = replace(
        answer,
        text=event.text,
        revision=answer.revision + 1,
        source="edited",
        edited_ts=event.edited_ts,
        withdrawn=gone or out,
    )
    if out:
        turn.record(AnswerSaved(changed))  # it comes back with these words, if it does
        return
    keep(turn, here, changed)
    if gone != answer.withdrawn:
        turn.do(Mark(event.channel, event.ts, on=not gone))


def deleted(turn: Turn, _: MessageDeleted) -> None:
    answer = turn.situation.answer
    if answer is not None and answer.out_by is not None:  # nobody can put it back any more
        turn.record(AnswerSaved(replace(answer, out_by=None, revision=answer.revision + 1)))
        return
    if answer is None or answer.withdrawn:
        return
    here = turn.state(answer.step)
    assert here is not None, answer.step
    keep(turn, here, replace(answer, withdrawn=True, revision=answer.revision + 1))


def quiet_passed(turn: Turn, event: QuietPassed) -> None:
    here = turn.state(event.step)
    current = here is not None and event.step == turn.session.step
    if here and current and turn.session.unread and turn.session.reading is None:
        _read_now(turn, here)


# ── what the brain made of it ──────────────────────────────────────────────────────────────────


def read(turn: Turn, event: BrainReplied) -> None:
    here = turn.state(event.step)
    if here is None:
        return
    if event.task == here.rereading:
        _rebuilt(turn, here, event)
    elif event.task == turn.session.reading:
        _read_here(turn, here, event)
    # any other result came after a time-out, a cancel or a step back: recorded, ignored


def _rebuilt(turn: Turn, here: StepState, event: BrainReplied) -> None:
    by = here.late_by
    turn.save(replace(here, rereading=None, late_by=None, basis=event.basis))
    _store(turn, here.id, event)
    _mark_stale(turn, here)
    turn.do(WriteFolder(here.id))
    if by is not None:
        words = {"step": here.title, "by": by}
        turn.do(Say("late-answer", turn.phase_of(here).persona, words))


def _store(turn: Turn, step: StepId, event: BrainReplied) -> None:
    draft = event.draft
    turn.record(ClaimsReplaced(step, draft.claims))
    turn.record(SectionsSaved(step, draft.sections))
    for section in event.elsewhere:
        turn.record(SectionsSaved(section.step, (section,), partly=True))
        turn.do(WriteFolder(section.step))
    if draft.scan is not None:
        turn.set(scan=draft.scan)


def _read_here(turn: Turn, here: StepState, event: BrainReplied) -> None:
    draft = event.draft
    answered = bool(event.basis) or turn.session.council is not None
    turn.set(reading=None, attempts=0, failures=(), heard=turn.session.heard if answered else ())
    if turn.session.recovery is not None:  # it went well after all
        turn.end_menu(turn.session.recovery)
        turn.do(ShowRecovery(turn.session.recovery, None))
        turn.set(recovery=None)
    _store(turn, here.id, event)
    _mark_stale(turn, here)
    asked = here.asked
    may_ask = (len(asked) < QUESTIONS_MAX or draft.question in asked) and not here.short
    question = draft.question if may_ask else None
    if question and question not in asked:
        asked = (*asked, question)
    now = replace(
        here,
        status="completed" if answered else "pending",
        recorded=draft.recorded,
        question=question if answered else None,
        asked=asked,
        basis=event.basis,
    )
    turn.save(now)
    turn.mark_done(now, done=answered)
    turn.do(WriteFolder(here.id), PaintCard())


def _mark_stale(turn: Turn, here: StepState) -> None:
    """Later steps are stale only where their claims rest on what changed (4.4)."""
    for step in turn.situation.resting:
        state = turn.state(step)
        if state is not None and state.status == "completed" and step > here.id:
            turn.save(replace(state, status="stale"))
            turn.set(stale=tuple(dict.fromkeys((*turn.session.stale, step))))


def written(turn: Turn, event: FolderWritten) -> None:
    """The artifacts are on disk, or it is known why not: only now does the menu appear."""
    state = turn.state(event.step)
    if _halts(turn, event, state):
        return
    for fault in absence.unwritten(turn, event.faults):
        turn.fault(
            fault.code,
            step=state,
            thread=course.thread(turn) if turn.session.phase else None,
            detail=fault.detail,
            message=fault.message,
            words={"artifact_name": fault.artifact} if fault.code in NAMED_FAULTS else None,
        )
    if turn.session.status not in ("asking", "choosing") or state is None or event.aside:
        return
    if state.id != turn.session.step or turn.session.summary:
        _offer_stale_here(turn)
        here = turn.state(turn.session.step)
        waits = turn.session.menu is None and turn.session.reading is None
        if here is not None and turn.session.summary and waits and here.status == "completed":
            offer_menu(turn, here)  # an elaboration of the summary has ended
        summed_up = turn.session.summary or turn.session.assumed_menu is not None
        if here is not None and summed_up and state.phase == turn.session.phase:
            turn.do(shown_here(turn, here))  # what the summary says has changed
        return
    if state.outcome:
        return  # a rebuild of a step whose menu is used
    if state.status == "completed":
        offer_menu(turn, state)
        offer_stale(turn, state)
    elif not turn.session.talking:
        turn.end_menu(turn.session.menu)
        turn.set(status="asking", menu=None)
        turn.do(ShowStep(state.id, turn.session.current_phase.persona))
    if turn.session.unread:
        listen(turn, state)


def _halts(turn: Turn, event: FolderWritten, state: StepState | None) -> bool:
    """Several faults at once are one answer (seed 004, Aggregation): a fatal one stops everything.

    What it suppresses is recorded with its note, and not told.
    """
    together = aggregate([_raised(fault, event.at) for fault in event.faults])
    if together is None or together.winning != "fatal":
        return False
    notes = {each.error.signature: each.note for each in together.suppressed}
    (winner,) = together.reported
    fatal = next(fault for fault in event.faults if fault.artifact == winner.signature)
    for fault in event.faults:
        if fault.artifact in notes:
            detail = f"{notes[fault.artifact]}: {fault.detail}"
            turn.fault(fault.code, step=state, detail=detail, show=False)
    halting.damage_found(turn, DamageFound(turn.at, fatal.code, fatal.artifact, fatal.detail))  # type: ignore[arg-type]
    return True


def _raised(fault: FileFault, at: float) -> Raised:
    entry = CATALOGUE[cast("Code", fault.code)]
    return Raised(
        type=fault.code,
        handling=entry.handling,
        routing=entry.routing,
        severity=entry.severity,
        at=at,
        signature=fault.artifact,
    )


def _offer_stale_here(turn: Turn) -> None:
    """A late answer changed what later steps rest on: say so where people are now."""
    here = turn.state(turn.session.step)
    known = turn.situation.stale_offered
    if here is None or turn.session.status != "choosing" or set(turn.session.stale) <= known:
        return
    offer_stale(turn, here)
    turn.do(shown_here(turn, here))


def shown_here(turn: Turn, here: StepState) -> ShowPhase | ShowStep:
    """What carries the open menu: the phase's summary, or the step's message."""
    phase = turn.session.current_phase
    if turn.session.summary:
        return ShowPhase(phase.key, phase.persona)
    return ShowStep(here.id, phase.persona)


def offer_stale(turn: Turn, here: StepState) -> None:
    stale = turn.session.stale
    turn.end_menu(turn.session.stale_menu)
    turn.set(stale_menu=None)
    if stale:
        each = tuple(f"{verb}:{step}" for step in stale for verb in ("keep", "again"))
        turn.set(stale_menu=turn.open_menu("stale", (*each, "keep-all"), here.id))
