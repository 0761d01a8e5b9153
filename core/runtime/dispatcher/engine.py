"""Lanes drained by any number of processes on one PostgreSQL, with procrastinate as the engine.

A job is a wake-up: it names a lane, and which rows are due is looked up when it begins. Its lock
keeps two processes from one lane; each row is fenced besides, for a process that was suspended may
still be at it. A lost job costs a look: once a second each process wakes the lanes that have
something due and no job.

docs/adr/0009-procrastinate.md says why, and what could take its place.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import structlog

from core.domain import effects as fx
from core.domain.ids import SessionId
from core.runtime.decision import LeftToNewerError
from core.runtime.outbox_worker import OutboxWorker
from core.store.repository.lanes import LaneKey, LaneQueue
from core.store.repository.outbox import WaitingRow
from core.store.statements.lanes import QUEUE, TASK

if TYPE_CHECKING:
    from procrastinate import App, JobContext
    from procrastinate.worker import Worker

THREADS: Final = 8  # of lanes; a brain that is asked has one of its own
BRAINS_MAX: Final = 16  # that are asked at the same time
LANES_MAX: Final = 500  # at the same time; one that waits takes no thread
WAIT_S_MAX: Final = 5.0  # that a lane is held for; what is due later is woken then
LOOK_S: Final = 1.0  # what is due, and whether rows came to a lane that waits
STALLED_LOOK_S: Final = 2.0
HEARTBEAT_S: Final = 1.0
STALLED_S: Final = 4.0  # without a heartbeat, and the lanes of a process are another's
POLL_S: Final = 2.0  # for jobs whose notice was lost
FETCH_S: Final = 0.1  # that a fetch of a job takes, amply
AGAIN_S: Final = 0.5  # until the engine is built anew
CONNECTION_S_MAX: Final = 3.0  # for one to be made or to come back
STOP_S_MAX: Final = 10.0
DRAIN_S_MAX: Final = 9.0  # for calls that are under way

T = TypeVar("T")

log = structlog.get_logger(__name__)
logging.getLogger("procrastinate").setLevel(logging.WARNING)  # it tells of every job


class EngineDispatcher:
    """Performs the lanes of the database at `url` until it is stopped."""

    def __init__(
        self, worker: OutboxWorker, queue: LaneQueue, url: str, *, threads: int = THREADS
    ) -> None:
        self.threads = threads  # that perform lanes
        self.lanes_busy = 0  # lanes that a thread works on now
        self._worker = worker
        self._queue = queue
        self._url = url
        self._clock = worker.clock
        self._loop = asyncio.new_event_loop()
        self._ending = asyncio.Event()  # of the process
        self._closing = asyncio.Event()  # of the engine
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="lane")
        self._brains = ThreadPoolExecutor(BRAINS_MAX, thread_name_prefix="brain")
        self._looks = ThreadPoolExecutor(1, thread_name_prefix="look")
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)

    def start(self) -> None:
        """Begin, with whatever an earlier run left behind."""
        self._worker.is_ending = False
        self._queue.prune(self._clock.now())
        self._thread.start()

    def end(self) -> None:
        """Take nothing new from now on."""
        self._worker.is_ending = True
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._ending.set)

    def stop(self, timeout_s: float = STOP_S_MAX) -> None:
        """Finish what is being done and take nothing new. What is left is another's."""
        self.end()
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        for pool in (self._pool, self._brains, self._looks):
            pool.shutdown(wait=False, cancel_futures=True)

    def wake(self, session: SessionId) -> None:
        """Nothing: the commit has left a job."""

    # ── the engine ──

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        """Build the engine, anew whenever it ends: it does so when the server restarts."""
        former: int | None = None
        while not self._ending.is_set():
            try:
                await _reach(self._url)
                former = await self._serve_once(former)
            except Exception as error:  # noqa: BLE001 - the server may be away for a while
                log.warning("engine.ended", error=type(error).__name__)
            await _within(self._ending.wait(), AGAIN_S)

    async def _serve_once(self, former: int | None) -> int | None:
        """One engine, until it ends. `former`: the number of the one before, whose lanes are freed.

        Returns its own number where it could not be given back.
        """
        app = _app(self._url, self._drain)
        async with app.open_async():
            if former is not None:
                await app.job_manager.unregister_worker(former)
            self._closing = asyncio.Event()
            engine = _engine(app, self._closing.set)
            beside = [
                asyncio.create_task(self._look_due()),
                asyncio.create_task(self._look_stalled(app)),
                asyncio.create_task(self._end_with(engine)),
            ]
            log.info("engine.serving", threads=self.threads)
            try:
                await engine.run()  # type: ignore[no-untyped-call]
            except Exception as error:  # noqa: BLE001 - its connections are dead
                log.warning("engine.ended", error=type(error).__name__)
            finally:
                self._closing.set()  # a driver may swallow that a task is cancelled
                for task in beside:
                    task.cancel()
                await asyncio.gather(*beside, return_exceptions=True)
        return engine.worker_id

    async def _end_with(self, engine: "Worker") -> None:
        await self._ending.wait()
        engine.stop()  # type: ignore[no-untyped-call]

    async def _pause(self, seconds: float) -> None:
        """Wait, but not longer than the engine is there."""
        if not self._closing.is_set():
            await _within(self._closing.wait(), seconds)

    # ── what is due, and what was left by others ──

    async def _look_due(self) -> None:
        while not self._closing.is_set():
            try:
                look = partial(self._queue.wake_due, self._clock.now())
                await self._loop.run_in_executor(self._looks, look)
            except Exception:  # the database may be busy: time goes on
                log.warning("look.failed", exc_info=True)
            await self._pause(LOOK_S)

    async def _look_stalled(self, app: "App") -> None:
        """Delete the jobs of processes that are silent, and end their transactions.

        Their lanes are woken by the next look.
        """
        from procrastinate.jobs import Status

        while not self._closing.is_set():
            try:
                ended = await self._loop.run_in_executor(self._looks, self._queue.end_suspended)
                if ended:
                    log.warning("transactions.ended", count=ended)
                for job in await app.job_manager.get_stalled_jobs(
                    seconds_since_heartbeat=STALLED_S
                ):
                    assert job.id is not None
                    log.warning("lane.taken-over", lock=job.lock)
                    await app.job_manager.finish_job_by_id_async(
                        job.id, Status.FAILED, delete_job=True
                    )
            except Exception:  # another process was quicker, or the database is busy
                log.info("stalled.failed", exc_info=True)
            await self._pause(STALLED_LOOK_S)

    # ── lanes ──

    async def _drain(self, key: LaneKey, holder: str) -> None:
        """Do all that is due in a lane, and wait with it for what is due soon."""
        while not self._closing.is_set():
            try:
                come_back = await self._drain_once(key, holder)
            except LeftToNewerError as error:  # the next look wakes it, for any process
                log.info("lane.left", lane=key.lane, session=key.session, what=str(error))
                return
            except Exception:  # one session's trouble is not another's; the next look wakes it
                log.error("lane.failed", lane=key.lane, session=key.session, exc_info=True)
                return
            if come_back is None:
                return
            wait_s = come_back - self._clock.now()
            if wait_s > WAIT_S_MAX:
                return
            await self._pause(min(max(wait_s, 0.0), LOOK_S))

    async def _drain_once(self, key: LaneKey, holder: str) -> float | None:
        if key.lane == "brain":
            return await self._ask(key, holder)
        return await self._in_thread(self._pool, partial(self._perform, key, holder))

    def _perform(self, key: LaneKey, holder: str) -> float | None:
        match key.lane:
            case "work":
                return self._worker.work(key.session, holder)
            case "visible":
                return self._worker.show(key.session, holder, put_off_s=WAIT_S_MAX)
            case _:
                for timer in self._worker.runtime.outbox.timers_due(self._clock.now(), key.session):
                    self._worker.run_out(timer)
                return None

    async def _ask(self, key: LaneKey, holder: str) -> float | None:
        """Ask a brain, and hold the lane until it has answered; for a model without a thread."""
        row, due = await self._in_thread(self._pool, partial(self._request, key))
        if row is None or due > self._clock.now():
            return due if row is not None else None
        answered: asyncio.Future[None] = self._loop.create_future()

        def answer(error: Exception | None) -> None:
            settle = (
                partial(answered.set_exception, error)
                if error is not None
                else partial(answered.set_result, None)
            )
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(settle)

        read = partial(self._worker.read, row, answer, holder)
        come_back = await self._in_thread(self._brains, read)
        if come_back is not None:
            return come_back
        while not self._closing.is_set():
            if (await asyncio.wait((answered,), timeout=LOOK_S))[0]:
                return answered.result()
            if isinstance(row.effect, fx.AskModel):
                cancel = partial(self._worker.cancel_unneeded, key.session)
                await self._in_thread(self._pool, cancel)
        return None

    def _request(self, key: LaneKey) -> tuple[WaitingRow | None, float]:
        """A request and when it may be made, which a model that rests puts off."""
        rows = self._worker.brains(key.session)
        row = next((row for row in rows if row.id == key.place), None)
        if row is None:
            return None, 0.0
        due = self._worker.due_at(row)
        if due > self._clock.now() + WAIT_S_MAX:
            self._worker.runtime.outbox.delay_unattempted(row, due)
        return row, due

    async def _in_thread(self, pool: ThreadPoolExecutor, perform: Callable[[], T]) -> T:
        self.lanes_busy += 1
        try:
            return await self._loop.run_in_executor(pool, perform)
        finally:
            self.lanes_busy -= 1


async def _within(coming: Coroutine[Any, Any, Any], seconds: float) -> bool:
    """True if that came within so many seconds."""
    try:
        await asyncio.wait_for(coming, seconds)
    except TimeoutError:
        return False
    return True


def _app(url: str, drain: Callable[[LaneKey, str], Coroutine[Any, Any, None]]) -> "App":
    """An engine that knows one task."""
    from procrastinate import App, PsycopgConnector

    app = App(connector=PsycopgConnector(pool_factory=_pool, conninfo=url))

    @app.task(name=TASK, queue=QUEUE, pass_context=True)
    async def drain_lane(context: "JobContext", lane: Any, session: str, place: int | None) -> None:
        holder = f"{context.job.worker_id}:{context.job.id}"
        await drain(LaneKey(lane, SessionId(session), place), holder)

    return app


def _pool(**options: Any) -> Any:
    """Connections are not tried before their use: where one is dead, the engine is built anew."""
    from psycopg_pool import AsyncConnectionPool

    ours = {"check": None, "min_size": 1, "max_size": 4, "timeout": CONNECTION_S_MAX}
    return AsyncConnectionPool(**options | ours)


async def _reach(url: str) -> None:
    """Connect once: a pool that fails waits longer each time before it tries again."""
    from psycopg import AsyncConnection

    connection = await AsyncConnection.connect(url, connect_timeout=round(CONNECTION_S_MAX))
    await connection.close()


def _engine(app: "App", closing: Callable[[], None]) -> "Worker":
    """One pass of the engine. `closing` is called as soon as it takes no more."""
    from procrastinate.worker import Worker

    class Engine(Worker):
        def stop(self) -> None:
            super().stop()  # type: ignore[no-untyped-call]
            closing()

        async def _process_job(self, context: "JobContext") -> None:
            """A job that waited behind this one's lock was told of while nobody might take it."""
            try:
                await super()._process_job(context)
            except Exception as error:  # noqa: BLE001 - its end could not be recorded
                # Nobody else may take the lane as long as this engine lives.
                log.warning("job.not-ended", lock=context.job.lock, error=type(error).__name__)
                self.stop()
                return
            self._new_job_event.set()
            # A fetch that is under way clears it when it ends.
            asyncio.get_running_loop().call_later(FETCH_S, self._new_job_event.set)

    return Engine(
        app,
        queues=[QUEUE],
        concurrency=LANES_MAX,
        delete_jobs="always",
        fetch_job_polling_interval=POLL_S,
        update_heartbeat_interval=HEARTBEAT_S,
        stalled_worker_timeout=STALLED_S,
        shutdown_graceful_timeout=DRAIN_S_MAX,
        install_signal_handlers=False,
    )
