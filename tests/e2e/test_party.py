"""Seed 001 through the real bot: the team, the messages it has, and the flags (E-001, 006, 009).

Everybody reads the exact words in the right place, `state.json` says the same, and the record too.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.served_bot import CHANNEL
from tests.support.served_party import PHASES, TITLE, Party, party, row, timeless

VISION = PHASES[0]
LIMIT = "Message limit reached. Please submit your final position now."
NOT_YOURS = "Only pm, who started this, or a workspace admin can do that."


# ── E-001 ──────────────────────────────────────────────────────────────────────────────────────


def without_teams(place: Path) -> None:
    """A file stands where the teams' folder would be made."""
    (place / "artifacts").mkdir()
    (place / "artifacts" / "_teams").write_text("not a folder")


def test_e001_nothing_has_begun_and_three_buttons_are_there(tmp_path: Path) -> None:
    without_teams(tmp_path)
    with party(tmp_path) as play:
        play.begin()
        (shown,) = play.thread(None)
        words = "⚠️ Team creation failed. Party mode requires a running agent team. E-001"
        assert shown.startswith(words)
        labels = ["Retry team creation", "Fall back to classic mode", "Cancel discovery"]
        assert play.labels("retry") == labels
        assert not (play.folder / "state.json").exists()
        assert {phase.status for phase in play.session.course.phases} == {"pending"}
        assert [(fault.code, fault.visible) for fault in play.faults] == [("E-001", True)]
        assert "Waiting for a choice in the thread." in play.card


def test_e001_retry_may_fail_again_and_works_after_a_restart(tmp_path: Path) -> None:
    without_teams(tmp_path)
    with party(tmp_path) as play:
        play.begin()
        play.press("retry", by="dev")
        assert play.codes == ["E-001", "E-001"]
        assert len(play.thread(None)) == 2
        assert "dev chose “Retry team creation”." in play.thread(None)[0]
        play.teams.unlink()
        play.served.restart()
        play.press("retry", by="dev")
        assert play.session.status == "asking"
        assert timeless(play.phase(VISION)) == row("in_progress", "Nadia Oscar Tessa")
        assert not play.offers("retry")


def test_e001_only_the_owner_may_fall_back_or_cancel(tmp_path: Path) -> None:
    without_teams(tmp_path)
    with party(tmp_path) as play:
        play.begin()
        assert play.press("classic", by="dev") == [NOT_YOURS]
        assert play.press("cancel", by="dev") == [NOT_YOURS]
        play.press("classic")
        assert (play.session.mode, play.session.course.step) == ("classic", "01-01")
        assert not (play.folder / "state.json").exists()
        assert "pm chose “Fall back to classic mode”." in play.thread(None)[0]


@pytest.mark.parametrize("choice", ["classic", "cancel"])
def test_e001_an_admin_may_as_well(tmp_path: Path, choice: str) -> None:
    without_teams(tmp_path)
    with party(tmp_path, admins=("dev",)) as play:
        play.begin()
        play.press(choice, by="dev")
        assert NOT_YOURS not in [each.text for each in play.served.slack.ephemerals]
        assert play.codes == ["E-001"]
        expected = {"classic": ("classic", "asking"), "cancel": ("party", "cancelled")}[choice]
        assert (play.session.mode, play.session.status) == expected


def test_e001_cancel_ends_it_and_leaves_no_state_behind(tmp_path: Path) -> None:
    without_teams(tmp_path)
    with party(tmp_path) as play:
        play.begin()
        play.press("cancel")
        assert play.session.status == "cancelled"
        assert "Cancelled." in play.card
        assert not (play.folder / "state.json").exists()
        assert not play.offers("retry")


# ── E-006 ──────────────────────────────────────────────────────────────────────────────────────


def test_e006_the_tenth_is_delivered_and_then_positions_are_asked(play: Party) -> None:
    talk = [lambda given: replace(given, more=True)] * 20
    play.table.on("product-analyst", "interpretation", *talk)
    play.begin()
    play.decide()
    shown = play.thread(None)
    assert shown.count(f"⚠️ {LIMIT} E-006") == 1
    assert play.codes == ["E-006"]
    asked = [each for each in play.table.asked if each.want == "position"]
    assert [each.prompt for each in asked] == [LIMIT] * 3
    assert timeless(play.phase(VISION)) == row("in_progress", "Nadia Oscar Tessa", messages=10)
    assert len(shown[: shown.index(f"⚠️ {LIMIT} E-006")]) == 1 + 10
    play.press("accept")
    done = row("completed", "Nadia Oscar Tessa", messages=10, done=True)
    assert timeless(play.phase(VISION)) == done


# ── E-009 ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("line", [f"--party --classic {TITLE}", f"{TITLE} --party --classic"])
def test_e009_both_flags_start_nothing_and_leave_a_record_without_a_session(
    play: Party, line: str
) -> None:
    told = play.served.command(f"/roundtable discover {line}")
    assert len(told) == 1
    words = "Error: --party and --classic are mutually exclusive. Use one or the other."
    assert words in told[0]
    assert list(play.served.slack.messages(CHANNEL)) == []
    reader = play.served.table.runtime.reader
    assert reader.all_sessions() == ()
    ((_, slug, flow, fault),) = reader.every_fault()
    assert (slug, flow, fault.code, fault.message) == ("", "", "E-009", words)
    assert not play.folder.exists()
