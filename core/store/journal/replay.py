"""A journal decided once more, by the engine as it is now, beside what is stored.

Every event is taken in order over an empty copy of the tables: what one decision read from rows,
an earlier one wrote there. Nothing is written to the real database, and nothing is performed.
"""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from sqlmodel import SQLModel

from core.domain import events as on
from core.domain.ids import SessionId
from core.domain.invariants import InvariantError
from core.domain.session.session import Session
from core.domain.session.start import Known
from core.domain.steps.playbook import Playbook
from core.engine.decide import decide
from core.engine.kernel.situation import Situation
from core.ports import Gone
from core.store.connection.database import Database
from core.store.connection.opening import engine_over
from core.store.connection.sqlite import SqliteConnection
from core.store.documents import CorruptError, adapter, dump_session, load
from core.store.journal.differences import ReplayDifference, differences
from core.store.journal.event_restorer import EventRestorer, JournalEntry, LostError
from core.store.queries.reader import Reader
from core.store.repository import situation_loader
from core.store.repository.journal_entry import Conditions, DecisionOutcome, JournalledDecision
from core.store.repository.transaction import Transaction
from core.store.statements.sessions import JOURNAL
from core.store.statements.statement import Connection

# What comes of data that was changed by other hands, or of an engine that decides otherwise now.
BROKEN_OFF: Final = (
    CorruptError, InvariantError, Gone, LostError,
    AssertionError, LookupError, TypeError, ValueError,
)  # fmt: skip
DECIDES_NOTHING: Final = "it was decided then, and would not be now"


@dataclass(frozen=True, slots=True)
class Replayed:
    """How many events were decided again, how many of them were compared, and what differs."""

    events: int
    compared: int
    differences: tuple[ReplayDifference, ...]


def replayed(database: Database, session: SessionId) -> Replayed:
    """Decide the journal of a session again. Raises `core.ports.Gone` where there is none.

    As it stands at one moment: the bot may go on meanwhile.
    """
    with database.moment() as real:
        entries = tuple(_entries(real, session))
        if not entries:
            raise Gone(session)
        copy = _empty_copy()
        try:
            return _Replay(Reader(database), real, session, entries, copy).run()
        finally:
            copy.shut()


class _Replay:
    def __init__(
        self,
        reader: Reader,
        real: Connection,
        session: SessionId,
        entries: tuple[JournalEntry, ...],
        copy: Connection,
    ) -> None:
        self._id, self._entries = session, entries
        self._real, self._reader = real, reader
        self._copy, self._transaction = copy, Transaction(copy)
        self._restorer = EventRestorer(session, real, copy, entries)

    def run(self) -> Replayed:
        compared, differing = 0, list[ReplayDifference]()
        number = 0
        for entry in self._entries:
            try:
                outcome = self._decide_again(entry)
            except BROKEN_OFF as why:
                now = f"cannot be: {_words(why)}"
                differing.append(ReplayDifference(_where(entry), "was decided", now))
                break
            number += 1
            if not differing:
                compared += 1
                differing.extend(_differing(entry, outcome))
        differing.extend(differences(self._id, self._real, self._copy))
        return Replayed(number, compared, tuple(differing))

    def _decide_again(self, entry: JournalEntry) -> DecisionOutcome:
        before = self._transaction.session(self._id)
        event = self._restorer.event(entry)
        conditions = self._restorer.conditions(entry)
        if "instead" in entry.extra:
            situation, playbook = self._damaged(before, entry), Playbook((), {})
        else:
            situation = self._situation(before, event, entry, conditions)
            playbook = self._reader.playbook(before, event)
        result = decide(situation, event, playbook)
        if result.session is None:
            raise InvariantError(DECIDES_NOTHING)
        decision = JournalledDecision(result, event, event, situation, conditions)
        self._transaction.save(before, decision, at=entry.at)
        return DecisionOutcome.of(dump_session(result.session), decision)

    def _situation(
        self, before: Session | None, event: on.Event, entry: JournalEntry, conditions: Conditions
    ) -> Situation:
        message = event.said if isinstance(event, on.SecretFound) else event
        if before is not None and isinstance(message, on.MessagePosted):
            situation = situation_loader.with_message(
                self._transaction,
                situation_loader.empty_situation(before, conditions),
                before,
                message,
                entry.extra.get("thread", before.course.thread),
                entry.extra.get("asked", before.course.step),
            )
        else:
            situation = situation_loader.situation(self._transaction, before, event, conditions)
        return replace(
            situation,
            known=(
                *situation.known,
                *adapter(tuple[Known, ...]).validate_python(entry.extra.get("known", ())),
            ),
            taken=situation.taken.union(entry.extra.get("taken", ())),
            party=self._reader.party(before) if before is not None else None,
        )

    def _damaged(self, before: Session | None, entry: JournalEntry) -> Situation:
        """What could not be read then can be now: it goes on from what was found."""
        assert before is not None
        if "found" not in entry.extra:
            return Situation(replace(before, damage=before.damage or dump_session(before)))
        session = load(Session, json.dumps(entry.extra["found"]))
        is_bare = session.course.phase is None or session.damage.startswith("StepState")
        course = replace(session.course, steps=() if is_bare else before.course.steps)
        return Situation(replace(session, course=course, version=before.version))


def _differing(entry: JournalEntry, outcome: DecisionOutcome) -> Iterator[ReplayDifference]:
    if entry.outcome.effects != outcome.effects:
        stored, now = (version.effects.replace(" ", ", ") for version in (entry.outcome, outcome))
        yield ReplayDifference(
            _where(entry), f"led to {stored or 'nothing'}", f"leads to {now or 'nothing'}"
        )
    elif entry.outcome.checksum != outcome.checksum:
        yield ReplayDifference(_where(entry), "made another session of it", "makes the one below")


def _words(why: Exception) -> str:
    """Those of our own errors are meant to be read; of others the kind has to do."""
    ours = isinstance(why, CorruptError | InvariantError | LostError)
    return str(why) if ours else f"the engine stops with {type(why).__name__}"


def _where(entry: JournalEntry) -> str:
    return f"event {entry.place}, {entry.kind}"


def _entries(db: Connection, session: SessionId) -> Iterator[JournalEntry]:
    for place, at, kind, by, doc, *outcome, extra in JOURNAL(db, session=session):
        extras = json.loads(extra) if extra else {}
        yield JournalEntry(place, at, kind, by, doc, extras, DecisionOutcome(*outcome))


def _empty_copy() -> SqliteConnection:
    copy = sqlite3.connect(":memory:", isolation_level=None, factory=SqliteConnection)
    SQLModel.metadata.create_all(engine_over(copy))
    return copy
