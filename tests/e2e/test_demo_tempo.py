"""How fast a running bot is can be changed: a demo plays its sessions in, then takes its time."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.served_bot import ServedBot, served_bot

LONG_S = 3600.0


@pytest.fixture
def room(tmp_path: Path) -> Iterator[ServedBot]:
    with served_bot(tmp_path) as found:
        yield found


def answers_read(room: ServedBot) -> bool:
    return room.session().status == "choosing"


def test_an_answer_is_waited_with_from_the_moment_it_is_told(room: ServedBot) -> None:
    room.start("Export a dashboard")
    room.table.keep_time(pace_s=0.0, quiet_s=LONG_S)
    room.say("Large, about 30 files.")
    assert not answers_read(room)
    room.table.keep_time(pace_s=0.0, quiet_s=0.0)
    room.say("That was all.")
    assert answers_read(room)


def test_posts_are_held_apart_from_the_moment_it_is_told(room: ServedBot) -> None:
    room.table.keep_time(pace_s=LONG_S, quiet_s=0.0)
    room.slack.command("pm", "general", "/roundtable analyze Export a dashboard")
    reader = room.table.runtime.reader
    room.wait_until(lambda: reader.post(reader.all_sessions()[0].id, "card"))
    (card,) = room.slack.top_level("general")
    assert "Export a dashboard" in card.plain
