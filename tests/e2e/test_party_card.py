"""The card of a party: whoever joins midway reads there who is doing what, and what is awaited."""

from core.brains.tasks import LaunchError
from tests.support.served_party import COUNCILS, Party


def standing(play: Party) -> str:
    """The line under the title."""
    return play.card.split("\n")[1]


def council(play: Party) -> str:
    """The line of the phase that is open."""
    return next(line for line in play.card.split("\n") if " · now" in line)


def test_choosing_the_mode(play: Party) -> None:
    play.begin("")
    assert standing(play) == "Waiting for a choice in the thread."
    assert play.labels("party")[0] == "Party mode (recommended)"
    play.press("party", by="dev")
    assert play.session.mode == "party"


def test_asking(play: Party) -> None:
    play.begin()
    assert standing(play) == "Waiting for pm: answers, in any of their threads."
    assert council(play) == ("Vision Council: 0 of 1 · now · at the table: Nadia, Oscar and Tessa")
    assert "Threads: Nadia · Oscar · Tessa" in play.card


def test_answered(play: Party) -> None:
    play.begin()
    play.reply(to="domain-researcher")
    assert standing(play) == (
        "They have your answers: add to them, or continue in Nadia's thread."
    )  # fmt: skip


def test_debating(play: Party) -> None:
    play.table.on("technical-scout", "cross-question", play.silence)
    play.begin()
    play.reply()
    play.press("continue", hanging=1)
    assert standing(play) == "They are talking it over; nobody is awaited."


def test_getting_ready(play: Party) -> None:
    play.table.on("technical-scout", "questions", play.silence)
    play.begin(hanging=1)
    assert standing(play) == "They are getting ready; nobody is awaited."


def test_deciding_and_changing(play: Party) -> None:
    play.begin()
    play.decide()
    words = "Their recommendation is in this thread: accept it, or say what to change."
    assert standing(play) == words
    assert play.offering("accept").thread_ts == play.root(None)
    play.press("changes")
    assert standing(play) == "Waiting for pm: what to change, in Nadia's thread."


def test_a_member_is_away(play: Party) -> None:
    play.table.on("product-analyst", "questions", LaunchError("no such model"))
    play.begin()
    assert council(play).endswith(" · at the table: Oscar and Tessa, without Nadia")


def test_nobody_is_left(play: Party) -> None:
    for persona in COUNCILS["Vision Council"]:
        play.table.on(persona, "questions", LaunchError("no such model"))
    play.begin()
    assert council(play).endswith(" · at the table: nobody is left")
    assert standing(play) == "Waiting for a choice in the thread."


def test_completed(play: Party) -> None:
    play.begin()
    play.finish()
    assert standing(play) == "Completed. Everything that was written is in the export."
    assert play.card.count("· done") == 5
    assert "Threads: Nadia" in play.card
