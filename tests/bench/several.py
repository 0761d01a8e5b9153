"""Rows 23 to 27: several processes on one PostgreSQL, whose server is part of what is measured."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from core.clock import SystemClock
from core.domain.events import MessagePosted
from core.domain.ids import SessionId, TeamId
from core.runtime.commit import Runtime
from core.runtime.dispatcher.engine import EngineDispatcher
from core.store.connection.opening import open_database
from core.store.repository.lanes import LaneKey, LaneQueue
from tests.bench.anchors import DOC
from tests.bench.arena import logged_to
from tests.bench.crowding import crowded
from tests.bench.figures import Figure, Subject
from tests.bench.pairs import mean_s, medians_ratio
from tests.bench.sessions import REMIND_S, SilentStage, answer, harness_of, opened
from tests.bench.size import Size
from tests.bench.storing import handled
from tests.support import postgres
from tests.support.fleet import Fleet, fleet, responding, wait_until
from tests.support.harness import Harness
from tests.support.postgres import Server

Measure = Callable[[Server, Path, Size], list[Figure]]
FIRST_PHASE: Final = "00-quick-scan"
QUIET_S: Final = 3_600.0  # nothing but the answers is to be done
EVENTS_A_SECOND: Final = 20.0
AWAY_S: Final = 3.0
ANSWERED: Final = 8  # sessions of the crowd, in turn
TICKS: Final = os.sysconf("SC_CLK_TCK")

TRANSITION: Final = Subject(
    23,
    "durable transition on PostgreSQL, its job included ÷ SELECT, UPDATE, INSERT, COMMIT (rate)",
    "×",
    "≥",
    0.20,
    0.35,
)
BEGUN: Final = Subject(24, "commit → lane begun, at 20 events a second (p50)", "ms", "≤", 50, 10)
BEGUN_LATE: Final = Subject(24, "the same (p95)", "ms", "≤", 150, 40)
IDLE: Final = Subject(25, "an idle worker: transactions a second", "", "≤", 5, 3)
IDLE_CPU: Final = Subject(25, "an idle worker: of one processor", "%", "≤", 1, 0.5)
CROWD: Final = Subject(
    26,
    "an answer and a look at what is due, with 10,000 open sessions ÷ with 10 (time)",
    "×",
    "≤",
    1.3,
    1.15,
)
FIRST_ACK: Final = Subject(
    27, "server back after 3 s → first acknowledgement of two processes", "s", "≤", 1, 0.2
)
ALL_LANES: Final = Subject(27, "server back after 3 s → all lanes done", "s", "≤", 10, 5)
ROWS: Final = (TRANSITION, BEGUN, BEGUN_LATE, CROWD, IDLE, IDLE_CPU, FIRST_ACK, ALL_LANES)


def several(folder: Path, size: Size, progress: Callable[[str], None]) -> list[Figure]:
    """All of them; nothing where there is no server to be had."""
    measures = (_transition, _begun, _crowd, _idle, _returned)
    return on_postgres(folder / "several", size, progress, ROWS, measures)


def on_postgres(
    folder: Path,
    size: Size,
    progress: Callable[[str], None],
    rows: Sequence[Subject],
    measures: Sequence[Measure],
) -> list[Figure]:
    """What is measured on a server of its own; nothing where there is none to be had."""
    name = f"rows {rows[0].row} to {rows[-1].row}"
    if postgres.missing():
        progress(f"{name} are left out: {postgres.missing()}")
        return []
    folder.mkdir()
    figures = []
    with logged_to(folder / "bench.log"), postgres.served(durable=True) as server:
        for measure in measures:
            progress(f"{name}: {measure.__name__.strip('_')}")
            place = folder / measure.__name__.strip("_")
            place.mkdir()
            figures += measure(server, place, size)
    return figures


@contextmanager
def harness_on(url: str, folder: Path) -> Iterator[Harness]:
    """A runtime that leaves a job with each commit."""
    clock = SystemClock()
    runtime = Runtime(open_database(url), clock, quiet_s=QUIET_S, remind_s=REMIND_S)
    runtime.use_engine()
    harness = harness_of(folder, TeamId("T1"), stage=SilentStage(clock), runtime=runtime)
    try:
        yield harness
    finally:
        harness.close()


# ── row 23 ──


class PlainPostgres:
    """SELECT, UPDATE, INSERT and a durable COMMIT by psycopg."""

    def __init__(self, url: str) -> None:
        import psycopg

        self._db = psycopg.connect(url, autocommit=True)
        self._db.execute("CREATE TABLE plain_session(id int PRIMARY KEY, version int, doc text)")
        self._db.execute("CREATE TABLE plain_answer(id int PRIMARY KEY, session int, doc text)")
        self._db.execute("INSERT INTO plain_session VALUES (1, 0, %s)", (DOC,))
        self._numbers = count(1)

    def commit(self) -> None:
        with self._db.transaction():
            row = self._db.execute("SELECT version FROM plain_session WHERE id = 1").fetchone()
            assert row is not None
            self._db.execute("UPDATE plain_session SET version = %s WHERE id = 1", (row[0] + 1,))
            self._db.execute(
                "INSERT INTO plain_answer VALUES (%s, 1, %s)", (next(self._numbers), DOC)
            )

    def forget_jobs(self) -> None:
        """Nobody takes them here."""
        self._db.execute("DELETE FROM procrastinate_jobs")

    def close(self) -> None:
        self._db.close()


def _transition(server: Server, folder: Path, size: Size) -> list[Figure]:
    url = server.database()
    with harness_on(url, folder) as harness:
        sessions = opened(harness, size.sessions, FIRST_PHASE)
        plain = PlainPostgres(url)

        def ours() -> float:
            answers = [answer(harness, session) for session in sessions]
            seconds = mean_s(lambda one: handled(harness, one), answers)
            harness.settle()
            plain.forget_jobs()
            return seconds

        def anchor() -> float:
            return mean_s(lambda _: plain.commit(), sessions)

        ratio = medians_ratio(anchor, ours, size.pairs)
        plain.close()
    return [TRANSITION.measured(ratio)]


# ── row 24 ──


class Noting(EngineDispatcher):
    """Notes when a lane of messages begins after a commit."""

    def __init__(self, harness: Harness, url: str) -> None:
        queue = LaneQueue(harness.runtime.database)
        harness.outbox_worker.pacing, harness.outbox_worker.is_shared = queue, True
        super().__init__(harness.outbox_worker, queue, url)
        self.waits_s: list[float] = []
        self.committed: dict[SessionId, float] = {}

    async def _drain(self, key: LaneKey, holder: str) -> None:
        if (at := self.committed.pop(key.session, None)) is not None:
            self.waits_s.append(time.perf_counter() - at)
        await super()._drain(key, holder)


def _begun(server: Server, folder: Path, size: Size) -> list[Figure]:
    """Whoever accepts and whoever performs are two runtimes of one process here."""
    url = server.database()
    with harness_on(url, folder) as harness:
        sessions = opened(harness, size.sessions, FIRST_PHASE)
        dispatcher = Noting(harness, url)
        dispatcher.start()
        try:
            wait_until(lambda: harness.runtime.outbox.pending(time.time()) == 0)
            for number in range(size.events):
                session = sessions[number % len(sessions)]
                message = answer(harness, session)
                handled(harness, message)
                dispatcher.committed[session] = time.perf_counter()
                time.sleep(1 / EVENTS_A_SECOND)
            wait_until(lambda: harness.runtime.outbox.pending(time.time()) == 0)
        finally:
            dispatcher.stop()
    waits = [wait * 1000 for wait in dispatcher.waits_s]
    return [
        BEGUN.measured(median(waits)),
        BEGUN_LATE.measured(quantiles(waits, n=20)[-1] if len(waits) > 1 else waits[0]),
    ]


# ── row 25 ──


def _idle(server: Server, folder: Path, size: Size) -> list[Figure]:
    with fleet(server, folder, webs=0, workers=1) as running:
        (process,) = (one.process for one in running.workers)
        assert process is not None
        assert process.pid is not None
        time.sleep(size.idle_s / 4)  # until it has nothing left of its start
        name, pid = server.newest, process.pid
        before, busy = _transactions(server, name), _processor_s(pid)
        time.sleep(size.idle_s)
        after, busy_after = _transactions(server, name), _processor_s(pid)
    return [
        IDLE.measured((after - before) / size.idle_s),
        IDLE_CPU.measured(100 * (busy_after - busy) / size.idle_s),
    ]


def _transactions(server: Server, name: str) -> int:
    (row,) = server.execute(
        f"SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = '{name}'"
    )
    return int(row[0])


def _processor_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


# ── row 26 ──


def _crowd(server: Server, folder: Path, size: Size) -> list[Figure]:
    """An answer, and a worker's look at what is due. Each session that waits has its timer."""
    with ExitStack() as stack:
        many = _beside(stack, server, folder / "many", size.open_sessions)
        few = _beside(stack, server, folder / "few", 10)
        ratio = medians_ratio(many, few, size.pairs)
    return [CROWD.measured(ratio)]


def _beside(stack: ExitStack, server: Server, folder: Path, many: int) -> Callable[[], float]:
    """A turn among so many sessions."""
    folder.mkdir()
    harness = stack.enter_context(harness_on(server.database(), folder))
    database, clock = harness.runtime.database, harness.runtime.clock
    sessions = opened(harness, ANSWERED, FIRST_PHASE)
    crowded(database, sessions[0], many)
    server.execute("VACUUM ANALYZE", server.newest)

    def one(message: MessagePosted) -> None:
        handled(harness, message)
        LaneQueue(database).wake_due(clock.now())

    def turn() -> float:
        seconds = mean_s(one, [answer(harness, session) for session in sessions])
        server.execute("DELETE FROM procrastinate_jobs", name)
        harness.settle()
        return seconds

    name = server.newest
    return turn


# ── row 27 ──


def _returned(server: Server, folder: Path, size: Size) -> list[Figure]:
    channels = tuple(f"room-{number}" for number in range(min(size.sessions, 4)))
    with fleet(server, folder, channels=channels) as running:
        for channel in channels:
            running.start(channel)
            running.wait_for(channel, "asking")
        returns = [_return(server, running, channels) for _ in range(size.returns)]
    return [
        FIRST_ACK.measured(median(one[0] for one in returns)),
        ALL_LANES.measured(median(one[1] for one in returns)),
    ]


def _return(server: Server, running: Fleet, channels: tuple[str, ...]) -> tuple[float, float]:
    """Seconds until the first acknowledgement, and until nothing is left to do.

    From the order to start the server: `pg_ctl` looks every 100 ms whether it is ready, so that
    the first acknowledgement may come before it says so.
    """
    wait_until(responding(running.is_calm))
    threads = {channel: running.thread(channel) for channel in channels}
    server.stop("fast")
    for channel, thread in threads.items():
        running.slack.say("pm", channel, "The users need it every week.", thread_ts=thread)
    time.sleep(AWAY_S)
    before = len(running.slack.deliveries)
    began = time.perf_counter()
    server.start()
    wait_until(lambda: any(one.acked for one in running.slack.deliveries[before:]))
    first = time.perf_counter() - began
    wait_until(responding(running.is_calm))
    return first, time.perf_counter() - began
