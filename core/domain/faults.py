"""A fault as it is recorded: the context every error has, and what its class asks for besides.

The names are those of seed 004, "Logging Requirements", "Required Context" and "Category-Specific
Context". A field that does not apply is there and is None, so that whoever reads records can rely
on it.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

from core.domain.session.halt import Fault
from core.domain.steps.playbook import StepFault
from core.taxonomy.catalogue import CATALOGUE, CatalogueEntry, Handling
from core.taxonomy.observation import Observation

Facts = Mapping[str, Any]


def _facts_named(facts: Facts, *names: str) -> dict[str, Any]:
    return {name: facts.get(name) for name in names}


def _transient(facts: Facts) -> dict[str, Any]:
    return {
        **_facts_named(facts, "attempt", "delay_ms"),
        "will_retry": bool(facts.get("will_retry")),
        "context": _facts_named(facts, "endpoint", "http_status", "retry_after"),
        "retry_count": facts.get("attempt"),
        **_facts_named(facts, "total_delay_ms", "endpoint", "http_status"),
        "retry_after_header": facts.get("retry_after"),
    }


def _permanent(facts: Facts) -> dict[str, Any]:
    return {
        "will_retry": False,
        "context": _facts_named(facts, "field", "error", "input_source"),
        "input_source": facts.get("input_source"),
        "validation_errors": list(facts.get("validation_errors", ())),
        **_facts_named(facts, "expected_format", "actual_value"),
    }


def _retriable(facts: Facts) -> dict[str, Any]:
    previous = list(facts.get("previous_signatures", ()))
    failure = {"failure_message": facts.get("error")}
    return {
        "attempt": facts.get("attempt"),
        "will_retry": bool(facts.get("will_retry")),
        "previous_signatures": previous,
        "context": {**_facts_named(facts, "test_file", "test_name"), **failure},
        "test_output": facts.get("test_output") or facts.get("error"),
        "flaky_history": previous,
    }


def _fatal(facts: Facts) -> dict[str, Any]:
    path = facts.get("forensics_path")
    preserved = list(facts.get("artifacts_preserved", ()))
    return {
        "halted_at": facts.get("halted_at"),
        "action_taken": "TERMINATE",
        "context": _facts_named(facts, "secret_type", "location", "exposure_risk"),
        "forensics": {"state_snapshot": path, "artifacts_preserved": preserved},
        "notification_sent": facts["notification_sent"],
        "halt_reason": facts.get("halt_reason"),
        "affected_resources": list(facts.get("affected_resources", ())),
        "remediation_steps": list(facts.get("remediation_steps", ())),
        **_facts_named(facts, "forensics_path", "notification_id"),
    }


OF_CLASS: Final[Mapping[Handling, Callable[[Facts], dict[str, Any]]]] = {
    "transient": _transient,
    "permanent": _permanent,
    "retriable": _retriable,
    "fatal": _fatal,
}


def record_of(fault: Fault, flow: str, *, notified: bool = False) -> dict[str, Any]:
    """The record of one occurrence. Holds no text of people: `message` is the catalogue's.

    `notified`: a message about it was sent to whoever has to act.
    """
    entry = CATALOGUE.get(fault.code)
    handling = handling_of(fault)
    common = {"error": fault.detail or fault.message, "notification_sent": notified}
    expected = asdict(entry.expected) if entry else {}
    facts = {**common, **_without_empty(expected), **_without_empty(fault.facts)}
    return {
        "timestamp": datetime.fromtimestamp(fault.at, UTC).isoformat(timespec="milliseconds"),
        "run_id": fault.run,
        "flow_key": flow,
        "step_id": fault.step,
        "agent_key": fault.persona or fault.agent,
        "error_category": handling,
        "error_type": fault.type or (_snake(entry) if entry else fault.code.lower()),
        "error_message": fault.message,
        "stack_trace": fault.trace or None,
        "code": fault.code,
        "severity": entry.severity if entry else "ERROR",
        "category": fault.category or (entry.category if entry else None),
        "routing_decision": routing_of(fault),
        "classified_by": facts.get("classified_by", "orchestrator"),
        "failure_signature": signature_of(fault),
        "detail": fault.detail or None,
        **OF_CLASS[handling](facts),
    }


def signature_of(fault: Fault) -> str:
    """The same for the same failure; made of its code where nothing was observed."""
    return (
        fault.signature
        or Observation(
            error_type=fault.code, message=fault.detail or fault.message, step_phase=fault.phase
        ).signature
    )


def _without_empty(facts: Facts) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value not in (None, "", ())}


def facts_of(flaw: StepFault) -> dict[str, str]:
    """What is known of a file that is not as it should be."""
    facts = {
        "input_source": flaw.file,
        "field": flaw.field,
        "actual_value": flaw.value,
        "expected_format": flaw.hint,
    }
    return {name: value for name, value in facts.items() if value}


def handling_of(fault: Fault) -> Handling:
    """How it was handled: as its row says, unless this occurrence went another way."""
    handlings: Mapping[str, Handling] = {handling: handling for handling in OF_CLASS}
    entry = CATALOGUE.get(fault.code)
    return handlings.get(fault.handling) or (entry.handling if entry else "permanent")


def routing_of(fault: Fault) -> str:
    entry = CATALOGUE.get(fault.code)
    return fault.routing or (entry.routing if entry else "CONTINUE")


def alike(fault: Fault) -> tuple[str, str | None, str, str]:
    """What makes two occurrences the same one again: also, that as much was done about it."""
    return (fault.code, fault.step, fault.signature or fault.message, fault.routing)


def _snake(entry: CatalogueEntry) -> str:
    return "_".join(entry.title.lower().replace(".", "_").split())
