"""One process, some threads: every lane of a session is drained by one thread at a time.

A `wake` says that there may be something to do; which rows are due is looked up when a thread takes
the lane, so a wake too many costs a look and one too few is caught by the sweep at the start.
"""

import heapq
import threading
import time
from collections import deque
from typing import Final, Literal

import structlog

from core.domain.ids import SessionId
from core.runtime.outbox_worker import OutboxWorker
from core.store.repository.outbox import WaitingRow

log = structlog.get_logger(__name__)

Lane = Literal["work", "visible", "brain"]
THREADS: Final = 6
RETRY_S: Final = 1.0  # after something nobody expected
STOP_S_MAX: Final = 10.0  # for what is being done, all lanes together


class LocalDispatcher:
    def __init__(self, worker: OutboxWorker, *, threads: int = THREADS) -> None:
        self._worker = worker
        self._clock = worker.clock
        self._changed = threading.Condition()
        self._ready: deque[tuple[Lane, SessionId]] = deque()
        self._queued: set[tuple[Lane, SessionId]] = set()  # what stands in `_ready`
        self._busy: set[tuple[Lane, SessionId]] = set()
        self._again: set[tuple[Lane, SessionId]] = set()
        self._later: list[tuple[float, Lane, SessionId]] = []
        self._reading: set[tuple[SessionId, int]] = set()
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
            self._changed.notify_all()

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
            self._changed.notify_all()

    def _put(self, key: tuple[Lane, SessionId]) -> None:
        if key in self._busy:
            self._again.add(key)
        elif key not in self._queued:
            self._queued.add(key)
            self._ready.append(key)

    # ── threads ──

    def _work(self) -> None:
        while (key := self._take()) is not None:
            later: float | None
            try:
                later = self._drain(*key)
            except Exception:  # one session's trouble is not another's
                later = self._clock.now() + RETRY_S
                log.error("lane.failed", lane=key[0], session=key[1], exc_info=True)
            self._give_back(key, later)

    def _take(self) -> tuple[Lane, SessionId] | None:
        with self._changed:
            while not self._ready and not self._stopped:
                self._changed.wait()
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
                heapq.heappush(self._later, (later, *key))
            self._changed.notify_all()

    def _drain(self, lane: Lane, session: SessionId) -> float | None:
        if lane == "work":
            self._worker.work(session)
            return None
        if lane == "visible":
            return self._worker.show(session)
        due, later = self._worker.brains_due(session)
        for row in due:
            self._begin(row)
        return later

    def _begin(self, row: WaitingRow) -> None:
        """A brain gets a thread of its own: a slow one holds nobody up."""
        with self._changed:
            if (row.session, row.id) in self._reading:
                return
            self._reading.add((row.session, row.id))

        def release(error: Exception | None) -> None:
            """Let the row be begun again: it stays where an error or a wait came of it."""
            if error is not None:
                log.error("brain.failed", session=row.session, exc_info=error)
            with self._changed:
                self._reading.discard((row.session, row.id))
                if error is None:
                    self._put(("brain", row.session))
                else:
                    heapq.heappush(self._later, (self._clock.now() + RETRY_S, "brain", row.session))
                self._changed.notify_all()

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
                for timer in self._worker.runtime.outbox.timers_due(self._clock.now()):
                    self._worker.run_out(timer)
                next_timer = self._worker.runtime.outbox.next_timer()
            except Exception:  # the database may be busy: time goes on
                log.error("timers.failed", exc_info=True)
                next_timer = self._clock.now() + RETRY_S
            self._wait_for(next_timer, wakes)

    def _wait_for(self, next_timer: float | None, wakes: int) -> None:
        with self._changed:
            now = self._clock.now()
            while self._later and self._later[0][0] <= now:
                _, lane, session = heapq.heappop(self._later)
                self._put((lane, session))
                self._changed.notify_all()
            soonest = self._later[0][0] if self._later else None
            both = [time for time in (soonest, next_timer) if time is not None]
            idle = wakes == self._wakes and not self._stopped
            if idle and (not both or min(both) > now):
                self._clock.wait(self._changed, min(both) if both else None)
