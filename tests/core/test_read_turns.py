"""Of several processes one reads threads again, and only after none was up."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from core.runtime.read_turns import BEAT_S, ReadTurns
from core.store.connection.database import Database
from core.store.connection.opening import open_database
from core.store.repository.presence import AWAY_S, HELD_S, Presence
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import DrivenClock
from tests.support.serving import database_in

pytestmark = EACH_DATABASE


@dataclass
class Rounds:
    """A `ReadBack` that reads until it is told that it is over."""

    requests: int = 0
    is_idle: bool = True
    ended: object = None

    def request(self) -> None:
        self.requests += 1
        self.is_idle = False


@dataclass
class Process:
    turns: ReadTurns
    rounds: Rounds = field(default_factory=Rounds)

    def look(self) -> bool:
        """One beat. True if it was to read."""
        before = self.rounds.requests
        self.turns.look()
        return self.rounds.requests > before

    def end(self) -> None:
        self.rounds.is_idle = True
        self.turns._ended()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(database_in(tmp_path))
    yield opened
    opened.close()


@pytest.fixture
def clock() -> DrivenClock:
    return DrivenClock(1_000_000.0)


@pytest.fixture
def processes(database: Database, clock: DrivenClock) -> tuple[Process, Process]:
    return process(database, clock, "one"), process(database, clock, "two")


def process(database: Database, clock: DrivenClock, name: str) -> Process:
    rounds = Rounds()
    return Process(ReadTurns(Presence(database), rounds, clock, name), rounds)  # type: ignore[arg-type]


def test_of_two_that_start_one_reads_and_once(processes: tuple[Process, Process]) -> None:
    one, two = processes
    assert (one.look(), two.look()) == (True, False)
    assert (one.look(), two.look()) == (False, False)
    one.end()
    assert (one.look(), two.look()) == (False, False)


def test_one_that_starts_beside_another_reads_nothing(
    database: Database, processes: tuple[Process, Process], clock: DrivenClock
) -> None:
    one, two = processes
    one.look()
    one.end()
    for _ in range(20):
        clock.forward(BEAT_S)
        assert not one.look()
    assert not two.look()


def test_a_start_soon_after_the_last_one_stopped_reads_nothing_and_a_later_one_does(
    processes: tuple[Process, Process], clock: DrivenClock
) -> None:
    one, two = processes
    one.look()
    one.end()
    clock.forward(AWAY_S - 1)
    assert not two.look()
    clock.forward(AWAY_S + 1)
    assert one.look()


def test_another_begins_anew_where_the_one_that_read_died(
    processes: tuple[Process, Process], clock: DrivenClock
) -> None:
    one, two = processes
    assert one.look()
    clock.forward(BEAT_S)
    assert not two.look()
    clock.forward(HELD_S - BEAT_S)
    assert two.look()


def test_one_that_reads_for_long_keeps_its_turn(
    processes: tuple[Process, Process], clock: DrivenClock
) -> None:
    one, two = processes
    one.look()
    for _ in range(20):
        clock.forward(BEAT_S)
        assert (one.look(), two.look()) == (False, False)


def test_what_slack_could_not_deliver_is_read_though_all_were_up(
    processes: tuple[Process, Process],
) -> None:
    one, two = processes
    one.look()
    one.end()
    two.turns._missed = True
    assert two.look()
    assert not one.look()
