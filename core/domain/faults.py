"""A fault as it is recorded: the context every error has, and what its class asks for besides.

The names are those of seed 004, "Logging Requirements", "Required Context" and "Category-Specific
Context". A field that does not apply is there and is None, so that whoever reads records can rely
on it.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from core.domain.session import Fault
from core.taxonomy.catalogue import CATALOGUE, Entry, Handling

Facts = Mapping[str, Any]


def _transient(facts: Facts) -> dict[str, Any]:
    return {
        "attempt": facts.get("attempt"),
        "delay_ms": facts.get("delay_ms"),
        "will_retry": bool(facts.get("will_retry")),
        "context": {
            "endpoint": facts.get("endpoint"),
            "http_status": facts.get("http_status"),
            "retry_after": facts.get("retry_after"),
        },
        "retry_count": facts.get("attempt"),
        "total_delay_ms": facts.get("total_delay_ms"),
        "endpoint": facts.get("endpoint"),
        "http_status": facts.get("http_status"),
        "retry_after_header": facts.get("retry_after"),
    }


def _permanent(facts: Facts) -> dict[str, Any]:
    return {
        "will_retry": False,
        "context": {
            "field": facts.get("field"),
            "error": facts.get("error"),
            "input_source": facts.get("input_source"),
        },
        "input_source": facts.get("input_source"),
        "validation_errors": list(facts.get("validation_errors", ())),
        "expected_format": facts.get("expected_format"),
        "actual_value": facts.get("actual_value"),
    }


def _retriable(facts: Facts) -> dict[str, Any]:
    previous = list(facts.get("previous_signatures", ()))
    return {
        "attempt": facts.get("attempt"),
        "will_retry": bool(facts.get("will_retry")),
        "previous_signatures": previous,
        "context": {
            "test_file": facts.get("test_file"),
            "test_name": facts.get("test_name"),
            "failure_message": facts.get("error"),
        },
        "test_output": facts.get("test_output"),
        "flaky_history": previous,
    }


def _fatal(facts: Facts) -> dict[str, Any]:
    path = facts.get("forensics_path")
    return {
        "halted_at": facts.get("halted_at"),
        "action_taken": "TERMINATE",
        "context": {
            "secret_type": facts.get("secret_type"),
            "location": facts.get("location"),
            "exposure_risk": facts.get("exposure_risk"),
        },
        "forensics": {
            "state_snapshot": path,
            "artifacts_preserved": list(facts.get("artifacts_preserved", ())),
        },
        "notification_sent": bool(facts.get("notification_id")),
        "halt_reason": facts.get("halt_reason"),
        "affected_resources": list(facts.get("affected_resources", ())),
        "remediation_steps": list(facts.get("remediation_steps", ())),
        "forensics_path": path,
        "notification_id": facts.get("notification_id"),
    }


OF_CLASS: Final[Mapping[Handling, Callable[[Facts], dict[str, Any]]]] = {
    "transient": _transient,
    "permanent": _permanent,
    "retriable": _retriable,
    "fatal": _fatal,
}


def record_of(fault: Fault, flow: str) -> dict[str, Any]:
    """The record of one occurrence. Holds no text of people: `message` is the catalogue's."""
    entry = CATALOGUE.get(fault.code)
    handling = handling_of(fault)
    return {
        "timestamp": datetime.fromtimestamp(fault.at, UTC).isoformat(timespec="milliseconds"),
        "run_id": fault.run,
        "flow_key": flow,
        "step_id": fault.step,
        "agent_key": fault.persona,
        "error_category": handling,
        "error_type": fault.type or (_snake(entry) if entry else fault.code.lower()),
        "error_message": fault.message,
        "stack_trace": fault.trace or None,
        "code": fault.code,
        "severity": entry.severity if entry else "ERROR",
        "category": fault.category or (entry.category if entry else None),
        "routing_decision": routing_of(fault),
        "failure_signature": fault.signature or None,
        "detail": fault.detail or None,
        **OF_CLASS[handling](fault.facts),
    }


def handling_of(fault: Fault) -> Handling:
    """How it was handled: as its row says, unless this occurrence went another way."""
    known: Mapping[str, Handling] = {each: each for each in OF_CLASS}
    entry = CATALOGUE.get(fault.code)
    return known.get(fault.handling) or (entry.handling if entry else "permanent")


def routing_of(fault: Fault) -> str:
    entry = CATALOGUE.get(fault.code)
    return fault.routing or (entry.routing if entry else "CONTINUE")


def alike(fault: Fault) -> tuple[str, str | None, str, str]:
    """What makes two occurrences the same one again: also, that as much was done about it."""
    return (fault.code, fault.step, fault.signature or fault.message, fault.routing)


def _snake(entry: Entry) -> str:
    return "_".join(entry.title.lower().replace(".", "_").split())
