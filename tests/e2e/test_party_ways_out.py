"""Seed 001 through the real bot: when nobody is left, and the way back to classic (E-005)."""

import math

import pytest

from tests.support.served_party import ANSWER, COUNCILS, PHASES, Party, row, timeless, typed

NOT_YOURS = "Only pm, who started this, or a workspace admin can do that."
LABELS = ["Retry phase", "Fall back to classic mode", "Cancel"]
LAST_WANT = {"Vision Council": "position", "Stack Debate": "vote", "Blueprint": "final"}
KEYS = dict(zip(COUNCILS, PHASES, strict=False))


def fail_all(play: Party, council: str, want: str, times: int = 1) -> None:
    """Everybody of that council fails there, each twice, so many times over."""
    for persona in COUNCILS[council]:
        play.table.on(persona, want, *[RuntimeError("boom") for _ in range(2 * times)])


def to_nobody(play: Party, council: str) -> None:
    """To the last round of that council, where all of them fail."""
    fail_all(play, council, LAST_WANT[council])
    play.begin()
    play.go_to(KEYS[council])


@pytest.mark.parametrize("council", COUNCILS)
def test_e005_three_buttons_and_cancel_ends_it_in_every_phase(play: Party, council: str) -> None:
    to_nobody(play, council)
    words = f"⚠️ All agents in {council} encountered errors. E-005"
    shown = play.offering("retry").plain
    assert shown.startswith(words)
    assert play.labels("retry") == LABELS
    assert play.offering("retry").thread_ts == play.root(None)
    assert play.fault("E-005").visible
    record = timeless(play.phase(KEYS[council]))
    assert (record["status"], record["agents"]) == ("in_progress", [])
    assert set(record["contributions"].values()) == {"unavailable"}
    assert len(record["contributions"]) == 3
    assert "nobody is left" in play.card
    assert "Waiting for a choice in the thread." in play.card
    assert play.press("cancel", by="dev") == [NOT_YOURS]
    play.press("cancel")
    assert play.session.status == "cancelled"
    assert play.state["status"] == "cancelled"
    statuses = [play.phase(key)["status"] for key in PHASES]
    past = list(KEYS).index(council)
    assert statuses == ["completed"] * past + ["cancelled"] * (5 - past)
    assert list(play.teams.iterdir()) == []
    assert play.said == typed(council)
    assert not play.offers("retry")


def test_e005_retry_brings_all_back_after_a_restart_and_keeps_the_answers(play: Party) -> None:
    to_nobody(play, "Vision Council")
    play.served.restart()
    play.press("retry", by="dev")
    assert any("dev chose “Retry phase”." in each for each in play.thread(None))
    assert play.said == [ANSWER]
    expected = row("in_progress", "Nadia Oscar Tessa")
    assert timeless(play.phase("01-vision-council")) == expected
    play.press("continue")
    play.press("accept")
    assert play.phase("01-vision-council")["status"] == "completed"
    assert play.phase("01-vision-council")["contributions"] == {}


def test_e005_retry_may_fail_again(play: Party) -> None:
    fail_all(play, "Vision Council", "questions", times=2)
    play.begin()
    first = play.offering("retry").ts
    play.press("retry")
    assert play.offering("retry").ts != first
    assert play.codes.count("E-005") == 2
    play.press("retry")
    assert play.session.status == "asking"


# ── falling back ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("council", COUNCILS)
def test_falling_back_loses_nothing_that_people_typed(play: Party, council: str) -> None:
    to_nobody(play, council)
    met = list(play.session.course.threads)
    assert play.press("classic", by="dev") == [NOT_YOURS]
    play.press("classic")
    assert (play.session.mode, play.session.course.phase, play.session.course.step) == (
        "classic", "01-vision", "01-01",
    )  # fmt: skip
    for persona in met:
        lines = [each for each in play.thread(persona) if "classic mode" in each]
        assert len(lines) == 1, persona
        assert play.thread(persona)[-1] == lines[0]
    assert not (play.folder / "state.json").exists()
    assert list(play.teams.iterdir()) == []
    assert play.said == []
    prompt = play.offering("take-over")
    assert prompt.thread_ts == play.root("lead")
    assert ANSWER in prompt.plain
    play.press("take-over", by="dev")
    assert play.said == typed(council)
    assert play.session.status == "choosing"
    assert play.offering("continue").thread_ts == play.root("lead")


def test_the_old_threads_take_no_more_answers_and_say_where_to_go(play: Party) -> None:
    to_nobody(play, "Vision Council")
    play.press("classic")
    before = len(play.served.slack.ephemerals)
    play.reply("Too late.", to="technical-scout")
    assert play.said == []
    (told,) = [each.text for each in play.served.slack.ephemerals[before:]]
    assert "Lead" in told


def test_a_party_that_fell_back_goes_on_to_the_end(play: Party) -> None:
    to_nobody(play, "Stack Debate")
    play.press("classic")
    play.finish()
    assert play.session.status == "completed"
    assert (play.folder / "discovery-context.json").exists()
    assert not (play.folder / "state.json").exists()
    assert [phase.status for phase in play.session.course.phases] == ["completed"] * 8


def test_a_late_deadline_of_the_party_does_nothing_to_classic(play: Party) -> None:
    for persona in COUNCILS["Vision Council"][:2]:
        play.table.on(persona, "questions", RuntimeError("boom"), RuntimeError("boom"))
    play.table.on("technical-scout", "questions", play.silence, play.silence)
    play.begin(hanging=1)
    play.pass_deadline(hanging=2)
    play.pass_deadline(hanging=2)
    play.press("classic", hanging=2)
    assert play.session.status == "asking"
    timers = play.served.table.runtime.outbox.timers_due(math.inf)
    assert [each.kind for each in timers] == ["reminder"]
    play.pass_deadline(hanging=2)
    play.silence.set()
    play.served.settle()
    assert (play.session.mode, play.session.status) == ("classic", "asking")
