"""Lanes that several processes share: waking them in a commit, and when a call may be made."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from core.domain.ids import SessionId, TaskId, TeamId
from core.ports import Limit
from core.store.connection.database import Database
from core.store.statements import lanes
from core.store.statements.statement import Connection

LanePart = Literal["work", "visible", "brain", "timer"]
WOKEN_MAX: Final = 200  # lanes by one look; the next look sees the rest
CROWDED_S: Final = 0.05  # somebody else's call was counted in the same moment
PACE_KEPT_S: Final = 3_600.0
IDLE_S_MAX: Final = 10.0  # of a process in the midst of a transaction
ASKED_S: Final = 5.0  # a request whose process does not ask for so long waits no more


class ProviderSlot(NamedTuple):
    """A place among the requests under way to a provider of language models, and whose it is."""

    provider: str
    team: TeamId
    session: SessionId
    task: TaskId


class LaneKey(NamedTuple):
    """A lane of a session. Requests to brains are done side by side: each row is a lane."""

    lane: LanePart
    session: SessionId
    place: int | None = None


def wake(db: Connection, keys: Collection[LaneKey]) -> None:
    """Leave a job for each of these lanes in the commit that leaves its rows."""
    if keys:
        lanes.DEFER(db, lanes=json.dumps([key._asdict() for key in dict.fromkeys(keys)]))


@dataclass(frozen=True, slots=True)
class LaneQueue:
    """The lanes of one database. `Pacing` is the same in one process's memory."""

    database: Database

    def wake_due(self, now: float) -> None:
        """Wake every lane that has something due and no job."""
        with self.database.write() as db:
            lanes.WAKE_DUE(db, now=now, many=WOKEN_MAX)

    def end_suspended(self, idle_s: float = IDLE_S_MAX) -> int:
        """End the transactions that say nothing for so long, and free what they lock.

        Returns how many. Their process was suspended; it is told when it goes on.
        """
        return len(self.database.run(lanes.END_SUSPENDED, idle_s=idle_s))

    def take(self, limits: Sequence[Limit], now: float) -> float | None:
        """Count a call under all its limits. The time to come back if one of them is used up."""
        if not limits:
            return None
        wanted = json.dumps(
            [
                {"key": limit.key, "most": limit.calls, "window_s": limit.window_s}
                for limit in limits
            ]
        )
        with self.database.write() as db:
            free_at, not_counted = lanes.TAKE_PACE(db, limits=wanted, now=now).fetchone()
        if free_at > now:
            return float(free_at)
        return now + CROWDED_S if not_counted else None

    def hold(self, key: str, until: float) -> None:
        """No call of that key before `until`: Slack answered 429 with a Retry-After."""
        with self.database.write() as db:
            lanes.HOLD_PACE(db, key=key, until=until)

    def held_until(self, key: str) -> float:
        """When calls of that key may be made again."""
        rows = self.database.run(lanes.HELD_UNTIL, key=key)
        return float(rows[0][0]) if rows else 0.0

    def let_go(self, key: str) -> None:
        """Calls of that key may be made."""
        with self.database.write() as db:
            lanes.LET_GO(db, key=key)

    def take_slot(self, slot: ProviderSlot, now: float, until: float, most: int) -> bool:
        """Have a request at its provider until then, with at most so many others.

        False: no place is free, or it is another's turn. To be asked again within `ASKED_S`.
        """
        where = {"session": slot.session, "task": slot.task, "provider": slot.provider}
        with self.database.write() as db:
            lanes.LOCK_PROVIDER(db, provider=slot.provider)
            lanes.WANT_SLOT(db, **where, team=slot.team, now=now)
            cursor = lanes.TAKE_SLOT(
                db, **where, now=now, until=until, most=most, fresh_since=now - ASKED_S
            )
            return cursor.rowcount == 1

    def give_back_slot(self, session: SessionId, task: TaskId) -> None:
        """A request is at its provider no longer."""
        with self.database.write() as db:
            lanes.GIVE_BACK_SLOT(db, session=session, task=task)

    def prune(self, now: float) -> None:
        """Forget keys without a recent call or wait."""
        with self.database.write() as db:
            lanes.PRUNE_PACE(db, before=now - PACE_KEPT_S)
            lanes.PRUNE_SLOTS(db, before=now - PACE_KEPT_S)
