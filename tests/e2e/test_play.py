"""The examples played to their end through the real bot, and what is left of them."""

import csv
import json
from pathlib import Path

import pytest
import yaml

from tests.support.plays import PlayRecord, artifacts, codes, notes, played, thread

LARGE = Path("docs/examples/export-dashboard-as-pdf.yaml").read_text()
SMALL = Path("docs/examples/local-timezone-small.yaml").read_text()

ALWAYS = {
    "quick-scan.md",
    "requirements-spec.md",
    "nfr-matrix.md",
    "user-stories.json",
    "traceability-matrix.csv",
    "impact-analysis.md",
    "architecture-overview.md",
    "tech-stack-decision.md",
    "module-design.md",
    "interface-spec.yaml",
    "data-flow.md",
    "error-taxonomy.md",
    "design-summary.md",
    "meta.json",
}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> PlayRecord:
    return played(tmp_path_factory.mktemp("large"), LARGE)


def test_the_large_item_goes_through_all_steps_to_its_end(large: PlayRecord) -> None:
    summary = large.summary
    assert (large.stopped, large.exit_code, notes(large)) == (None, 0, [])
    assert summary["session"] is not None
    assert summary["session"]["slug"] == "export-dashboard-as-pdf"
    assert (summary["session"]["status"], summary["session"]["flow"]) == ("completed", "analysis")
    assert len(summary["steps"]) == 24
    assert {step["status"] for step in summary["steps"]} == {"completed"}
    assert summary["faults"] == []


def test_each_answer_counts_once_and_a_deleted_one_not_at_all(large: PlayRecord) -> None:
    answers = {step["id"]: step["answers"] for step in large.summary["steps"]}
    assert (answers["00-01"], answers["01-02"], answers["01-05"]) == (2, 1, 3)


def test_a_depth_that_is_changed_holds_in_this_phase_and_all_later_ones(
    large: PlayRecord,
) -> None:
    steps = [step["id"] for step in large.summary["steps"]]
    deep = [step["id"] for step in large.summary["steps"] if step["depth"] == "deep"]
    assert deep == steps[steps.index("01-06") :]


def test_every_artifact_exists_and_can_be_read_by_its_tools(large: PlayRecord) -> None:
    found = {each["name"]: Path(each["path"]) for each in large.summary["artifacts"]}
    assert set(found) >= ALWAYS
    assert any(name.startswith("adr-") for name in found)
    assert all(path.is_absolute() for path in found.values())
    for each in large.summary["artifacts"]:
        assert Path(each["path"]).stat().st_size == each["bytes"]
    assert json.loads(found["user-stories.json"].read_text())["stories"]
    assert json.loads(found["meta.json"].read_text())["analysis_status"] == "analyzed"
    assert yaml.safe_load(found["interface-spec.yaml"].read_text())
    rows = list(csv.DictReader(found["traceability-matrix.csv"].read_text().splitlines()))
    assert [row["requirement"] for row in rows[:6]] == [f"FR-00{n}" for n in range(1, 7)]


def test_every_requirement_says_who_said_it_and_where(large: PlayRecord) -> None:
    spec = next(e for e in large.summary["artifacts"] if e["name"] == "requirements-spec.md")
    lines = [line for line in Path(spec["path"]).read_text().splitlines() if "**FR-" in line]
    assert len(lines) >= 6
    assert all("— said by " in line and "/archives/" in line for line in lines)


def test_the_threads_read_as_they_stand(large: PlayRecord) -> None:
    personas = [each["persona"] for each in large.summary["threads"]]
    assert personas == ["Roundtable", "Maya Chen", "Alex Rivera", "Jordan Park"]
    assert {each["channel"] for each in large.summary["threads"]} == {"general"}
    said = ("dev", "If time ran short I would give up FR-006 first.")
    assert said in thread(large.summary, "Maya Chen")
    assert {ping["what"] for ping in large.summary["pings"]} == {"@pm", "@dev", "@ops"}


def test_the_same_play_leaves_the_same_artifacts_however_it_is_carried(
    large: PlayRecord, tmp_path: Path
) -> None:
    again = played(tmp_path, LARGE, transport="http")
    assert again.exit_code == 0
    assert artifacts(again.summary) == artifacts(large.summary)


def test_a_bot_that_is_killed_in_between_leaves_the_same_artifacts(
    large: PlayRecord, tmp_path: Path
) -> None:
    kill = '\nbefore: {"01-05": [{restart: kill}], "03-01": [{restart: kill}]}\n'
    again = played(tmp_path, LARGE + kill)
    assert (again.exit_code, notes(again), codes(again.summary)) == (0, [], [])
    assert artifacts(again.summary) == artifacts(large.summary)
    assert thread(again.summary, "Maya Chen") == thread(large.summary, "Maya Chen")


def test_the_small_item_is_asked_one_question_a_step(tmp_path: Path) -> None:
    result = played(tmp_path, SMALL)
    assert (result.exit_code, len(result.summary["steps"])) == (0, 24)
    assert {step["depth"] for step in result.summary["steps"]} == {"brief"}
    assert {step["answers"] for step in result.summary["steps"]} == {1}
    assert set(artifacts(result.summary)) >= ALWAYS


def test_the_large_item_shows_measured_lines_in_four_steps_and_its_files_link_them(
    large: PlayRecord,
) -> None:
    files = {each["name"]: Path(each["path"]).read_text() for each in large.summary["artifacts"]}
    sections = [
        section
        for name in ("quick-scan.md", "impact-analysis.md")
        for section in files[name].split("<!-- roundtable:section ")
        if "### Measured in the code" in section
    ]
    assert [section[:5] for section in sections] == ["00-02", "02-01", "02-02", "02-03"]
    assert all("](https://git.example.com/metabase/blob/" in section for section in sections)
