"""What people do with several processes, and what must hold afterwards whatever happened."""

import threading
from collections import Counter
from collections.abc import Sequence
from typing import Final

from tests.support.fleet import Fleet, responding, wait_until

CHANNELS: Final = ("one", "two", "three", "four")
ANSWERS: Final = 3
STEPS: Final = 2  # of the tree


def play(running: Fleet, channel: str) -> None:
    """A whole session, by somebody who says and presses again what nobody took."""
    running.start(channel)
    for step in range(STEPS):
        running.wait_for(channel, "asking")
        for number in range(ANSWERS):
            running.say(channel, answer(channel, step, number))
        running.wait_for(channel, "choosing")
        wait_until(lambda: running.slack.idle())
        running.wait_for(channel, "choosing")
        running.go_on(channel)
    running.wait_for(channel, "completed")


def answer(channel: str, step: int, number: int) -> str:
    return f"The export of {channel} must hold part {step}-{number}."


def play_all(running: Fleet) -> list[threading.Thread]:
    players = [
        threading.Thread(target=play, args=(running, channel), daemon=True) for channel in CHANNELS
    ]
    for player in players:
        player.start()
    return players


def assert_nothing_lost_or_twice(running: Fleet, channels: Sequence[str] = CHANNELS) -> None:
    wait_until(responding(running.is_calm), "it never came to rest")
    for channel in channels:
        (session,) = running.sessions(channel)
        assert running.reader.load(session).status == "completed", channel
        answers = Counter(one.text for one in running.reader.answers(session))
        expected = {answer(channel, step, n) for step in range(STEPS) for n in range(ANSWERS)}
        assert answers == dict.fromkeys(expected, 1), channel
        assert running.doubled_posts(channel) == []
        assert {one.code for one in running.reader.faults(session)} == {"ERR-DEPTH-001"}
