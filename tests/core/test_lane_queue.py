"""What processes on one PostgreSQL agree on: which lanes to wake, who performs a row, and pace."""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import pytest

from core.domain.ids import SessionId
from core.ports import Limit
from core.store.connection.database import Database
from core.store.connection.opening import open_database
from core.store.repository.lanes import LaneKey, LaneQueue, wake
from core.store.repository.outbox import Due, Outbox, WaitingRow, end_timer, finish
from tests.support.postgres import Server

NOW = 1_000_000.0
POST = Limit("C1 chat.postMessage", 1, 1.0)
EDIT = Limit("T1 chat.update", 3, 60.0)


@dataclass(frozen=True, slots=True)
class Shared:
    server: Server
    url: str
    database: Database
    queue: LaneQueue

    @property
    def jobs(self) -> list[str]:
        """The lanes that were woken, and are taken from the list."""
        name = self.url.partition("@/")[2].partition("?")[0]
        query = "DELETE FROM procrastinate_jobs WHERE status = 'todo' RETURNING lock"
        return sorted(lock for (lock,) in self.server.execute(query, name))

    def row(self, number: int, *, lane: str = "visible", rank: int = 0, due: float = 0.0) -> None:
        with self.database.write() as db:
            db.execute(
                "INSERT INTO outbox (session, id, lane, kind, rank, doc, since, due, attempts) "
                "VALUES ('s', %(id)s, %(lane)s, 'Mark', %(rank)s, '{}', 0, %(due)s, 0)",
                {"id": number, "lane": lane, "rank": rank, "due": NOW + due},
            )

    def timer(self, due: float) -> None:
        with self.database.write() as db:
            values = {"due": NOW + due}
            db.execute("INSERT INTO timers VALUES ('s', 'quiet', '01-01', %(due)s)", values)

    def woken(self) -> list[str]:
        self.queue.wake_due(NOW)
        return self.jobs


@pytest.fixture
def shared(postgres_server: Server) -> Iterator[Shared]:
    url = postgres_server.database()
    database = open_database(url)
    yield Shared(postgres_server, url, database, LaneQueue(database))
    database.close()
    postgres_server.drop(url)


def waiting(number: int) -> WaitingRow:
    return WaitingRow(number, SessionId("s"), None, 0.0, 0.0, 0, None, None)


# ── waking ─────────────────────────────────────────────────────────────────────────────────────


def test_a_commit_that_is_rolled_back_wakes_nobody(shared: Shared) -> None:
    keys = [LaneKey("visible", SessionId("s")), LaneKey("brain", SessionId("s"), 7)]
    with suppress(ZeroDivisionError), shared.database.write() as db:
        wake(db, keys)
        raise ZeroDivisionError
    assert shared.jobs == []
    with shared.database.write() as db:
        wake(db, [*keys, keys[0]])
    assert shared.jobs == ["brain:s:7", "visible:s"]


def test_what_is_due_is_woken_once_until_its_job_is_done(shared: Shared) -> None:
    shared.row(1)
    shared.row(2)
    shared.row(3, lane="work")
    shared.row(4, lane="brain")
    shared.row(5, lane="brain")
    shared.timer(due=-1.0)
    for _ in range(2):
        shared.queue.wake_due(NOW)
    assert shared.jobs == ["brain:s:4", "brain:s:5", "timer:s", "visible:s", "work:s"]
    assert shared.woken() == ["brain:s:4", "brain:s:5", "timer:s", "visible:s", "work:s"]


def test_nothing_is_woken_before_its_time(shared: Shared) -> None:
    shared.row(1, lane="brain", due=0.5)
    shared.timer(due=0.5)
    assert shared.woken() == []


def test_a_lane_whose_first_message_has_to_wait_is_left_alone(shared: Shared) -> None:
    shared.row(1, due=60.0)
    shared.row(2)
    shared.row(3, rank=1)
    assert shared.woken() == []


def test_an_edit_that_has_to_wait_holds_up_no_message(shared: Shared) -> None:
    shared.row(1, rank=1, due=60.0)
    shared.row(2)
    assert shared.woken() == ["visible:s"]


def test_a_row_that_a_process_holds_is_woken_when_its_time_is_over(shared: Shared) -> None:
    shared.row(1)
    assert Outbox(shared.database).take(waiting(1), "one", NOW, NOW + 15.0)
    assert shared.woken() == []
    shared.queue.wake_due(NOW + 15.0)
    assert shared.jobs == ["visible:s"]


def test_two_processes_that_look_at_once_wake_every_lane(shared: Shared) -> None:
    for number in range(20):
        shared.row(number, lane="brain")
    others = [threading.Thread(target=shared.queue.wake_due, args=(NOW,)) for _ in range(2)]
    for other in others:
        other.start()
    for other in others:
        other.join()
    woken = Counter(shared.jobs)
    assert set(woken) == {f"brain:s:{number}" for number in range(20)}
    assert max(woken.values()) <= 2  # a look that began before the other's commit: it costs a look


# ── who performs a row ─────────────────────────────────────────────────────────────────────────


def test_one_process_performs_a_row_until_its_time_is_over(shared: Shared) -> None:
    outbox = Outbox(shared.database)
    shared.row(1)
    assert outbox.take(waiting(1), "one", NOW, NOW + 15.0)
    assert not outbox.take(waiting(1), "two", NOW + 14.9, NOW + 30.0)
    assert outbox.take(waiting(1), "one", NOW + 10.0, NOW + 25.0)
    assert outbox.take(waiting(1), "two", NOW + 25.0, NOW + 40.0)
    with shared.database.write() as db:
        assert not finish(db, SessionId("s"), 1, "one")
    outbox.retry_later(waiting(1), NOW + 99.0, in_doubt=False, holder="one")
    with shared.database.write() as db:
        assert finish(db, SessionId("s"), 1, "two")


def test_a_timer_runs_out_for_one_of_two_processes(shared: Shared) -> None:
    shared.timer(due=-1.0)
    timer = Due(SessionId("s"), "quiet", "01-01", NOW - 1.0)
    with shared.database.write() as db:
        assert [end_timer(db, timer), end_timer(db, timer)] == [True, False]


# ── pace ───────────────────────────────────────────────────────────────────────────────────────


def test_the_pace_of_a_channel_is_kept_by_all_processes(shared: Shared) -> None:
    one, two = shared.queue, LaneQueue(shared.database)
    assert one.take([POST], NOW) is None
    assert two.take([POST], NOW + 0.4) == NOW + 1.0
    assert two.take([POST], NOW + 1.0) is None
    assert one.take([POST], NOW + 1.0) == NOW + 2.0


def test_a_method_may_be_called_so_many_times_in_a_minute(shared: Shared) -> None:
    for number in range(3):
        assert shared.queue.take([EDIT], NOW + number) is None
    assert shared.queue.take([EDIT], NOW + 10.0) == NOW + 60.0
    assert shared.queue.take([EDIT], NOW + 60.0) is None
    assert shared.queue.take([EDIT], NOW + 60.5) == NOW + 61.0


def test_a_call_is_counted_under_all_its_limits_or_under_none(shared: Shared) -> None:
    card = Limit("card s", 1, 4.0)
    assert shared.queue.take([EDIT, card], NOW) is None
    assert shared.queue.take([EDIT, card], NOW + 1.0) == NOW + 4.0
    for number in (1.0, 2.0):
        assert shared.queue.take([EDIT], NOW + number) is None
    assert shared.queue.take([EDIT], NOW + 3.0) == NOW + 60.0


def test_what_slack_asks_to_wait_for_is_waited_for_by_all_processes(shared: Shared) -> None:
    unlimited = Limit("T1 chat.update")
    shared.queue.hold(unlimited.key, NOW + 30.0)
    shared.queue.hold(unlimited.key, NOW + 20.0)
    assert LaneQueue(shared.database).take([unlimited], NOW) == NOW + 30.0
    assert shared.queue.take([EDIT], NOW) == NOW + 30.0
    assert shared.queue.take([POST], NOW) is None
    assert shared.queue.take([unlimited], NOW + 30.0) is None
    assert shared.queue.take([], NOW) is None


def test_of_two_that_ask_at_once_one_may_go(shared: Shared) -> None:
    answers: list[float | None] = []
    shared.queue.take([POST], NOW)

    def ask() -> None:
        answers.append(shared.queue.take([POST], NOW + 5.0))

    asking = [threading.Thread(target=ask) for _ in range(6)]
    for one in asking:
        one.start()
    for one in asking:
        one.join()
    assert answers.count(None) == 1


def test_keys_that_nobody_uses_are_forgotten(shared: Shared) -> None:
    shared.queue.take([POST], NOW)
    shared.queue.hold("T1 chat.update", NOW + 10_000.0)
    shared.queue.prune(NOW + 4_000.0)
    with shared.database.reading() as db:
        rows = db.execute("SELECT key, calls FROM pace").fetchall()
    assert [(key, json.loads(calls)) for key, calls in rows] == [("T1 chat.update", [])]
