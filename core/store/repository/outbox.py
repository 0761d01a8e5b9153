"""The outbox and the timers: what still has to be done, and when."""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any

from core.domain.effects import EFFECTS, Effect, Lane
from core.domain.ids import SessionId, TeamId
from core.ports import Post, Target
from core.store.connection.database import Database
from core.store.documents import CorruptError, dump, load
from core.store.statements import outbox
from core.store.statements.statement import Connection


@dataclass(frozen=True, slots=True)
class WaitingRow:
    """One outbox row."""

    id: int
    session: SessionId
    effect: Effect
    since: float  # when it was first due
    due: float
    attempts: int
    attempted_at: float | None
    attempt: Target | None  # the message that was prepared then
    rank: int = 0  # posts 0, edits and marks 1, the card 2
    held_until: float | None = None  # another process may be at it until then


@dataclass(frozen=True, slots=True)
class Due:
    """A timer that has run out."""

    session: SessionId
    kind: str
    step: str  # of a deadline: the task
    due: float


class Outbox:
    def __init__(self, database: Database) -> None:
        self._database = database

    def head(self, session: SessionId, lane: Lane, done: Collection[int] = ()) -> WaitingRow | None:
        """The next row of a lane, in order; parked rows and those that are `done` are passed over.

        Raises `CorruptError` with its number where it cannot be read; so does `brains`.
        """
        rows = self._database.run(outbox.HEAD, session=session, lane=lane, many=len(done) + 1)
        row = next((row for row in rows if row[0] not in done), None)
        return _waiting(session, row) if row else None

    def brains(self, session: SessionId) -> tuple[WaitingRow, ...]:
        """Every request to a brain, those that wait for their time too."""
        rows = self._database.run(outbox.LANE, session=session, lane="brain")
        return tuple(_waiting(session, row) for row in rows)

    def waits(self, row: WaitingRow) -> bool:
        """True if a row is still there: it may have been done since it was listed."""
        return bool(self._database.run(outbox.WAITS, session=row.session, id=row.id))

    def take(self, row: WaitingRow, holder: str, now: float, until: float) -> bool:
        """Keep other processes from a row until then. False: one of them has it, or it is gone."""
        with self._database.write() as db:
            return take(db, row.session, row.id, holder, now, until)

    def delay_unattempted(self, row: WaitingRow, due: float) -> None:
        """Have it due later, without an attempt."""
        with self._database.write() as db:
            outbox.DELAY_UNATTEMPTED(db, session=row.session, id=row.id, due=due)

    def retry_later(
        self, row: WaitingRow, due: float | None, *, in_doubt: bool, holder: str = ""
    ) -> None:
        """Try again later; None parks it until the session is resumed."""
        with self._database.write(row.session) as db:
            outbox.RETRY_LATER(
                db,
                session=row.session,
                id=row.id,
                due=due,
                in_doubt=int(in_doubt),
                holder=holder,
            )

    def park(self, row: WaitingRow, since: float) -> None:
        """Keep it until its workspace can be served again, unless it was installed since then."""
        with self._database.write() as db:
            outbox.MARK_UNSERVED(db, session=row.session, since=since)
            in_doubt = int(row.attempted_at is not None)
            outbox.PARK(db, session=row.session, row=row.id, since=since, in_doubt=in_doubt)

    def give_way(self, row: WaitingRow, target: str | None) -> None:
        """Put an edit behind the posts of its lane; a later edit of `target` replaces it."""
        with self._database.write(row.session) as db:
            outbox.LOWER_RANK(db, session=row.session, id=row.id, target=target)

    def unpark(self, team: TeamId, at: float) -> None:
        """Give parked rows of a workspace's sessions another try."""
        with self._database.write() as db:
            outbox.UNPARK_TEAM(db, team=team, due=at)

    def sessions_with_work(self) -> tuple[SessionId, ...]:
        rows = self._database.run(outbox.SESSIONS_WITH_WORK)
        return tuple(SessionId(row[0]) for row in rows)

    def pending(self, now: float) -> int:
        """Rows that are not parked, and timers that have run out: 0 means idle."""
        ((count,),) = self._database.run(outbox.PENDING, now=now)
        return int(count)

    def next_timer(self, after: float = 0.0) -> float | None:
        """When the next timer runs out of those that have not by then."""
        ((due,),) = self._database.run(outbox.NEXT_TIMER, after=after)
        return float(due) if due is not None else None

    def timers_due(self, now: float, session: SessionId | None = None) -> tuple[Due, ...]:
        """Timers that have run out, the first one first; of one session where it is named."""
        if session is None:
            rows = self._database.run(outbox.TIMERS_DUE, now=now)
        else:
            rows = self._database.run(outbox.TIMERS_DUE_OF, now=now, session=session)
        return tuple(Due(*row) for row in rows)


# ── within a transaction ───────────────────────────────────────────────────────────────────────


def finish(db: Connection, session: SessionId, row: int, holder: str = "") -> bool:
    """Delete a row. False: somebody did already, or another than `holder` is at it."""
    if holder:
        return outbox.DELETE_OURS(db, session=session, id=row, holder=holder).rowcount == 1
    return outbox.DELETE_EFFECT(db, session=session, id=row).rowcount == 1


def take(
    db: Connection, session: SessionId, row: int, holder: str, now: float, until: float
) -> bool:
    """Keep other processes from a row until then. False: one of them has it, or it is gone."""
    cursor = outbox.TAKE(db, session=session, id=row, holder=holder, now=now, until=until)
    return cursor.rowcount == 1


def mark_attempt(db: Connection, session: SessionId, row: int, at: float, target: Target) -> None:
    """Write down that a post is about to be sent, and as what: until it is done, it is in doubt."""
    outbox.MARK_ATTEMPTED(db, session=session, id=row, attempted_at=at, attempt=dump(target))


def save_post(db: Connection, session: SessionId, post: Post) -> None:
    """Save which message shows a target; the card and roots of threads can be replied to."""
    outbox.SAVE_POST(db, session=session, **asdict(post))
    if post.target == "card" or post.target.startswith("thread:"):
        persona = post.target.removeprefix("thread:") if post.target != "card" else ""
        outbox.SAVE_THREAD(db, session=session, persona=persona, channel=post.channel, ts=post.ts)


def end_timer(db: Connection, timer: Due) -> bool:
    """Delete a timer. False: somebody did already."""
    ended = outbox.END_TIMER(db, session=timer.session, kind=timer.kind, due=timer.due)
    return ended.rowcount == 1


def _waiting(session: SessionId, row: tuple[Any, ...]) -> WaitingRow:
    number, kind, doc, since, due, attempts, attempted_at, attempt, rank, held_until = row
    try:
        effect = load(EFFECTS[kind], doc)
        target = load(Target, attempt) if attempt else None
    except (CorruptError, KeyError) as error:
        raise CorruptError(kind, doc, number) from error
    return WaitingRow(
        number, session, effect, since, due, attempts, attempted_at, target, rank, held_until
    )
