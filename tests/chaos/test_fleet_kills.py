"""SIGKILL at every commit and send of two processes that accept and two that perform: the others
go on, every acknowledged answer counts once, every message is posted once and in its order.

Which process is at a point differs from run to run. Nobody starts again the one that was killed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.chaos.fleet_play import assert_nothing_lost_or_twice, play
from tests.support import postgres
from tests.support.crash_points import CrashPlan
from tests.support.fleet import fleet
from tests.support.postgres import Server

CHANNEL = "one"
FEW = 3  # kills tried in every run of the suite
pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def durable_server() -> Iterator[Server]:
    postgres.need()
    with postgres.served(durable=True) as server:
        yield server


@dataclass(frozen=True)
class Outcome:
    points: tuple[str, ...]
    dead: int
    posts: tuple[str, ...]  # the first line of each, in the order in which they stand there


def run(server: Server, folder: Path, crash_at: int | None = None) -> Outcome:
    folder.mkdir()
    plan = CrashPlan(folder / "points", crash_at)
    with fleet(server, folder, channels=(CHANNEL,), plan=plan) as running:
        play(running, CHANNEL)
        assert_nothing_lost_or_twice(running, (CHANNEL,))
        slack = running.slack
        ours = (one for one in slack.messages(CHANNEL) if one.author_id == slack.bot_user_id)
        return Outcome(
            points=plan.passed(),
            dead=sum(not one.is_alive() for one in running.members),
            posts=tuple(one.plain.splitlines()[0] for one in ours),
        )


def check(calm: Outcome, stormy: Outcome, point: int) -> None:
    # Repaints that meet in the outbox are one, so a run may have a point or two fewer.
    assert stormy.dead == 1 or len(stormy.points) < point, point
    assert stormy.posts == calm.posts, point


def test_a_kill_at_some_points_changes_nothing(durable_server: Server, tmp_path: Path) -> None:
    calm = run(durable_server, tmp_path / "calm")
    assert {"commit", "attempted", "sent"} <= set(calm.points)
    for number in range(1, FEW + 1):
        point = number * len(calm.points) // (FEW + 1)
        check(calm, run(durable_server, tmp_path / str(point), point), point)


@pytest.mark.slow
def test_a_kill_at_every_point_changes_nothing(durable_server: Server, tmp_path: Path) -> None:
    calm = run(durable_server, tmp_path / "calm")
    for point in range(1, len(calm.points) + 1):
        check(calm, run(durable_server, tmp_path / str(point), point), point)
