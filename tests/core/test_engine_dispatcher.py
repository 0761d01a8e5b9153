"""The engine that drains lanes for several processes: nothing waits for a poll, nothing is left."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final

import pytest

from core.clock import SystemClock
from core.domain.ids import SessionId
from core.runtime.dispatcher import engine
from core.runtime.dispatcher.engine import EngineDispatcher
from core.store.connection.database import Database, DatabaseError
from core.store.connection.opening import open_database
from core.store.repository.lanes import LaneKey, LaneQueue, wake
from core.store.repository.outbox import Outbox
from tests.support.postgres import Server
from tests.support.waiting import WAIT_S_MAX, wait_until

S = SessionId("s")


@dataclass(slots=True)
class Showing:
    """A worker whose messages are shown as a test says."""

    database: Database
    show_once: Callable[[int], float | None] = lambda _number: None
    shown: list[str] = field(default_factory=list)
    is_ending: bool = False
    clock: SystemClock = field(default_factory=SystemClock)

    @property
    def runtime(self) -> Any:
        return SimpleNamespace(outbox=Outbox(self.database))

    def show(self, session: SessionId, holder: str, put_off_s: float) -> float | None:
        self.shown.append(session)
        return self.show_once(len(self.shown))


@pytest.fixture
def url(postgres_server: Server) -> Iterator[str]:
    made = postgres_server.database()
    yield made
    postgres_server.drop(made)


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    opened = open_database(url)
    yield opened
    opened.close()


@contextmanager
def running(
    worker: Showing, url: str, queue: LaneQueue | None = None
) -> Iterator[EngineDispatcher]:
    queue = queue or LaneQueue(worker.database)
    dispatcher = EngineDispatcher(worker, queue, url)  # type: ignore[arg-type]
    dispatcher.start()
    try:
        yield dispatcher
    finally:
        dispatcher.stop()


def wake_lane(database: Database) -> None:
    with database.write() as db:
        wake(db, [LaneKey("visible", S)])


def test_a_wake_up_behind_another_begins_when_that_ends(
    url: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "POLL_S", 10 * WAIT_S_MAX)
    may_end = threading.Event()

    def first_waits(number: int) -> None:
        assert number > 1 or may_end.wait(WAIT_S_MAX)

    worker = Showing(database, first_waits)
    wake_lane(database)  # a dispatcher that just starts may miss it until it polls
    with running(worker, url) as dispatcher:
        wait_until(lambda: worker.shown == ["s"])
        wake_lane(database)
        assert dispatcher.lanes_busy == 1  # never two in one lane
        may_end.set()
        wait_until(lambda: worker.shown == ["s", "s"])


def test_a_lane_that_waits_for_its_pace_is_held_without_a_thread(
    url: str, database: Database
) -> None:
    worker = Showing(database)
    worker.show_once = lambda number: worker.clock.now() + 0.2 if number < 3 else None
    with running(worker, url) as dispatcher:
        wake_lane(database)
        wait_until(lambda: len(worker.shown) == 3)
        wait_until(lambda: dispatcher.lanes_busy == 0)


def test_a_lane_that_fails_is_tried_again_as_long_as_it_has_something_due(
    url: str, database: Database
) -> None:
    def fail_once(number: int) -> None:
        if number == 1:
            raise OSError("the disk is gone")
        with database.write() as db:
            db.execute("DELETE FROM outbox", {})

    save_row(database)
    worker = Showing(database, fail_once)
    with running(worker, url):
        wait_until(lambda: len(worker.shown) == 2)


def test_the_lane_of_a_process_that_is_silent_is_taken_over(url: str, database: Database) -> None:
    with database.write() as db:
        db.execute(
            "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '9 s')", {}
        )
        db.execute(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, lock, status, worker_id) "
            "SELECT 'lanes', 'drain', 'visible:s', 'doing', id FROM procrastinate_workers",
            {},
        )
    save_row(database)

    def done(_number: int) -> None:
        with database.write() as db:
            db.execute("DELETE FROM outbox", {})

    worker = Showing(database, done)
    with running(worker, url):
        wait_until(lambda: worker.shown == ["s"])


def test_what_a_suspended_process_locks_is_freed(url: str, database: Database) -> None:
    class Impatient(LaneQueue):
        def end_suspended(self, idle_s: float = 0.5) -> int:
            return super().end_suspended(idle_s)

    def freed() -> bool:
        with suppress(DatabaseError), database.write() as db:
            return db.execute("UPDATE outbox SET attempts = 2", {}).rowcount == 1
        return False

    save_row(database)
    suspended = open_database(url)

    def sleep_with_a_lock() -> None:
        with suspended.write() as db:
            assert db.execute("UPDATE outbox SET attempts = 1", {}).rowcount == 1
            with running(Showing(database), url, Impatient(database)):
                wait_until(freed)

    with pytest.raises(DatabaseError, match="connection"):
        sleep_with_a_lock()
    suspended.close()


def test_a_transaction_under_way_is_not_taken_for_a_suspended_one(
    url: str, database: Database
) -> None:
    save_row(database)
    other = open_database(url)
    with other.write() as db:
        assert db.execute("UPDATE outbox SET attempts = 1", {}).rowcount == 1
        assert LaneQueue(database).end_suspended() == 0
    other.close()


def test_a_lane_whose_end_the_server_did_not_record_is_taken_again(
    url: str, database: Database
) -> None:
    with database.write() as db:
        for statement in REFUSE_ONCE_TO_END_A_JOB:
            db.execute(statement, {})
    save_row(database)

    def done_at_second(number: int) -> None:
        if number == 2:
            with database.write() as db:
                db.execute("DELETE FROM outbox", {})

    worker = Showing(database, done_at_second)
    with running(worker, url):
        wait_until(lambda: len(worker.shown) == 2)
        wait_until(lambda: not jobs(database))


# A sequence remembers what a transaction that is rolled back has counted.
REFUSE_ONCE_TO_END_A_JOB: Final = (
    "CREATE SEQUENCE ended",
    """
    CREATE FUNCTION refuse_once() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF nextval('ended') = 1 THEN RAISE 'not now'; END IF;
        RETURN OLD;
    END $$
    """,
    "CREATE TRIGGER refuse_once BEFORE DELETE ON procrastinate_jobs "
    "FOR EACH ROW EXECUTE FUNCTION refuse_once()",
)


def jobs(database: Database) -> int:
    with database.write() as db:
        (row,) = db.execute("SELECT count(*) FROM procrastinate_jobs", {}).fetchall()
    return int(row[0])


def save_row(database: Database) -> None:
    with database.write() as db:
        db.execute(
            "INSERT INTO outbox (session, id, lane, kind, rank, doc, since, due, attempts) "
            "VALUES ('s', 1, 'visible', 'Mark', 0, '{}', 0, 1, 0)",
            {},
        )
