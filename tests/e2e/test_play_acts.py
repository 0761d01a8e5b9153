"""What people do in a play: clicks of every kind, late edits, commands, and a start that fails."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.support.plays import HEAD, NOTHING_TO_ADD, artifacts, notes, played, thread


def statuses(steps: object) -> list[str]:
    assert isinstance(steps, list)
    return [step["status"] for step in steps]


def test_a_start_that_is_refused_has_no_session_and_says_why(tmp_path: Path) -> None:
    result = played(
        tmp_path, 'people: [pm]\nstart: {by: pm, command: "/roundtable analyze --depth deep"}'
    )
    assert (result.exit_code, result.summary["session"]) == (3, None)
    assert [each["to"] for each in result.summary["ephemerals"]] == ["pm"]
    assert "title is missing" in result.summary["ephemerals"][0]["text"]
    assert result.summary["threads"] == []


def test_a_second_start_on_the_same_record_is_refused_with_words(tmp_path: Path) -> None:
    assert played(tmp_path, HEAD).summary["session"] is not None
    again = played(tmp_path, HEAD)
    assert (again.exit_code, again.summary["session"]) == (3, None)
    assert "already under way" in again.summary["ephemerals"][0]["text"]


def test_a_silent_team_leaves_the_session_waiting(tmp_path: Path) -> None:
    result = played(tmp_path, HEAD)
    assert (result.exit_code, result.stopped) == (3, None)
    assert result.summary["session"] is not None
    assert result.summary["session"]["status"] == "paused"


def test_a_mention_starts_as_a_command_does(tmp_path: Path) -> None:
    result = played(
        tmp_path,
        'people: [pm]\nstart: {by: pm, command: "@Roundtable analyze Export dashboard as PDF"}',
    )
    assert result.summary["session"] is not None
    assert result.summary["session"]["slug"] == "export-dashboard-as-pdf"
    assert [each["persona"] for each in result.summary["threads"]] == ["Roundtable", "Maya Chen"]


def test_a_menu_without_a_click_is_answered_by_the_starter(tmp_path: Path) -> None:
    result = played(
        tmp_path,
        HEAD + 'otherwise: [{by: dev, reply: "The users need it, because they ask for it."}]',
    )
    assert result.exit_code == 0
    chosen_by = [text for _, text in thread(result.summary, "Jordan Park") if "chosen by" in text]
    assert len(chosen_by) == 5
    assert all("chosen by pm" in text for text in chosen_by)


def test_a_click_that_no_menu_offers_is_dropped_and_noted(tmp_path: Path) -> None:
    clicks = ("continue", "accept", "amend", "elaborate", "retry", "classic", "redact", "skip")
    acts = "".join(f"\n    - {{by: pm, click: {choice}}}" for choice in clicks)
    result = played(tmp_path, f'{HEAD}steps:\n  "00-01":{acts}\n    - {{by: pm, click: cancel}}')
    assert notes(result) == [f"00-01 pm clicks {choice}: no menu offers it" for choice in clicks]
    assert result.summary["session"] is not None
    assert result.summary["session"]["status"] == "cancelled"


def test_back_amend_skip_and_pause_each_do_what_they_say(tmp_path: Path) -> None:
    result = played(
        tmp_path,
        HEAD
        + """
steps:
  "00-01":
    - {by: pm, reply: "Small."}
    - {by: pm, click: continue}
    - {by: pm, reply: "No, medium."}
    - {by: pm, click: continue}
  "00-02":
    - {by: pm, click: back}
    - {by: pm, click: skip-step}
  "00-03":
    - {by: pm, reply: "Eight files."}
    - {by: pm, click: amend}
    - {by: dev, reply: "Nine files."}
    - {by: pm, click: accept}
  "01-01":
    - {by: pm, click: pause}
    - {by: pm, click: continue}
    - {by: pm, command: "/roundtable resume"}
    - {by: pm, reply: "The users need it, because they ask."}
    - {by: pm, click: skip}
    - {by: pm, click: accept}
  "02-01":
    - {by: pm, click: cancel}
""",
    )
    assert notes(result) == ["01-01 pm clicks continue: no menu offers it"]
    assert statuses(result.summary["steps"])[:5] == [
        "completed", "skipped", "completed", "completed", "skipped",
    ]  # fmt: skip
    answers = {step["id"]: step["answers"] for step in result.summary["steps"]}
    assert (answers["00-01"], answers["00-03"]) == (2, 2)
    assert result.summary["session"] is not None
    assert result.summary["session"]["status"] == "cancelled"


def test_an_edit_after_the_step_is_passed_is_a_late_one(tmp_path: Path) -> None:
    result = played(
        tmp_path,
        HEAD
        + """
steps:
  "00-01":
    - {by: pm, reply: "It is small."}
    - {by: pm, click: continue}
    - {by: pm, edit: 1, text: "It is large."}
  "00-02":
    - {by: pm, click: cancel}
""",
    )
    assert notes(result) == []
    assert "It is large." in artifacts(result.summary)["quick-scan.md"]


def test_a_letter_leads_on_as_its_button_does(tmp_path: Path) -> None:
    result = played(
        tmp_path,
        HEAD
        + """
steps:
  "00-01":
    - {by: pm, reply: "It is small."}
    - {by: dev, reply: "C"}
  "00-02":
    - {by: pm, click: cancel}
before:
  "00-02": [{restart: kill}]
""",
    )
    told = [line.words for line in result.progress]
    assert told.index("before it: the bot is killed and started again") < len(told) - 1
    assert told[-3:-1] == ["before it: the bot is killed and started again", "dev replies"]
    assert result.summary["steps"][0]["answers"] == 1


def test_two_depths_away_is_two_clicks(tmp_path: Path) -> None:
    acts = '{by: pm, click: "depth:brief"}, {by: pm, reply: "Small."}, {by: pm, click: cancel}'
    result = played(tmp_path, f'{HEAD}steps: {{"00-01": [{acts}]}}')
    assert notes(result) == []
    assert result.summary["steps"][0]["depth"] == "brief"
    assert result.summary["steps"][0]["answers"] == 1


def test_the_clock_can_be_moved(tmp_path: Path) -> None:
    result = played(
        tmp_path,
        HEAD
        + NOTHING_TO_ADD.replace("click: continue", "click: cancel")
        + 'before: {"00-01": [{clock: "+2d"}]}',
    )
    assert result.summary["session"] is not None
    assert result.summary["session"]["status"] == "cancelled"
    meta = next(each for each in result.summary["artifacts"] if each["name"] == "meta.json")
    created = datetime.fromisoformat(json.loads(Path(meta["path"]).read_text())["created_at"])
    assert timedelta(days=1.9) < created - datetime.now(UTC) < timedelta(days=2)
