"""Folders that lie there before the database knows of them: taken up, or not touched at all."""

import json
from pathlib import Path

import pytest

from core.domain.ids import RunId, SessionId
from tests.fakes import CHANNEL, ELSEWHERE, TEAM
from tests.table import Table, small_table

TITLE = "Export dashboard"
SLUG = "export-dashboard"


def lay(table: Table, slug: str = SLUG, text: str | None = None, **meta: object) -> Path:
    """A folder of an earlier life."""
    folder = table.folder(slug)
    folder.mkdir(parents=True)
    known = {
        "slug": slug,
        "title": TITLE,
        "owner": {"team": TEAM, "channel": CHANNEL},
        "steps_completed": [],
        "phases_completed": [],
        "depth_overrides": {},
    }
    content = text if text is not None else json.dumps({**known, **meta})
    (folder / "meta.json").write_text(content)
    return folder


def content_of(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_a_folder_of_another_channel_is_neither_touched_nor_revealed(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    folder = lay(table, owner={"team": TEAM, "channel": ELSEWHERE})
    before = content_of(folder)
    table.start(TITLE)
    assert table.session.slug == f"{SLUG}-2"
    assert content_of(folder) == before
    assert table.messages == []
    assert table.codes == ["ERR-DEPTH-001"]


def test_files_without_any_meta_are_somebody_elses(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    folder = table.folder(SLUG)
    folder.mkdir(parents=True)
    (folder / "notes.md").write_text("mine")
    table.start(TITLE)
    assert table.session.slug == f"{SLUG}-2"
    assert content_of(folder) == {"notes.md": "mine"}


def test_an_empty_folder_is_used(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.folder(SLUG).mkdir(parents=True)
    table.start(TITLE)
    assert table.session.slug == SLUG


def test_a_file_where_the_folder_should_be_is_left_alone(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    (tmp_path / "artifacts").mkdir()
    (tmp_path / "artifacts" / SLUG).write_text("a file")
    table.start(TITLE)
    assert table.session.slug == f"{SLUG}-2"
    assert (tmp_path / "artifacts" / SLUG).read_text() == "a file"


def test_two_strange_folders_lead_to_the_third_number(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    for slug in (SLUG, f"{SLUG}-2"):
        lay(table, slug, owner={"team": TEAM, "channel": ELSEWHERE})
    table.start(TITLE)
    assert table.session.slug == f"{SLUG}-3"


def test_a_strange_folder_behind_a_finished_session_leads_to_the_next_number(
    tmp_path: Path,
) -> None:
    table = small_table(tmp_path)
    table.start(TITLE)
    table.cancel()
    lay(table, f"{SLUG}-2", owner={"team": TEAM, "channel": ELSEWHERE})
    table.id = SessionId("s2")
    table.start(TITLE, run=RunId("r2"))
    assert table.session.slug == f"{SLUG}-3"
    assert table.session.status == "asking"


def test_a_folder_that_names_this_channel_is_taken_up(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    lay(table, steps_completed=["01-01"], depth_overrides={"01-requirements": "deep"})
    table.start(TITLE)
    assert table.session.slug == SLUG
    assert table.statuses == {"01-01": "completed", "01-02": "pending"}
    assert table.prompts == ["01-02"]
    assert table.session.steps[1].depth == "deep"
    assert table.session.current_phase.done == 1


def test_a_phase_that_was_completed_is_not_opened_again(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    lay(
        table,
        steps_completed=["01-01", "01-02"],
        phases_completed=["01-requirements", "09-unknown"],
    )
    table.start(TITLE)
    assert table.prompts == ["02-01"]
    assert table.phases == {"01-requirements": "completed", "02-impact": "open"}


def test_a_phase_whose_steps_are_all_done_shows_its_summary_in_its_personas_thread(
    tmp_path: Path,
) -> None:
    table = small_table(tmp_path)
    lay(table, steps_completed=["01-01", "01-02"])
    table.start(TITLE)
    assert table.session.status == "choosing"
    assert table.menu.choices == ("accept", "amend", "elaborate")
    assert [post.target for post in table.stage.posts][-1] == "phase:01-requirements:1"
    assert "ERR-SLACK-002" not in table.codes
    table.click("accept")
    assert table.prompts == ["02-01"]


def test_a_folder_with_everything_done_completes_at_once(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    lay(
        table,
        steps_completed=["01-01", "01-02", "02-01"],
        phases_completed=["01-requirements", "02-impact"],
    )
    table.start(TITLE)
    assert table.session.status == "completed"
    assert table.prompts == []


def test_a_depth_said_at_the_start_wins_over_the_folders(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    lay(table, depth_overrides={"01-requirements": "deep", "02-impact": "brief"})
    table.start(TITLE, depth="standard")
    assert dict(table.session.overrides) == {"01-requirements": "standard", "02-impact": "standard"}


def test_steps_that_are_no_list_are_put_right_in_silence(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    lay(table, steps_completed="01-01", depth_overrides={"01-requirements": "brief"})
    table.start(TITLE)
    assert "ERR-META-004" in table.codes
    assert table.messages == []
    assert table.prompts == ["01-01"]
    assert table.session.steps[0].depth == "brief"


def test_overrides_that_are_no_mapping_are_put_right_in_silence(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    lay(table, steps_completed=["01-01"], depth_overrides=["deep"])
    table.start(TITLE)
    assert "ERR-META-005" in table.codes
    assert table.messages == []
    assert (table.prompts, table.session.steps[1].depth) == (["01-02"], "standard")


def test_an_override_that_is_no_depth_is_ignored_in_silence(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    lay(table, depth_overrides={"01-requirements": "bottomless", "02-impact": "brief"})
    table.start(TITLE)
    assert "ERR-DEPTH-002" in table.codes
    assert table.messages == []
    assert table.session.steps[0].depth == "standard"
    assert dict(table.session.overrides) == {"02-impact": "brief"}


@pytest.mark.parametrize("text", ["{broken", "[]", '"text"', "NaN", ""])
def test_a_corrupt_meta_is_kept_and_the_analysis_begins_anew(tmp_path: Path, text: str) -> None:
    table = small_table(tmp_path)
    folder = lay(table, text=text)
    table.start(TITLE)
    assert table.session.slug == SLUG
    assert table.messages == [
        "Warning: meta.json is corrupt. Starting analysis from the beginning."
    ]
    kept = [path for path in folder.iterdir() if path.name.startswith("meta.json.corrupt-")]
    assert [path.read_text() for path in kept] == [text]
    assert json.loads((folder / "meta.json").read_text())["title"] == TITLE
    assert table.prompts == ["01-01"]


def test_what_other_programs_wrote_into_meta_stays(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    lay(table, theirs={"kept": True})
    table.start(TITLE)
    table.answer()
    meta = json.loads((table.folder() / "meta.json").read_text())
    assert meta["theirs"] == {"kept": True}
    assert meta["steps_completed"] == ["01-01"]


def test_step_ids_that_no_file_bears_are_kept_and_recorded(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    lay(table, steps_completed=["01-01", "01-77"])
    table.start(TITLE)
    assert "ERR-INT-002" in table.codes
    assert table.messages == []
    assert "01-77" in table.session.done
