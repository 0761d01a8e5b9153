"""Hands payloads to the app: one task per payload, three seconds to acknowledge, retries.

Events that are not acknowledged are sent again with the same event_id, then given up; clicks and
commands are never sent again. With Delayed Events switched on, an event is then tried once an hour
for a day. The constructor says how long the waits are: tests scale them.
How a payload travels (Socket Mode or signed HTTP) is the courier's subject, not ours.
docs: apis/events-api, apis/events-api/using-socket-mode
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from bot.devtools.workspace.values import Delivery, DeliveryKind, Json
from bot.devtools.workspace.web_api.injected_faults import Faults

ACK_S_MAX: Final = 3.0
RETRY_DELAYS_S: Final = (0.0, 60.0, 300.0)
"""How long Slack waits before each further attempt at an event."""
DELAYED_EVERY_S: Final = 3600.0
DELAYED_TIMES: Final = 24


@dataclass(frozen=True, slots=True)
class DeliveryOutcome:
    """What came of one attempt. `status` is the HTTP status, "ack", or why there is none."""

    acked: bool
    status: str
    body: Json = field(default_factory=dict)
    retry: bool = True


@dataclass(frozen=True, slots=True)
class Parcel:
    kind: DeliveryKind
    type: str
    id: str
    payload: Json
    settled: Callable[[DeliveryOutcome], None] | None = None

    @property
    def is_event(self) -> bool:
        return self.kind == "events_api"


class Courier(Protocol):
    async def carry(self, parcel: Parcel, retry: int, reason: str) -> DeliveryOutcome:
        """Carry once, and wait for the acknowledgement no longer than the courier's limit."""


class InFlight:
    """Counts what is under way, so that `idle` can be asked and waited for from any thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._count = 0

    def enter(self) -> None:
        with self._changed:
            self._count += 1

    def leave(self) -> None:
        with self._changed:
            self._count = max(0, self._count - 1)
            self._changed.notify_all()

    @contextlib.contextmanager
    def counted(self) -> Iterator[None]:
        self.enter()
        try:
            yield
        finally:
            self.leave()

    def reset(self) -> None:
        with self._changed:
            self._count = 0
            self._changed.notify_all()

    def idle(self) -> bool:
        """True if nothing is undelivered, unacknowledged or in flight."""
        with self._changed:
            return self._count == 0

    def wait_idle(self, timeout: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self._count == 0, timeout)


class PostOffice:
    """Everything that is on its way to the app."""

    def __init__(
        self,
        courier: Callable[[], Courier],
        faults: Faults,
        in_flight: InFlight,
        retry_delays: Sequence[float],
    ) -> None:
        self._courier = courier
        self._faults = faults
        self._in_flight = in_flight
        self._retry_delays = tuple(retry_delays)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.deliveries: list[Delivery] = []

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    async def close(self) -> None:
        self._loop = None
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def send(self, parcel: Parcel) -> None:
        """Returns at once, from any thread; the order of calls is the order of departure."""
        if self._loop is None:
            raise RuntimeError("the local workspace is not running: call start() first")
        self._in_flight.enter()
        self._loop.call_soon_threadsafe(self._depart, parcel)

    def _depart(self, parcel: Parcel) -> None:
        task = asyncio.get_running_loop().create_task(self._deliver(parcel))
        self._tasks.add(task)
        task.add_done_callback(self._arrived)

    def _arrived(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._in_flight.leave()

    async def _deliver(self, parcel: Parcel) -> None:
        delays = (0.0, *self._retry_delays) if parcel.is_event else (0.0,)
        outcome, retry, reason = DeliveryOutcome(False, "not sent"), 0, ""
        for retry, delay in enumerate(delays):
            if delay > 0:
                await asyncio.sleep(delay)
            outcome = await self._attempt(parcel, retry, reason)
            if outcome.acked or not outcome.retry:
                break
            reason = outcome.status
        if parcel.settled is not None:
            parcel.settled(outcome)
        if parcel.is_event and outcome.acked and self._faults.redeliver_now():
            await self._attempt(parcel, retry + 1, "timeout")

    async def _attempt(self, parcel: Parcel, retry: int, reason: str) -> DeliveryOutcome:
        began = time.monotonic()
        outcome = await self._courier().carry(parcel, retry, reason)
        self.deliveries.append(
            Delivery(
                kind=parcel.kind,
                type=parcel.type,
                id=parcel.id,
                acked=outcome.acked,
                status=outcome.status,
                seconds=time.monotonic() - began,
                retry=retry,
                payload=parcel.payload,
            )
        )
        return outcome
