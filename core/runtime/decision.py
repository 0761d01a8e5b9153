"""What an event comes to, decided on rows: loaded, decided, checked; what is damaged is halted."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from core.domain import events as on
from core.domain.ids import TeamId
from core.domain.invariants import InvariantError, broken
from core.domain.model_calls import ModelOffer
from core.domain.session.session import Session
from core.domain.steps.playbook import Playbook
from core.engine.decide import decide
from core.engine.faults.halt import LOG_DELETED, damage_in, is_left_alone, left_alone
from core.engine.kernel.situation import Situation
from core.ports import Gone
from core.store.connection.database import Database, DatabaseError
from core.store.documents import CorruptError, dump_session
from core.store.queries.reader import Reader
from core.store.repository.journal_entry import Conditions, JournalledDecision
from core.store.repository.situation_loader import situation as load_situation
from core.store.repository.transaction import Transaction
from core.store.schema.revisions import adds_to_ours

NO_PLAYBOOK: Final = Playbook((), {})
DAMAGES: Final = ("ERR-DATA-001", "ERR-DATA-002")


class LeftToNewerError(DatabaseError):
    """A row says nothing to this version, and the database is of a newer one, which may know it."""


@dataclass(slots=True)
class Decider:
    """Decides on the rows of a transaction, under `conditions`."""

    database: Database
    reader: Reader
    conditions: Conditions
    may_ask: Callable[[TeamId], bool] = lambda _team: True  # language models, about a workspace
    is_shared: bool = False  # True: newer processes may serve the same database

    def decide(
        self, db: Transaction, before: Session | None, event: on.Event
    ) -> JournalledDecision:
        """Decide; what cannot be read or may not be becomes a halt from what stood before.

        Raises `InvariantError` where nothing stood before, and `LeftToNewerError`.
        """
        if before is not None and before.damage and isinstance(event, on.DeletionRequested):
            return _journalled(event, Situation(before))
        if before is not None and is_left_alone(before):
            return JournalledDecision(left_alone(before, event), event, event, Situation(before))
        decided = self._damage(before, event) or self._decided(db, before, event)
        self._leave_to_newer(db, decided if isinstance(decided, on.DamageFound) else event)
        if isinstance(decided, JournalledDecision):
            return decided
        if before is None:
            raise InvariantError(decided.what)
        as_found = before.damage or dump_session(before)  # for the forensic folder
        return _journalled(decided, Situation(replace(before, damage=as_found)), event)

    def _damage(self, before: Session | None, event: on.Event) -> on.DamageFound | None:
        """What was found before anything is decided: in the session, or in the database's log."""
        if before is None:
            return None
        return damage_in(before, event.at, log_was_deleted=self.database.log_was_deleted)

    def _leave_to_newer(self, db: Transaction, event: on.Event) -> None:
        if not self.is_shared or not isinstance(event, on.DamageFound) or event.code not in DAMAGES:
            return
        if adds_to_ours(db.schema_revision()):
            raise LeftToNewerError(event.what)

    def _decided(
        self, db: Transaction, before: Session | None, event: on.Event
    ) -> JournalledDecision | on.DamageFound:
        """The decision, or why there can be none."""
        try:
            playbook = self.reader.playbook(before, event)
            conditions = self._conditions(before, event)
            situation = load_situation(db, before, event, conditions)
            if before is not None and before.party.file is not None:
                situation = replace(situation, party=self.reader.party(before))
            result = decide(situation, event, playbook)
        except CorruptError as error:
            return on.DamageFound(event.at, "ERR-DATA-001", error.what, str(error))
        except Gone as error:
            return on.DamageFound(event.at, "ERR-DATA-001", str(error), "it is not there")
        except InvariantError as error:
            return on.DamageFound(event.at, "ERR-DATA-002", str(error))
        rule = broken(result.session) if result.session else None
        if rule is not None:
            return on.DamageFound(event.at, "ERR-DATA-002", rule, type(event).__name__)
        return JournalledDecision(result, event, event, situation, conditions)

    def _conditions(self, before: Session | None, event: on.Event) -> Conditions:
        """Those of the workspace: no language model reads before its admin agreed."""
        team = before.team if before else getattr(event, "team", None)
        if not self.conditions.offer.models or team is None or self.may_ask(team):
            return self.conditions
        return replace(self.conditions, offer=ModelOffer(waits_for_admin=True))


def tells_of_deleted_log(decision: JournalledDecision) -> bool:
    """True if it halts a session because the database's log was deleted."""
    return isinstance(decision.event, on.DamageFound) and decision.event.what == LOG_DELETED


def _journalled(
    event: on.Event, situation: Situation, delivered: on.Event | None = None
) -> JournalledDecision:
    """The decision on an event that needs no playbook; `delivered`: the one it stands for."""
    result = decide(situation, event, NO_PLAYBOOK)
    return JournalledDecision(result, event, delivered or event, situation)
