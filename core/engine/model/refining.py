"""A language model reads what the script read: asked once people's words are stored.

The script's reading stands until the model's is there, and where none comes. The step's message
waits for it as long as people have patience; what comes later refines the same message, or, once
people went on, waits for somebody to accept it.
"""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.follow_ups import FOLLOW_UPS_MAX, FollowUp
from core.domain.model_calls import OVER_DAY, RESTS, TIERS, ModelTask, ModelTier
from core.domain.session.course import AWAITS_PEOPLE
from core.domain.session.menu import Menu, MenuKind
from core.domain.session.model_reading import ModelCall, ModelReading, WhyScript
from core.domain.session.step import Questions, StepState
from core.engine.kernel.turn import Turn
from core.engine.model import budget, voices
from core.engine.model.needed import needed_tasks
from core.engine.model.tries import NextTry, first_call, next_try
from core.engine.prompts import begin_reading, offer_rereading, reader_of

TIMER: Final = "patience"
CANNOT_TELL: Final = "I cannot tell what is meant: “{what}” Which is it?"
KIND: Final[MenuKind] = "rereading"
FAILED: Final = "ERR-INT-001"
_ASKED_AT: Final[dict[ModelTask, ModelTier]] = {"read_answers": "fast", "ask_and_propose": "middle"}
NOT_ANSWERED: Final[dict[ModelTask, str]] = {
    "read_answers": "{model} could not read “{step}”: {detail}",
    "ask_and_propose": "{model} could not ask or propose anything at “{step}”: {detail}",
}


def begin(turn: Turn, state: StepState, event: on.BrainReplied) -> bool:
    """Have a model read the step's answers. True: the step's message waits for it."""
    basis = answers_in(event.basis)
    return bool(basis) and basis != state.model.basis and _begin(turn, state, basis)


def _begin(turn: Turn, state: StepState, basis: tuple[str, ...]) -> bool:
    if not _may_read(turn, state):
        return False
    if turn.model.waits_for_admin:  # who agreed since
        turn.model = replace(turn.model, waits_for_admin=False)
    tier = turn.model.first_tier
    call = first_call(
        ModelCall(turn.task(), "read_answers", tier), turn.situation.offer, turn.model, turn.at
    )
    if call is None:
        return False
    if not budget.is_enough(turn):
        turn.save(replace(state, model=state.model.scripted("budget")))
        budget.say(turn, state)
        return False
    state = turn.save(replace(state, model=state.model.begun(call, basis)))
    turn.reading = turn.reading.begun(call.task)
    turn.record(fx.TimerSet(TIMER, state.id, turn.at + turn.situation.offer.patience_s))
    send(turn, state, call)
    _show_who_reads(turn, state)
    return True


def answers_in(basis: tuple[str, ...]) -> tuple[str, ...]:
    """Of what was read the answers, without how people sorted their lines."""
    return tuple(entry for entry in basis if not entry.startswith("corrections:"))


def read_again(turn: Turn, menu: Menu, event: on.ChoiceMade) -> None:
    """The owner or an admin has a model read a step once more whose replies had flaws."""
    state = turn.existing(menu.step)
    if turn.refuses(event.by, event.admin):
        return
    if state.id != turn.course.step or turn.reading.is_under_way:
        turn.say_back(fx.Reply("gone"))
    elif not _begin(turn, state, answers_in(state.basis)):
        turn.say_back(fx.Reply("enrich-no-model"))
    else:
        state = turn.existing(state.id)
        turn.save(replace(state, model=replace(state.model, wanted_by=event.by)))
        turn.end_menu(menu.id, event.by, event.choice)
        turn.do(fx.PaintStep(state.id))


def hold_question(turn: Turn, state: StepState, before: Questions) -> None:
    """What the script would ask waits with the step's message: nobody has seen it yet."""
    model = replace(state.model, scripts_question=state.questions.open)
    turn.save(replace(state, questions=before, model=model))


def _ask_held(turn: Turn, state: StepState) -> StepState:
    """The script's question is asked: no better one has come in time."""
    held, questions = state.model.scripts_question, state.questions
    if held is None:
        return state
    if questions.open is None and len(questions.follow_ups) < FOLLOW_UPS_MAX:
        questions = questions.raised(held)
    model = replace(state.model, scripts_question=None)
    return turn.save(replace(state, questions=questions, model=model))


def _may_read(turn: Turn, state: StepState) -> bool:
    offer, phase = turn.situation.offer, turn.phase_of(state)
    if not offer.models or turn.model.script_only or turn.council is not None:
        return False
    return not (phase.facilitated or turn.model.off_in == phase.key)


def send(turn: Turn, state: StepState, call: ModelCall, wait_s: float = 0.0) -> None:
    model = turn.situation.offer.of(call.tier)[call.provider]
    reader = reader_of(turn.phase_of(state), state)
    turn.do(
        fx.AskModel(
            call.task, state.id, reader, call.asks, call.tier, model,
            wait_s, call.flaws, call.less,
        )
    )  # fmt: skip


# ── what came of it ──


def replied(turn: Turn, event: on.ModelReplied) -> None:
    state, call = _awaited(turn, event)
    turn.model = turn.model.used(event.usage).woken(event.model)
    if state is None or call is None:
        return
    reading = state.model.used(event.usage).without(event.left_out)
    if call.asks == "ask_and_propose":
        reading = replace(reading, question=event.question, proposals=event.proposals)
        _end(turn, state, reading)
        return
    reading = replace(reading, model=event.model, tier=call.tier)
    state = turn.save(replace(state, model=_with_lines(turn, state, reading, event)))
    _ask_next(turn, state, call)


def _with_lines(
    turn: Turn, state: StepState, reading: ModelReading, event: on.ModelReplied
) -> ModelReading:
    """The lines stand, or wait to be accepted once people went on."""
    if _is_open(turn, state):
        open_criteria = event.open_criteria
        return replace(reading, lines=event.lines, waiting=(), open_criteria=open_criteria)
    return replace(reading, waiting=event.lines)


def _ask_next(turn: Turn, state: StepState, read: ModelCall) -> None:
    """The second request of a reading: what to ask people, and what nobody said."""
    turn.model = turn.model.read(escalated=TIERS.index(read.tier) > 0)
    tier = max(_ASKED_AT["ask_and_propose"], read.tier, key=TIERS.index)
    call = first_call(
        ModelCall(turn.task(), "ask_and_propose", tier), turn.situation.offer, turn.model, turn.at
    )
    enough = budget.is_enough(turn)
    if not enough:
        budget.say(turn, state)
    if call is None or not enough or not _is_open(turn, state):
        _end(turn, state, state.model)
        return
    state = turn.save(replace(state, model=state.model.asked(call)))
    if state.model.is_held:
        turn.reading = turn.reading.begun(call.task)
    send(turn, state, call)


def failed(turn: Turn, event: on.ModelFailed) -> None:
    state, call = _awaited(turn, event)
    if state is None or call is None:
        return
    if call.task not in needed_tasks(turn.session, (state,)):  # it was cut off: read at resume
        _end(turn, state, replace(state.model, basis=()))
        return
    if event.config == OVER_DAY:
        _end(turn, state, state.model.scripted("budget"))
        return
    following = next_try(call, event, turn.situation.offer, turn.model, turn.task())
    if event.config != RESTS:
        state = replace(state, model=state.model.used(event.usage))
        if following is None or following.way == "DETOUR":
            voices.rest(turn, event)
        _record(turn, state, call, event, following)
    elif following is None:  # nobody is left to ask just now: it is read once the next answer comes
        _end(turn, state, replace(state.model.scripted("failed"), basis=()))
        return
    if following is None:
        _give_up(turn, state, call, event)
        return
    if not budget.is_enough(turn):
        budget.say(turn, state)
        _end(turn, state, state.model.scripted("budget"))
        return
    model = state.model.asked(following.call)
    model = model.detoured(event.model) if following.way == "DETOUR" else model
    state = turn.save(replace(state, model=model))
    if state.model.is_held:
        turn.reading = turn.reading.begun(following.call.task)
    send(turn, state, following.call, following.wait_s)


def _give_up(turn: Turn, state: StepState, call: ModelCall, event: on.ModelFailed) -> None:
    """The script's reading stands: to the end of the phase where every provider failed."""
    if event.fault == "unsure" and event.detail and not call.is_aside:
        question = FollowUp("missing", CANNOT_TELL.format(what=event.detail))
        _end(turn, state, replace(state.model.scripted("unsure"), question=question))
        return
    if event.fault == "misaligned" and call.asks == "read_answers" and not call.is_aside:
        _end(turn, state, state.model.scripted("flawed"))
        return
    if call.asks == "ask_and_propose" or event.fault in ("misaligned", "unsure", "overflow"):
        _end(turn, state, state.model if state.model.lines else state.model.scripted("failed"))
        return
    if not call.is_aside:
        turn.model = replace(turn.model, off_in=turn.phase_of(state).key)
    _end(turn, state, state.model.scripted("failed"))


def _record(
    turn: Turn, state: StepState, call: ModelCall, event: on.ModelFailed, following: NextTry | None
) -> None:
    """One row for each failure. Shown where nobody is left to ask; a wrong setting once."""
    gives_up = (
        not call.is_aside
        and following is None
        and event.fault not in ("misaligned", "unsure", "overflow")
    )
    words = {"model": event.model, "step": state.title, "detail": event.detail}
    shows = gives_up and call.asks == "read_answers"
    message = None if shows else NOT_ANSWERED[call.asks].format_map(words)
    voices.record(turn, state, FAILED, call, event, following, message=message, show=shows)


def patience_ended(turn: Turn, event: on.PatienceEnded) -> None:
    """The script's reading is shown; the model's follows."""
    state = turn.state(event.step)
    call = state.model.call if state else None
    if state is None or call is None or turn.reading.task != call.task:
        return  # it is there already, or people went on
    waiting = replace(state.model, is_held=False, why_script="waiting")
    state = _ask_held(turn, turn.save(replace(state, model=waiting)))
    _show_who_reads(turn, state)
    _show(turn, state)


def overtaken(turn: Turn, state: StepState, call: ModelCall) -> StepState:
    """A newer answer is there: what is read without it is cut off."""
    if call.is_aside:
        return state
    if turn.reading.task == call.task:
        turn.reading = turn.reading.stopped()
        _show_who_reads(turn, state)
    turn.record(fx.TimerCancelled(TIMER))
    return turn.save(replace(state, model=state.model.cut_off()))


def leave_to_script(turn: Turn) -> None:
    """Somebody kept language models out: nobody waits for what is under way."""
    state = turn.state(turn.course.step)
    if state is not None and state.model.call is not None:
        _end(turn, state, state.model.scripted("script-only"))


# ── the end of a reading ──


def _awaited(
    turn: Turn, event: on.ModelReplied | on.ModelFailed
) -> tuple[StepState | None, ModelCall | None]:
    """The step whose call it answers; None where nobody waits for it any more."""
    state = turn.state(event.step)
    call = state.model.call if state else None
    return (state, call) if call is not None and call.task == event.task else (None, None)


def _end(turn: Turn, state: StepState, reading: ModelReading) -> None:
    """Nobody is asked any more: what was read is laid over the script's lines."""
    call, was_held = state.model.call, state.model.is_held
    why: WhyScript = reading.why_script if reading.why_script != "waiting" else ""
    ended = replace(reading, call=None, is_held=False, why_script=why)
    aside, is_open = call is not None and call.is_aside, _is_open(turn, state)
    state = turn.save(replace(state, model=ended))
    if aside:
        return
    turn.record(fx.TimerCancelled(TIMER))
    if was_held:
        _show_who_reads(turn, state)
    brought = bool(ended.lines or ended.question or ended.proposals) and why in ("", "unsure")
    if brought and is_open:
        begin_reading(turn, state)
    elif was_held and call is not None and turn.reading.task == call.task:
        _show(turn, _ask_held(turn, state))
    elif not was_held:
        if is_open and turn.menus.current is not None:
            offer_rereading(turn, state)
        turn.do(fx.PaintStep(state.id))


def _show_who_reads(turn: Turn, state: StepState) -> None:
    turn.do(fx.ShowReading(state.id, turn.phase_of(state).persona))


def _show(turn: Turn, state: StepState) -> None:
    turn.reading = turn.reading.succeeded()
    turn.do(fx.WriteFolder(state.id))


def _is_open(turn: Turn, state: StepState) -> bool:
    """True while people are at the step: what is read still refines its message."""
    aside = state.model.call is not None and state.model.call.is_aside
    at_step = state.id == turn.course.step and not state.choice.name
    return at_step and not aside and turn.status in AWAITS_PEOPLE
