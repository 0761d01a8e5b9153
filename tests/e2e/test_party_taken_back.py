"""A party that was cancelled, taken back: a new team, and the phase that was open begins again."""

from pathlib import Path

import pytest

from core.engine.flow.cancel import TAKE_BACK_S
from tests.support.served_bot import CHANNEL, controls
from tests.support.served_party import ANSWER, COUNCILS, PHASES, Party, party, row, timeless, typed

KEYS = dict(zip(COUNCILS, PHASES, strict=False))


def cancel(play: Party) -> None:
    play.served.command("/roundtable cancel --yes")
    play.served.settle_until(lambda: play.session.status == "cancelled")


def take_back(play: Party) -> None:
    play.served.slack.click("pm", CHANNEL, play.root(None), "card:resume")
    play.served.settle_until(lambda: play.session.status != "cancelled")


def teams(play: Party) -> list[str]:
    return [path.name for path in play.teams.iterdir()]


def statuses(play: Party) -> list[str]:
    return [play.phase(key)["status"] for key in PHASES]


def debated(play: Party) -> dict[str, str]:
    """What the members of the Stack Debate said to each other, by ts. Its summary may move."""
    return {
        each.ts: each.plain
        for each in play.served.slack.messages(CHANNEL)
        if each.author in ("Liam", "Zara", "Felix") and not controls(each)
    }


def test_before_anybody_answered_a_new_team_asks_again(play: Party) -> None:
    play.begin()
    cancel(play)
    assert teams(play) == []
    assert play.state["status"] == "cancelled"
    take_back(play)
    assert len(teams(play)) == 1
    assert len(play.happened("TeamCreated")) == 2
    assert (play.state["status"], play.session.status) == ("running", "asking")
    assert timeless(play.phase(PHASES[0])) == row("in_progress", "Nadia Oscar Tessa")
    play.decide()
    assert play.said == [ANSWER]
    assert play.offers("accept")


@pytest.mark.parametrize("council", COUNCILS)
def test_the_open_phase_begins_again_and_the_party_comes_to_its_end(
    play: Party, council: str
) -> None:
    play.begin()
    play.go_to(KEYS[council])
    past = list(KEYS).index(council)
    cancel(play)
    assert teams(play) == []
    assert statuses(play) == ["completed"] * past + ["cancelled"] * (5 - past)
    before = sum(f"{council} begins" in each for each in play.channel)
    take_back(play)
    assert len(teams(play)) == 1
    assert statuses(play) == ["completed"] * past + ["in_progress"] + ["pending"] * (4 - past)
    assert sum(f"{council} begins" in each for each in play.channel) == before + 1
    assert play.said == typed(council)
    if play.offers("continue"):
        play.press("continue")
    play.finish()
    assert (play.session.status, play.state["status"]) == ("completed", "completed")
    assert statuses(play) == ["completed"] * 5
    assert teams(play) == []


def test_what_was_debated_before_the_cancel_stays_as_it_was_said(play: Party) -> None:
    play.begin()
    play.go_to(KEYS["Stack Debate"])
    first = debated(play)
    cancel(play)
    take_back(play)
    assert play.offers("accept")
    after = debated(play)
    assert {ts: after[ts] for ts in first} == first
    assert len(after) > len(first)
    assert play.phase(KEYS["Stack Debate"])["messages"] == 4


def test_whoever_was_away_before_the_cancel_is_asked_again(play: Party) -> None:
    play.table.on("technical-scout", "questions", RuntimeError("boom"), RuntimeError("boom"))
    play.begin()
    assert play.phase(PHASES[0])["contributions"] == {"Tessa": "unavailable"}
    cancel(play)
    take_back(play)
    assert timeless(play.phase(PHASES[0])) == row("in_progress", "Nadia Oscar Tessa")


def test_after_ten_minutes_the_team_stays_away(play: Party) -> None:
    play.begin()
    cancel(play)
    play.clock.forward(TAKE_BACK_S + 1)
    (words,) = play.served.command(f"/roundtable resume {play.session.slug}")
    assert "was cancelled too long ago to be taken up again" in words
    assert (play.session.status, teams(play)) == ("cancelled", [])


def test_without_a_team_it_asks_for_one_once_more_and_nothing_begins(tmp_path: Path) -> None:
    (tmp_path / "artifacts").mkdir()
    (tmp_path / "artifacts" / "_teams").write_text("not a folder")
    with party(tmp_path) as play:
        play.begin()
        play.press("cancel")
        assert play.session.status == "cancelled"
        take_back(play)
        assert play.codes == ["E-001", "E-001"]
        assert {phase.status for phase in play.session.course.phases} == {"pending"}
        play.teams.unlink()
        play.press("retry")
        assert play.session.status == "asking"
        assert len(teams(play)) == 1
