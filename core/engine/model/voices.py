"""Language models speak: turns of an elaboration, of a council's members, and diagnoses.

Whoever wants one spoken sends it from here; where no model may be asked, the script speaks.
"""

from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import StepId
from core.domain.model_calls import OVER_DAY, RESTS, ModelTask, ModelTier, ProviderFault
from core.domain.session.halt import Fault
from core.domain.session.model_reading import ModelCall
from core.domain.session.step import StepState
from core.engine.kernel.turn import Turn
from core.engine.model import budget
from core.engine.model.tries import NextTry, first_call, next_try
from core.taxonomy.catalogue import Category
from core.taxonomy.classification import CLASSIFIED_BY
from core.taxonomy.observation import Tier

OVER_CONTEXT: Final = "context"
OUR_LIMITS: Final = (OVER_DAY, OVER_CONTEXT, RESTS)
"""What held a request back before it was sent, as the setting of a failure."""
SEED_TIER: Final[dict[ModelTier, Tier]] = {"fast": "haiku", "middle": "sonnet", "strong": "opus"}
CATEGORY: Final[dict[ProviderFault, Category]] = {
    "transient": "execution_error",
    "configuration": "prerequisite_failure",
    "permanent": "execution_error",
    "overflow": "inter_agent_misalignment",  # seed 002: retry with less context
    "unexpected": "unexpected_result",
    "misaligned": "inter_agent_misalignment",
    "unsure": "ambiguity_error",
}
USED_UP: Final[frozenset[ProviderFault]] = frozenset({"transient", "configuration"})
"""Faults after which a model is left alone for a while; the others are of one request."""
MODEL_TIER: Final[dict[str, ModelTier]] = {seed: tier for tier, seed in SEED_TIER.items()}


def call_for(
    turn: Turn, speech: fx.Speech, *, busy: int = 0, flaws: tuple[str, ...] = ()
) -> ModelCall | None:
    """The first request for it; None: the script speaks. `busy`: requests that are under way.

    A member of a council is asked of a model that rests where all do: there is no script for it.
    """
    offer = turn.situation.offer
    tier = MODEL_TIER[speech.tier] if isinstance(speech, fx.Diagnose) else "middle"
    if not offer.of(tier) or turn.model.script_only:
        return None
    if not budget.is_enough(turn, busy + 1):
        if (state := turn.state(turn.course.step)) is not None:
            budget.say(turn, state)
        return None
    call = ModelCall(speech.task, _asks(speech), tier, flaws=flaws)
    awake = first_call(call, offer, turn.model, turn.at)
    if isinstance(speech, fx.Consult):
        return awake or call
    phase = turn.course.current_phase
    is_off = phase.facilitated or turn.model.off_in == phase.key
    return None if is_off or awake is None or awake.tier != tier else awake


def _asks(speech: fx.Speech) -> ModelTask:
    match speech:
        case fx.Consult():
            return "contribute"
        case fx.Speak():
            return "take_turn"
        case fx.Diagnose():
            return "find_cause"


def send(
    turn: Turn, step: StepId, speech: fx.Speech, call: ModelCall | None, wait_s: float = 0.0
) -> None:
    if call is None:
        turn.do(speech)
        return
    model = turn.situation.offer.of(call.tier)[call.provider]
    turn.do(
        fx.AskModel(
            call.task, step, speech.persona, call.asks, call.tier, model,
            wait_s, call.flaws, call.less, speech,
        )
    )  # fmt: skip


def used(turn: Turn, event: on.Consulted | on.PersonaSpoke | on.Diagnosed) -> None:
    """What a model spoke is counted, whether or not anybody waits for it any more."""
    if event.model:
        turn.model = turn.model.used(event.usage).woken(event.model)


def is_of_transport(event: on.ModelFailed) -> bool:
    """True for a request that brought no reply at all."""
    return event.fault in ("transient", "configuration", "permanent")


def rest(turn: Turn, event: on.ModelFailed) -> None:
    """A model that brought no reply is left alone for a while."""
    if event.fault in USED_UP and event.config not in OUR_LIMITS:
        turn.model = turn.model.rested(event.model, event.at)


def after(turn: Turn, call: ModelCall, event: on.ModelFailed) -> NextTry | None:
    """The next request after one that brought no reply; None: a reply came, or nobody is left."""
    if not is_of_transport(event):
        return None
    following = next_try(call, event, turn.situation.offer, turn.model, turn.task())
    if following is None or following.way == "DETOUR":
        rest(turn, event)
    return following


def record(
    turn: Turn,
    state: StepState,
    code: str,
    call: ModelCall,
    event: on.ModelFailed,
    following: NextTry | None,
    *,
    message: str | None,
    show: bool = False,
) -> Fault:
    """One row for a request that failed. Of a wrong setting owner and operators hear once."""
    speech = event.speech
    fault = turn.fault(
        code,
        step=state,
        thread=turn.phase_of(state).persona,
        persona=speech.persona if speech else state.prompt.persona,
        detail=f"{event.fault}: {event.detail}",
        message=message,
        show=show,
        routing=following.way if following else "CONTINUE",
        category=CATEGORY[event.fault],
        facts={
            "classified_by": CLASSIFIED_BY[SEED_TIER[call.tier]],
            "attempt": call.attempt,
            "http_status": event.status_code,
            "retry_after": event.retry_after,
            "delay_ms": round(following.wait_s * 1000) if following else None,
            "will_retry": following is not None,
            "error": event.detail,
            "validation_errors": event.flaws,
        },
    )
    if event.fault == "configuration" and turn.set_mark(f"model-settings:{event.model}"):
        words = {"model": event.model, "setting": event.config}
        turn.do(fx.Tell(turn.owner, fx.Reply("model-settings", words)), fx.TellOperators(fault.id))
    return fault
