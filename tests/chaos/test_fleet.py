"""Two processes that accept and two that perform, on one PostgreSQL: whichever is killed, every
acknowledged answer counts once, every message is posted once, and the sessions go on."""

import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import postgres
from tests.support.fleet import Fleet, fleet, responding
from tests.support.postgres import Server
from tests.support.waiting import wait_until

CHANNELS = ("one", "two", "three", "four")
ANSWERS = 3
pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def durable_server() -> Iterator[Server]:
    postgres.need()
    with postgres.served(durable=True) as server:
        yield server


def play(running: Fleet, channel: str) -> None:
    """A whole session, by somebody who says and presses again what nobody took."""
    running.start(channel)
    for step in range(2):
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


def assert_nothing_lost_or_twice(running: Fleet) -> None:
    wait_until(responding(running.is_calm), "it never came to rest")
    for channel in CHANNELS:
        (session,) = running.sessions(channel)
        assert running.reader.load(session).status == "completed", channel
        answers = Counter(one.text for one in running.reader.answers(session))
        expected = {answer(channel, step, n) for step in range(2) for n in range(ANSWERS)}
        assert answers == dict.fromkeys(expected, 1), channel
        assert running.doubled_posts(channel) == []
        assert {one.code for one in running.reader.faults(session)} == {"ERR-DEPTH-001"}


def test_each_process_is_killed_in_turn_while_people_play(
    durable_server: Server, tmp_path: Path
) -> None:
    with fleet(durable_server, tmp_path, channels=CHANNELS) as running:
        players = play_all(running)
        for one in running.members:
            time.sleep(1.5)
            one.kill()
            one.start()
            one.wait_ready()
        for player in players:
            player.join()
        assert_nothing_lost_or_twice(running)


def test_a_server_that_is_away_for_three_seconds_costs_nothing(tmp_path: Path) -> None:
    postgres.need()
    with (
        postgres.served(durable=True) as server,
        fleet(server, tmp_path, channels=CHANNELS) as running,
    ):
        players = play_all(running)
        time.sleep(2.0)
        server.stop("fast")
        time.sleep(3.0)
        server.start()
        for player in players:
            player.join()
        assert_nothing_lost_or_twice(running)
        for one in running.members:
            assert one.process is not None
            assert one.process.poll() is None, one.arguments


def test_a_process_that_is_suspended_does_nothing_twice(
    durable_server: Server, tmp_path: Path
) -> None:
    """Its lanes are another's after some seconds; what it was at is left to it."""
    with fleet(durable_server, tmp_path, channels=CHANNELS) as running:
        players = play_all(running)
        for one in running.workers:
            time.sleep(1.0)
            one.send(signal.SIGSTOP)
            time.sleep(8.0)
            one.send(signal.SIGCONT)
        for player in players:
            player.join()
        assert_nothing_lost_or_twice(running)


def test_what_is_delivered_to_two_processes_at_once_counts_once(
    durable_server: Server, tmp_path: Path
) -> None:
    with fleet(durable_server, tmp_path, channels=CHANNELS) as running:
        running.router.twice = True
        for player in play_all(running):
            player.join()
        assert_nothing_lost_or_twice(running)


def test_a_process_that_is_told_to_end_leaves_the_rest_to_another(
    durable_server: Server, tmp_path: Path
) -> None:
    with fleet(durable_server, tmp_path, channels=CHANNELS) as running:
        players = play_all(running)
        for one in running.members:
            time.sleep(0.5)
            one.send(signal.SIGTERM)
            assert one.wait() == 0
            one.start()
            one.wait_ready()
        for player in players:
            player.join()
        assert_nothing_lost_or_twice(running)
