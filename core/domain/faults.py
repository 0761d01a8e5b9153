"""A fault as it is recorded: the context every error has, and what its class asks for besides.

The names are those of seed 004, "Logging Requirements", "Required Context" and "Category-Specific
Context". A field that does not apply is there and is None, so that whoever reads records can rely
on it.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from core.domain.playbook import AGENT_FILE, StepFault
from core.domain.session import Fault
from core.taxonomy.catalogue import CATALOGUE, CatalogueEntry, Handling
from core.taxonomy.observation import Observation

Facts = Mapping[str, Any]


def _some(facts: Facts, *names: str) -> dict[str, Any]:
    return {name: facts.get(name) for name in names}


def _transient(facts: Facts) -> dict[str, Any]:
    return {
        **_some(facts, "attempt", "delay_ms"),
        "will_retry": bool(facts.get("will_retry")),
        "context": _some(facts, "endpoint", "http_status", "retry_after"),
        "retry_count": facts.get("attempt"),
        **_some(facts, "total_delay_ms", "endpoint", "http_status"),
        "retry_after_header": facts.get("retry_after"),
    }


def _permanent(facts: Facts) -> dict[str, Any]:
    return {
        "will_retry": False,
        "context": _some(facts, "field", "error", "input_source"),
        "input_source": facts.get("input_source"),
        "validation_errors": list(facts.get("validation_errors", ())),
        **_some(facts, "expected_format", "actual_value"),
    }


def _retriable(facts: Facts) -> dict[str, Any]:
    previous = list(facts.get("previous_signatures", ()))
    failure = {"failure_message": facts.get("error")}
    return {
        "attempt": facts.get("attempt"),
        "will_retry": bool(facts.get("will_retry")),
        "previous_signatures": previous,
        "context": {**_some(facts, "test_file", "test_name"), **failure},
        "test_output": facts.get("test_output") or facts.get("error"),
        "flaky_history": previous,
    }


def _fatal(facts: Facts) -> dict[str, Any]:
    path = facts.get("forensics_path")
    preserved = list(facts.get("artifacts_preserved", ()))
    return {
        "halted_at": facts.get("halted_at"),
        "action_taken": "TERMINATE",
        "context": _some(facts, "secret_type", "location", "exposure_risk"),
        "forensics": {"state_snapshot": path, "artifacts_preserved": preserved},
        "notification_sent": facts["notification_sent"],
        "halt_reason": facts.get("halt_reason"),
        "affected_resources": list(facts.get("affected_resources", ())),
        "remediation_steps": list(facts.get("remediation_steps", ())),
        **_some(facts, "forensics_path", "notification_id"),
    }


_META: Final = {"input_source": "meta.json"}
# What is known of a code whatever its occurrence.
EXPECTED: Final[Mapping[str, Facts]] = {
    "ERR-RT-001": {"input_source": AGENT_FILE, "expected_format": "YAML front matter"},
    "ERR-RT-002": {"input_source": AGENT_FILE, "expected_format": "YAML front matter with a name"},
    "ERR-STEP-003": {"expected_format": "a text file in UTF-8 that can be read"},
    "ERR-STEP-004": {"expected_format": "YAML front matter between two lines of ---"},
    "ERR-STEP-005": {"expected_format": "a value"},
    "ERR-STEP-007": {"field": "body", "expected_format": "a section for the depth"},
    "ERR-STEP-008": {"field": "depends_on", "expected_format": "ids of completed steps"},
    "ERR-STEP-009": {"field": "skip_if", "expected_format": "an expression that can be evaluated"},
    "ERR-META-001": _META,
    "ERR-META-002": {**_META, "expected_format": "a JSON object"},
    "ERR-META-003": _META,
    "ERR-META-004": {**_META, "field": "steps_completed", "expected_format": "an array"},
    "ERR-META-005": {**_META, "field": "depth_overrides", "expected_format": "an object"},
    "ERR-ART-003": {"expected_format": "a text file in UTF-8 that can be read"},
    "ERR-PERSONA-001": {"field": "phase_key", "expected_format": "a phase that has a persona"},
    "ERR-PERSONA-002": {"field": "persona"},
    "ERR-DEPTH-001": {"field": "quick_scan_scope", "expected_format": "small, medium or large",
                      "actual_value": "unknown"},
    "ERR-DEPTH-002": {**_META, "expected_format": "brief, standard or deep"},
    "ERR-INT-002": {**_META, "field": "steps_completed",
                    "expected_format": "ids of steps of the flow"},
    "E-009": {"field": "--party, --classic", "expected_format": "one of the two"},
}  # fmt: skip

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
    facts = {**common, **EXPECTED.get(fault.code, {}), **_there(fault.facts)}
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


def _there(facts: Facts) -> dict[str, Any]:
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
