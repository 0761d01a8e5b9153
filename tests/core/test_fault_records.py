"""The record of a fault: every class has its fields, whatever is known of the occurrence."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from core.domain import effects as fx
from core.domain.faults import alike, handling_of, record_of, routing_of
from core.domain.ids import FaultId, PersonaKey, RunId, StepId
from core.domain.session.halt import Fault
from core.taxonomy.catalogue import CATALOGUE, Handling
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import MAYA, Thinking
from tests.support.harness import Harness, small_table, small_tree

pytestmark = EACH_DATABASE

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
    for name in ("run_id", "step_id", "agent_key", "stack_trace", "detail"):
        assert record[name] is None
    assert record["validation_errors"] == []
    assert record["actual_value"] is None


def test_every_occurrence_has_a_signature_an_error_and_who_classified_it() -> None:
    """Even one of which only its code is known; the same failure has the same signature."""
    one, same, other = fault("ERR-META-003"), fault("ERR-META-003"), fault("ERR-ART-002")
    signatures = [record_of(each, "analysis")["failure_signature"] for each in (one, same, other)]
    assert signatures[0] == signatures[1] != signatures[2]
    assert "Words" not in signatures[0]
    record = record_of(one, "analysis")
    assert record["context"]["error"] == "Words."
    assert record["classified_by"] == "orchestrator"


def test_a_fatal_one_says_that_somebody_was_notified_once_that_is_so() -> None:
    fatal = fault("ERR-DATA-001", facts={"notification_id": "m1"})
    assert record_of(fatal, "analysis")["notification_sent"] is False
    assert record_of(fatal, "analysis", notified=True)["notification_sent"] is True


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


# ── of real files ──────────────────────────────────────────────────────────────────────────────


def records(table: Harness) -> list[dict[str, Any]]:
    return [record_of(each, "analysis") for each in table.runtime.reader.faults(table.id)]


def known(record: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: {**record["context"], **record}[name] for name in names}


FILES: dict[str, tuple[dict[str, str | None], dict[str, Any]]] = {
    "a bad value": (
        {"depth": "bottomless"},
        {
            "field": "depth",
            "actual_value": "bottomless",
            "expected_format": "one of brief, standard, deep",
        },
    ),
    "a missing field": (
        {"title": None},
        {"field": "title", "actual_value": None, "expected_format": "a value"},
    ),
    "a dependency": (
        {"depends_on": '["01-07"]'},
        {
            "field": "depends_on",
            "actual_value": "01-07",
            "expected_format": "ids of completed steps",
        },
    ),
}


@pytest.mark.parametrize(("front", "expected"), FILES.values(), ids=FILES)
def test_a_faulty_step_file_is_recorded_with_what_stood_there_and_what_should(
    tmp_path: Path, front: dict[str, str | None], expected: dict[str, Any]
) -> None:
    tree = small_tree(tmp_path / "steps")
    tree.step("01-requirements/01-a.md", **front)
    table = small_table(tmp_path, tree=tree)
    table.start()
    record = next(each for each in records(table) if each["code"].startswith("ERR-STEP"))
    assert known(record, *expected) == expected
    assert (record["input_source"], record["agent_key"]) == ("01-a.md", MAYA)


def test_a_folder_that_cannot_be_used_is_recorded_with_its_file_and_error(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    (table.folder() / "requirements-spec.md").mkdir()
    table.say("Because of the bank.")
    unread, unwritten = records(table)[-2:]
    assert known(unread, "input_source", "agent_key") == {
        "input_source": "requirements-spec.md",
        "agent_key": MAYA,
    }
    assert "directory" in unread["context"]["error"]
    assert unwritten["code"] == "ERR-ART-002"
    assert "no regular file" in unwritten["context"]["error"]


def test_a_meta_of_wrong_types_is_recorded_with_what_stood_there(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    meta = json.loads((table.folder() / "meta.json").read_text())
    meta |= {"steps_completed": "all", "depth_overrides": [1]}
    (table.folder() / "meta.json").write_text(json.dumps(meta))
    table.say("Because of the bank.")
    steps, overrides = records(table)[-2:]
    names = ("input_source", "field", "expected_format", "actual_value")
    assert tuple(known(steps, *names).values()) == (
        "meta.json", "steps_completed", "an array", "a string",
    )  # fmt: skip
    assert tuple(known(overrides, *names).values()) == (
        "meta.json", "depth_overrides", "an object", "an array",
    )  # fmt: skip


def test_a_brain_that_gives_nonsense_is_recorded_with_what_was_wrong_with_it(
    tmp_path: Path,
) -> None:
    table = small_table(tmp_path, brains={None: Thinking(["a string", "a string"])})
    table.start()
    table.say("Because of the bank.")
    record = records(table)[-1]
    assert record["error_type"] == "output_invalid"
    assert record["validation_errors"] == ["a str instead of a draft"]
    assert (record["classified_by"], record["agent_key"]) == ("orchestrator", MAYA)


def test_a_sonnet_classifies_its_own_failure(tmp_path: Path) -> None:
    """Seed 002, Tier-Aware Classification."""

    class Sonnet(Thinking):
        tier = "sonnet"

    table = small_table(tmp_path, brains={None: Sonnet([ValueError("ambiguous")])})
    table.start()
    table.say("Because of the bank.")
    assert records(table)[-1]["classified_by"] == "agent"


# ── several at once (seed 004, Aggregation) ────────────────────────────────────────────────────


def test_two_permanents_of_one_cause_are_one_message_with_the_gravest_first(
    tmp_path: Path,
) -> None:
    table = small_table(tmp_path)
    table.start()
    (table.folder() / "requirements-spec.md").mkdir()
    table.say("Because of the bank.")
    (shown,) = table.shown(fx.ShowFault)
    codes = [table.runtime.reader.fault(each).code for each in (shown.fault, *shown.more)]
    assert codes == ["ERR-ART-002", "ERR-ART-003"]


def test_faults_of_several_files_are_reported_together(tmp_path: Path) -> None:
    tree = small_tree(tmp_path / "steps")
    tree.file("01-requirements/01-a.md", b"# Nothing")
    tree.step("01-requirements/02-b.md", title="Second", depends_on='["01-01"]')
    tree.step("01-requirements/03-c.md", title="Third")
    table = small_table(tmp_path, tree=tree)
    table.start()
    (shown,) = table.shown(fx.ShowFault)
    assert len(shown.more) == 1
    assert len(table.messages) == 2
    assert table.session.course.step == "01-03"
