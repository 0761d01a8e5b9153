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


def begin(turn: Turn, here: StepState, event: on.BrainReplied) -> bool:
    """Have a model read the step's answers. True: the step's message waits for it."""
    basis = answers_in(event.basis)
    return bool(basis) and basis != here.model.basis and _begin(turn, here, basis)


def _begin(turn: Turn, here: StepState, basis: tuple[str, ...]) -> bool:
    if not _may_read(turn, here):
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
        turn.save(replace(here, model=here.model.scripted("budget")))
        budget.say(turn, here)
        return False
    here = turn.save(replace(here, model=here.model.begun(call, basis)))
    turn.reading = turn.reading.begun(call.task)
    turn.record(fx.TimerSet(TIMER, here.id, turn.at + turn.situation.offer.patience_s))
    send(turn, here, call)
    _show_who_reads(turn, here)
    return True


def answers_in(basis: tuple[str, ...]) -> tuple[str, ...]:
    """Of what was read the answers, without how people sorted their lines."""
    return tuple(entry for entry in basis if not entry.startswith("corrections:"))


def read_again(turn: Turn, menu: Menu, event: on.ChoiceMade) -> None:
    """The owner or an admin has a model read a step once more whose replies had flaws."""
    here = turn.existing(menu.step)
    if turn.refuses(event.by, event.admin):
        return
    if here.id != turn.course.step or turn.reading.is_under_way:
        turn.say_back(fx.Reply("gone"))
    elif not _begin(turn, here, answers_in(here.basis)):
        turn.say_back(fx.Reply("enrich-no-model"))
    else:
        here = turn.existing(here.id)
        turn.save(replace(here, model=replace(here.model, wanted_by=event.by)))
        turn.end_menu(menu.id, event.by, event.choice)
        turn.do(fx.PaintStep(here.id))


def hold_question(turn: Turn, here: StepState, before: Questions) -> None:
    """What the script would ask waits with the step's message: nobody has seen it yet."""
    model = replace(here.model, scripts_question=here.questions.open)
    turn.save(replace(here, questions=before, model=model))


def _ask_held(turn: Turn, here: StepState) -> StepState:
    """The script's question is asked: no better one has come in time."""
    held, questions = here.model.scripts_question, here.questions
    if held is None:
        return here
    if questions.open is None and len(questions.follow_ups) < FOLLOW_UPS_MAX:
        questions = questions.raised(held)
    model = replace(here.model, scripts_question=None)
    return turn.save(replace(here, questions=questions, model=model))


def _may_read(turn: Turn, here: StepState) -> bool:
    offer, phase = turn.situation.offer, turn.phase_of(here)
    if not offer.models or turn.model.script_only or turn.council is not None:
        return False
    return not (phase.facilitated or turn.model.off_in == phase.key)


def send(turn: Turn, here: StepState, call: ModelCall, wait_s: float = 0.0) -> None:
    model = turn.situation.offer.of(call.tier)[call.provider]
    reader = reader_of(turn.phase_of(here), here)
    turn.do(
        fx.AskModel(
            call.task, here.id, reader, call.asks, call.tier, model,
            wait_s, call.flaws, call.less,
        )
    )  # fmt: skip


# ── what came of it ──


def replied(turn: Turn, event: on.ModelReplied) -> None:
    here, call = _awaited(turn, event)
    turn.model = turn.model.used(event.usage).woken(event.model)
    if here is None or call is None:
        return
    reading = here.model.used(event.usage).without(event.left_out)
    if call.asks == "ask_and_propose":
        reading = replace(reading, question=event.question, proposals=event.proposals)
        _end(turn, here, reading)
        return
    reading = replace(reading, model=event.model, tier=call.tier)
    here = turn.save(replace(here, model=_with_lines(turn, here, reading, event)))
    _ask_next(turn, here, call)


def _with_lines(
    turn: Turn, here: StepState, reading: ModelReading, event: on.ModelReplied
) -> ModelReading:
    """The lines stand, or wait to be accepted once people went on."""
    if _is_open(turn, here):
        open_criteria = event.open_criteria
        return replace(reading, lines=event.lines, waiting=(), open_criteria=open_criteria)
    return replace(reading, waiting=event.lines)


def _ask_next(turn: Turn, here: StepState, read: ModelCall) -> None:
    """The second request of a reading: what to ask people, and what nobody said."""
    turn.model = turn.model.read(escalated=TIERS.index(read.tier) > 0)
    tier = max(_ASKED_AT["ask_and_propose"], read.tier, key=TIERS.index)
    call = ModelCall(turn.task(), "ask_and_propose", tier)
    asked = first_call(call, turn.situation.offer, turn.model, turn.at)
    enough = budget.is_enough(turn)
    if not enough:
        budget.say(turn, here)
    if asked is None or not enough or not _is_open(turn, here):
        _end(turn, here, here.model)
        return
    here = turn.save(replace(here, model=here.model.asked(asked)))
    if here.model.is_held:
        turn.reading = turn.reading.begun(asked.task)
    send(turn, here, asked)


def failed(turn: Turn, event: on.ModelFailed) -> None:
    here, call = _awaited(turn, event)
    if here is None or call is None:
        return
    if call.task not in needed_tasks(turn.session, (here,)):  # it was cut off: read at resume
        _end(turn, here, replace(here.model, basis=()))
        return
    if event.config == OVER_DAY:
        _end(turn, here, here.model.scripted("budget"))
        return
    after = next_try(call, event, turn.situation.offer, turn.model, turn.task())
    if event.config != RESTS:
        here = replace(here, model=here.model.used(event.usage))
        if after is None or after.way == "DETOUR":
            voices.rest(turn, event)
        _record(turn, here, call, event, after)
    elif after is None:  # nobody is left to ask just now: it is read once the next answer comes
        _end(turn, here, replace(here.model.scripted("failed"), basis=()))
        return
    if after is None:
        _give_up(turn, here, call, event)
        return
    if not budget.is_enough(turn):
        budget.say(turn, here)
        _end(turn, here, here.model.scripted("budget"))
        return
    model = here.model.asked(after.call)
    model = model.detoured(event.model) if after.way == "DETOUR" else model
    here = turn.save(replace(here, model=model))
    if here.model.is_held:
        turn.reading = turn.reading.begun(after.call.task)
    send(turn, here, after.call, after.wait_s)


def _give_up(turn: Turn, here: StepState, call: ModelCall, event: on.ModelFailed) -> None:
    """The script's reading stands: to the end of the phase where every provider failed."""
    if event.fault == "unsure" and event.detail and not call.is_aside:
        asked = FollowUp("missing", CANNOT_TELL.format(what=event.detail))
        _end(turn, here, replace(here.model.scripted("unsure"), question=asked))
        return
    if event.fault == "misaligned" and call.asks == "read_answers" and not call.is_aside:
        _end(turn, here, here.model.scripted("flawed"))
        return
    if call.asks == "ask_and_propose" or event.fault in ("misaligned", "unsure", "overflow"):
        _end(turn, here, here.model if here.model.lines else here.model.scripted("failed"))
        return
    if not call.is_aside:
        turn.model = replace(turn.model, off_in=turn.phase_of(here).key)
    _end(turn, here, here.model.scripted("failed"))


def _record(
    turn: Turn, here: StepState, call: ModelCall, event: on.ModelFailed, after: NextTry | None
) -> None:
    """One row for each failure. Shown where nobody is left to ask; a wrong setting once."""
    gives_up = (
        not call.is_aside
        and after is None
        and event.fault not in ("misaligned", "unsure", "overflow")
    )
    words = {"model": event.model, "step": here.title, "detail": event.detail}
    shows = gives_up and call.asks == "read_answers"
    message = None if shows else NOT_ANSWERED[call.asks].format_map(words)
    voices.record(turn, here, FAILED, call, event, after, message=message, show=shows)


def patience_ended(turn: Turn, event: on.PatienceEnded) -> None:
    """The script's reading is shown; the model's follows."""
    here = turn.state(event.step)
    call = here.model.call if here else None
    if here is None or call is None or turn.reading.task != call.task:
        return  # it is there already, or people went on
    waiting = replace(here.model, is_held=False, why_script="waiting")
    here = _ask_held(turn, turn.save(replace(here, model=waiting)))
    _show_who_reads(turn, here)
    _show(turn, here)


def overtaken(turn: Turn, here: StepState, call: ModelCall) -> StepState:
    """A newer answer is there: what is read without it is cut off."""
    if call.is_aside:
        return here
    if turn.reading.task == call.task:
        turn.reading = turn.reading.stopped()
        _show_who_reads(turn, here)
    turn.record(fx.TimerCancelled(TIMER))
    return turn.save(replace(here, model=here.model.cut_off()))


def leave_to_script(turn: Turn) -> None:
    """Somebody kept language models out: nobody waits for what is under way."""
    here = turn.state(turn.course.step)
    if here is not None and here.model.call is not None:
        _end(turn, here, here.model.scripted("script-only"))


# ── the end of a reading ──


def _awaited(
    turn: Turn, event: on.ModelReplied | on.ModelFailed
) -> tuple[StepState | None, ModelCall | None]:
    """The step whose call it answers; None where nobody waits for it any more."""
    here = turn.state(event.step)
    call = here.model.call if here else None
    return (here, call) if call is not None and call.task == event.task else (None, None)


def _end(turn: Turn, here: StepState, reading: ModelReading) -> None:
    """Nobody is asked any more: what was read is laid over the script's lines."""
    call, was_held = here.model.call, here.model.is_held
    why: WhyScript = reading.why_script if reading.why_script != "waiting" else ""
    ended = replace(reading, call=None, is_held=False, why_script=why)
    aside, is_open = call is not None and call.is_aside, _is_open(turn, here)
    here = turn.save(replace(here, model=ended))
    if aside:
        return
    turn.record(fx.TimerCancelled(TIMER))
    if was_held:
        _show_who_reads(turn, here)
    brought = bool(ended.lines or ended.question or ended.proposals) and why in ("", "unsure")
    if brought and is_open:
        begin_reading(turn, here)
    elif was_held and call is not None and turn.reading.task == call.task:
        _show(turn, _ask_held(turn, here))
    elif not was_held:
        if is_open and turn.menus.current is not None:
            offer_rereading(turn, here)
        turn.do(fx.PaintStep(here.id))


def _show_who_reads(turn: Turn, here: StepState) -> None:
    turn.do(fx.ShowReading(here.id, turn.phase_of(here).persona))


def _show(turn: Turn, here: StepState) -> None:
    turn.reading = turn.reading.succeeded()
    turn.do(fx.WriteFolder(here.id))


def _is_open(turn: Turn, here: StepState) -> bool:
    """True while people are at the step: what is read still refines its message."""
    aside = here.model.call is not None and here.model.call.is_aside
    at_step = here.id == turn.course.step and not here.choice.name
    return at_step and not aside and turn.status in AWAITS_PEOPLE
