"""The record of a fault: every class has its fields, whatever is known of the occurrence."""

from typing import Any, get_args

import pytest

from core.domain.faults import alike, handling_of, record_of, routing_of
from core.domain.ids import FaultId, PersonaKey, RunId, StepId
from core.domain.session import Fault
from core.taxonomy.catalogue import CATALOGUE, Handling

REQUIRED = (
    "timestamp", "run_id", "flow_key", "step_id", "agent_key",
    "error_category", "error_type", "error_message", "stack_trace",
)  # fmt: skip
OF_CLASS = {
    "transient": {"attempt", "delay_ms", "will_retry", "context", "retry_count", "total_delay_ms",
                  "endpoint", "http_status", "retry_after_header"},
    "permanent": {"will_retry", "context", "input_source", "validation_errors", "expected_format",
                  "actual_value"},
    "retriable": {"attempt", "will_retry", "previous_signatures", "context", "test_output",
                  "flaky_history"},
    "fatal": {"halted_at", "action_taken", "context", "forensics", "notification_sent",
              "halt_reason", "affected_resources", "remediation_steps", "forensics_path",
              "notification_id"},
}  # fmt: skip


def fault(code: str = "ERR-INT-001", **more: Any) -> Fault:
    return Fault(FaultId("f"), code, "Words.", True, 1_800_000_000.25, **more)


@pytest.mark.parametrize("handling", get_args(Handling))
def test_each_class_has_its_fields_and_the_required_ones(handling: str) -> None:
    bare = record_of(fault(handling=handling), "analysis")
    full = record_of(fault(handling=handling, facts={"error": "x", "attempt": 3}), "analysis")
    for record in (bare, full):
        assert set(REQUIRED) | OF_CLASS[handling] <= set(record)
        assert record["error_category"] == handling
        assert (record["code"], record["routing_decision"]) == ("ERR-INT-001", "DETOUR")


def test_what_is_known_stands_under_the_names_of_the_seed() -> None:
    known = fault(
        run=RunId("r1"), step=StepId("01-01"), persona=PersonaKey("business-analyst"),
        handling="transient", routing="RETRY", category="execution_error", type="RateLimit",
        signature="abc", trace="Traceback", detail="crash",
        facts={"attempt": 2, "delay_ms": 2_000, "will_retry": True, "http_status": 429,
               "retry_after": 5, "endpoint": "slack.com", "total_delay_ms": 3_000},
    )  # fmt: skip
    record = record_of(known, "analysis")
    assert record["timestamp"] == "2027-01-15T08:00:00.250+00:00"
    assert (record["run_id"], record["flow_key"]) == ("r1", "analysis")
    assert (record["step_id"], record["agent_key"]) == ("01-01", "business-analyst")
    assert (record["error_type"], record["failure_signature"]) == ("RateLimit", "abc")
    assert (record["stack_trace"], record["detail"]) == ("Traceback", "crash")
    assert (record["category"], record["routing_decision"]) == ("execution_error", "RETRY")
    assert (record["retry_count"], record["total_delay_ms"]) == (2, 3_000)
    assert record["context"] == {"endpoint": "slack.com", "http_status": 429, "retry_after": 5}


def test_what_is_not_known_is_there_and_empty() -> None:
    record = record_of(fault("ERR-STEP-004"), "analysis")
    assert record["error_type"] == "invalid_yaml_frontmatter"
    for name in ("run_id", "step_id", "agent_key", "stack_trace", "failure_signature", "detail"):
        assert record[name] is None
    assert record["validation_errors"] == []


def test_a_code_that_no_version_knows_is_recorded_all_the_same() -> None:
    odd = fault("ERR-ODD-001")
    record = record_of(odd, "")
    assert (record["severity"], record["category"]) == ("ERROR", None)
    assert record["error_type"] == "err-odd-001"
    assert (handling_of(odd), routing_of(odd)) == ("permanent", "CONTINUE")


@pytest.mark.parametrize("code", CATALOGUE)
def test_an_occurrence_goes_as_its_row_says_unless_it_went_another_way(code: str) -> None:
    row = CATALOGUE[code]
    assert (handling_of(fault(code)), routing_of(fault(code))) == (row.handling, row.routing)
    other = fault(code, handling="fatal", routing="TERMINATE")
    assert (handling_of(other), routing_of(other)) == ("fatal", "TERMINATE")


def test_a_handling_that_is_none_is_the_rows() -> None:
    assert handling_of(fault(handling="hopeful")) == "permanent"


def test_two_are_the_same_by_code_step_and_signature_or_words() -> None:
    one = fault(step=StepId("01-01"))
    assert alike(one) == alike(fault(step=StepId("01-01"), detail="another"))
    assert alike(one) != alike(fault(step=StepId("01-02")))
    assert alike(fault(signature="a")) != alike(fault(signature="b"))
    assert alike(fault(routing="RETRY")) != alike(fault(routing="DETOUR"))
