"""A failure on its way up: which tier looks into it, in which order, and then a human (seed 002).

`categories.toml` has the seed's column "Escalation Path". A tier that is not there is passed over;
when none can mend it, the table says what is done with what would only have been noted.
"""

from dataclasses import replace
from typing import Final, cast

from core.domain import effects as fx
from core.domain import events as on
from core.domain.session.model_reading import ModelCall
from core.domain.session.reading import Escalation
from core.domain.session.step import StepState
from core.engine.faults import routing
from core.engine.kernel.turn import Turn
from core.engine.model import voices
from core.engine.prompts import begin_reading
from core.taxonomy.observation import Tier

_TIERS: Final[tuple[Tier, ...]] = ("haiku", "sonnet", "opus")


def path_of(failure: Escalation) -> tuple[Tier, ...]:
    """The tiers a failure goes through, lowest first; haiku is whose failure it was."""
    category = routing.CATEGORIES[failure.category]
    if failure.retryable and category.tiers_if_retryable is not None:
        return category.tiers_if_retryable
    return category.tiers


def begin(turn: Turn, state: StepState, failure: Escalation, trace: str) -> bool:
    """Have the first tier that is there look into it. False: there is none."""
    tiers = _available_tiers(turn, failure)
    if not tiers:
        return False
    message = routing.LOOKED_INTO.format(step=state.title)
    detour = replace(failure, routing="DETOUR")  # to whoever can mend it (seed 004)
    routing.record_failure(turn, state, detour, trace, message=message, show=False)
    after_tiers = routing.CATEGORIES[failure.category].after_tiers
    if failure.routing == "UNVERIFIED" and after_tiers is not None:
        failure = replace(failure, routing=after_tiers)
    _ask(turn, failure, tiers[0])
    return True


def _available_tiers(turn: Turn, failure: Escalation, above: Tier = "haiku") -> tuple[Tier, ...]:
    """The tiers of its path, above one of them, that the script or a language model stands for."""
    return tuple(
        tier
        for tier in path_of(failure)
        if _TIERS.index(tier) > _TIERS.index(above)
        and (tier in turn.situation.tiers or _model_call(turn, failure, tier))
    )


def _ask(turn: Turn, failure: Escalation, tier: Tier) -> None:
    """The script looks first; a language model where it mends nothing, or there is none."""
    if tier not in turn.situation.tiers:
        _ask_model(turn, failure, tier)
        return
    failure = replace(failure, tier=tier, task=turn.task())
    turn.reading = turn.reading.escalated(failure)
    turn.do(_speech(failure))


def _ask_model(turn: Turn, failure: Escalation, tier: Tier) -> bool:
    """False where none may be asked."""
    call = _model_call(turn, failure, tier)
    if call is None:
        return False
    failure = replace(failure, tier=tier, task=turn.task())
    turn.reading = turn.reading.escalated(failure)
    voices.send(turn, failure.step, _speech(failure), replace(call, task=failure.task))
    return True


def _model_call(turn: Turn, failure: Escalation, tier: Tier) -> ModelCall | None:
    return voices.call_for(turn, _speech(replace(failure, tier=tier)))


def _speech(failure: Escalation) -> fx.Diagnose:
    return fx.Diagnose(
        failure.task, failure.step, failure.reader, failure.tier,
        failure.category, failure.seen, failure.missing,
    )  # fmt: skip


def model_failed(turn: Turn, event: on.ModelFailed) -> None:
    """A tier that fails itself has mended nothing; its own failure is written down (seed 002)."""
    failure, state = turn.reading.escalation, turn.state(event.step)
    if failure is None or failure.task != event.task or state is None:
        return
    tier = cast("Tier", failure.tier)
    call = ModelCall(event.task, "find_cause", voices.MODEL_TIER[tier])
    voices.rest(turn, event)
    message = routing.NOT_LOOKED_INTO.format(step=state.title)
    voices.record(turn, state, routing.FAILED, call, event, None, message=message)
    if voices.is_of_transport(event) and _ask_model(turn, failure, tier):
        return
    said = routing.TIER_FAILED.format(detail=event.detail)
    _take_in(
        turn,
        on.Diagnosed(
            event.at, event.task, event.step, tier, fixed=False, findings=said, model=event.model
        ),
    )


def diagnosed(turn: Turn, event: on.Diagnosed) -> None:
    voices.used(turn, event)
    _take_in(turn, event)


def _take_in(turn: Turn, event: on.Diagnosed) -> None:
    failure = turn.reading.escalation
    state = turn.state(event.step)
    if failure is None or failure.task != event.task or state is None:
        return  # it was paused, cancelled or gone back from meanwhile
    if event.category is not None:  # sonnet and opus classify for themselves
        facts = {**failure.facts, "classified_by": "agent"}
        failure = replace(failure, category=event.category, facts=facts)
    tier = cast("Tier", event.tier)
    if not event.fixed and not event.model and _ask_model(turn, failure, tier):
        return
    turn.reading = turn.reading.diagnosed()
    turn.do(
        fx.WriteReport(
            state.id, event.tier, failure.category, failure.seen, event.findings, fixed=event.fixed
        )
    )
    if event.fixed:
        _carry_out_again(turn, state, event)
        return
    higher = _available_tiers(turn, failure, above=tier)
    if higher:
        _ask(turn, failure, higher[0])
    else:
        routing.route(turn, state, failure)


def _carry_out_again(turn: Turn, state: StepState, event: on.Diagnosed) -> None:
    mended = turn.save(replace(state, sources=state.sources.corrected(event.corrections)))
    turn.do(fx.Say("mended", turn.course.current_phase.persona, {"what": event.findings}))
    if mended.sources.corrections != state.sources.corrections:
        turn.do(fx.PaintPrompt(state.id))
    begin_reading(turn, mended, turn.reading.failures)


def reported(turn: Turn, event: on.ReportWritten) -> None:
    if not event.name:
        step = turn.state(event.step)
        words = {"artifact_name": "the report"}
        turn.fault("ERR-ART-002", step=step, show=False, detail=event.detail, words=words)
