"""Performing what the outbox holds.

A session has one visible lane, drained in order: what the next message says may rest on the one
before. Its work (files) is done in order too, beside it; brains run side by side. A row leaves the
outbox in the commit that takes its result in.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import structlog
from tenacity import RetryCallState, wait_exponential, wait_random

from core import ports
from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import ChannelId, SessionId, TeamId, Ts
from core.domain.session import Session
from core.engine.faults.halt import is_unreadable
from core.engine.faults.refused_posts import waits_for_resume
from core.ports import Clock, Limit, Order, Stage
from core.runtime.brain_runner import ReadingRoom
from core.runtime.commit import Runtime
from core.runtime.intake_scan import without_credentials
from core.runtime.jobs import Worker
from core.runtime.pacing import Pacing
from core.store import outbox as rows
from core.store.codec import CorruptError
from core.store.outbox import Waiting
from core.taxonomy.handling import ATTEMPTS_MAX

log = structlog.get_logger(__name__)

BACK_OFF: Final = wait_exponential(multiplier=1, exp_base=2, max=60) + wait_random(0, 0.5)


def back_off_s(attempts: int) -> float:
    """`min(60, 2^attempt + jitter)` (seed 004, transient), evaluated without sleeping."""
    state = RetryCallState(retry_object=None, fn=None, args=(), kwargs={})  # type: ignore[arg-type]
    state.attempt_number = attempts + 1
    return min(60.0, float(BACK_OFF(state)))


class _NoThreads:
    """Where nobody can look: no session is taken from a message there."""

    def replies(self, team: TeamId, channel: ChannelId, thread_ts: Ts) -> ports.Refused:
        return ports.Refused("nobody can look")


NO_THREADS: Final = _NoThreads()


@dataclass(slots=True)
class Lanes:
    runtime: Runtime
    worker: Worker
    stage: Stage
    room: ReadingRoom
    clock: Clock
    pace_s: float  # may be changed; holds from the next post on
    back_off: Callable[[int], float] = back_off_s  # attempts made → seconds until the next
    threads: ports.Threads = NO_THREADS
    _pacing: Pacing = field(default_factory=Pacing)

    # ── work ──

    def work(self, session: SessionId) -> float | None:
        """Do all work of a session that is due."""
        while (row := self.head(session, "work")) is not None:
            event: on.Event
            try:
                event = self.worker.do(self._whole(session), row.effect)  # type: ignore[arg-type]
            except CorruptError as error:
                event = self._damage(error)
            self.runtime.apply(session, event, row=row.id)
        return None

    def _whole(self, session: SessionId) -> Session:
        """What is left of one that cannot be read must not be written down as all there is."""
        loaded = self.runtime.reader.load(session)
        if is_unreadable(loaded):
            raise CorruptError(Session, loaded.damage)
        return loaded

    def head(self, session: SessionId, lane: fx.Lane) -> Waiting | None:
        """The next row of a lane. One that cannot be read halts the session and is taken out."""
        while True:
            try:
                return self.runtime.outbox.head(session, lane)
            except CorruptError as error:
                self.runtime.apply(session, self._damage(error), row=error.row)

    def _damage(self, error: CorruptError) -> on.DamageFound:
        return on.DamageFound(self.clock.now(), "ERR-DATA-001", error.what, str(error))

    # ── brains ──

    def brains_due(self, session: SessionId) -> tuple[tuple[Waiting, ...], float | None]:
        """The requests whose time has come, and when the next one's does."""
        now, rows = self.clock.now(), self._brains(session)
        due = tuple(row for row in rows if row.due <= now)
        return due, min((row.due for row in rows if row.due > now), default=None)

    def _brains(self, session: SessionId) -> tuple[Waiting, ...]:
        while True:
            try:
                return self.runtime.outbox.brains(session)
            except CorruptError as error:
                self.runtime.apply(session, self._damage(error), row=error.row)

    def read(self, row: Waiting) -> None:
        """Let a brain do what it is asked for; whatever comes of it becomes an event."""
        if not self.runtime.outbox.waits(row):
            return  # it was done since it was listed: a brain is not asked twice
        effect = row.effect
        if isinstance(effect, fx.ReadThread):
            self._read_thread(row, effect)
            return
        try:
            event = self._thought(row.session, effect)
        except CorruptError as error:
            event = self._damage(error)
        self.runtime.apply(row.session, event, row=row.id)

    def _read_thread(self, row: Waiting, effect: fx.ReadThread) -> None:
        """One call; asked again where Slack said for certain that it did not answer it."""
        session = self.runtime.reader.load(row.session)
        found = self.threads.replies(session.team, session.channel, effect.thread_ts)
        if isinstance(found, ports.Later) and row.attempts + 1 < ATTEMPTS_MAX:
            wait = self.back_off(row.attempts) if found.seconds is None else found.seconds
            due = self.clock.now() + wait
            self.runtime.outbox.postpone(row, due, in_doubt=False)
            self.runtime.wake(row.session)
            return
        now = self.clock.now()
        if isinstance(found, ports.ThreadSaid):
            kept = without_credentials(found.said)
            more = found.more or len(kept) < len(found.said)
            event = on.ThreadRead(now, effect.task, effect.step, kept, more)
        else:
            why = found.error if isinstance(found, ports.Refused) else found.why
            log.warning("thread.unread", session=row.session, why=why)
            event = on.ThreadRead(now, effect.task, effect.step, (), why=why)
        self.runtime.apply(row.session, event, row=row.id)

    def _thought(self, session: SessionId, effect: fx.Effect) -> on.Event:
        match effect:
            case fx.Speak():
                return self.room.speak(session, effect)
            case fx.Diagnose():
                return self.room.diagnose(session, effect)
            case fx.Consult():
                return self.room.consult(session, effect)
            case fx.MergeQuestions():
                return self.room.merge(session, effect)
            case fx.ReadAnswers():
                return self.room.read(session, effect)
            case _:
                raise AssertionError(f"{type(effect).__name__} is no brain's")

    # ── what people see ──

    def show(self, session: SessionId) -> float | None:
        """Drain the visible lane. Returns when to come back, None when there is nothing left."""
        while (row := self.head(session, "visible")) is not None:
            if row.due > self.clock.now():
                return row.due
            order = Order(row.id, session, row.effect, row.attempts, row.attempted_at)
            try:
                limits = self.stage.limits_of(order, self.pace_s)
                free_at = self._pacing.take(limits, self.clock.now())
                if free_at is None:
                    outcome = self._send(row, order)
                    self._hold(row, order, limits, outcome)
                    self._settle(row, outcome)
                elif not self._gives_way(row, order):
                    return free_at
            except CorruptError as error:  # what it should show cannot be read
                self.runtime.apply(session, self._damage(error), row=row.id)
        return None

    def _hold(
        self, row: Waiting, order: Order, limits: tuple[Limit, ...], outcome: ports.Outcome
    ) -> None:
        """Slack's Retry-After holds back every call that counts under the same key."""
        if isinstance(outcome, ports.Later) and outcome.seconds is not None and limits:
            self._pacing.hold(limits[0].key, self.clock.now() + outcome.seconds)
            self._gives_way(row, order)

    def _gives_way(self, row: Waiting, order: Order) -> bool:
        """An edit that has to wait lets the posts behind it pass: it shows the latest anyway."""
        if row.rank > 0 or self.stage.is_post(order):
            return False
        self.runtime.outbox.give_way(row, row.effect.coalescing_key_as_edit())
        return True

    def _send(self, row: Waiting, order: Order) -> ports.Outcome:
        if not self.stage.is_post(order):
            return self.stage.perform(order)
        if row.attempted_at is not None:
            found = self.stage.find(order, row.attempted_at)
            if not isinstance(found, ports.Later):
                return found
            if found.seconds is not None:  # nobody could look: it stays in doubt
                return ports.Unclear(found.why, found.seconds, found.http_status)
        self.runtime.outbox.attempted(row, self.clock.now())
        self.runtime.checkpoint("attempted")
        outcome = self.stage.perform(order)
        self.runtime.checkpoint("sent")
        return outcome

    def _settle(self, row: Waiting, outcome: ports.Outcome) -> None:
        match outcome:
            case ports.Sent(post):
                self._done(row, post)
            case ports.Refused(_, reason):
                waits = waits_for_resume(row.effect, reason)
                if waits:
                    in_doubt = reason == "token_revoked" and row.attempted_at is not None
                    self.runtime.outbox.postpone(row, None, in_doubt=in_doubt)
                self._tell_refused(row, outcome, keep=waits)
            case ports.Later() | ports.Unclear():
                self._postpone(row, outcome)

    def _postpone(self, row: Waiting, outcome: ports.Later | ports.Unclear) -> None:
        """Put a message off by seed 004's back-off, or for as long as Slack asks, and record it.

        After the fifth attempt it is a persistent transient: said once, and tried on. Slack cannot
        be asked to tell the owner that Slack does not answer: what tells them waits behind this.
        """
        now, made, seconds = self.clock.now(), row.attempts + 1, outcome.seconds
        wait = self.back_off(row.attempts) if seconds is None else seconds
        in_doubt = isinstance(outcome, ports.Unclear)
        self.runtime.outbox.postpone(row, now + wait, in_doubt=in_doubt)
        delayed = on.PostDelayed(
            at=now, what=type(row.effect).__name__, why=outcome.why, attempts=made,
            delay_s=now - row.since, wait_s=wait, http_status=outcome.http_status,
            retry_after_s=seconds,
        )  # fmt: skip
        log.warning(
            "post.delayed", session=row.session, what=delayed.what, why=delayed.why,
            attempt=made, delay_ms=round(wait * 1000), will_retry=True,
            http_status=delayed.http_status, retry_after=seconds, in_doubt=in_doubt,
        )  # fmt: skip
        if made <= ATTEMPTS_MAX:
            self.runtime.apply(row.session, delayed)

    def _done(self, row: Waiting, post: ports.Post | None) -> None:
        if isinstance(row.effect, fx.PostCard):
            event = on.CardPosted(self.clock.now())
            self.runtime.apply(
                row.session,
                event,
                row=row.id,
                also=lambda db: rows.keep_post(db, row.session, post) if post else None,
            )
            return
        with self.runtime.database.write() as db:
            if rows.finish(db, row.session, row.id) and post is not None:
                rows.keep_post(db, row.session, post)
        self.runtime.checkpoint("commit")

    def _tell_refused(self, row: Waiting, refused: ports.Refused, *, keep: bool) -> None:
        kind, error, reason = type(row.effect).__name__, refused.error, refused.reason
        log.warning("post.refused", session=row.session, what=kind, error=error, reason=reason)
        respond_to = row.effect.respond_to if isinstance(row.effect, fx.PostCard) else None
        thread = getattr(row.effect, "thread", None) if row.effect.is_needed else None
        event = on.PostRefused(self.clock.now(), kind, error, respond_to, thread, reason)
        self.runtime.apply(row.session, event, row=None if keep else row.id)
