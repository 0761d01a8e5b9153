"""Load, decide, save, wake. The only place where an event becomes a commit.

One event is one transaction: the session at its version, the records, the journal entry, the outbox
rows and the delivery keys. What the outbox holds is performed afterwards by
`core.runtime.outbox_worker`.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Final

import structlog

from core.artifacts.files.folder import Folder, FolderError
from core.domain import events as on
from core.domain.deliveries import keys_used, message_key, without_answers
from core.domain.effects import (
    ChannelBrainChosen,
    ChannelLinked,
    FaultRecorded,
    Reply,
    SessionErased,
)
from core.domain.faults import record_of
from core.domain.ids import Digest, FaultId, SessionId, TeamId, UserId
from core.domain.invariants import InvariantError
from core.domain.model_calls import ModelOffer
from core.domain.session.halt import Fault
from core.domain.session.session import Session
from core.engine.decide import without_session
from core.engine.kernel.situation import Transition
from core.logs import BoundLog
from core.ports import Clock, Dispatcher, Workspace
from core.runtime.decision import Decider, tells_of_deleted_log
from core.runtime.intake_scan import scan_event
from core.store.connection.database import Database, retry_lost_races
from core.store.queries.reader import Reader, steps_in
from core.store.repository.journal_entry import Conditions
from core.store.repository.lanes import wake
from core.store.repository.outbox import Outbox, finish
from core.store.repository.situation_loader import session_of
from core.store.repository.transaction import Transaction
from core.store.schema.revisions import is_usable
from core.store.statements import outbox, sessions
from core.store.statements.statement import Connection
from core.taxonomy.catalogue import Code, shown

log = structlog.get_logger(__name__)
_moves_log: Final = BoundLog(__name__)

DELIVERY_KEPT_S: Final = 72 * 3600
ERASED: Final = SessionErased()

Checkpoint = Callable[[str], None]


def no_checkpoint(_: str) -> None:
    """A checkpoint that does nothing. Tests put a crash here."""


@dataclass(frozen=True, slots=True)
class Handled:
    """What came of an event: the session it was about and what the person is told.

    `needs_admin`: nothing yet. Ask whether its person is an admin, and hand it in again with the
    answer and the same keys.
    """

    session: SessionId | None
    reply: Reply | None = None
    repeated: bool = False
    needs_admin: bool = False


class NotErasedError(Exception):
    """The files of a session that is to be deleted cannot be removed; its rows are all there."""

    def __init__(self, session: Session, reason: str) -> None:
        super().__init__(f"{session.id}: {reason}")
        self.session = session
        self.reason = reason


class Runtime:
    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        quiet_s: float,
        remind_s: float = 0.0,
        tiers: tuple[str, ...] = (),
        deadline_s: float = 60.0,
        offer: ModelOffer = ModelOffer(),
        may_ask: Callable[[TeamId], bool] = lambda _team: True,
        checkpoint: Checkpoint = no_checkpoint,
    ) -> None:
        self.database = database
        self.reader = Reader(database)
        self.outbox = Outbox(database)
        self.clock = clock
        self.checkpoint = checkpoint
        conditions = Conditions(quiet_s, remind_s, deadline_s, tiers, offer)
        self._decider = Decider(database, self.reader, conditions, may_ask)
        self._log_damage_found = False  # in the transaction that is open
        self._dispatcher: Dispatcher | None = None
        self._has_engine = False  # that lanes are woken in their commits, for any process
        self._folder: Folder | None = None

    def set_quiet_s(self, quiet_s: float) -> None:
        """Set how many seconds people must be quiet, from the next answer on."""
        self._decider.conditions = replace(self._decider.conditions, quiet_s=quiet_s)

    def set_folder(self, folder: Folder) -> None:
        """Set the folder of the artifacts, from which a deleted session is removed."""
        self._folder = folder

    def is_healthy(self) -> bool:
        """True if the database responds and its schema is one that this version can use.

        Raises `DatabaseError` where it does not respond.
        """
        return self.outbox.pending(0.0) >= 0 and is_usable(self.reader.schema_revision())

    def set_dispatcher(self, dispatcher: Dispatcher) -> None:
        """Set the dispatcher that drains the outbox."""
        self._dispatcher = dispatcher

    def use_engine(self) -> None:
        """Leave a job for each lane in the commit that leaves its rows, for any process."""
        self._has_engine = self._decider.is_shared = True

    def handle(
        self,
        event: on.Event,
        *,
        team: TeamId,
        keys: Collection[str] = (),
        session: SessionId | None = None,
    ) -> Handled:
        """Take one event from outside. A delivery that was handled before does nothing.

        A message's keys are written only with an effect, so that one of its two deliveries that
        is not for us does not swallow its twin; the key of an act (`core.domain.ids.act_key`) is
        written always. Where the folder of a session that is to be deleted cannot be removed, the
        session stays, and the reply says so. Raises only what was not committed.
        """
        event = scan_event(event)
        try:
            handled = retry_lost_races(
                type(event).__name__, lambda: self._handle(event, team, keys, session)
            )
        except NotErasedError as error:
            about = {"title": error.session.title, "reason": error.reason}
            return Handled(error.session.id, Reply("not-deleted", about))
        if handled.session is not None and not handled.repeated:
            self.wake(handled.session)
        return handled

    def _handle(
        self, event: on.Event, team: TeamId, keys: Collection[str], session_id: SessionId | None
    ) -> Handled:
        with self._commit() as db:
            if db.is_delivered(keys):
                return Handled(None, repeated=True)
            tombstone = _tombstone(db, event, team)
            before, result = self._taken(db, event, team, session_id)
            if result.session is None:
                _save_for_channel(db, result)
            has_effect = bool(result.records) or _has_effect(before, result)
            # What needs an admin comes again, under the same keys.
            used = () if result.needs_admin else keys_used(event, keys, has_effect=has_effect)
            if self.database.has_one_writer:
                used = without_answers(used, team, result.records)
            db.mark_delivered((*tombstone, *used), self.clock.now())
            erased = before if ERASED in result.records else None
            if erased is not None:
                self._remove_folder(erased)  # last: after it nothing but the commit can fail
        if erased is not None:
            log.info("session.deleted", session=erased.id, by=getattr(event, "by", None))
            return Handled(None, result.reply)
        _log(before, event, result)
        session = result.session.id if result.session else None
        return Handled(session, result.reply, needs_admin=result.needs_admin)

    def _taken(
        self, db: Transaction, event: on.Event, team: TeamId, session_id: SessionId | None
    ) -> tuple[Session | None, Transition]:
        """The session as it was, and what was decided on it."""
        owner = session_of(db, team, event, session_id)
        before = db.session(owner) if owner else None
        if owner is None and not _starts(event):
            return None, without_session(event)
        if owner is not None and before is None:
            return None, Transition(None, reply=Reply("gone"))
        if before is not None and before.team != team:
            # A channel may be shared, and a timestamp is unique only within it.
            return None, without_session(event)
        if isinstance(event, on.SessionRequested) and event.team != team:
            raise InvariantError(f"a start for {event.team} was delivered for {team}")
        return before, self._decide(db, before, event)

    def _decide(self, db: Transaction, before: Session | None, event: on.Event) -> Transition:
        decided = self._decider.decide(db, before, event)
        self._log_damage_found = tells_of_deleted_log(decided)
        result = decided.result
        if result.session is None:
            for record in result.records:  # of what was refused, or of a session left as it is
                if isinstance(record, FaultRecorded):
                    db.save_fault(before.id if before else "", record.fault)
        if result.session is not None and _has_effect(before, result):
            for step in steps_in(event):
                db.save_content(step.digest, "step", step)
            if isinstance(event, on.SessionResumed):
                outbox.UNPARK(db.connection, session=result.session.id, due=self.clock.now())
            db.save(before, decided, at=self.clock.now())
        return result

    def apply(
        self,
        session: SessionId,
        event: on.Event,
        *,
        row: int | None = None,
        holder: str = "",
        loaded: Session | None = None,
        in_commit: Callable[[Connection], object] | None = None,
    ) -> None:
        """Take a result from inside; the outbox row it answers ends in the same commit.

        `holder`: of several processes, the one that performed the row.
        `loaded`: the session as the result was worked out, not loaded again if nobody changed it.
        `in_commit`: what else is written in that commit; False: nothing is, and nothing happens.
        """
        apply = partial(self._apply, session, event, row, holder, loaded, in_commit)
        if retry_lost_races(type(event).__name__, apply):
            self.wake(session)

    def _apply(
        self,
        session: SessionId,
        event: on.Event,
        row: int | None,
        holder: str,
        loaded: Session | None,
        in_commit: Callable[[Connection], object] | None,
    ) -> bool:
        """One try. False where somebody has finished the row already."""
        with self._commit(session) as db:
            if row is not None and not finish(db.connection, session, row, holder):
                return False
            if in_commit is not None and in_commit(db.connection) is False:
                return False
            before = db.session(session, loaded)
            result = self._decide(db, before, event) if before is not None else None
        if result is not None:
            _log(before, event, result)
        return True

    @contextmanager
    def _commit(self, session: SessionId | None = None) -> Iterator[Transaction]:
        with self.database.write(session) as connection:
            self._log_damage_found = False
            transaction = Transaction(connection)
            yield transaction
            if self._has_engine:
                wake(connection, transaction.lanes)
            log_damage_found = self._log_damage_found
        if log_damage_found:
            self.database.log_was_deleted = False
        self.checkpoint("commit")

    def _remove_folder(self, session: Session) -> None:
        """Before the commit, so that a delete that fails or is killed can be repeated.

        Raises `NotErasedError`.
        """
        try:
            if self._folder is not None:
                self._folder.of(session.team).delete(session.slug)
        except FolderError as error:
            log.error("session.not-deleted", session=session.id, reason=error.reason)
            raise NotErasedError(session, error.reason) from error

    def wake(self, session: SessionId) -> None:
        """There may be something to do for this session."""
        if self._dispatcher is not None:
            self._dispatcher.wake(session)

    # ── keeping ──

    def save_workspace(self, workspace: Workspace) -> None:
        """Store a workspace's identity, so that no event has to ask Slack for it."""
        with self.database.write() as db:
            sessions.SAVE_WORKSPACE(db, **asdict(workspace))

    def save_refused_widgets(self, team: TeamId, refused: Mapping[str, float]) -> None:
        """Store what Slack refused to show in a workspace: kinds of widgets, each with its time."""
        with self.database.write() as db:
            sessions.SAVE_REFUSED_WIDGETS(db, team=team, refused_widgets=json.dumps(refused))
        self.checkpoint("blocks-refused")

    def record_fault(
        self, code: Code, team: TeamId, by: UserId, keys: Collection[str] = ()
    ) -> None:
        """Record a fault of what was refused before there was a session."""
        now = self.clock.now()
        fault = Fault(FaultId(f"{team}:{code}:{by}:{now}"), code, shown(code), True, now)

        def save() -> bool:
            with self.database.write() as connection:
                db = Transaction(connection)
                if db.is_delivered(keys):
                    return False
                db.mark_delivered(keys, now)
                db.save_fault("", fault)
                return True

        if retry_lost_races(code, save):
            _log_fault(fault, None)

    def save_content(self, kind: str, content: object, type_: object = None) -> Digest:
        """Save what a file held when it was read, once for all sessions; under which digest."""
        digest = Digest(hashlib.sha256(repr(content).encode()).hexdigest())
        with self.database.write() as db:
            Transaction(db).save_content(digest, kind, content, type_)
        return digest

    def prune(self) -> None:
        """Delete the keys of deliveries that Slack does not send again."""
        with self.database.write() as db:
            sessions.PRUNE_DELIVERIES(db, before=self.clock.now() - DELIVERY_KEPT_S)


def _tombstone(db: Transaction, event: on.Event, team: TeamId) -> tuple[str, ...]:
    """The key of a message that was deleted, unless it came: it may still be on its way.

    Asked before its answer is looked for: whoever saves the message meanwhile saves the same key.
    """
    if not isinstance(event, on.MessageDeleted):
        return ()
    key = message_key(team, event.channel, event.ts)
    return () if db.is_delivered((key,)) else (key,)


def _has_effect(before: Session | None, result: Transition) -> bool:
    after = result.session
    return after is not None and (
        bool(result.records or result.effects) or (after is not before and after != before)
    )


def _save_for_channel(db: Transaction, result: Transition) -> None:
    """What was decided on a channel, of which there is no session."""
    for record in result.records:
        if isinstance(record, ChannelLinked | ChannelBrainChosen):
            db.save_channel(record)


def _log(before: Session | None, event: on.Event, result: Transition) -> None:
    """After the commit, and not under its lock: a line must not tell of what did not happen."""
    after = result.session
    for record in result.records:
        if isinstance(record, FaultRecorded):
            _log_fault(record.fault, after)
    if after is not None and _has_effect(before, result):
        _moves_log.info(
            "session.moved",
            session=after.id,
            on=type(event).__name__,
            was=before.status if before else None,
            now=after.status,
            step=after.course.step,
        )


def _starts(event: on.Event) -> bool:
    request = event.said if isinstance(event, on.SecretFound) else event
    return isinstance(request, on.SessionRequested)


LEVELS: Final = {"FATAL": "critical", "ERROR": "error", "WARNING": "warning", "INFO": "info"}


def _log_fault(fault: Fault, session: Session | None) -> None:
    """Every fault as one line, under the names of seed 004."""
    record = record_of(fault, session.flow if session else "")
    level = LEVELS[record["severity"]]
    getattr(log, level)("fault.recorded", session=session.id if session else None, **record)
