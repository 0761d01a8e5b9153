"""`roundtable faults`: every occurrence with its full record, under the names of seed 004."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli import main
from core.brains.facilitator import Facilitator
from tests.core.test_halting import LEAK, SECRET
from tests.support.fakes import FACILITATOR, Thinking
from tests.support.harness import Harness, small_table

REQUIRED = (
    "timestamp", "run_id", "flow_key", "step_id", "agent_key",
    "error_category", "error_type", "error_message", "stack_trace",
)  # fmt: skip
OF_CLASS = {
    "transient": ("attempt", "delay_ms", "will_retry", "context", "retry_count", "total_delay_ms",
                  "endpoint", "http_status", "retry_after_header"),
    "permanent": ("will_retry", "routing_decision", "context", "input_source",
                  "validation_errors", "expected_format", "actual_value"),
    "retriable": ("attempt", "will_retry", "failure_signature", "previous_signatures", "context",
                  "test_output", "flaky_history"),
    "fatal": ("halted_at", "action_taken", "context", "forensics", "notification_sent",
              "halt_reason", "affected_resources", "remediation_steps", "forensics_path",
              "notification_id"),
}  # fmt: skip


class Limited(Exception):  # noqa: N818 - as a provider's library would name it
    status_code = 429


def run(table: Harness, monkeypatch: pytest.MonkeyPatch, *words: str) -> Result:
    monkeypatch.setenv("ROUNDTABLE_DATABASE_URL", f"sqlite:///{table.place / 'table.db'}")
    if not main.app.registered_commands:
        main._mount()
    return CliRunner().invoke(main.app, ["faults", *words])


@pytest.fixture
def table(tmp_path: Path) -> Harness:
    """One of each class: permanent, transient, retriable, fatal."""
    brain = Thinking([Limited("the limit is reached"), RuntimeError("an intermittent failure")])
    table = small_table(tmp_path, brains={None: brain, FACILITATOR: Facilitator()})
    table.start()
    table.say("Because of the bank.")
    table.pass_time(2)
    table.forward()
    (table.folder() / "requirements-spec.md").unlink()
    (table.folder() / "requirements-spec.md").mkdir()
    table.say("Because of the auditors.")
    table.forward()
    table.say(LEAK)
    return table


def test_every_class_has_the_fields_of_its_seed(
    table: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run(table, monkeypatch, "--format", "json")
    assert done.exit_code == 0, done.output
    records = json.loads(done.output)
    assert {each["error_category"] for each in records} == set(OF_CLASS)
    for record in records:
        assert all(name in record for name in REQUIRED), record
        assert all(name in record for name in OF_CLASS[record["error_category"]]), record
    limited = next(each for each in records if each["error_category"] == "transient")
    assert (limited["http_status"], limited["attempt"], limited["will_retry"]) == (429, 1, True)
    assert 1000 <= limited["delay_ms"] <= 1500
    assert "Limited" in limited["stack_trace"]
    fatal = records[-1]
    assert (fatal["code"], fatal["action_taken"]) == ("ERR-SEC-001", "TERMINATE")
    assert fatal["notification_sent"] is True  # the owner's menu stands
    assert SECRET not in done.output


def test_what_nobody_could_be_told_is_not_said_to_be_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = small_table(tmp_path)
    table.start()
    table.stage.refuse = dict.fromkeys(("ShowRecovery", "TellOperators"), "is_archived")
    table.say(LEAK)
    (fatal,) = (
        each
        for each in json.loads(run(table, monkeypatch, "--format", "json").output)
        if each["error_category"] == "fatal"
    )
    assert fatal["notification_id"]
    assert fatal["notification_sent"] is False


def test_alike_ones_are_counted_and_the_newest_words_stand_once(
    table: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.say(LEAK)
    done = run(table, monkeypatch)
    (line,) = [each for each in done.output.splitlines() if each.startswith("ERR-SEC-001")]
    assert "×2" in line
    records = json.loads(run(table, monkeypatch, "--format", "json").output)
    assert [each["occurrence"] for each in records if each["code"] == "ERR-SEC-001"] == [1, 2]


def test_one_session_can_be_asked_for_and_an_unknown_one_is_said(
    table: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run(table, monkeypatch, "--session", table.session.slug)
    assert done.exit_code == 0
    assert "ERR-SEC-001" in done.output
    done = run(table, monkeypatch, "--session", "nothing-like-it")
    assert done.exit_code == 2
    assert "There is no session 'nothing-like-it'" in done.output
    done = run(table, monkeypatch, "--format", "xml")
    assert done.exit_code == 2


def test_where_nothing_went_wrong_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = small_table(tmp_path)
    assert run(table, monkeypatch).output == "Nothing has gone wrong.\n"
    assert json.loads(run(table, monkeypatch, "--format", "json").output) == []
