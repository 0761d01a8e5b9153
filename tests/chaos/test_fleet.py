"""Two processes that accept and two that perform, on one PostgreSQL: whatever is killed, is away or
sleeps, every acknowledged answer counts once, every message is posted once, and sessions go on."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from core.domain.session.session import Session
from tests.chaos.fleet_play import CHANNELS, assert_nothing_lost_or_twice, play_all
from tests.support import postgres
from tests.support.fleet import Fleet, fleet, responding, wait_until
from tests.support.postgres import Server

CROWD = 50  # answers of each of two people
ACK_S = 3.0  # as Slack has it: then it delivers again
pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def durable_server() -> Iterator[Server]:
    postgres.need()
    with postgres.served(durable=True) as server:
        yield server


@pytest.fixture(scope="module")
def undisturbed(
    durable_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Fleet]:
    """For what is done to it by people alone."""
    channels = (*CHANNELS, "crowd", "clicks")
    with fleet(durable_server, tmp_path_factory.mktemp("fleet"), channels=channels) as running:
        yield running


@pytest.fixture
def own_server() -> Iterator[Server]:
    """One that may be stopped."""
    postgres.need()
    with postgres.served(durable=True) as server:
        yield server


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


def play_while(running: Fleet, disturb: Callable[[], None]) -> None:
    """People play while the server is disturbed; every process is still there afterwards."""
    players = play_all(running)
    time.sleep(2.0)
    disturb()
    for player in players:
        player.join()
    assert_nothing_lost_or_twice(running)
    for one in running.members:
        assert one.is_alive(), one.arguments


def away(server: Server, seconds: float, *modes: str) -> None:
    """fast: its connections are ended; immediate: they break."""
    for mode in modes:
        server.stop(mode)
        time.sleep(seconds)
        server.start()
        time.sleep(1.0)


def test_a_server_that_is_away_for_three_seconds_costs_nothing(
    own_server: Server, tmp_path: Path
) -> None:
    with fleet(own_server, tmp_path, channels=CHANNELS) as running:
        play_while(running, partial(away, own_server, 3.0, "fast", "immediate"))


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_a_server_that_is_away_for_forty_five_seconds_costs_nothing(
    own_server: Server, tmp_path: Path, mode: str
) -> None:
    with fleet(own_server, tmp_path, channels=CHANNELS) as running:
        play_while(running, partial(away, own_server, 45.0, mode))


@pytest.mark.slow
def test_a_server_that_sleeps_for_fifteen_seconds_costs_nothing(
    own_server: Server, tmp_path: Path
) -> None:
    """Slack does not wait for it, and delivers again."""

    def sleep() -> None:
        with own_server.suspended():
            time.sleep(15.0)

    with fleet(own_server, tmp_path, channels=CHANNELS, ack_s=ACK_S) as running:
        play_while(running, sleep)


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


def test_what_is_delivered_to_two_processes_at_once_counts_once(undisturbed: Fleet) -> None:
    undisturbed.router.twice = True
    for player in play_all(undisturbed):
        player.join()
    undisturbed.router.twice = False
    assert_nothing_lost_or_twice(undisturbed)


def at_once(*acts: Callable[[], object]) -> None:
    ready = threading.Barrier(len(acts))

    def perform(act: Callable[[], object]) -> None:
        ready.wait()
        act()

    threads = [threading.Thread(target=perform, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_a_hundred_answers_at_two_processes_count_once_each_and_in_their_order(
    undisturbed: Fleet,
) -> None:
    undisturbed.start("crowd")
    undisturbed.wait_for("crowd", "asking")
    said = {by: [f"{by} needs part {n} of it." for n in range(CROWD)] for by in ("pm", "dev")}
    thread = undisturbed.thread("crowd")

    def say(by: str) -> None:
        for text in said[by]:
            undisturbed.slack.say(by, "crowd", text, thread_ts=thread)

    at_once(partial(say, "pm"), partial(say, "dev"))
    wait_until(responding(undisturbed.is_calm), "it never came to rest")
    answers = undisturbed.reader.answers(undisturbed.session("crowd").id)
    for by, texts in said.items():
        assert [one.text for one in answers if one.text.startswith(by)] == texts
    assert len(answers) == 2 * CROWD
    assert undisturbed.doubled_posts("crowd") == []


@pytest.mark.parametrize("second", ["pm", "dev"])
def test_of_two_clicks_at_two_processes_at_once_one_acts(undisturbed: Fleet, second: str) -> None:
    """A double click of one person, and clicks of two."""
    running = undisturbed
    running.start("clicks")
    running.wait_for("clicks", "asking")
    running.say("clicks", f"The export must hold what {second} sees.")
    running.wait_for("clicks", "choosing")
    menu = wait_until(lambda: running.session("clicks").menus.current)
    wait_until(responding(running.is_calm), "it never came to rest")
    button = running.button("clicks", menu)
    assert button
    before, told = running.session("clicks"), len(running.slack.ephemerals)
    at_once(*(partial(running.slack.click, by, "clicks", *button) for by in ("pm", second)))
    wait_until(responding(running.is_calm), "it never came to rest")
    after = running.session("clicks")
    assert chosen(after) == chosen(before) + 1
    assert running.doubled_posts("clicks") == []
    assert len(running.slack.ephemerals) == told + 1  # who chose, and what


def chosen(session: Session) -> int:
    return sum(bool(step.choice.name) for step in session.course.steps)
