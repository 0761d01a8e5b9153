"""The world misbehaves: nothing is lost, nothing is posted twice, and what happened is said."""

from pathlib import Path

import pytest

from core.engine.faults.refused_posts import NOT_TAKEN
from tests.support.plays import (
    HEAD,
    NOTHING_TO_ADD,
    PlayRecord,
    codes,
    notes,
    played,
    played_to_crash,
    thread,
)

TWO_STEPS = (
    HEAD
    + """
steps:
  "00-01":
    - {by: pm, reply: "It is small, two files."}
    - {by: dev, reply: "Two, I agree."}
    - {by: pm, click: continue}
  "00-02":
    - {by: dev, reply: "I would search for dashboard and export."}
    - {by: pm, click: cancel}
"""
)


def texts(result: PlayRecord) -> list[tuple[str, str]]:
    return [line for each in ("Roundtable", "Maya Chen") for line in thread(result.summary, each)]


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> PlayRecord:
    return played(tmp_path_factory.mktemp("calm"), TWO_STEPS)


@pytest.mark.parametrize(
    "trouble",
    [
        "{slack: redeliver, times: 20}",
        "{slack: 429, method: chat.postMessage, retry_after: 0, times: 2},"
        "{slack: 500, method: chat.postMessage},"
        "{slack: drop, method: chat.postMessage}",
        "{slack: accept-then-drop, method: chat.postMessage, times: 2}",
        "{slack: accept-then-drop, method: chat.update}",
    ],
)
def test_no_post_is_lost_or_doubled(calm: PlayRecord, tmp_path: Path, trouble: str) -> None:
    befores = f'before: {{"00-01": [{trouble}], "00-02": [{trouble}]}}'
    result = played(tmp_path, TWO_STEPS + befores)
    assert (result.stopped, set(codes(result.summary)) - {"ERR-SLACK-001"}) == (None, set())
    assert texts(result) == texts(calm)
    assert [step["answers"] for step in result.summary["steps"]] == [2, 1, 0]


def test_a_message_delivered_twice_over_http_counts_once(calm: PlayRecord, tmp_path: Path) -> None:
    trouble = 'before: {"00-01": [{slack: redeliver, times: 20}]}'
    result = played(tmp_path, TWO_STEPS + trouble, transport="http")
    assert texts(result) == texts(calm)


def test_a_slow_down_is_waited_for(tmp_path: Path) -> None:
    trouble = "{slack: 429, method: chat.postMessage, retry_after: 1}"
    result = played(tmp_path, TWO_STEPS + f'before: {{"00-02": [{trouble}]}}')
    assert notes(result) == []
    assert result.summary["session"] is not None
    assert result.summary["session"]["status"] == "cancelled"


@pytest.mark.parametrize(
    ("trouble", "found"),
    [
        ("{brain: crash, persona: business-analyst}", ["ERR-INT-001"]),
        ("{brain: invalid, times: 2}", ["ERR-INT-001"]),
        ("{brain: invalid}", []),
        ("{brain: silent}", ["ERR-INT-001"]),
        ("{brain: crash, persona: system-designer}", []),
    ],
)
def test_a_brain_that_fails_costs_no_answer(
    calm: PlayRecord, tmp_path: Path, trouble: str, found: list[str]
) -> None:
    result = played(tmp_path, TWO_STEPS + f'before: {{"00-02": [{trouble}]}}')
    assert codes(result.summary) == found
    assert [step["answers"] for step in result.summary["steps"]] == [2, 1, 0]
    left = ["1 brain faults were never met"] if "system-designer" in trouble else []
    assert notes(result) == left


def test_a_phase_that_nobody_can_lead_is_passed_over(tmp_path: Path) -> None:
    trouble = "{brain: crash, persona: business-analyst}, {brain: crash, persona: facilitator}"
    result = played(tmp_path, HEAD + NOTHING_TO_ADD + f'before: {{"01-01": [{trouble}]}}')
    assert result.exit_code == 0
    failed = [fault for fault in result.summary["faults"] if fault["code"] == "ERR-INT-001"]
    assert [fault["step_id"] for fault in failed] == ["01-01", "01-01"]
    assert failed[1]["message"].startswith("Skipping Requirements")


def test_a_step_tree_that_falls_apart_is_said_and_gone_on_without(tmp_path: Path) -> None:
    result = played(
        tmp_path,
        HEAD
        + NOTHING_TO_ADD
        + """
before:
  "00-02":
    - {write: "steps/analysis/00-quick-scan/02-keyword-search.md", text: "no front matter"}
  "02-01":
    - {remove: "steps/analysis/02-impact-analysis"}
  "03-01":
    - {write: "steps/analysis/03-architecture/05-more.md", text: "{nothing"}
    - {remove: "nothing-of-that-name"}
""",
    )
    assert result.exit_code == 0
    assert [code for code in codes(result.summary) if code != "ERR-DEPTH-001"] == [
        "ERR-STEP-004",
        "ERR-STEP-001",
        "ERR-STEP-004",
    ]
    skipped = [step["id"] for step in result.summary["steps"] if step["status"] == "skipped"]
    assert skipped == ["00-02", "03-05"]
    assert notes(result) == ["03-01 before it: there was nothing to remove"]


def test_the_step_tree_of_a_play_is_a_copy(tmp_path: Path) -> None:
    tree = tmp_path / "steps" / "analysis" / "00-quick-scan"
    tree.mkdir(parents=True)
    source = Path("steps/analysis/00-quick-scan/01-scope-estimation.md").read_text()
    (tree / "01-scope.md").write_text(source)
    trouble = '{write: "steps/analysis/00-quick-scan/02-x.md", text: x}'
    result = played(
        tmp_path / "out",
        HEAD + NOTHING_TO_ADD + f'before: {{"00-01": [{trouble}]}}',
        steps=tmp_path / "steps" / "analysis",
    )
    assert [step["id"] for step in result.summary["steps"]] == ["00-01", "00-02"]
    assert [path.name for path in tree.iterdir()] == ["01-scope.md"]


def test_a_broken_meta_file_is_met_before_the_start(tmp_path: Path) -> None:
    before = 'before: {"00-01": [{write: "meta.json", text: "{broken"}]}'
    result = played(tmp_path, TWO_STEPS + before)
    assert codes(result.summary) == ["ERR-META-002"]
    names = [each["name"] for each in result.summary["artifacts"]]
    assert any(name.startswith("meta.json.corrupt-") for name in names)


def test_a_revoked_token_ends_the_play_with_an_honest_line(tmp_path: Path) -> None:
    result = played(tmp_path, TWO_STEPS + 'before: {"00-02": [{slack: revoke}]}')
    assert result.exit_code == 3
    assert result.summary["session"] is not None
    assert result.summary["session"]["status"] == "paused"
    assert "ERR-SLACK-003" in codes(result.summary)


def test_a_bot_that_cannot_start_again_ends_the_play(tmp_path: Path) -> None:
    result = played(tmp_path, TWO_STEPS + 'before: {"00-02": [{slack: revoke}, {restart: kill}]}')
    assert (result.exit_code, result.summary["session"] is None) == (3, False)
    assert result.stopped is not None
    assert "token_revoked" in result.stopped


def test_a_crash_at_any_point_changes_nothing_that_people_see(
    calm: PlayRecord, tmp_path: Path
) -> None:
    """Some points; all of them are the chaos run's."""
    counted = played_to_crash(tmp_path / "counted", TWO_STEPS)
    assert counted.stopped is None
    assert {"commit", "attempted", "sent"} <= set(counted.points)
    for number in range(3, len(counted.points), 17):
        result = played_to_crash(tmp_path / str(number), TWO_STEPS, number)
        assert (result.stopped, result.crashes) == (None, 1), number
        assert texts(result) == texts(calm), number


def test_slack_out_of_reach_is_told_once_and_nothing_is_lost_or_doubled(
    calm: PlayRecord, tmp_path: Path
) -> None:
    trouble = "{slack: 429, method: chat.postMessage, retry_after: 0, times: 6}"
    result = played(tmp_path, TWO_STEPS + f'before: {{"00-02": [{trouble}]}}')
    assert (result.stopped, codes(result.summary)) == (None, ["ERR-SLACK-001"])
    told = [line for line in texts(result) if NOT_TAKEN in line[1]]
    assert len(told) == 1
    assert [line for line in texts(result) if line not in told] == texts(calm)
    (fault,) = result.summary["faults"]
    assert fault["step_id"] == "00-02"
