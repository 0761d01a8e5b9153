"""Where a failure leads that is not tried again (seed 004, "Routing Integration").

ERR-INT-001 has words for the moment in which the facilitator takes over. Where nothing has taken
over, the failure is said in words of our own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, get_args

from core.data_tables import read_table
from core.domain import effects as fx
from core.domain.session.halt import Fault
from core.domain.session.reading import Escalation
from core.domain.session.step import StepState
from core.domain.steps.playbook import FACILITATOR
from core.engine.flow import navigation
from core.engine.kernel.turn import Turn
from core.engine.prompts import begin_reading
from core.taxonomy.catalogue import Category, Routing
from core.taxonomy.classification import CLASSIFIED_BY
from core.taxonomy.observation import Observation, Tier

FAILED: Final = "ERR-INT-001"
ESCALATION_CHOICES: Final = ("retry", "facilitator", "skip-step", "cancel")


@dataclass(frozen=True, slots=True)
class FailureCategory:
    """What is done with a failure of a category: a row of `categories.toml`."""

    tiers: tuple[Tier, ...]
    concern: str
    words: str
    tiers_if_retryable: tuple[Tier, ...] | None = None
    after_tiers: Routing | None = None


CATEGORIES: Final[Mapping[str, FailureCategory]] = {
    category: row.row(FailureCategory)
    for category, row in read_table(Path(__file__).with_name("categories.toml")).tables_of(
        get_args(Category)
    )
}
# What the record says where nobody is told.
TRIED_AGAIN: Final = "Reading the answers to “{step}” failed; it is tried again."
LOOKED_INTO: Final = "Reading the answers to “{step}” failed; it is being looked into."
NOT_LOOKED_INTO: Final = "What failed at “{step}” could not be looked into."
TIER_FAILED: Final = "Looking into it failed as well: {detail}."
MISSED: Final = "“{step}” waits for {missing}."


def route(turn: Turn, state: StepState, failure: Escalation, trace: str = "") -> None:
    """Carry out what was decided. `trace` is the stack trace, where it is not recorded yet."""
    turn.reading = turn.reading.given_up()
    ROUTES[failure.routing](turn, state, failure, trace)


def _blocked(turn: Turn, state: StepState, failure: Escalation, trace: str) -> None:
    """Ask for what is missing; the next answer goes on by itself."""
    message = MISSED.format(step=state.title, missing=failure.missing)
    record_failure(turn, state, failure, trace, message=message, show=False)
    turn.save((turn.state(state.id) or state).blocked_for(failure.missing))
    words = {"what": failure.missing, "step": state.title}
    turn.do(fx.Say("blocked", turn.course.current_phase.persona, words), fx.PaintCard())


def _escalated(turn: Turn, state: StepState, failure: Escalation, trace: str) -> None:
    """A menu to the owner, and the step marked on the card (seed 002, Task lifecycle)."""
    turn.end_menu(turn.menus.recovery)
    message = CATEGORIES[failure.category].words.format(step=state.title)
    fault = record_failure(turn, state, failure, trace, message=message, in_menu=True)
    turn.save(
        replace(turn.state(state.id) or state, status="blocked" if failure.retryable else "failed")
    )
    phase = turn.course.current_phase
    choices = [
        choice
        for choice in ESCALATION_CHOICES
        if not (phase.facilitated and choice == "facilitator")
    ]
    menu = turn.open_menu("escalation", tuple(choices), state.id, fault.id)
    turn.do(fx.ShowRecovery(menu, phase.persona), fx.PaintCard())


def _elsewhere(turn: Turn, state: StepState, failure: Escalation, trace: str) -> None:
    """Another way: the facilitator. Where it leads already, there is none left."""
    if turn.course.current_phase.facilitated:
        give_up(turn, state, **_of(failure, trace))
        return
    record_failure(turn, state, failure, trace)
    take_over(turn, turn.state(state.id) or state)


def _unverified(turn: Turn, state: StepState, failure: Escalation, trace: str) -> None:
    """Another way, and the concern stands in the artifact."""
    concern = CATEGORIES[failure.category].concern
    concerns = tuple(dict.fromkeys((*state.concerns, concern)))
    turn.save(replace(turn.state(state.id) or state, concerns=concerns))
    _elsewhere(turn, turn.state(state.id) or state, failure, trace)


ROUTES: Final[Mapping[str, Callable[[Turn, StepState, Escalation, str], None]]] = {
    "BLOCKED": _blocked,
    "ESCALATE": _escalated,
    "DETOUR": _elsewhere,
    "CONTINUE": _elsewhere,
    "UNVERIFIED": _unverified,
}


def take_over(turn: Turn, state: StepState) -> None:
    """The facilitator reads for the rest of the phase."""
    phase = turn.course.current_phase
    turn.save_phase(phase.taken_over())
    begin_reading(turn, turn.save(state.read_by(FACILITATOR.key)))


def give_up(turn: Turn, state: StepState, **details: Any) -> None:
    """Go on without the phase; it stays open for resume."""
    phase = turn.course.current_phase
    turn.fault(FAILED, step=state, thread=phase.persona, persona=FACILITATOR.key,
               message=f"Skipping {phase.label}: its analysis could not be run. "
               "Use /roundtable resume to try it again.",
               **details)  # fmt: skip
    turn.save(replace(turn.state(state.id) or state, status="failed"))
    turn.save_phase(phase.flawed())
    turn.do(fx.PaintPrompt(state.id))
    navigation.finish_phase(turn, failed=True)


# ── records ────────────────────────────────────────────────────────────────────────────────────


def record_failure(
    turn: Turn, state: StepState, failure: Escalation, trace: str, **how: Any
) -> Fault:
    """Record a failed reading. `how`: its message, and whether it is shown (`Turn.fault`)."""
    facts = _of(failure, trace)
    thread = turn.course.current_phase.persona
    return turn.fault(
        FAILED, step=state, thread=thread, persona=state.prompt.persona, **facts, **how
    )


def _of(failure: Escalation, trace: str) -> dict[str, Any]:
    """The fields of a record (seed 004). What was asked of people or doubted is permanent."""
    settled = failure.routing in ("BLOCKED", "UNVERIFIED")
    return {
        "detail": failure.seen,
        "routing": failure.routing,
        "category": failure.category,
        "handling": "permanent" if settled else failure.handling,
        "type": failure.type,
        "signature": failure.signature,
        "trace": trace,
        "facts": {"will_retry": False, "input_source": failure.missing or None, **failure.facts},
    }


def facts_of(turn: Turn, observation: Observation) -> dict[str, Any]:
    """What the class of a failure asks for, as far as it is known."""
    return {
        "classified_by": CLASSIFIED_BY[observation.tier],
        "validation_errors": observation.validation_errors,
        "test_output": observation.message,
        "attempt": observation.attempts,
        "total_delay_ms": round(turn.reading.waited_s * 1000),
        "http_status": observation.http_status,
        "retry_after": observation.retry_after,
        "error": observation.message,
        "previous_signatures": tuple(observation.history),
    }
