"""A channel that is archived, or that the bot is put out of, in the midst of an analysis."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.desk import CHANNEL, Desk, desk

FIRST = "It is small: three files."


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path) as found:
        yield found


def answers(room: Desk) -> list[str]:
    session = room.session()
    return [each.text for each in room.table.runtime.reader.answers(session.id)]


def prompts(room: Desk, step: str) -> int:
    return sum(each.plain.startswith(f"Step {step}") for each in room.slack.messages(CHANNEL))


def test_an_archived_channel_pauses_the_analysis_and_loses_nothing(room: Desk) -> None:
    room.start("Retry failed card payments")
    room.say(FIRST)
    room.slack.archive(CHANNEL)
    room.forward()
    assert room.session().status == "paused"
    assert answers(room) == [FIRST]
    assert prompts(room, "00-02") == 0
    room.slack.archive(CHANNEL, archived=False)
    room.command("/roundtable resume")
    assert room.session().status in ("asking", "choosing")
    assert prompts(room, "00-02") == 1
    assert answers(room) == [FIRST]


def test_nothing_starts_in_an_archived_channel(room: Desk) -> None:
    room.slack.archive(CHANNEL)
    room.command("/roundtable analyze Retry failed card payments")
    team, channel = room.table.workspace.team, room.slack.channel_id(CHANNEL)
    assert room.table.runtime.reader.channel_sessions(team, channel) == ()  # type: ignore[arg-type]
    assert room.slack.messages(CHANNEL) == []


def test_a_bot_that_was_put_out_pauses_it_and_goes_on_when_it_is_let_in(room: Desk) -> None:
    room.start("Retry failed card payments")
    room.say(FIRST)
    room.slack.put_bot_out(CHANNEL)
    room.forward()
    assert room.session().status == "paused"
    room.slack.let_bot_in(CHANNEL)
    room.command("/roundtable resume")
    assert prompts(room, "00-02") == 1
    assert answers(room) == [FIRST]
