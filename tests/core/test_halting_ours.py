"""Credentials in what is ours, what is kept of a halt, and who hears of it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import StepId
from core.ports import Later
from tests.core.test_halting import LEAK, SECRET, everything, forensics
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import ReadingBrain, Thinking
from tests.support.harness import Harness, small_table

pytestmark = EACH_DATABASE


def test_the_forensic_folder_holds_state_receipt_and_a_redacted_environment(
    table: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", SECRET)
    table.say(LEAK)
    kept = {path.name: json.loads(path.read_text()) for path in forensics(table).iterdir()}
    assert sorted(kept) == ["environment.json", "receipt.json", "state.json"]
    assert kept["state.json"]["status"] == "halted"
    receipt = kept["receipt.json"]
    assert receipt["error_category"] == "fatal"
    assert receipt["action_taken"] == "TERMINATE"
    assert receipt["halted_at"] == "01-requirements/01-01"
    assert receipt["halt_reason"] == "Secret found"
    assert receipt["forensics"]["state_snapshot"].endswith("fatal-001")
    assert kept["environment.json"]["settings"]["SLACK_BOT_TOKEN"] == "[set]"
    assert SECRET not in everything(table)


def test_a_secret_that_somebody_wrote_into_an_artifact_halts_before_it_is_written_again(
    table: Harness,
) -> None:
    table.answer("Because of the bank.")
    path = table.folder() / "requirements-spec.md"
    path.write_text(f"{path.read_text()}\nOur own note: {LEAK}\n")
    table.say("And because of the auditors.")
    assert table.session.status == "halted"
    assert table.codes[-1] == "ERR-SEC-001"
    table.click("redact")
    table.finish()
    assert SECRET not in path.read_text()
    assert "Our own note" in path.read_text()


def test_a_secret_that_a_brain_writes_never_reaches_the_database(tmp_path: Path) -> None:
    def leaking(request: object) -> object:
        from dataclasses import replace

        draft = ReadingBrain().read(request)  # type: ignore[arg-type]
        return replace(draft, recorded=LEAK)

    table = small_table(tmp_path, brains={None: Thinking([leaking, leaking])})
    table.start()
    table.say("Because of the bank.")
    assert table.session.status == "halted"
    assert SECRET not in everything(table)
    table.click("redact")
    assert table.session.status == "choosing"
    assert SECRET not in everything(table)


def test_a_log_line_halts_once_and_after_that_it_is_only_counted(table: Harness) -> None:
    """It is always written without the credential: going on is no more harm than before."""
    found = on.DamageFound(table.clock.now(), "ERR-SEC-001", "a log line", "a Slack bot token")
    table.say("Because of the bank.")
    table.runtime.apply(table.id, found)
    table.settle()
    assert table.session.status == "halted"
    table.click("redact")
    table.runtime.apply(table.id, found)
    table.settle()
    assert table.session.status == "choosing"
    assert table.codes.count("ERR-SEC-001") == 2


def test_operators_hear_of_it_once_its_state_is_kept(table: Harness) -> None:
    table.say(LEAK)
    (told,) = table.shown(fx.TellOperators)
    assert told.is_state_preserved


def test_where_its_state_cannot_be_kept_operators_are_told_so(table: Harness) -> None:
    (table.place / "artifacts" / "_forensics").write_text("in the way")
    table.say(LEAK)
    (told,) = table.shown(fx.TellOperators)
    assert not told.is_state_preserved
    assert table.codes[-2:] == ["ERR-SEC-001", "ERR-ART-002"]


@pytest.mark.parametrize(
    ("where", "first"),
    [("an answer", "delete the message"), ("requirements-spec.md", "take it out of the file")],
)
def test_the_record_says_where_it_was_and_what_to_do_there(
    table: Harness, where: str, first: str
) -> None:
    if where == "an answer":
        table.say(LEAK)
    else:
        table.answer("Because of the bank.")
        path = table.folder() / where
        path.write_text(f"{path.read_text()}\n{LEAK}\n")
        table.say("And the auditors.")
    fault = table.runtime.reader.faults(table.id)[-1]
    assert fault.facts["location"] == where
    assert fault.facts["remediation_steps"][:2] == [first, "rotate the credential"]


def test_a_halt_while_the_flow_opens_takes_it_up_from_there(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.stage.outcomes = [Later("ratelimited", 30.0)]
    table.start()
    assert table.session.status == "starting"
    table.runtime.apply(table.id, on.DamageFound(table.clock.now(), "ERR-DATA-002", "a rule"))
    table.pass_time(31)
    assert table.session.status == "halted"
    table.click("check")
    assert table.session.status == "asking"
    assert len(table.shown(fx.PostCard)) >= 1


def test_a_write_under_way_when_the_session_halts_records_nothing_more(table: Harness) -> None:
    table.answer("Because of the bank.")
    folder = table.folder()
    kept = folder.rename(folder.with_name("kept"))
    folder.symlink_to(kept)
    under_way = table.job_runner.do(table.session, fx.WriteFolder(StepId("01-01")))
    table.say("And because of the auditors.")
    assert table.session.status == "halted"
    assert table.codes.count("ERR-SEC-002") == 1
    table.runtime.apply(table.id, under_way)
    assert table.session.status == "halted"
    assert table.codes.count("ERR-SEC-002") == 1


def test_a_credential_in_another_file_than_the_one_that_halted_it_is_recorded(
    table: Harness,
) -> None:
    table.answer("Because of the bank.")
    spec = table.folder() / "requirements-spec.md"
    spec.write_text(f"{spec.read_text()}\nOur own note: {LEAK}\n")
    table.say("And because of the auditors.")
    found = on.FileFault("ERR-SEC-001", spec.name, "Slack bot token")
    for file, recorded in ((spec.name, 1), ("impact-analysis.md", 2)):
        fault = replace(found, artifact=file)
        table.runtime.apply(table.id, on.FolderWritten(table.clock.now(), None, (fault,)))
        assert table.codes.count("ERR-SEC-001") == recorded
