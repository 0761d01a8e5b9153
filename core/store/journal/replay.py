"""A journal decided once more, by the engine as it is now, beside what is stored.

Every event is taken in order over an empty copy of the tables: what one decision read from rows,
an earlier one wrote there. Nothing is written to the real database, and nothing is performed.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from core.domain import events as on
from core.domain.ids import SessionId
from core.domain.invariants import InvariantError
from core.domain.playbook import Playbook
from core.domain.session import Known, Session
from core.engine.decide import decide
from core.engine.kernel.situation import Situation
from core.ports import Gone
from core.store.connection.database import Database
from core.store.documents.codec import CorruptError, adapter, dump_session, load
from core.store.journal.differences import ReplayDifference, of_rows, of_sessions
from core.store.journal.event_restorer import LostError, Restoring
from core.store.queries.playbooks import playbook_of
from core.store.queries.reader import Reader
from core.store.repository import situation_loader
from core.store.repository.journal_entry import (
    CONDITIONS,
    Conditions,
    DecisionOutcome,
    JournalledDecision,
)
from core.store.repository.transaction import Transaction

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


@dataclass(frozen=True, slots=True)
class ReplayedRow:
    place: int
    at: float
    kind: str
    by: str | None
    doc: str
    extra: Mapping[str, Any]
    outcome: DecisionOutcome


def replayed(database: Database, session: SessionId) -> Replayed:
    """Decide the journal of a session again. Raises `core.ports.Gone` where there is none.

    As it stands at one moment: the bot may go on meanwhile.
    """
    with database.moment() as real:
        rows = tuple(_rows(database, session))
        if not rows:
            raise Gone(session)
        copy = _empty_copy(database)
        try:
            return _Replay(database, real, session, rows, copy).run()
        finally:
            copy.close()


class _Replay:
    def __init__(
        self,
        database: Database,
        real: sqlite3.Connection,
        session: SessionId,
        rows: tuple[ReplayedRow, ...],
        copy: sqlite3.Connection,
    ) -> None:
        self._id, self._rows = session, rows
        self._real, self._reader = real, Reader(database)
        self._copy, self._mine = copy, Transaction(copy)
        self._restoring = Restoring(session, real, copy, rows)
        self._conditions: dict[str, Conditions] = {}

    def run(self) -> Replayed:
        compared, found = 0, list[ReplayDifference]()
        number = 0
        for row in self._rows:
            try:
                outcome = self._decide_again(row)
            except BROKEN_OFF as why:
                found.append(
                    ReplayDifference(_where(row), "was decided", f"cannot be: {_words(why)}")
                )
                break
            number += 1
            if not found:
                compared += 1
                found.extend(_differing(row, outcome))
        found.extend(of_sessions(self._id, self._real, self._copy))
        found.extend(of_rows(self._id, self._real, self._copy))
        return Replayed(number, compared, tuple(found))

    def _decide_again(self, row: ReplayedRow) -> DecisionOutcome:
        before = self._mine.session(self._id)
        event = self._restoring.event(row)
        if "instead" in row.extra:
            seen, playbook = self._damaged(before, row), Playbook((), {})
        else:
            seen, playbook = (
                self._seen(before, event, row),
                playbook_of(self._reader, before, event),
            )
        result = decide(seen, event, playbook)
        if result.session is None:
            raise InvariantError(DECIDES_NOTHING)
        mark = row.outcome.conditions
        self._mine.save(before, JournalledDecision(result, event, event, seen, mark), at=row.at)
        return DecisionOutcome.of(dump_session(result.session), result.effects, mark)

    def _seen(self, before: Session | None, event: on.Event, row: ReplayedRow) -> Situation:
        held = self._conditions_of(row)
        said = event.said if isinstance(event, on.SecretFound) else event
        if before is not None and isinstance(said, on.MessagePosted):
            base = Situation(before, quiet_s=held.quiet_s, tiers=held.tiers, remind_s=held.remind_s)
            thread, asked = (
                row.extra.get("thread", before.voice),
                row.extra.get("asked", before.step),
            )
            seen = situation_loader.heard(self._mine, base, before, said, thread, asked)
        else:
            seen = situation_loader.situation(
                self._mine, before, event, held.quiet_s, held.tiers, held.remind_s
            )
        known = adapter(tuple[Known, ...]).validate_python(row.extra.get("known", ()))
        taken = seen.taken.union(row.extra.get("taken", ()))
        seen = replace(seen, known=(*seen.known, *known), taken=taken)
        if before is None or before.party is None:
            return seen
        return replace(seen, party=self._reader.party(before), deadline_s=held.deadline_s)

    def _damaged(self, before: Session | None, row: ReplayedRow) -> Situation:
        """What could not be read then can be now: it goes on from what was found."""
        assert before is not None
        if "found" not in row.extra:
            return Situation(replace(before, damage=before.damage or dump_session(before)))
        found = load(Session, json.dumps(row.extra["found"]))
        steps = () if found.phase is None or found.damage.startswith("StepState") else before.steps
        return Situation(replace(found, steps=steps, version=before.version))

    def _conditions_of(self, row: ReplayedRow) -> Conditions:
        mark = row.outcome.conditions
        if mark not in self._conditions:
            query = "SELECT doc FROM contents WHERE digest = ?"
            found = self._real.execute(query, (f"{CONDITIONS}:{mark}",)).fetchone()
            self._conditions[mark] = load(Conditions, found[0]) if found else Conditions()
        return self._conditions[mark]


def _differing(row: ReplayedRow, outcome: DecisionOutcome) -> Iterator[ReplayDifference]:
    if row.outcome.effects != outcome.effects:
        then, now = (each.effects.replace(" ", ", ") for each in (row.outcome, outcome))
        yield ReplayDifference(
            _where(row), f"led to {then or 'nothing'}", f"leads to {now or 'nothing'}"
        )
    elif row.outcome.checksum != outcome.checksum:
        yield ReplayDifference(_where(row), "made another session of it", "makes the one below")


def _words(why: Exception) -> str:
    """Those of our own errors are meant to be read; of others the kind has to do."""
    ours = isinstance(why, CorruptError | InvariantError | LostError)
    return str(why) if ours else f"the engine stops with {type(why).__name__}"


def _where(row: ReplayedRow) -> str:
    return f"event {row.place}, {row.kind}"


def _rows(database: Database, session: SessionId) -> Iterator[ReplayedRow]:
    for place, at, kind, by, doc, extra, *outcome in database.read.execute(
        """SELECT place, at, kind, by, doc, extra, checksum, conditions, effects
           FROM journal WHERE session = ? ORDER BY place""",
        (session,),
    ):
        held = json.loads(extra) if extra else {}
        yield ReplayedRow(place, at, kind, by, doc, held, DecisionOutcome(*outcome))


def _empty_copy(database: Database) -> sqlite3.Connection:
    copy = sqlite3.connect(":memory:", isolation_level=None)
    query = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
    for (statement,) in database.read.execute(query):
        copy.execute(statement)
    return copy
