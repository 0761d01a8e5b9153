"""A failure on its way up: which tier looks into it, in which order, and then a human (seed 002).

`categories.toml` has the seed's column "Escalation Path". A tier that is not there is passed over;
when none can mend it, the table says what is done with what would only have been noted.
"""

from dataclasses import replace

from core.domain import effects as fx
from core.domain import events as on
from core.domain.session.reading import Escalation
from core.domain.session.step import StepState
from core.engine.faults import routing
from core.engine.kernel.turn import Turn
from core.engine.prompts import begin_reading
from core.taxonomy.observation import Tier


def path_of(failure: Escalation) -> tuple[Tier, ...]:
    """The tiers a failure goes through, lowest first; haiku is whose failure it was."""
    category = routing.CATEGORIES[failure.category]
    if failure.retryable and category.tiers_if_retryable is not None:
        return category.tiers_if_retryable
    return category.tiers


def begin(turn: Turn, here: StepState, failure: Escalation, trace: str) -> bool:
    """Have the first tier that is there look into it. False: there is none."""
    tiers = _available_tiers(turn, path_of(failure))
    if not tiers:
        return False
    message = routing.LOOKED_INTO.format(step=here.title)
    detour = replace(failure, routing="DETOUR")  # to whoever can mend it (seed 004)
    routing.record_failure(turn, here, detour, trace, message=message, show=False)
    after_tiers = routing.CATEGORIES[failure.category].after_tiers
    if failure.routing == "UNVERIFIED" and after_tiers is not None:
        failure = replace(failure, routing=after_tiers)
    _ask(turn, failure, tiers[0])
    return True


def _available_tiers(turn: Turn, tiers: tuple[Tier, ...]) -> tuple[Tier, ...]:
    return tuple(tier for tier in tiers if tier in turn.situation.tiers)


def _ask(turn: Turn, failure: Escalation, tier: Tier) -> None:
    task = turn.task()
    turn.reading = turn.reading.escalated(replace(failure, tier=tier, task=task))
    turn.do(
        fx.Diagnose(
            task, failure.step, failure.reader, tier,
            failure.category, failure.seen, failure.missing,
        )
    )  # fmt: skip


def diagnosed(turn: Turn, event: on.Diagnosed) -> None:
    failure = turn.reading.escalation
    here = turn.state(event.step)
    if failure is None or failure.task != event.task or here is None:
        return  # it was paused, cancelled or gone back from meanwhile
    turn.reading = turn.reading.diagnosed()
    turn.do(
        fx.WriteReport(
            here.id, event.tier, failure.category, failure.seen, event.findings, fixed=event.fixed
        )
    )
    if event.fixed:
        _carry_out_again(turn, here, event)
        return
    path = path_of(failure)
    higher = _available_tiers(turn, path[path.index(event.tier) + 1 :])
    if higher:
        _ask(turn, failure, higher[0])
    else:
        routing.route(turn, here, failure)


def _carry_out_again(turn: Turn, here: StepState, event: on.Diagnosed) -> None:
    mended = turn.save(replace(here, sources=here.sources.corrected(event.corrections)))
    turn.do(fx.Say("mended", turn.course.current_phase.persona, {"what": event.findings}))
    if mended.sources.corrections != here.sources.corrections:
        turn.do(fx.PaintPrompt(here.id))
    begin_reading(turn, mended, turn.reading.failures)


def reported(turn: Turn, event: on.ReportWritten) -> None:
    if not event.name:
        step = turn.state(event.step)
        words = {"artifact_name": "the report"}
        turn.fault("ERR-ART-002", step=step, show=False, detail=event.detail, words=words)
