"""What people do while the bot is away, past Slack's last retry, is there once it is back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.answers import Answer
from tests.e2e.desk import CHANNEL, Desk, controls, desk
from tests.table import small_tree

GONE_S = 10.0


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path, steps=small_tree(tmp_path / "steps").root, settle_s=0.0) as found:
        yield found


def answers(table: Desk) -> dict[str, Answer]:
    session = table.session()
    return {each.text: each for each in table.table.runtime.reader.answers(session.id)}


def root_of(table: Desk) -> str:
    session = table.session()
    thread = table.table.runtime.reader.thread(session.id, session.voice)
    assert thread is not None
    return thread.ts


def leave(table: Desk) -> None:
    table.running.stop()


def come_back(table: Desk) -> None:
    """Once Slack has given up whatever was under way."""
    assert table.slack.wait_idle(GONE_S)
    table.running = table.start_again()
    table.settle()


def test_answers_edits_deletions_and_reactions_of_that_time_are_there_once(table: Desk) -> None:
    table.start("Read me back")
    table.say("We will edit this.", by="pm")
    taken_back = table.say("We will delete this.", by="dev")
    edited = table.say("It is liked.", by="dev")
    thread = root_of(table)
    leave(table)
    slack = table.slack
    slack.say("dev", CHANNEL, "Said while nobody listened.", thread_ts=thread)
    slack.say("dev", CHANNEL, "// only a remark", thread_ts=thread)
    first = next(each.ts for each in slack.messages(CHANNEL) if each.plain == "We will edit this.")
    slack.edit("pm", CHANNEL, first, "It was edited meanwhile.")
    slack.delete("dev", CHANNEL, taken_back)
    slack.react("pm", CHANNEL, edited, "+1")
    assert not answers_before(table) & {"Said while nobody listened.", "It was edited meanwhile."}
    come_back(table)
    found = answers(table)
    assert set(found) == {
        "It was edited meanwhile.", "It is liked.", "Said while nobody listened.",
    }  # fmt: skip
    assert found["It was edited meanwhile."].revision == 2
    (stance,) = table.table.runtime.reader.stances(table.session().id)
    assert (stance.view, stance.answer) == ("agrees", found["It is liked."].id)
    before = table.slack.messages(CHANNEL)
    table.restart()
    assert answers(table) == found
    assert [each.ts for each in table.slack.messages(CHANNEL)] == [each.ts for each in before]


def answers_before(table: Desk) -> set[str]:
    """As they are stored while the bot is away."""
    from core.store.database import Database
    from core.store.reading import Reader

    database = Database(table.table.settings.database_url)
    try:
        reader = Reader(database)
        (session,) = reader.all_sessions()
        return {each.text for each in reader.answers(session.id)}
    finally:
        database.close()


def test_an_open_menu_says_in_one_line_that_a_click_may_be_missing_and_works(table: Desk) -> None:
    table.start("Menus stay")
    table.say("The first answer.")
    thread = root_of(table)
    leave(table)
    table.slack.say("dev", CHANNEL, "A second one.", thread_ts=thread)
    come_back(table)
    (message,) = [each for each in table.slack.messages(CHANNEL) if "please click" in each.plain]
    assert any("menu:" in control["action_id"] for control in controls(message))
    table.forward()
    assert "please click" not in table.message(message.ts).plain
