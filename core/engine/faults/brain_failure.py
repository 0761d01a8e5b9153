"""When a brain fails: what it is, and who tries again or looks into it.

What can be classified takes the way that seeds 002 and 004 show: again where that helps, then up
the tiers, then one of the routes. What cannot is ERR-INT-001 at once: the facilitator takes the
phase, and if that one fails too the flow goes on without it.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from core.domain import events as on
from core.domain.session.reading import Escalation
from core.domain.session.step import StepState
from core.engine.faults import escalation, halt, routing
from core.engine.faults.routing import FAILED
from core.engine.kernel.turn import Turn
from core.engine.model.tries import WAIT_S_MAX, jitter_s
from core.engine.prompts import reader_of, rebuild, request
from core.taxonomy.classification import CLASSIFIED_BY, Classified, classify
from core.taxonomy.handling import HandledError, handle, has_sign, needs_settings
from core.taxonomy.observation import Observation

TRIES_MAX: Final = 2  # of one request, where trying once more is worth it
WORTH_ANOTHER_TRY: Final = frozenset({"invalid", "overflow"})
WHAT: Final[Mapping[str, str]] = {
    "crash": "brain_crashed",
    "silent": "brain_silent",
    "invalid": "output_invalid",
    "overflow": "context_overflow",
}

Verdict = tuple[Observation, Classified, HandledError]


def failed(turn: Turn, event: on.BrainFailed) -> None:
    state = turn.state(event.step)
    if state is None or event.task not in (state.rebuild.task, turn.reading.task):
        return
    if event.task == state.rebuild.task:
        _rebuild_failed(turn, state, event)
        return
    attempts = turn.reading.attempts + 1
    verdict = _verdict(turn, event, attempts)
    if verdict is None:
        _unclassified(turn, state, event, attempts)
        return
    observation, _, done = verdict
    repeated = observation.signature in turn.reading.failures
    turn.reading = turn.reading.failed(observation.signature)
    if done.routing == "RETRY":
        _again(turn, state, event, verdict)
        return
    if done.routing == "TERMINATE":
        halt.halt(
            turn,
            _fatal_code(done),
            detail=f"{observation.error_type}: {observation.violation or ''}",
        )
        return
    failure = _failure(turn, state, event, verdict)
    if repeated or not escalation.begin(turn, state, failure, event.trace):
        routing.route(turn, state, failure, event.trace)


def _verdict(turn: Turn, event: on.BrainFailed, attempts: int) -> Verdict | None:
    """What it is and what to do about it; None where nothing about it says."""
    if event.seen is None or event.why != "crash":
        return None
    observation = replace(
        event.seen,
        attempts=attempts,
        history=turn.reading.failures,
        step_phase=turn.course.phase,
        # The facilitator is another way where time or load is the reason. It is no other provider:
        # a wrong setting is for a human.
        alternative_path=not turn.course.current_phase.facilitated
        and not needs_settings(event.seen),
    )
    return (
        (observation, classify(observation), handle(observation)) if has_sign(observation) else None
    )


def _again(turn: Turn, state: StepState, event: on.BrainFailed, verdict: Verdict) -> None:
    """The next try of the same request, when its wait is over (seed 004; 5 or 3 in all)."""
    observation, _, _ = verdict
    task = turn.task()
    wait = _wait_s(observation, task)
    turn.reading = turn.reading.tried_again(task, observation.attempts, wait)
    failure = _failure(turn, state, event, verdict)
    facts = {**failure.facts, "delay_ms": round(wait * 1000), "will_retry": True}
    failure = replace(failure, seen=event.detail, facts=facts)
    message = routing.TRIED_AGAIN.format(step=state.title)
    routing.record_failure(turn, state, failure, event.trace, message=message, show=False)
    turn.do(request(turn, state, task, attempt=observation.attempts + 1, wait_s=wait))


def _wait_s(observation: Observation, task: str) -> float:
    """`min(60, 2^attempt + jitter)`, counted from attempt 0; what Slack or a provider says wins."""
    delay_s = handle(replace(observation, attempts=observation.attempts - 1)).delay_s or 0.0
    if not delay_s or observation.retry_after is not None:
        return delay_s
    return min(WAIT_S_MAX, round(delay_s + jitter_s(task), 3))


def _failure(turn: Turn, state: StepState, event: on.BrainFailed, verdict: Verdict) -> Escalation:
    observation, classified, done = verdict
    assert classified.category is not None, "what has a sign has a category"
    return Escalation(
        category=classified.category,
        tier="",
        task=event.task,
        step=state.id,
        reader=reader_of(turn.course.current_phase, state),
        seen=f"{observation.error_type}: {observation.message}",
        missing=event.missing,
        routing=done.routing,
        retryable=classified.retryable,
        handling=done.handling or "",
        type=observation.error_type or "",
        signature=observation.signature or "",
        facts=routing.facts_of(turn, observation),
    )


def _fatal_code(done: HandledError) -> str:
    rows = {"fatal/secrets": "ERR-SEC-001", "fatal/integrity": "ERR-DATA-001",
            "fatal/invariant": "ERR-DATA-002"}  # fmt: skip
    name = next((row.partition(":")[0] for row in done.matched), "")
    return rows.get(name, "ERR-SEC-002")


# ── what nothing is known of ───────────────────────────────────────────────────────────────────


def _unclassified(turn: Turn, state: StepState, event: on.BrainFailed, attempts: int) -> None:
    """ERR-INT-001: once more where that helps, then the facilitator, then on without the phase."""
    phase = turn.course.current_phase
    if event.why in WORTH_ANOTHER_TRY and attempts < TRIES_MAX:
        task = turn.task()
        turn.reading = turn.reading.tried_again(task, attempts)
        turn.do(request(turn, state, task, attempt=attempts + 1, less=event.why == "overflow"))
        return
    observation = _unclassified_facts(event, attempts)
    if phase.facilitated:
        routing.give_up(turn, state, **observation)
        return
    turn.fault(
        FAILED, step=state, thread=phase.persona, persona=state.prompt.persona, **observation
    )
    routing.take_over(turn, turn.state(state.id) or state)


def _unclassified_facts(event: on.BrainFailed, attempts: int) -> dict[str, Any]:
    """The fields of a record where the tables say nothing: what it was, and its exception."""
    observation = event.seen
    return {
        "detail": f"{event.why}: {event.detail}",
        "trace": event.trace,
        "type": (observation.error_type if observation else "") or WHAT[event.why],
        "signature": observation.signature if observation else "",
        "facts": {
            "attempt": attempts,
            "error": (observation.message if observation else None) or event.detail,
            "validation_errors": (event.detail,) if event.why == "invalid" else (),
            "classified_by": CLASSIFIED_BY[observation.tier if observation else None],
        },
    }


def _rebuild_failed(turn: Turn, state: StepState, event: on.BrainFailed) -> None:
    """The step was passed already: its section stays unless the facilitator can read it."""
    phase, tries = turn.phase_of(state), state.rebuild.tries + 1
    if event.why in WORTH_ANOTHER_TRY and tries < TRIES_MAX:
        rebuild(turn, state, state.rebuild.late_by, tries=tries, less=event.why == "overflow")
        return
    turn.fault(FAILED, step=state, thread=phase.persona, persona=state.prompt.persona,
               **_unclassified_facts(event, tries))  # fmt: skip
    if phase.facilitated:
        turn.save(
            replace(
                turn.state(state.id) or state,
                rebuild=replace(state.rebuild, task=None, late_by=None),
            )
        )
        return
    turn.save_phase(phase.taken_over())
    rebuild(turn, turn.state(state.id) or state, late_by=state.rebuild.late_by)
