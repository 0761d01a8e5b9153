"""The card of a party: whoever joins midway reads there who is doing what, and what is awaited."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.ports import LaunchError
from tests.support.served_party import COUNCILS, Party, party


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Party]:
    with party(tmp_path) as found:
        yield found


def top(play: Party) -> list[str]:
    """The lines between the title and how far it is."""
    lines = play.card.split("\n")
    ends = [number for number, line in enumerate(lines) if line.endswith("steps done")]
    return lines[1 : ends[0]] if ends else lines[1:]


def test_choosing_the_mode(play: Party) -> None:
    play.begin("")
    assert top(play) == ["Waiting for a choice in the thread."]
    assert play.labels("party")[0] == "Party mode (recommended)"
    play.press("party", by="dev")
    assert play.session.mode == "party"


def test_asking(play: Party) -> None:
    play.begin()
    assert top(play) == [
        "At the table: Nadia, Oscar and Tessa, for Vision Council.",
        "Waiting for pm: answers, in any of their threads.",
    ]
    assert "Threads: Nadia · Oscar · Tessa" in play.card
    assert "░░░░░░░░ 0/1 Vision Council · now" in play.card


def test_answered(play: Party) -> None:
    play.begin()
    play.reply(to="domain-researcher")
    assert top(play)[1] == (
        "They have your answers: add to them, or continue in Nadia's thread."
    )  # fmt: skip


def test_debating(play: Party) -> None:
    play.table.on("technical-scout", "cross-question", play.silence)
    play.begin()
    play.reply()
    play.press("continue", hanging=1)
    assert top(play)[1] == "They are talking it over; nobody is awaited."


def test_getting_ready(play: Party) -> None:
    play.table.on("technical-scout", "questions", play.silence)
    play.begin(hanging=1)
    assert top(play)[1] == "They are getting ready; nobody is awaited."


def test_deciding_and_changing(play: Party) -> None:
    play.begin()
    play.decide()
    words = "Their recommendation is in this thread: accept it, or say what to change."
    assert top(play)[1] == words
    assert play.offering("accept").thread_ts == play.root(None)
    play.press("changes")
    assert top(play)[1] == "Waiting for pm: what to change, in Nadia's thread."


def test_a_member_is_away(play: Party) -> None:
    play.table.on("product-analyst", "questions", LaunchError("no such model"))
    play.begin()
    assert top(play)[0] == "At the table: Oscar and Tessa, for Vision Council, without Nadia."


def test_nobody_is_left(play: Party) -> None:
    for persona in COUNCILS["Vision Council"]:
        play.table.on(persona, "questions", LaunchError("no such model"))
    play.begin()
    assert top(play) == [
        "At the table: nobody is left, for Vision Council.",
        "Waiting for a choice in the thread.",
    ]


def test_completed(play: Party) -> None:
    play.begin()
    play.finish()
    assert top(play) == ["Completed. Everything that was written is in the export."]
    assert play.card.count("· done") == 5
    assert "Threads: Nadia" in play.card
