"""Seed 001 through the real bot: what cannot be written and what cannot be removed (E-007 to 010).

The causes are real: a folder where a file should be, a link where a folder should be.
"""

from pathlib import Path

from tests.support.served_party import PHASES, Party, row, timeless

VISION = PHASES[0]
WARNING = "⚠️ Warning: Could not update state.json progress tracking. E-008"


def in_its_place(path: Path) -> None:
    """A folder stands where the file is written."""
    path.unlink(missing_ok=True)
    path.mkdir(parents=True)


def test_e007_the_summary_names_what_was_not_written_and_it_is_kept(play: Party) -> None:
    play.begin()
    in_its_place(play.folder / "project-brief.md")
    play.decide()
    summary = play.offering("accept").plain
    assert "project-brief.md" in summary
    faults = [(fault.code, fault.visible, fault.detail) for fault in play.faults]
    assert ("E-007", False, "project-brief.md") in faults
    assert "ERR-ART-002" not in play.codes
    assert not any("E-007" in each for each in play.channel)
    reader = play.served.table.runtime.reader
    assert reader.sections(play.session.id, "project-brief.md") != ()
    (play.folder / "project-brief.md").rmdir()
    play.press("accept")
    accepted = next(each for each in play.channel if "chosen by" in each and "Accept" in each)
    assert "Not written as a file, but kept: project-brief.md." in accepted
    assert (play.folder / "project-brief.md").is_file()
    whole = row("completed", "Nadia Oscar Tessa", messages=9, done=True)
    assert timeless(play.phase(VISION)) == {**whole, "artifacts": {"project-brief.md": None}}


def test_e008_is_tried_twice_then_said_and_the_party_goes_on(play: Party) -> None:
    play.begin()
    in_its_place(play.folder / "state.json")
    play.decide()
    assert WARNING in play.thread(None)
    written = [each["ok"] for each in play.happened("StateWritten")]
    told = sum(each == WARNING for each in play.thread(None))
    assert written.count(False) == 2 * told
    assert play.fault("E-008").visible
    assert play.offers("accept")
    (play.folder / "state.json").rmdir()
    play.press("accept")
    assert timeless(play.phase(VISION)) == row(
        "completed", "Nadia Oscar Tessa", messages=9, done=True
    )


def test_e008_the_last_write_is_a_menu_and_leaving_it_is_a_choice(play: Party) -> None:
    play.begin()
    in_its_place(play.folder / "state.json")
    play.finish()
    assert play.session.status == "completed"
    shown = play.offering("leave").plain
    assert shown.startswith(WARNING)
    play.press("retry", by="dev")
    assert play.offers("leave")
    play.served.restart()
    (play.folder / "state.json").rmdir()
    play.press("retry", by="dev")
    assert play.state["status"] == "completed"
    assert {play.phase(key)["status"] for key in PHASES} == {"completed"}
    assert not play.offers("leave")


def test_e010_is_silent_recorded_and_swept_at_the_next_start(play: Party, tmp_path: Path) -> None:
    play.begin()
    (team,) = play.teams.iterdir()
    (tmp_path / "elsewhere").mkdir()
    for path in team.iterdir():
        path.unlink()
    team.rmdir()
    team.symlink_to(tmp_path / "elsewhere")  # a link is not removed as if it were the folder
    before = len(play.channel)
    play.served.command("/roundtable cancel --yes")
    assert play.session.status == "cancelled"
    assert [(fault.code, fault.visible) for fault in play.faults] == [("E-010", False)]
    assert len(play.channel) == before
    team.unlink()
    team.mkdir()
    play.served.restart()
    assert list(play.teams.iterdir()) == []
    assert play.state["status"] == "cancelled"
