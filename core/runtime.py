"""Load, decide, save, wake. The only place where an event becomes a commit.

One event is one transaction: the session at its version, the records, the journal entry, the outbox
rows and the delivery keys. What the outbox holds is performed afterwards by `core.lanes`.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import structlog

from core.artifacts.folder import Folder
from core.domain import events as on
from core.domain.effects import Reply
from core.domain.ids import Digest, SessionId, TeamId, UserId
from core.domain.playbook import Persona, Playbook, Step
from core.domain.session import Session
from core.engine.decide import decide
from core.engine.situation import Transition
from core.ports import Clock, Dispatcher, Workspace
from core.store import outbox as rows
from core.store.database import Database
from core.store.outbox import Outbox
from core.store.reading import Reader
from core.store.sessions import ConflictError, Writing
from core.store.situations import session_of, situation

log = structlog.get_logger(__name__)

TRIES_MAX: Final = 5  # of a save that lost a race
DELIVERY_KEPT_S: Final = 72 * 3600

Checkpoint = Callable[[str], None]


def no_checkpoint(_: str) -> None:
    """A checkpoint that does nothing. Tests put a crash here."""


@dataclass(frozen=True, slots=True)
class Handled:
    """What came of an event: the session it was about and what the person is told."""

    session: SessionId | None
    reply: Reply | None = None
    repeated: bool = False


class Runtime:
    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        quiet_s: float,
        checkpoint: Checkpoint = no_checkpoint,
    ) -> None:
        self.database = database
        self.reader = Reader(database)
        self.outbox = Outbox(database)
        self.clock = clock
        self.checkpoint = checkpoint
        self._quiet_s = quiet_s
        self._dispatcher: Dispatcher | None = None
        self._folder: Folder | None = None

    def keeps(self, folder: Folder) -> None:
        """Where the artifacts lie, so that deleting a session takes them along."""
        self._folder = folder

    def answers(self) -> bool:
        """Whether the database does."""
        return self.outbox.pending(0.0) >= 0

    def wakes(self, dispatcher: Dispatcher) -> None:
        """Who performs what the commits leave in the outbox."""
        self._dispatcher = dispatcher

    def handle(
        self,
        event: on.Event,
        *,
        team: TeamId,
        keys: Collection[str] = (),
        session: SessionId | None = None,
    ) -> Handled:
        """Take one event from outside. A delivery that was handled before does nothing.

        Keys are written only with an effect, so that one of two deliveries of the same message
        that is not for us does not swallow its twin. Raises only what was not committed.
        """
        for _ in range(TRIES_MAX):
            try:
                handled = self._handle(event, team, keys, session)
            except ConflictError:
                continue
            if handled.session is not None and not handled.repeated:
                self._wake(handled.session)
            return handled
        raise ConflictError(f"{type(event).__name__} lost {TRIES_MAX} races")

    def _handle(
        self, event: on.Event, team: TeamId, keys: Collection[str], given: SessionId | None
    ) -> Handled:
        with self._commit() as db:
            if db.seen(keys):
                return Handled(None, repeated=True)
            if isinstance(event, on.MessageDeleted):
                # A tombstone: the message itself may still be on its way.
                db.mark_seen((f"msg:{team}:{event.channel}:{event.ts}", *keys), self.clock.now())
            owner = session_of(db, event, given)
            if owner is None and not isinstance(event, on.SessionRequested):
                gone = isinstance(event, on.ChoiceMade)
                return Handled(None, Reply("gone") if gone else None)
            before = db.session(owner) if owner else None
            if before is None and owner is not None:
                return Handled(None, Reply("gone"))
            result = self._decide(db, before, event)
            if _has_effect(before, result):
                db.mark_seen(keys, self.clock.now())
        _log(before, event, result)
        return Handled(result.session.id if result.session else None, result.reply)

    def _decide(self, db: Writing, before: Session | None, event: on.Event) -> Transition:
        playbook = self._playbook(before, event)
        result = decide(situation(db, before, event, self._quiet_s), event, playbook)
        if result.session is not None and _has_effect(before, result):
            self._keep_content(db, event)
            if isinstance(event, on.SessionResumed):
                rows.unpark(db.connection, result.session.id, self.clock.now())
            db.save(before, result, event, at=self.clock.now())
        return result

    def apply(
        self,
        session: SessionId,
        event: on.Event,
        *,
        row: int | None = None,
        also: Callable[[Any], None] | None = None,
    ) -> None:
        """Take a result from inside; the outbox row it answers ends in the same commit."""
        for _ in range(TRIES_MAX):
            try:
                with self._commit() as db:
                    if row is not None and not rows.finish(db.connection, row):
                        return  # somebody finished it already
                    if also is not None:
                        also(db.connection)
                    before = db.session(session)
                    result = self._decide(db, before, event) if before is not None else None
            except ConflictError:
                continue
            if result is not None:
                _log(before, event, result)
            self._wake(session)
            return
        raise ConflictError(f"{type(event).__name__} lost {TRIES_MAX} races")

    @contextmanager
    def _commit(self) -> Iterator[Writing]:
        with self.database.write() as connection:
            yield Writing(connection)
        self.checkpoint("commit")

    def _playbook(self, session: Session | None, event: on.Event) -> Playbook:
        if session is None:
            return Playbook((), {})
        steps: dict[Digest, Step] = {
            state.digest: self.reader.content(state.digest)
            for state in session.steps
            if state.digest
        }
        for step in _steps_in(event):
            steps[step.digest] = step
        return Playbook(self.reader.personas(session), steps)

    def _keep_content(self, db: Writing, event: on.Event) -> None:
        steps = _steps_in(event)
        if steps:
            db.keep_steps(steps)

    def _wake(self, session: SessionId) -> None:
        if self._dispatcher is not None:
            self._dispatcher.wake(session)

    # ── keeping ──

    def know(self, workspace: Workspace) -> None:
        """Store a workspace's identity, so that no event has to ask Slack for it."""
        with self.database.write() as db:
            db.execute(
                "INSERT OR REPLACE INTO workspaces(team, url, bot_user, bot_id, bot_name)"
                " VALUES (?, ?, ?, ?, ?)",
                (
                    workspace.team,
                    workspace.url,
                    workspace.bot_user,
                    workspace.bot_id,
                    workspace.bot_name,
                ),
            )

    def keep_personas(self, digest: Digest, personas: tuple[Persona, ...]) -> None:
        with self.database.write() as db:
            Writing(db).keep_personas(digest, personas)

    def delete(self, session: SessionId, by: UserId) -> None:
        """Remove every row of a session, and its folder."""
        slug = self.reader.load(session).slug
        with self.database.write() as db:
            for table in TABLES_OF_A_SESSION:
                db.execute(f"DELETE FROM {table} WHERE session = ?", (session,))  # noqa: S608
            db.execute("DELETE FROM sessions WHERE id = ?", (session,))
        if self._folder is not None:
            self._folder.delete(slug)
        log.info("session.deleted", session=session, by=by)

    def prune(self) -> None:
        with self.database.write() as db:
            rows.prune(db, self.clock.now() - DELIVERY_KEPT_S)


TABLES_OF_A_SESSION: Final = (
    "runs",
    "steps",
    "threads",
    "posts",
    "answers",
    "claims",
    "baselines",
    "sections",
    "menus",
    "outbox",
    "timers",
    "tasks",
    "faults",
    "journal",
)


def _has_effect(before: Session | None, result: Transition) -> bool:
    after = result.session
    return after is not None and (
        bool(result.records or result.effects) or (after is not before and after != before)
    )


def _log(before: Session | None, event: on.Event, result: Transition) -> None:
    """After the commit, and not under its lock: a line must not tell of what did not happen."""
    after = result.session
    if after is not None and _has_effect(before, result):
        log.info(
            "session.moved",
            session=after.id,
            on=type(event).__name__,
            was=before.status if before else None,
            now=after.status,
            step=after.step,
        )


def _steps_in(event: on.Event) -> list[Step]:
    if isinstance(event, on.PhaseOpened):
        return [file.step for file in event.files if file.step is not None]
    if isinstance(event, on.StepOpened) and event.file.step is not None:
        return [event.file.step]
    return []
