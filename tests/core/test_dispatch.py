"""The dispatcher's threads: everything is done without being asked twice, and nothing stops it."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from core.domain import effects as fx
from core.domain.ids import RunId, SessionId, Ts
from core.domain.session.start import Origin
from core.ports import Later, ThreadSaid
from core.runtime.dispatcher.local import LocalDispatcher
from core.runtime.jobs import JobRunner
from core.runtime.send_results import OWN_BACK_OFF_S_MAX
from core.store.connection.database import Database, DatabaseError
from tests.support.databases import DATABASES, EACH_DATABASE
from tests.support.fakes import CHANNEL, OWNER, TEAM, DrivenClock, Thinking
from tests.support.harness import Harness, small_table
from tests.support.rows import execute
from tests.support.waiting import POLL_S, WAIT_S_MAX, wait_until

pytestmark = EACH_DATABASE


class Running:
    """A table whose work is done by threads. `until` waits for something to be so."""

    def __init__(self, table: Harness) -> None:
        self.table = table
        self.dispatcher = LocalDispatcher(table.outbox_worker, threads=3)
        table.runtime.set_dispatcher(self.dispatcher)
        table.settle = lambda: None  # type: ignore[method-assign]

    def until(self, so: Callable[[], bool]) -> None:
        wait_until(so)

    def until_asking(self, step: str) -> None:
        table = self.table

        def asking() -> bool:
            if not table.runtime.reader.all_sessions():
                return False
            asked = table.runtime.reader.post(table.id, f"prompt:{step}:1") is not None
            return asked and table.session.status == "asking"

        self.until(asking)

    def until_choosing(self) -> None:
        self.until(lambda: self.table.session.status == "choosing")


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    found = Running(small_table(tmp_path))
    found.dispatcher.start()
    yield found
    found.dispatcher.stop()
    found.table.close()


def test_a_whole_session_runs_by_itself(running: Running) -> None:
    table = running.table
    table.start()
    for step in ("01-01", "01-02", "02-01"):
        running.until_asking(step)
        table.say("Because.")
        running.until_choosing()
        table.forward()
    running.until(lambda: table.session.status == "completed")
    running.until(lambda: table.runtime.outbox.pending(table.clock.now()) == 0)
    targets = [post.target for post in table.stage.posts]
    assert len(targets) == len(set(targets))
    assert table.prompts == ["01-01", "01-02", "02-01"]


def test_what_an_earlier_run_left_behind_is_done_at_the_start(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    running = Running(table)
    table.runtime.set_dispatcher(_Deaf())
    table.start()
    assert table.stage.posts == []
    table.runtime.set_dispatcher(running.dispatcher)
    running.dispatcher.start()
    running.until_asking("01-01")
    running.dispatcher.stop()


class _Deaf:
    def wake(self, session: SessionId) -> None:
        """Nobody is there."""


def test_a_quiet_time_runs_out_by_the_clock(tmp_path: Path) -> None:
    table = small_table(tmp_path, quiet_s=30)
    running = Running(table)
    running.dispatcher.start()
    table.start()
    running.until_asking("01-01")
    table.say("Because.")
    assert table.session.course.done == ()
    table.clock.forward(30)
    running.until_choosing()
    running.dispatcher.stop()


def test_what_has_to_wait_is_done_when_its_time_has_come(running: Running) -> None:
    table = running.table
    table.stage.outcomes = [Later("ratelimited", 30.0)]
    table.start()
    running.until(lambda: table.stage.tried == ["PostCard"])
    table.clock.forward(30)
    running.until_asking("01-01")
    assert len(table.shown(fx.PostCard)) == 1


@dataclass
class RefusingOnce:
    """Slack refuses the first reading of a thread with `Retry-After: 0`, then has nothing in it."""

    answers: list[Later | ThreadSaid] = field(
        default_factory=lambda: [Later("ratelimited", 0.0), ThreadSaid(())]
    )

    def replies(self, *_: object) -> Later | ThreadSaid:
        return self.answers.pop(0)


@dataclass
class SlowReaders:
    """Lanes are drained before a reader's thread that woke them goes on."""

    dispatcher: LocalDispatcher

    def wake(self, session: SessionId) -> None:
        self.dispatcher.wake(session)
        if threading.current_thread().name == "reader":
            wait_until(lambda: not self.dispatcher._ready and not self.dispatcher.lanes_busy)


def test_a_thread_is_read_again_at_once_where_slack_asks_for_no_wait(running: Running) -> None:
    table = running.table
    table.runtime.set_dispatcher(SlowReaders(running.dispatcher))
    threads = table.outbox_worker.threads = RefusingOnce()
    table.start(origin=Origin(Ts("1700000000.000100"), Ts("1700000000.000100")))
    running.until(lambda: not threads.answers)
    running.until(lambda: not table.runtime.outbox.brains(table.id))


def test_a_slow_brain_holds_up_nobody_else(tmp_path: Path) -> None:
    release = threading.Event()
    brain = Thinking([lambda _: release.wait(WAIT_S_MAX) and None])
    table = small_table(tmp_path, brains={None: brain}, brain_s=1e9)
    running = Running(table)
    running.dispatcher.start()
    table.start()
    running.until_asking("01-01")
    table.say("Because.")
    running.until(lambda: len(brain.asked) == 1)
    table.id = SessionId("s2")
    table.start("Something else", run=RunId("r2"))
    running.until_asking("01-01")
    assert table.runtime.reader.load(SessionId("s1")).course.done == ()
    release.set()
    table.id = SessionId("s1")
    running.until_choosing()
    running.dispatcher.stop()


def test_one_sessions_trouble_is_not_anothers(running: Running) -> None:
    table = running.table
    worker, failing = table.outbox_worker.job_runner, []

    class Failing:
        def do(self, session: object, effect: object) -> object:
            if getattr(session, "id", "") == "s1" and not failing:
                failing.append(effect)
                raise OSError("the disk is gone")
            return worker.do(session, effect)  # type: ignore[arg-type]

    table.outbox_worker.job_runner = Failing()  # type: ignore[assignment]
    table.start()
    running.until(lambda: bool(failing))
    table.id = SessionId("s2")
    table.start("Something else", run=RunId("r2"))
    running.until_asking("01-01")
    table.clock.forward(2)
    table.id = SessionId("s1")
    running.until_asking("01-01")


def test_a_lane_that_fails_again_and_again_is_tried_ever_more_seldom(running: Running) -> None:
    table = running.table
    worker, tried_at = table.outbox_worker.job_runner, list[float]()
    table.outbox_worker.job_runner = Failing(worker, table.clock, tried_at)  # type: ignore[assignment]
    table.start()
    while len(tried_at) < 9:
        table.clock.forward(1)
        threading.Event().wait(POLL_S)
    waits = [later - earlier for earlier, later in pairwise(tried_at)]
    assert all(wait >= min(2.0**number, OWN_BACK_OFF_S_MAX) for number, wait in enumerate(waits))
    table.outbox_worker.job_runner = worker
    table.clock.forward(OWN_BACK_OFF_S_MAX)
    running.until_asking("01-01")


@dataclass
class Failing:
    """A worker for which the disk is gone."""

    worker: JobRunner
    clock: DrivenClock
    tried_at: list[float]

    def do(self, *_: object) -> object:
        self.tried_at.append(self.clock.now())
        raise OSError("the disk is gone")


def test_a_timer_that_fails_holds_up_no_other_sessions(tmp_path: Path) -> None:
    table = small_table(tmp_path, quiet_s=30)
    running = Running(table)
    running.dispatcher.start()
    for number in ("s1", "s2"):
        table.id = SessionId(number)
        table.start(f"Item {number}", run=RunId(number))
        running.until_asking("01-01")
        table.say("Because.")
    database = table.runtime.database
    refuse_to_end_timers_of(database, "s1")
    with capture_logs() as logs:
        table.clock.forward(30)
        running.until_choosing()
        failures = [line["session"] for line in logs if line["event"] == "timer.failed"]
        assert failures == ["s1"]
    with database.write() as db:
        db.execute("DROP TRIGGER refuse" + (" ON timers" if DATABASES.is_postgres else ""), {})
    table.id = SessionId("s1")
    assert table.session.course.done == ()
    table.clock.forward(OWN_BACK_OFF_S_MAX)
    running.until_choosing()
    running.dispatcher.stop()


def refuse_to_end_timers_of(database: Database, session: str) -> None:
    """The database refuses to delete that session's timers."""
    when = f"BEFORE DELETE ON timers FOR EACH ROW WHEN (OLD.session = '{session}')"
    with database.write() as db:
        if not DATABASES.is_postgres:
            refusal = "BEGIN SELECT RAISE(ABORT, 'not now'); END"
            db.execute(f"CREATE TRIGGER refuse {when} {refusal}", {})
            return
        db.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE 'not now'; END $$",
            {},
        )
        db.execute(f"CREATE TRIGGER refuse {when} EXECUTE FUNCTION refuse()", {})


def test_time_goes_on_when_the_database_is_busy_for_a_moment(tmp_path: Path) -> None:
    table = small_table(tmp_path, quiet_s=30)
    running = Running(table)
    due, failed = table.runtime.outbox.timers_due, []

    def failing(now: float) -> object:
        if not failed:
            failed.append(now)
            raise DatabaseError("database is locked")
        return due(now)

    table.runtime.outbox.timers_due = failing  # type: ignore[method-assign,assignment]
    running.dispatcher.start()
    table.start()
    running.until_asking("01-01")
    table.say("Because.")
    table.clock.forward(40)
    running.until_choosing()
    assert failed
    running.dispatcher.stop()


def test_stopping_finishes_what_is_done_and_takes_nothing_new(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    running = Running(table)
    running.dispatcher.start()
    table.start()
    running.until_asking("01-01")
    running.dispatcher.stop()
    event = table.message("Because.", OWNER)
    table.runtime.handle(event, team=TEAM, keys=[f"msg:{TEAM}:{CHANNEL}:{event.ts}"])
    assert table.said == ["Because."]
    assert len(table.runtime.outbox.brains(table.id)) == 1
    assert not [thread for thread in running.dispatcher._threads if thread.is_alive()]


def test_a_timer_that_becomes_an_effect_is_pending_all_the_while(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.settle = lambda: None  # type: ignore[method-assign]
    table.start()
    outbox, database = table.runtime.outbox, table.runtime.database
    with database.write() as db:
        db.execute("UPDATE outbox SET due = NULL")
        db.execute("DELETE FROM timers")
        execute(
            db,
            "INSERT INTO timers (session, kind, step, due) VALUES (?, 'quiet', '01-01', 0)",
            (table.id,),
        )
    assert outbox.pending(table.clock.now()) == 1
    swaps = (
        ("DELETE FROM timers", "UPDATE outbox SET due = 0"),
        (
            "UPDATE outbox SET due = NULL",
            f"INSERT INTO timers VALUES ('{table.id}', 'quiet', '', 0)",
        ),
    )
    done = threading.Event()

    def swap() -> None:
        for turn in range(400):
            with database.write() as db:
                for statement in swaps[turn % len(swaps)]:
                    db.execute(statement)
        done.set()

    swapping = threading.Thread(target=swap)
    swapping.start()
    counts = set()
    while not done.is_set():
        counts.add(outbox.pending(table.clock.now()))
    swapping.join()
    table.close()
    assert 0 not in counts
