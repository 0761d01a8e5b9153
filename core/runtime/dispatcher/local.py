"""One process, some threads: every lane of a session is drained by one thread at a time.

A `wake` says that there may be something to do; which rows are due is looked up when a thread takes
the lane, so a wake too many costs a look and one too few is caught by the sweep at the start.
"""

import math
import threading
import time
from collections import deque
from collections.abc import Collection
from typing import Final, NamedTuple

import structlog

from core.domain.effects import Lane
from core.domain.ids import SessionId
from core.runtime.outbox_worker import OutboxWorker
from core.store.repository.outbox import Due, WaitingRow

log = structlog.get_logger(__name__)

THREADS: Final = 6
RETRY_S: Final = 1.0  # until the timers are looked up again, where they could not be
STOP_S_MAX: Final = 10.0  # for what is being done, all lanes together


class Failure(NamedTuple):
    """How many times in a row something failed unforeseen, and when it is tried again."""

    times: int
    retry_at: float


class LocalDispatcher:
    def __init__(self, worker: OutboxWorker, *, threads: int = THREADS) -> None:
        self._worker = worker
        self._clock = worker.clock
        lock = threading.RLock()
        self._changed = threading.Condition(lock)  # the thread that keeps time waits for it
        self._lane_ready = threading.Condition(lock)
        self._ready: deque[tuple[Lane, SessionId]] = deque()
        self._queued: set[tuple[Lane, SessionId]] = set()  # what stands in `_ready`
        self._busy: set[tuple[Lane, SessionId]] = set()
        self._again: set[tuple[Lane, SessionId]] = set()
        self._later: dict[tuple[Lane, SessionId], float] = {}  # when a lane is looked at again
        self._reading: set[tuple[SessionId, int]] = set()
        self._failures: dict[tuple[Lane, SessionId, int | None], Failure] = {}  # a brain's by row
        self._timer_failures: dict[Due, Failure] = {}
        self._wakes = 0
        self._stopped = False
        self._threads = [
            threading.Thread(target=self._work, name=f"lane-{number}", daemon=True)
            for number in range(threads)
        ]
        self._threads.append(threading.Thread(target=self._keep_time, name="timers", daemon=True))

    def start(self) -> None:
        """Begin, with whatever an earlier run left behind."""
        self._worker.is_ending = False
        for thread in self._threads:
            thread.start()
        for session in self._worker.runtime.outbox.sessions_with_work():
            self.wake(session)

    def end(self) -> None:
        """Take nothing new from now on."""
        self._worker.is_ending = True
        with self._changed:
            self._stopped = True
            self._changed.notify()
            self._lane_ready.notify_all()

    def stop(self, timeout_s: float = STOP_S_MAX) -> None:
        """Finish what is being done and take nothing new. What is left is done after the start."""
        self.end()
        ends_at = time.monotonic() + timeout_s
        for thread in self._threads:
            thread.join(max(ends_at - time.monotonic(), 0.0))

    @property
    def threads(self) -> int:
        """Threads that perform lanes; one more keeps time."""
        return len(self._threads) - 1

    @property
    def lanes_busy(self) -> int:
        """Lanes that a thread works on now."""
        return len(self._busy)

    def wake(self, session: SessionId) -> None:
        with self._changed:
            for lane in ("work", "brain", "visible"):
                self._put((lane, session))
            self._wakes += 1
            self._changed.notify()

    def _put(self, key: tuple[Lane, SessionId]) -> None:
        if key in self._busy:
            self._again.add(key)
        elif key not in self._queued:
            self._queued.add(key)
            self._ready.append(key)
            self._lane_ready.notify()

    # ── threads ──

    def _work(self) -> None:
        while (key := self._take()) is not None:
            later: float | None
            try:
                later = self._drain(*key)
            except Exception:  # one session's trouble is not another's
                later = self._put_off(*key)
                log.error("lane.failed", lane=key[0], session=key[1], exc_info=True)
            self._give_back(key, later)

    def _take(self) -> tuple[Lane, SessionId] | None:
        with self._lane_ready:
            while not self._ready and not self._stopped:
                self._lane_ready.wait()
            if self._stopped:
                return None
            key = self._ready.popleft()
            self._queued.discard(key)
            self._busy.add(key)
            return key

    def _give_back(self, key: tuple[Lane, SessionId], later: float | None) -> None:
        with self._changed:
            self._busy.discard(key)
            if key in self._again:
                self._again.discard(key)
                self._put(key)
            if later is not None:
                self._put_later(key, later)

    def _put_later(self, key: tuple[Lane, SessionId], at: float) -> None:
        self._later[key] = min(at, self._later.get(key, math.inf))
        self._changed.notify()

    def _put_off(self, lane: Lane, session: SessionId, row: int | None = None) -> float:
        """Count a failure of a lane or a brain's row. Returns when it is tried again."""
        with self._changed:
            key = (lane, session, row)
            failure = self._failures[key] = self._failed_again(self._failures.get(key))
        return failure.retry_at

    def _failed_again(self, former: Failure | None) -> Failure:
        times = former.times if former else 0
        return Failure(times + 1, self._clock.now() + self._worker.back_off(times))

    def _forget_failures(self, key: tuple[Lane, SessionId], due: Collection[int]) -> None:
        """A lane that was drained has no failures; a brain's row has them while it is due."""
        with self._changed:
            stale = [
                failed for failed in self._failures if failed[:2] == key and failed[2] not in due
            ]
            for failed in stale:
                del self._failures[failed]

    def _drain(self, lane: Lane, session: SessionId) -> float | None:
        due: tuple[WaitingRow, ...] = ()
        later: float | None = None
        if lane == "work":
            self._worker.work(session)
        elif lane == "visible":
            later = self._worker.show(session)
        else:
            due, later = self._worker.brains_due(session)
            for row in due:
                self._begin(row)
        self._forget_failures((lane, session), {row.id for row in due})
        return later

    def _begin(self, row: WaitingRow) -> None:
        """A brain gets a thread of its own: a slow one holds nobody up."""
        with self._changed:
            if (row.session, row.id) in self._reading:
                return
            self._reading.add((row.session, row.id))

        def release(error: Exception | None) -> None:
            """Let the row be begun again: it stays where an error or a wait came of it."""
            with self._changed:
                self._reading.discard((row.session, row.id))
                if error is None:
                    self._put(("brain", row.session))
                else:
                    retry_at = self._put_off("brain", row.session, row.id)
                    self._put_later(("brain", row.session), retry_at)
            if error is not None:
                log.error("brain.failed", session=row.session, exc_info=error)

        def run() -> None:
            try:
                self._worker.read(row, release)
            except Exception as error:  # noqa: BLE001 - `release` logs it
                release(error)

        threading.Thread(target=run, name="reader", daemon=True).start()

    def _keep_time(self) -> None:
        """Put lanes back when their time has come, and let timers run out."""
        while not self._stopped:
            with self._changed:
                wakes = self._wakes
            try:
                next_timer = self._run_out_timers()
            except Exception:  # the database may be busy: time goes on
                log.error("timers.failed", exc_info=True)
                next_timer = self._clock.now() + RETRY_S
            self._wait_for(next_timer, wakes)

    def _run_out_timers(self) -> float | None:
        """Let timers run out. Returns when the next one does, or is tried again."""
        outbox, now = self._worker.runtime.outbox, self._clock.now()
        due = outbox.timers_due(now)
        failures = {timer: self._timer_failures.get(timer) for timer in due}
        self._timer_failures = {timer: failure for timer, failure in failures.items() if failure}
        for timer, failure in failures.items():
            if failure is not None and failure.retry_at > now:
                continue
            try:
                self._worker.run_out(timer)
            except Exception:  # one timer's trouble is not another's
                self._timer_failures[timer] = self._failed_again(failure)
                log.error("timer.failed", session=timer.session, kind=timer.kind, exc_info=True)
        retries = [failure.retry_at for failure in self._timer_failures.values()]
        next_timer = outbox.next_timer(now)
        return min(retries if next_timer is None else [*retries, next_timer], default=None)

    def _wait_for(self, next_timer: float | None, wakes: int) -> None:
        with self._changed:
            now = self._clock.now()
            for key in [key for key, at in self._later.items() if at <= now]:
                del self._later[key]
                self._put(key)
            soonest = min(self._later.values(), default=None)
            times = [time for time in (soonest, next_timer) if time is not None]
            idle = wakes == self._wakes and not self._stopped
            if idle and (not times or min(times) > now):
                self._clock.wait(self._changed, min(times) if times else None)
