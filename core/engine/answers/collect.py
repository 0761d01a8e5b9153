"""What people say in the threads: kept at once, and read once it has been quiet for a while."""

from collections.abc import Sized
from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Answer
from core.domain.ids import Depth, PersonaKey, StepId
from core.domain.session.course import AWAITS_PEOPLE
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.engine.answers import elaboration
from core.engine.council import debate, questions
from core.engine.flow.words import only_unblocks
from core.engine.kernel.turn import Turn
from core.engine.model import refining
from core.engine.prompts import begin_reading, rebuild

COMMENT: Final = "//"


def is_comment(text: str) -> bool:
    return text.lstrip().startswith(COMMENT)


def says_nothing(text: str, files: Sized) -> bool:
    """True for a message that is a comment, or that has neither words nor files."""
    return is_comment(text) or not (text.strip() or files)


def is_nothing(answer: Answer) -> bool:
    """True if its message says nothing any more: it became a comment, or empty."""
    return says_nothing(answer.text, answer.files)


def _is_deleted(answer: Answer) -> bool:
    """True for one that is withdrawn because its message was deleted: not by an edit or a tap."""
    by_hand = answer.out_by is not None or answer.source == "unblocks"
    return answer.withdrawn and not (is_nothing(answer) or by_hand)


def step_of_reply(
    session: Session, thread: PersonaKey, prompted: StepId | None, *, prompt_under_way: bool
) -> StepId | None:
    """The step that a reply in a persona's thread answers; None where nothing was asked there.

    `prompted`: the step whose prompt is the last one before it in that thread. `prompt_under_way`:
    a prompt was being sent before it, which may stand there although its post is not confirmed.
    """
    if prompt_under_way and thread == session.course.thread and session.course.step is not None:
        return session.course.step
    seats = session.party.council.seats if session.party.council else ()
    if prompted is None and any(seat.persona == thread for seat in seats):
        return session.course.step  # a council hears people in the thread of any member
    return prompted


def posted(turn: Turn, event: on.MessagePosted) -> None:
    if says_nothing(event.text, event.files):
        return
    prompted_step = turn.situation.prompted_step
    if turn.situation.thread is None or prompted_step is None or _is_left(turn):
        turn.say_back(_elsewhere(turn))
        return
    state = turn.state(prompted_step.id) or prompted_step
    joins = turn.elaboration.is_open and state.id == turn.course.step
    answer = event.answer_to(state.id)
    answer = save_answer(turn, state, replace(answer, source="elaboration") if joins else answer)
    if not answer.withdrawn:
        turn.do(fx.Mark(event.channel, event.ts, on=True))
    if turn.council is not None:
        questions.share(turn, turn.situation.thread)
    if joins:
        elaboration.heard(turn, turn.state(state.id) or state, event)


def _is_left(turn: Turn) -> bool:
    """A thread of a party that fell back to classic takes no more answers."""
    return turn.session.mode == "classic" and turn.situation.thread not in turn.course.threads


def _elsewhere(turn: Turn) -> fx.Reply:
    """A reply where nothing was asked."""
    voice = turn.course.thread
    name = turn.playbook.persona(voice).name if voice else ""
    return fx.Reply("wrong-thread", {"persona": name, "key": voice or ""})


def depth_chosen(turn: Turn, event: on.DepthChosen) -> None:
    set_depth(turn, turn.state(turn.course.step), event.depth)


def set_depth(turn: Turn, state: StepState | None, depth: Depth, *, alone: bool = False) -> None:
    """For the current and later steps of this phase and of all later ones; `alone`: of this one."""
    phase = turn.course.current_phase
    keys = [phase_state.key for phase_state in turn.course.phases]
    chosen = [phase.key] if alone else keys[keys.index(phase.key) :]
    turn.course = turn.course.depth_chosen(chosen, depth)
    if state is not None and state.phase == phase.key and state.prompt.revision:
        turn.save(replace(state, prompt=replace(state.prompt, depth=depth)))
        turn.do(fx.PaintPrompt(state.id))
    where = "phase" if alone or chosen == keys[-1:] else "first"
    turn.say_back(fx.Reply("depth-set", {"depth": depth, where: phase.label}))


def save_answer(turn: Turn, state: StepState, answer: Answer) -> Answer:
    """Save a new, changed or withdrawn answer, and have it read; the answer as it was saved."""
    unblocks = state.status == "blocked" and bool(state.sources.missing) and not answer.withdrawn
    if unblocks and not answer.files and only_unblocks(answer.text, state.sources.missing):
        answer = replace(answer, source="unblocks", withdrawn=True)
    turn.record(fx.AnswerSaved(answer))
    if unblocks:
        # What was missing is there now, or they told us: either way it goes on without asking.
        state = turn.save(state.unblocked())
    at_table = turn.council is not None and not _is_behind(turn, state)
    revised = at_table and debate.is_open_to_changes(turn)
    passed = is_passed(turn, state) and not revised
    if not answer.withdrawn:
        turn.people = turn.people.with_answer(answer.by, at_step=not passed)
    if passed:
        if state.prompt.revision:
            rebuild(turn, state, late_by=answer.by)
        return answer
    if state.model.call is not None:
        state = refining.overtaken(turn, state, state.model.call)
    turn.reading = turn.reading.answers_came()
    turn.do(fx.PaintCard())
    if turn.session.status in AWAITS_PEOPLE and not turn.elaboration.is_open:
        listen(turn, state)
    return answer


def is_passed(turn: Turn, state: StepState) -> bool:
    """True if somebody went on from it: then whatever comes is late, and it stays completed."""
    return _is_behind(turn, state) or turn.menus.on_summary


def _is_behind(turn: Turn, state: StepState) -> bool:
    """True if the session has ended, or is at another step."""
    ended = turn.session.status in ("completed", "cancelled", "halted")
    return ended or state.id != turn.course.step


def listen(turn: Turn, state: StepState) -> None:
    """Have the new answers read once it has been quiet for a while."""
    if turn.reading.is_under_way:
        return  # read again when that result comes
    if turn.situation.quiet_s > 0:
        turn.record(fx.TimerSet("quiet", state.id, turn.at + turn.situation.quiet_s))
    else:
        _read_now(turn, state)


def _read_now(turn: Turn, state: StepState) -> None:
    if turn.council is None or not debate.take_changes(turn, state):
        begin_reading(turn, state)


def edited(turn: Turn, event: on.MessageEdited) -> None:
    answer = turn.situation.answer
    if answer is None or answer.text == event.text or _is_deleted(answer):
        return
    out = answer.out_by is not None
    if answer.edited_ts is not None and float(answer.edited_ts) >= float(event.edited_ts):
        return  # an older edit that came late
    gone = says_nothing(event.text, answer.files)
    state = turn.existing(answer.step)
    changed = replace(
        answer,
        text=event.text,
        revision=answer.revision + 1,
        source="edited",
        edited_ts=event.edited_ts,
        withdrawn=gone or out,
    )
    if out:
        turn.record(fx.AnswerSaved(changed))  # it comes back with these words, if it does
        return
    save_answer(turn, state, changed)
    if gone != answer.withdrawn:
        turn.do(fx.Mark(event.channel, event.ts, on=not gone))


def deleted(turn: Turn, _: on.MessageDeleted) -> None:
    answer = turn.situation.answer
    if answer is not None and answer.out_by is not None:  # nobody can put it back any more
        turn.record(fx.AnswerSaved(replace(answer, out_by=None, revision=answer.revision + 1)))
        return
    if answer is None or answer.withdrawn:
        return
    state = turn.existing(answer.step)
    save_answer(turn, state, replace(answer, withdrawn=True, revision=answer.revision + 1))


def quiet_passed(turn: Turn, event: on.QuietPassed) -> None:
    state = turn.state(event.step)
    current = state is not None and event.step == turn.course.step
    if state and current and turn.reading.has_unread and turn.reading.task is None:
        _read_now(turn, state)
