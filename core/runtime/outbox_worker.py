"""The outbox worker: performs what the commits leave in the outbox.

A session has one visible lane, drained in order: what the next message says may rest on the one
before. Its work (files) is done in order too, beside it; brains run side by side. A row leaves the
outbox in the commit that takes its result in.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

import structlog

from core import ports
from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import ChannelId, SessionId, StepId, TaskId, TeamId, Ts
from core.domain.session.session import Session
from core.domain.session.start import EarlierStatement
from core.engine.faults.halt import is_unreadable
from core.ports import Clock, Gone, Order, Prepared, Stage
from core.runtime.brain_runner import BrainRunner
from core.runtime.code_runner import CodeRunner
from core.runtime.commit import Runtime
from core.runtime.intake_scan import without_credentials
from core.runtime.jobs import Worker
from core.runtime.pacing import Pacing
from core.runtime.send_results import SendResults, back_off_s
from core.store.documents import CorruptError
from core.store.repository.outbox import Due, WaitingRow, end_timer
from core.store.statements.statement import Connection
from core.taxonomy.rows import ATTEMPTS_MAX

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ThreadSaid:
    """What people said in a thread, oldest first; `more`: there is more than one call brought."""

    said: tuple[EarlierStatement, ...]
    more: bool = False


class Threads(Protocol):
    """What stood in a thread before there was a session in it."""

    def replies(
        self, team: TeamId, channel: ChannelId, thread_ts: Ts
    ) -> ThreadSaid | ports.Refused | ports.Later | ports.Unclear:
        """What people, and people alone, said in that thread. One bounded call; never raises."""
        ...


Apply = Callable[[on.Event, Callable[[Connection], object] | None], None]
"""Takes in what came of a request, with what else is written in that commit."""


class Models(Protocol):
    """Whoever sends requests to language models; no thread waits for what comes of one."""

    def begin(self, session: SessionId, effect: fx.AskModel, apply: Apply) -> None:
        """Send it once. `apply` is called with what came of it, unless the bot is stopped."""
        ...

    def cancel_unneeded(self, session: SessionId) -> None:
        """Cut off the requests of a session that nobody waits for any more."""
        ...

    def free_at(self, effect: fx.AskModel) -> float:
        """When its provider may be asked again, by its own word."""
        ...

    def stop(self) -> None:
        """What is under way is left: its rows are taken up after the start."""
        ...


class _NoThreads:
    """Where nobody can look: no session is taken from a message there."""

    def replies(self, team: TeamId, channel: ChannelId, thread_ts: Ts) -> ports.Refused:
        return ports.Refused("nobody can look")


NO_THREADS: Final = _NoThreads()


def _nothing() -> None: ...


@dataclass(slots=True)
class OutboxWorker:
    runtime: Runtime
    worker: Worker
    stage: Stage
    brain_runner: BrainRunner
    clock: Clock
    pace_s: float  # between two posts of a channel; may be changed, from the next post on
    back_off: Callable[[int], float] = back_off_s  # attempts made → seconds until the next
    threads: Threads = NO_THREADS
    code_runner: CodeRunner | None = None  # None: no repository was ever linked
    model_runner: Models | None = None  # None: no language model is set
    is_ending: bool = False  # True: what is being done is the last
    _pacing: Pacing = field(default_factory=Pacing)

    # ── work ──

    def work(self, session_id: SessionId) -> None:
        """Do all work of a session that is due."""
        while not self.is_ending and (row := self.head(session_id, "work")) is not None:
            event: on.Event
            session: Session | None = None
            try:
                session = self._undamaged(session_id)
                event = self.worker.do(session, row.effect)  # type: ignore[arg-type]
            except CorruptError as error:
                event = self._damage(error)
            self.runtime.apply(session_id, event, row=row.id, loaded=session)

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
        """Take in that a timer has run out. Whoever comes second ends nothing, and says it again:
        `QuietPassed` twice reads nothing twice."""
        self.runtime.apply(
            timer.session,
            event_of_timer(timer, self.clock.now()),
            in_commit=lambda db: end_timer(db, timer),
        )

    # ── brains ──

    def brains_due(self, session: SessionId) -> tuple[tuple[WaitingRow, ...], float | None]:
        """The requests whose time has come, and when the next one's does."""
        if self.model_runner is not None:
            self.model_runner.cancel_unneeded(session)
        now = self.clock.now()
        times = [(row, self._due(row)) for row in self._brains(session)]
        due = tuple(row for row, at in times if at <= now)
        return due, min((at for _, at in times if at > now), default=None)

    def _due(self, row: WaitingRow) -> float:
        if self.model_runner is None or not isinstance(row.effect, fx.AskModel):
            return row.due
        return max(row.due, self.model_runner.free_at(row.effect))

    def _brains(self, session: SessionId) -> tuple[WaitingRow, ...]:
        while True:
            try:
                return self.runtime.outbox.brains(session)
            except CorruptError as error:
                self.runtime.apply(session, self._damage(error), row=error.row)

    def read(self, row: WaitingRow, done: Callable[[], None] = _nothing) -> None:
        """Let a brain do what it is asked for; whatever comes of it becomes an event.

        `done` is called when it has, which for a language model is after this returns.
        """
        if isinstance(row.effect, fx.AskModel) and self.runtime.outbox.waits(row):
            self._ask_model(row, row.effect, done)
            return
        try:
            self._read(row)
        finally:
            done()

    def _ask_model(self, row: WaitingRow, effect: fx.AskModel, done: Callable[[], None]) -> None:
        def apply(event: on.Event, in_commit: Callable[[Connection], object] | None) -> None:
            try:
                self.runtime.apply(row.session, event, row=row.id, in_commit=in_commit)
            finally:
                done()

        if self.model_runner is None:  # it was set before a restart
            event = on.ModelFailed(
                self.clock.now(), effect.task, effect.step, effect.model,
                "configuration", "no language model is set", config="model",
            )  # fmt: skip
            apply(event, None)
            return
        try:
            self.model_runner.begin(row.session, effect, apply)
        except BaseException:
            done()
            raise

    def _read(self, row: WaitingRow) -> None:
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

    def _read_thread(self, row: WaitingRow, effect: fx.ReadThread) -> None:
        """One call; asked again where Slack said for certain that it did not answer it."""
        session = self.runtime.reader.load(row.session)
        answer = self.threads.replies(session.team, session.channel, effect.thread_ts)
        if isinstance(answer, ports.Later) and row.attempts + 1 < ATTEMPTS_MAX:
            wait_s = self.back_off(row.attempts) if answer.seconds is None else answer.seconds
            self.runtime.outbox.postpone(row, self.clock.now() + wait_s, in_doubt=False)
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
        self.runtime.apply(row.session, event, row=row.id)

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

    def show(self, session_id: SessionId) -> float | None:
        """Drain the visible lane. Returns when to come back, None when there is nothing left."""
        results = SendResults(self.runtime, session_id, self.clock, self.back_off)
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
            if come_back is not None:
                break
        results.record()
        return come_back

    def _send_paced(self, row: WaitingRow, session: Session, results: SendResults) -> float | None:
        """Send one row, or say when it may be sent."""
        order = Order(row.id, row.session, row.effect, row.attempts, row.attempted_at, row.attempt)
        prepared = self.stage.prepare(order, session, self.pace_s)
        free_at = self._pacing.take(prepared.limits, self.clock.now())
        if free_at is not None:
            return None if self._gives_way(row, prepared) else free_at
        outcome = self._send(order, session, prepared, results)
        self._hold(row, prepared, outcome)
        results.take(row, prepared, outcome)
        return None

    def _hold(self, row: WaitingRow, prepared: Prepared, outcome: ports.Outcome) -> None:
        """Slack's Retry-After holds back every call that counts under the same key.

        So it does where a post could not be looked up: the wait is kept here, for the database may
        not take it.
        """
        wait_s = outcome.seconds if isinstance(outcome, ports.Later | ports.Unclear) else None
        if wait_s is not None and prepared.limits:
            self._pacing.hold(prepared.limits[0].key, self.clock.now() + wait_s)
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
        case _:
            return on.DeadlinePassed(at, TaskId(timer.step))
