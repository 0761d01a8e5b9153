"""The outbox worker: performs what the commits leave in the outbox.

A session has one visible lane, drained in order: what the next message says may rest on the one
before. Its work (files) is done in order too, beside it; brains run side by side. A row leaves the
outbox in the commit that takes its result in.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import structlog

from core import ports
from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import SessionId, StepId, TaskId
from core.domain.session.session import Session
from core.engine.faults.halt import is_unreadable
from core.ports import Clock, Gone, Order, Prepared, Stage, Threads, ThreadSaid
from core.runtime.brains.brain_runner import BrainRunner
from core.runtime.brains.language_models import Done, Models
from core.runtime.commit import Runtime
from core.runtime.intake_scan import without_credentials
from core.runtime.jobs import JobRunner
from core.runtime.pacing import Paces, Pacing
from core.runtime.send_results import (
    HELD_S,
    HeldElsewhereError,
    SendResults,
    back_off_s,
    next_wait_s,
)
from core.store.documents import CorruptError
from core.store.repository.outbox import Due, WaitingRow, end_timer
from core.store.statements.statement import Connection
from core.taxonomy.rows import ATTEMPTS_MAX

MARGIN_S: Final = 5.0  # past the time limit of a call, before another process asks again
HELD_AGAIN_S: Final = 0.5  # until a row that another process holds is looked at again

if TYPE_CHECKING:
    from core.runtime.brains.code_runner import CodeRunner

log = structlog.get_logger(__name__)


def _nothing(_error: Exception | None) -> None: ...


@dataclass(slots=True)
class OutboxWorker:
    runtime: Runtime
    job_runner: JobRunner
    stage: Stage
    brain_runner: BrainRunner
    clock: Clock
    pace_s: float  # between two posts of a channel; may be changed, from the next post on
    threads: Threads
    back_off: Callable[[int], float] = back_off_s  # attempts made → seconds until the next
    code_runner: "CodeRunner | None" = None  # None: no repository was ever linked
    model_runner: Models | None = None  # None: no language model is set
    is_shared: bool = False  # True: other processes perform rows of the same database
    is_ending: bool = False  # True: what is being done is the last
    pacing: Paces = field(default_factory=Pacing)

    # ── work ──

    # `holder`: of several processes, this one and its pass over the lane; empty: there is one.

    def work(self, session_id: SessionId, holder: str = "") -> float | None:
        """Do all work of a session that is due. Returns when another process leaves it to us."""
        while not self.is_ending and (row := self.head(session_id, "work")) is not None:
            event: on.Event
            session: Session | None = None
            if (held_until := self._held_until(row, holder)) is not None:
                return held_until
            try:
                session = self._undamaged(session_id)
                event = self.job_runner.do(session, row.effect)  # type: ignore[arg-type]
            except CorruptError as error:
                event = self._damage(error)
            self.runtime.apply(session_id, event, row=row.id, holder=holder, loaded=session)
        return None

    def _held_until(self, row: WaitingRow, holder: str, held_s: float = HELD_S) -> float | None:
        """Until when another process may be at a row; None: it is ours, for `held_s` seconds."""
        now = self.clock.now()
        if not holder or self.runtime.outbox.take(row, holder, now, now + held_s):
            return None
        return max(row.held_until or now, now + HELD_AGAIN_S)

    def _undamaged(self, session_id: SessionId) -> Session:
        """What is left of one that cannot be read must not be written down as all there is."""
        session = self.runtime.reader.load(session_id)
        if is_unreadable(session):
            raise CorruptError(Session, session.damage)
        return session

    def head(
        self, session: SessionId, lane: fx.Lane, done: frozenset[int] = frozenset()
    ) -> WaitingRow | None:
        """The next row of a lane. One that cannot be read halts the session and is taken out.

        `done`: rows that are still there, and of which nothing is left to do.
        """
        while True:
            try:
                return self.runtime.outbox.head(session, lane, done)
            except CorruptError as error:
                self.runtime.apply(session, self._damage(error), row=error.row)

    def _damage(self, error: CorruptError) -> on.DamageFound:
        return on.DamageFound(self.clock.now(), "ERR-DATA-001", error.what, str(error))

    def run_out(self, timer: Due) -> None:
        """Take in that a timer has run out. Two processes may both say so; the second one changes
        nothing: `QuietPassed` twice reads nothing twice."""
        self.runtime.apply(
            timer.session,
            event_of_timer(timer, self.clock.now()),
            in_commit=lambda db: end_timer(db, timer) or not self.is_shared,
        )

    # ── brains ──

    def brains_due(self, session: SessionId) -> tuple[tuple[WaitingRow, ...], float | None]:
        """The requests whose time has come, and when the next one's does."""
        self.cancel_unneeded(session)
        now = self.clock.now()
        times = [(row, self.due_at(row)) for row in self.brains(session)]
        due = tuple(row for row, at in times if at <= now)
        return due, min((at for _, at in times if at > now), default=None)

    def due_at(self, row: WaitingRow) -> float:
        """When a brain may be asked: a model that rests is asked later than its row says."""
        if self.model_runner is None or not isinstance(row.effect, fx.AskModel):
            return row.due
        return max(row.due, self.model_runner.free_at(row.effect))

    def cancel_unneeded(self, session: SessionId) -> None:
        """Cut off the requests to models that nobody waits for any more."""
        if self.model_runner is not None:
            self.model_runner.cancel_unneeded(session)

    def brains(self, session: SessionId) -> tuple[WaitingRow, ...]:
        """Every request to a brain. One that cannot be read halts the session."""
        while True:
            try:
                return self.runtime.outbox.brains(session)
            except CorruptError as error:
                self.runtime.apply(session, self._damage(error), row=error.row)

    def read(self, row: WaitingRow, done: Done = _nothing, holder: str = "") -> float | None:
        """Let a brain do what it is asked for; whatever comes of it becomes an event.

        `done` is called once the result is stored; for a language model that is after this returns.
        If this raises it is not called, and the row stays. Returns when another process, which
        holds the row, may have let it go; the scripted brain may be asked by two at once.
        """
        effect = row.effect
        if isinstance(effect, fx.AskModel | fx.ReadThread) and self.runtime.outbox.waits(row):
            come_back = self._without_slot_until(row.session, effect)
            if come_back is None:
                come_back = self._held_until(row, holder, self._held_s(effect))
            if come_back is not None:
                done(None)
                return come_back
        if isinstance(effect, fx.AskModel) and self.runtime.outbox.waits(row):
            self._ask_model(row, effect, done, holder)
            return None
        self._read(row, holder)
        done(None)
        return None

    def _without_slot_until(
        self, session: SessionId, effect: fx.AskModel | fx.ReadThread
    ) -> float | None:
        if self.model_runner is None or isinstance(effect, fx.ReadThread):
            return None
        return self.model_runner.take_slot(session, effect)

    def _held_s(self, effect: fx.AskModel | fx.ReadThread) -> float:
        if isinstance(effect, fx.AskModel) and self.model_runner is not None:
            return self.model_runner.deadline_s + MARGIN_S
        return HELD_S

    def _ask_model(self, row: WaitingRow, effect: fx.AskModel, done: Done, holder: str) -> None:
        def apply(event: on.Event, in_commit: Callable[[Connection], object] | None) -> None:
            self.runtime.apply(row.session, event, row=row.id, holder=holder, in_commit=in_commit)

        if self.model_runner is None:  # it was set before a restart
            event = on.ModelFailed(
                self.clock.now(), effect.task, effect.step, effect.model,
                "configuration", "no language model is set", config="model",
            )  # fmt: skip
            apply(event, None)
            done(None)
            return
        self.model_runner.begin(row.session, effect, apply, done)

    def _read(self, row: WaitingRow, holder: str) -> None:
        if not self.runtime.outbox.waits(row):
            return  # it was done since it was listed: a brain is not asked twice
        effect = row.effect
        if isinstance(effect, fx.ReadThread):
            self._read_thread(row, effect, holder)
            return
        try:
            event = self._thought(row.session, effect)
        except CorruptError as error:
            event = self._damage(error)
        self.runtime.apply(row.session, event, row=row.id)

    def _read_thread(self, row: WaitingRow, effect: fx.ReadThread, holder: str) -> None:
        """One call; asked again where Slack said for certain that it did not answer it."""
        session = self.runtime.reader.load(row.session)
        answer = self.threads.replies(session.team, session.channel, effect.thread_ts)
        if isinstance(answer, ports.Later) and row.attempts + 1 < ATTEMPTS_MAX:
            due = self.clock.now() + next_wait_s(answer, row.attempts, self.back_off)
            self.runtime.outbox.retry_later(row, due, in_doubt=False, holder=holder)
            self.runtime.wake(row.session)
            return
        now = self.clock.now()
        if isinstance(answer, ThreadSaid):
            messages = without_credentials(answer.said)
            more = answer.more or len(messages) < len(answer.said)
            event = on.ThreadRead(now, effect.task, effect.step, messages, more)
        else:
            why = answer.error if isinstance(answer, ports.Refused) else answer.why
            log.warning("thread.unread", session=row.session, why=why)
            event = on.ThreadRead(now, effect.task, effect.step, (), why=why)
        self.runtime.apply(row.session, event, row=row.id, holder=holder)

    def _thought(self, session: SessionId, effect: fx.Effect) -> on.Event:
        match effect:
            case fx.Speak():
                return self.brain_runner.speak(session, effect)
            case fx.Diagnose():
                return self.brain_runner.diagnose(session, effect)
            case fx.Consult():
                return self.brain_runner.consult(session, effect)
            case fx.MergeQuestions():
                return self.brain_runner.merge(session, effect)
            case fx.ReadAnswers():
                return self.brain_runner.read(session, effect)
            case fx.SearchCode() if self.code_runner is None:  # it was linked before a restart
                at = self.clock.now()
                return on.CodeSearched(at, effect.task, effect.step, effect.repository)
            case fx.SearchCode() if self.code_runner is not None:
                return self.code_runner.search(session, effect)
            case _:
                raise AssertionError(f"{type(effect).__name__} is no brain's")

    # ── what people see ──

    def show(
        self, session_id: SessionId, holder: str = "", put_off_s: float = math.inf
    ) -> float | None:
        """Drain the visible lane. Returns when to come back, None when there is nothing left.

        A row whose pace makes it wait longer than `put_off_s` is written down as due then.
        """
        results = SendResults(self.runtime, session_id, self.clock, self.back_off, holder)
        session: Session | None = None
        come_back: float | None = None
        while (row := self.head(session_id, "visible", results.rows)) is not None:
            if self.is_ending or row.due > self.clock.now():
                come_back = row.due
                break
            if row.effect.rank < fx.LAST:  # what it says may rest on a message sent before
                results.record_posts()
            try:
                session = self.runtime.reader.load(session_id, session)
                come_back = self._send_paced(row, session, results)
            except CorruptError as error:  # what it should show cannot be read
                self.runtime.apply(session_id, self._damage(error), row=row.id)
            except Gone:  # deleted since its rows were read
                return None
            except HeldElsewhereError:
                come_back = self.clock.now() + HELD_AGAIN_S
            if come_back is not None:
                if come_back > self.clock.now() + put_off_s:
                    self.runtime.outbox.delay_unattempted(row, come_back)
                break
        results.record()
        return come_back

    def _send_paced(self, row: WaitingRow, session: Session, results: SendResults) -> float | None:
        """Send one row, or say when it may be sent."""
        order = Order(row.id, row.session, row.effect, row.attempted_at, row.attempt)
        began = self.clock.now()
        prepared = self.stage.prepare(order, session, self.pace_s)
        now = self.clock.now()
        if results.holder and (row.held_until or 0.0) > now:
            return row.held_until
        free_at = self.pacing.take(prepared.limits, now)
        if free_at is not None:
            return None if self._gives_way(row, prepared) else free_at
        if results.holder:
            results.record_attempt(
                row.id, prepared, marks=prepared.is_post and order.attempt is None
            )
        outcome = self._send(order, session, prepared, results)
        self._hold(row, prepared, outcome)
        results.take(row, prepared, outcome, began)
        return None

    def _hold(self, row: WaitingRow, prepared: Prepared, outcome: ports.Outcome) -> None:
        """Slack's Retry-After holds back every call that counts under the same key.

        So it does where a post could not be looked up: the wait is kept here, for the database may
        not take it.
        """
        wait_s = outcome.seconds if isinstance(outcome, ports.Later | ports.Unclear) else None
        if wait_s is not None and prepared.limits:
            self.pacing.hold(prepared.limits[0].key, self.clock.now() + wait_s)
            self._gives_way(row, prepared)

    def _gives_way(self, row: WaitingRow, prepared: Prepared) -> bool:
        """An edit that has to wait lets the posts behind it pass: it shows the latest anyway."""
        if row.rank > fx.IN_ORDER or prepared.is_post:
            return False
        self.runtime.outbox.give_way(row, row.effect.coalescing_key_as_edit())
        return True

    def _send(
        self, order: Order, session: Session, prepared: Prepared, results: SendResults
    ) -> ports.Outcome:
        """What was prepared is what is recorded as attempted, and what is sent."""
        if order.attempt is not None:
            sent = self.stage.find(order, session)
            if not isinstance(sent, ports.Later):
                return sent
            if sent.seconds is not None:  # nobody could look: it stays in doubt
                return ports.Unclear(sent.why, sent.seconds, sent.http_status)
        if not prepared.is_post:
            return prepared.send()
        if not results.holder or order.attempt is not None:
            results.record_attempt(order.id, prepared)
        outcome = prepared.send()
        self.runtime.checkpoint("sent")
        return outcome


def event_of_timer(timer: Due, at: float) -> on.Event:
    """What a timer says when its time has come."""
    match timer.kind:
        case "quiet":
            return on.QuietPassed(at, StepId(timer.step))
        case "reminder":
            return on.ReminderDue(at, StepId(timer.step))
        case "take-back":
            return on.TakeBackPassed(at)
        case "patience":
            return on.PatienceEnded(at, StepId(timer.step))
        case _ if timer.kind.startswith("deadline:"):
            return on.DeadlinePassed(at, TaskId(timer.step))
        case _:
            return on.DamageFound(at, "ERR-DATA-001", "timer", f"no timer is called {timer.kind}")
