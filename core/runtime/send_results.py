"""Results of what was sent: recorded in as few commits as is safe, put off, or refused for good.

A post is marked as attempted before it is sent, so that a crash leaves it in doubt and not
forgotten. What may be done again without being seen (edits, reactions) is recorded with the next
mark, or when the lane is drained: after a crash it is repeated. A post waits for the card's
repaint alone, which rests on no other message: after a crash it is looked up.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

import structlog

from core import ports
from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import SessionId
from core.engine.faults.refused_posts import waits_for_resume
from core.ports import Clock, Post, Prepared
from core.runtime.commit import Runtime
from core.store.repository import outbox as rows
from core.store.repository.outbox import WaitingRow
from core.store.statements.statement import Connection
from core.taxonomy.rows import ATTEMPTS_MAX

log = structlog.get_logger(__name__)

OWN_BACK_OFF_S_MAX: Final = 60.0  # a Retry-After is kept to, however long it is
DOUBLINGS_MAX: Final = 6  # 64 seconds: past the limit
JITTER_S_MAX: Final = 0.5
JITTER: Final = Random()  # noqa: S311 - it parts attempts, and guards nothing
HELD_S: Final = 15.0  # five more than any call takes: until then no other process does the same
LATE_S: Final = 2.5  # between the mark and the call
COMMITS_MAX: Final = 2  # of one mark: another where the first took longer than that


def back_off_s(attempts: int) -> float:
    """`min(60, 2^attempt + jitter)` seconds until the next attempt (seed 004, transient)."""
    jitter_s = JITTER.uniform(0, JITTER_S_MAX)
    return min(OWN_BACK_OFF_S_MAX, 2.0 ** min(attempts, DOUBLINGS_MAX) + jitter_s)


def next_wait_s(
    outcome: ports.Later | ports.Unclear, attempts: int, back_off: Callable[[int], float]
) -> float:
    """Seconds until the next attempt: as many as Slack asks for, else those of the back-off."""
    return back_off(attempts) if outcome.seconds is None else outcome.seconds


class HeldElsewhereError(Exception):
    """Another process is at that row, or may soon be."""


@dataclass(slots=True)
class SendResults:
    """The results of one pass over a session's visible lane."""

    runtime: Runtime
    session: SessionId
    clock: Clock
    back_off: Callable[[int], float]  # attempts made → seconds until the next
    holder: str = ""  # of several processes, this one and its pass
    _unrecorded: dict[int, Post | None] = field(default_factory=dict)  # by row

    @property
    def rows(self) -> frozenset[int]:
        """Rows that are done and still in the outbox."""
        return frozenset(self._unrecorded)

    def record(self) -> None:
        """Commit what is not recorded yet."""
        if self._unrecorded:
            with self.runtime.database.write(self.session) as db:
                self._save(db)
            self._saved("commit")

    def record_posts(self) -> None:
        """Commit what is not recorded yet if there is a post among it."""
        if any(self._unrecorded.values()):
            self.record()

    def record_attempt(self, row: int, prepared: Prepared, *, marks: bool = True) -> None:
        """Mark a post as attempted before it is sent, in one commit with the results so far.

        Of several processes one performs a row: raises `HeldElsewhereError` where another does, and
        where the commit took longer than `LATE_S` each of `COMMITS_MAX` times.
        Without `marks` the row is held, and nothing else is known of it than before.
        """
        for _ in range(COMMITS_MAX):
            held_since = self._commit_attempt(row, prepared, marks=marks)
            if not self.holder or self.clock.now() <= held_since + LATE_S:
                return
        raise HeldElsewhereError(row)

    def _commit_attempt(self, row: int, prepared: Prepared, *, marks: bool) -> float:
        """Commit once. Returns since when the row is held. Raises `HeldElsewhereError`."""
        with self.runtime.database.write(self.session) as db:
            self._save(db)
            now = self.clock.now()
            is_ours = not self.holder or rows.take(
                db, self.session, row, self.holder, now, now + HELD_S
            )
            if is_ours and marks:
                assert prepared.target is not None
                rows.mark_attempt(db, self.session, row, now, prepared.target)
        self._saved("attempted")
        if not is_ours:
            raise HeldElsewhereError(row)
        return now

    def _save(self, db: Connection) -> None:
        for row, post in self._unrecorded.items():
            if rows.finish(db, self.session, row, self.holder) and post is not None:
                rows.save_post(db, self.session, post)

    def _saved(self, point: str) -> None:
        self._unrecorded.clear()
        self.runtime.checkpoint(point)

    # ── what came of one ──

    def take(
        self, row: WaitingRow, prepared: Prepared, outcome: ports.Outcome, began: float
    ) -> None:
        """Take in what came of a row, which was begun to be sent at that time."""
        match outcome:
            case ports.Refused(ports.NOT_INSTALLED):
                self.runtime.outbox.park(row, began)
            case ports.Sent(post):
                self._sent(row, prepared, post)
            case ports.Refused():
                self._refused(row, outcome)
            case ports.Later() | ports.Unclear():
                self._retry_later(row, outcome)

    def _sent(self, row: WaitingRow, prepared: Prepared, post: Post | None) -> None:
        if isinstance(row.effect, fx.PostCard):
            self.runtime.apply(
                self.session,
                on.CardPosted(self.clock.now()),
                row=row.id,
                holder=self.holder,
                in_commit=lambda db: rows.save_post(db, self.session, post) if post else None,
            )
            return
        self._unrecorded[row.id] = post
        if prepared.target is None and row.rank == fx.IN_ORDER:  # somebody would be told twice
            self.record()

    def _refused(self, row: WaitingRow, refused: ports.Refused) -> None:
        """Refused for good, or parked until somebody resumes the session."""
        kind, error, reason = type(row.effect).__name__, refused.error, refused.reason
        waits = waits_for_resume(row.effect, reason)
        if waits:
            in_doubt = reason == "token_revoked" and row.attempted_at is not None
            self.runtime.outbox.retry_later(row, None, in_doubt=in_doubt, holder=self.holder)
        log.warning("post.refused", session=self.session, what=kind, error=error, reason=reason)
        respond_to = row.effect.respond_to if isinstance(row.effect, fx.PostCard) else None
        thread = getattr(row.effect, "thread", None) if row.effect.is_needed else None
        event = on.PostRefused(self.clock.now(), kind, error, respond_to, thread, reason)
        self.runtime.apply(self.session, event, row=None if waits else row.id, holder=self.holder)

    def _retry_later(self, row: WaitingRow, outcome: ports.Later | ports.Unclear) -> None:
        """Put a message off by seed 004's back-off, or for as long as Slack asks, and record it.

        Delays beyond `ATTEMPTS_MAX` are no longer recorded, and the message is tried on. Nothing is
        posted about it: Slack does not answer, so such a post would wait behind this one.
        """
        now, attempts = self.clock.now(), row.attempts + 1
        wait_s = next_wait_s(outcome, row.attempts, self.back_off)
        in_doubt = isinstance(outcome, ports.Unclear)
        self.runtime.outbox.retry_later(row, now + wait_s, in_doubt=in_doubt, holder=self.holder)
        delayed = on.PostDelayed(
            at=now, what=type(row.effect).__name__, why=outcome.why, attempts=attempts,
            delay_s=now - row.since, wait_s=wait_s, http_status=outcome.http_status,
            retry_after_s=outcome.seconds,
        )  # fmt: skip
        log.warning(
            "post.delayed", session=self.session, what=delayed.what, why=delayed.why,
            attempt=attempts, delay_ms=round(wait_s * 1000), will_retry=True,
            http_status=delayed.http_status, retry_after=outcome.seconds, in_doubt=in_doubt,
        )  # fmt: skip
        if attempts <= ATTEMPTS_MAX:
            self.runtime.apply(self.session, delayed)
