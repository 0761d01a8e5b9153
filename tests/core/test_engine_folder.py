"""Folders that lie there before the database knows of them: taken up, or not touched at all."""

import json
from pathlib import Path

import pytest

from core.domain.ids import RunId, SessionId, Slug, UserId
from core.store.journal.replay import replayed
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import CHANNEL, DEV, ELSEWHERE, OPS, OWNER, TEAM
from tests.support.harness import Harness, small_table, small_tree

pytestmark = EACH_DATABASE

TITLE = "Export dashboard"
SLUG = "export-dashboard"


def lay(table: Harness, slug: str = SLUG, text: str | None = None, **meta: object) -> Path:
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
    (tmp_path / "artifacts" / TEAM).mkdir(parents=True)
    (tmp_path / "artifacts" / TEAM / SLUG).write_text("a file")
    table.start(TITLE)
    assert table.session.slug == f"{SLUG}-2"
    assert (tmp_path / "artifacts" / TEAM / SLUG).read_text() == "a file"


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
    assert table.session.course.steps[1].prompt.depth == "deep"
    assert table.session.course.current_phase.done == 1


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
    depths = dict(table.session.course.depths)
    assert depths == {"01-requirements": "standard", "02-impact": "standard"}


def test_steps_that_are_no_list_are_put_right_in_silence(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    lay(table, steps_completed="01-01", depth_overrides={"01-requirements": "brief"})
    table.start(TITLE)
    assert "ERR-META-004" in table.codes
    assert table.messages == []
    assert table.prompts == ["01-01"]
    assert table.session.course.steps[0].prompt.depth == "brief"


def test_overrides_that_are_no_mapping_are_put_right_in_silence(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    lay(table, steps_completed=["01-01"], depth_overrides=["deep"])
    table.start(TITLE)
    assert "ERR-META-005" in table.codes
    assert table.messages == []
    assert (table.prompts, table.session.course.steps[1].prompt.depth) == (["01-02"], "standard")


def test_an_override_that_is_no_depth_is_ignored_in_silence(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    lay(table, depth_overrides={"01-requirements": "bottomless", "02-impact": "brief"})
    table.start(TITLE)
    assert "ERR-DEPTH-002" in table.codes
    assert table.messages == []
    assert table.session.course.steps[0].prompt.depth == "standard"
    assert dict(table.session.course.depths) == {"02-impact": "brief"}


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
    assert "01-77" in table.session.course.done


# ── what a folder brings along ─────────────────────────────────────────────────────────────────

SCAN = "---\nscope: small\ncomplexity: low\nfile_count: 3\nconfidence: high\n---\n\n# Quick Scan\n"
SPEC = """\
# Requirements Specification — Export dashboard

<!-- roundtable:section 01-01 -->
## First

- Because of the bank. — said by Priya ([message](https://p/1))
<!-- /roundtable:section 01-01 -->

<!-- roundtable:section end -->
## Assumptions

- It is one currency. *(assumed)*

## Open Questions

- Who signs it off? — said by Priya ([message](https://p/1))
<!-- /roundtable:section end -->

The auditors wrote this.
"""


def test_a_folder_brings_its_quick_scan_along(tmp_path: Path) -> None:
    tree = small_tree(tmp_path / "steps")
    tree.step("00-quick-scan/01-size.md", title="Size")
    table = small_table(tmp_path, tree=tree)
    folder = lay(table, steps_completed=["00-01"], phases_completed=["00-quick-scan"])
    (folder / "quick-scan.md").write_text(SCAN)
    table.start(TITLE)
    assert (table.session.scan.scope, table.session.scan.file_count) == ("small", 3)
    assert table.session.course.steps[0].prompt.depth == "brief"
    assert "ERR-DEPTH-001" not in table.codes


def test_a_quick_scan_that_says_nothing_or_cannot_be_read_is_none(tmp_path: Path) -> None:
    for number, content in enumerate((b"# Quick Scan\n", b"\xff\xfe")):
        (tmp_path / str(number)).mkdir(exist_ok=True)
        table = small_table(tmp_path / str(number))
        folder = lay(table, steps_completed=["01-01"])
        (folder / "quick-scan.md").write_bytes(content)
        table.start(TITLE)
        assert table.session.scan.scope is None
        assert table.prompts == ["01-02"]


def test_who_accepted_a_phase_and_when_it_all_began_stays_written_down(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    accepted = {"by": "Priya", "at": "2026-03-01T10:00:00+00:00"}
    lay(
        table,
        created_at="2026-03-01T09:00:00+00:00",
        steps_completed=["01-01", "01-02"],
        phases_completed=["01-requirements"],
        acceptance={"01-requirements": accepted, "02-impact": accepted},
    )
    table.start(TITLE)
    meta = json.loads((table.folder() / "meta.json").read_text())
    assert meta["acceptance"] == {"01-requirements": accepted}
    assert meta["created_at"] == "2026-03-01T09:00:00+00:00"
    assert meta["steps_completed"] == ["01-01", "01-02"]
    assert [phase.done for phase in table.session.course.phases] == [2, 0]


def test_a_time_that_is_none_is_not_taken_up(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    lay(table, created_at="last spring", steps_completed=["01-01"])
    table.start(TITLE)
    assert table.session.created_at == "2027-01-15T08:00:00+00:00"


def test_a_folder_that_is_taken_up_is_kept_byte_by_byte(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    folder = lay(table, steps_completed=["01-01"])
    (folder / "requirements-spec.md").write_text(SPEC)
    (folder / "picture.png").write_bytes(b"\x89PNG\xff")
    (folder / "reports").mkdir()
    (folder / "reports" / "step-01-01-sonnet.md").write_text("It was a time-out.")
    before = bytes_below(folder)
    table.start(TITLE)
    table.finish()
    (kept,) = (tmp_path / "artifacts" / "_taken-up" / TEAM / SLUG).iterdir()
    assert bytes_below(kept) == before
    table.erase()
    assert not folder.exists()
    assert not kept.exists()


def test_a_folder_with_nothing_done_in_it_is_not_copied(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    lay(table)
    table.start(TITLE)
    assert not (tmp_path / "artifacts" / "_taken-up").exists()


def test_a_folder_that_cannot_be_kept_aside_is_taken_up_all_the_same(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    lay(table, steps_completed=["01-01"])
    (tmp_path / "artifacts" / "_taken-up").write_text("in the way")
    table.start(TITLE)
    assert table.prompts == ["01-02"]


def test_what_stood_at_the_end_of_a_file_is_not_lost_when_it_is_written_anew(
    tmp_path: Path,
) -> None:
    table = small_table(tmp_path)
    folder = lay(table, steps_completed=["01-01"])
    (folder / "requirements-spec.md").write_text(SPEC)
    table.start(TITLE)
    for said in ("Also for the auditors.", "And for the board."):
        table.say(said)
        text = (folder / "requirements-spec.md").read_text()
        assert said in text
        for line in SPEC.splitlines():
            assert text.count(f"{line}\n") >= 1 or line.startswith("## "), line
        assert text.count("## Assumptions (before this was taken up)") == 1
        assert text.count("- Who signs it off?") == 1
        assert text.count("\n## Assumptions\n") == 1


def test_a_phase_that_somebody_went_back_to_is_accepted_no_more(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start(TITLE)
    table.go_to("02-01")
    meta = table.folder() / "meta.json"
    assert list(json.loads(meta.read_text())["acceptance"]) == ["01-requirements"]
    table.click("back")
    table.say("One thing more.")
    assert json.loads(meta.read_text())["acceptance"] == {}
    while table.session.status == "choosing" and table.session.course.phase == "01-requirements":
        table.forward()
    assert list(json.loads(meta.read_text())["acceptance"]) == ["01-requirements"]


def bytes_below(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


# ── an operator takes a folder up ──────────────────────────────────────────────────────────────


def test_an_operator_may_take_up_what_names_another_channel(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    folder = lay(
        table, "renamed-since", owner={"team": "T9", "channel": ELSEWHERE},
        steps_completed=["01-01"],
    )  # fmt: skip
    table.start(TITLE, adopted=Slug("renamed-since"))
    assert table.session.slug == "renamed-since"
    assert table.prompts == ["01-02"]
    meta = json.loads((folder / "meta.json").read_text())
    assert meta["owner"] == {"team": TEAM, "channel": CHANNEL}


def test_a_session_of_nobody_belongs_to_whoever_answers_first(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    lay(table, steps_completed=["01-01"])
    table.start(TITLE, adopted=Slug(SLUG), by=UserId("UBOT"), unclaimed=True)
    assert (table.session.owner, table.session.awaited) == ("UBOT", ())
    table.say("It is for the bank.", DEV)
    assert (table.session.owner, table.session.unclaimed) == (DEV, False)
    assert table.runtime.reader.all_sessions()[0].owner == DEV
    assert [each.id for each in table.runtime.reader.sessions_involving(TEAM, DEV)] == [table.id]
    table.say("And for the auditors.", OPS)
    assert table.session.owner == DEV


def test_an_inception_goes_on_in_its_mode(tmp_path: Path) -> None:
    for mode in ("classic", "party"):
        (tmp_path / mode).mkdir()
    table = Harness(tmp_path / "classic")
    lay(table, steps_completed=["01-01", "01-02"], phases_completed=["01-vision"])
    table.start(TITLE, adopted=Slug(SLUG), flow="inception", mode="classic")
    assert table.prompts == ["02-01"]

    table = Harness(tmp_path / "party")
    lay(table, steps_completed=["01-01"], phases_completed=["01-vision-council"])
    table.start(TITLE, adopted=Slug(SLUG), flow="inception", mode="party")
    assert table.session.course.phase == "02-stack-debate"
    assert table.session.status in ("asking", "choosing", "debating")


def test_a_session_that_was_taken_up_is_decided_again_as_it_was(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    folder = lay(table, steps_completed=["01-01"], created_at="2026-03-01T09:00:00+00:00")
    (folder / "quick-scan.md").write_text(SCAN)
    table.start(TITLE, adopted=Slug(SLUG), by=UserId("UBOT"), unclaimed=True)
    table.finish()
    assert table.session.owner == OWNER
    assert replayed(table.runtime.database, table.id).differences == ()
