"""Saving what one event changes, in one transaction."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from typing import Any, Final, assert_never

from core.domain import effects as fx
from core.domain.answers import Answer, Claim
from core.domain.ids import (
    ChannelId,
    Digest,
    MenuId,
    PersonaKey,
    SessionId,
    StepId,
    TeamId,
    Ts,
    UserId,
)
from core.domain.session.course import ENDED
from core.domain.session.halt import Fault
from core.domain.session.menu import Menu, MenuState
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.store.connection.database import ConflictError
from core.store.documents import SESSIONS, STATES, CorruptError, dump, dump_menu
from core.store.repository.erase import erase
from core.store.repository.journal_entry import JournalledDecision, last_version, save_entry
from core.store.repository.lanes import LaneKey
from core.store.repository.session_rows import SessionRows
from core.store.statements import answers, outbox, sessions, steps
from core.store.statements.statement import Connection, SqlStatement, Value

OF_ANOTHER_PHASE: Final = -1  # in place of a step's place, which stays as it was
UNCHANGED: Final = ""  # the claims of a step are what they were when its phase was accepted
NO_CLAIMS: Final = "[]"
SOON_S: Final = 5.0  # a lane may be held until then; of what is due later another look tells
EFFECTS_MAX: Final = 1_000  # of one event: by it the rows of the outbox are numbered in order

Thread = tuple[SessionId, PersonaKey | None]


class Transaction(SessionRows):
    """One open transaction: what a decision reads, and what it saves.

    A session that is read is locked until the end.
    """

    _SESSION = sessions.SESSION_LOCKED
    _VERSION = sessions.VERSION_LOCKED

    def __init__(self, connection: Connection) -> None:
        super().__init__(self._run)
        self._db = connection
        self._threads: dict[tuple[TeamId, ChannelId, Ts], Thread | None] = {}
        self.lanes: list[LaneKey] = []
        """Those that have something to do soon once this is committed."""

    def _run(self, statement: SqlStatement, **values: Value) -> list[tuple[Any, ...]]:
        return statement(self._db, **values).fetchall()

    @property
    def connection(self) -> Connection:
        return self._db

    def thread_at(self, team: TeamId, channel: ChannelId, ts: Ts) -> Thread | None:
        """Asked twice on the way of one answer."""
        where = (team, channel, ts)
        if where not in self._threads:
            self._threads[where] = super().thread_at(*where)
        return self._threads[where]

    def mark_delivered(self, keys: Collection[str], at: float) -> None:
        """Save keys that were not delivered. The commit is refused where one is by now."""
        for key in dict.fromkeys(keys):
            sessions.SAVE_DELIVERY(self._db, key=key, at=at)

    def save_channel(self, record: fx.ChannelLinked | fx.ChannelBrainChosen) -> None:
        """Save what was settled for a channel's sessions to come."""
        save = (
            sessions.LINK_CHANNEL
            if isinstance(record, fx.ChannelLinked)
            else sessions.CHOOSE_CHANNEL_BRAIN
        )
        save(self._db, **asdict(record))

    def save_content(self, digest: Digest, kind: str, value: Any, type_: Any = None) -> None:
        """Save what a file held when it was read, once for all sessions."""
        sessions.SAVE_CONTENT(self._db, digest=digest, kind=kind, doc=dump(value, type_))

    def save(self, before: Session | None, decision: JournalledDecision, *, at: float) -> None:
        """Write the session at its version, the records, the outbox rows and the journal entry.

        Raises `ConflictError` where the session was saved by somebody else since.
        """
        transition, session = decision.result, decision.result.session
        assert session is not None
        stored = session.stored_as(0, ())
        doc = dump(stored)
        SESSIONS.keep(doc, stored)
        if before is None:
            self._insert(session, doc, at)
        else:
            self._replace(before, session, doc, at)
        save_entry(self._db, session, doc, decision)
        places = {state.id: place for place, state in enumerate(session.course.steps)}
        for record in transition.records:
            self._record(session, record, places)
        first = (before.version if before else 0) * EFFECTS_MAX
        for number, effect in enumerate(transition.effects, first):
            self._send(session.id, number, effect, at)

    def _insert(self, session: Session, doc: str, at: float) -> None:
        sessions.INSERT_SESSION(
            self._db,
            id=session.id,
            team=session.team,
            channel=session.channel,
            slug=session.slug,
            title=session.title,
            owner=session.owner,
            status=session.status,
            doc=doc,
            updated_at=at,
            **_searched(session),
        )
        sessions.INSERT_RUN(self._db, id=session.run, session=session.id, started_at=at)

    def _replace(self, before: Session, session: Session, doc: str, at: float) -> None:
        cursor = sessions.UPDATE_SESSION(
            self._db,
            id=session.id,
            read_version=before.version,
            owner=session.owner,
            status=session.status,
            doc=doc,
            updated_at=at,
            **_searched(session),
        )
        if not cursor.rowcount:
            raise ConflictError(session.id)
        if session.slug != before.slug:
            sessions.UPDATE_SLUG(self._db, id=session.id, slug=session.slug)
        if session.run != before.run:  # after a halt
            sessions.INSERT_RUN(self._db, id=session.run, session=session.id, started_at=at)
        if session.status != before.status and session.status in ENDED:
            sessions.END_RUN(self._db, id=session.run, ended_at=at, status=session.status)

    def _record(self, session: Session, record: fx.Record, places: Mapping[StepId, int]) -> None:
        db, owner = self._db, session.id
        match record:
            case fx.StepSaved(state):
                self._save_step(owner, state, places.get(state.id, OF_ANOTHER_PHASE))
            case fx.AnswerSaved(answer):
                self._save_answer(owner, answer)
            case fx.StanceSaved(stance):
                answers.SAVE_STANCE(
                    db,
                    session=owner,
                    answer=stance.answer,
                    by=stance.by,
                    step=stance.step,
                    doc=dump(stance),
                )
            case fx.SettlementSaved(settlement):
                doc = dump(settlement)
                answers.INSERT_SETTLEMENT(db, session=owner, step=settlement.step, doc=doc)
            case fx.CorrectionSaved(correction):
                doc = dump(correction)
                answers.INSERT_CORRECTION(db, session=owner, step=correction.step, doc=doc)
            case fx.ClaimsReplaced(step, claims):
                self._replace_claims(owner, step, claims)
            case fx.BaselineSet(phase):
                steps.ACCEPT_PHASE(db, session=owner, phase=phase, accepted=UNCHANGED)
            case fx.SectionsSaved():
                self._save_sections(owner, record)
            case fx.MenuOpened(menu):
                self._save_menu(menu)
            case fx.MenuEnded(menu_id, state, by, choice):
                self._end_menu(menu_id, state, by, choice)
            case fx.FaultRecorded(fault):
                self.save_fault(owner, fault)
            case fx.TimerSet(kind, step, due):
                outbox.SAVE_TIMER(db, session=owner, kind=kind, step=step, due=due)
            case fx.TimerCancelled(kind):
                outbox.CANCEL_TIMER(db, session=owner, kind=kind)
            case fx.ContributionKept(phase, place, contribution):
                doc = dump(contribution)
                answers.SAVE_CONTRIBUTION(db, session=owner, phase=phase, place=place, doc=doc)
            case fx.TimersCancelled():
                outbox.CANCEL_TIMERS(db, session=owner)
            case fx.WaitingPostsDropped():
                outbox.DELETE_VISIBLE(db, session=owner)
            case fx.ThreadForgotten(persona):
                outbox.DELETE_POST(db, session=owner, target=f"thread:{persona}")
                outbox.DELETE_VISIBLE(db, session=owner)
            case fx.SessionErased():
                erase(db, owner)
            case fx.ChannelLinked() | fx.ChannelBrainChosen():
                self.save_channel(record)
            case _:
                assert_never(record)

    def _save_step(self, owner: SessionId, state: StepState, place: int) -> None:
        doc = dump(state)
        STATES.keep(doc, state)
        steps.SAVE_STEP(
            self._db, session=owner, id=state.id, phase=state.phase, place=place, doc=doc
        )

    def _save_answer(self, owner: SessionId, answer: Answer) -> None:
        db = self._db
        again = answer.revision > 1 or answer.source in ("proposed", "draft", "view")
        revision = self._free_revision(owner, answer) if again else 1
        if revision > 1:
            answers.RETIRE_ANSWER(db, session=owner, id=answer.id)
        answers.INSERT_ANSWER(
            db,
            session=owner,
            id=answer.id,
            revision=revision,
            step=answer.step,
            ts=answer.ts,
            doc=dump(answer),
        )

    def _save_sections(self, owner: SessionId, saved: fx.SectionsSaved) -> None:
        """What a step shows from now on, in place of what it showed or as another version."""
        if not saved.partly:
            steps.RETIRE_SECTIONS(self._db, session=owner, step=saved.step)
        for section in saved.sections:
            key: dict[str, Value] = {"session": owner, "step": saved.step, "file": section.file}
            if saved.partly:
                steps.RETIRE_SECTION(self._db, **key)
            version = max(1, last_version(self._db, **key) + saved.anew)
            texts = {"title": section.title, "body": section.body}
            steps.SAVE_SECTION(self._db, **key, version=version, current=1, **texts)

    def _save_menu(self, menu: Menu) -> None:
        doc = dump_menu(menu)
        sessions.SAVE_MENU(self._db, id=menu.id, session=menu.session, state=menu.state, doc=doc)

    def _end_menu(
        self, menu: MenuId, state: MenuState, by: UserId | None, choice: str | None
    ) -> None:
        try:
            opened = self.menu(menu)
        except CorruptError:  # nobody can use it, and nobody could end it
            sessions.DELETE_MENU(self._db, id=menu)
            return
        if opened is not None and opened.state == "open":
            self._save_menu(replace(opened, state=state, used_by=by, chosen=choice))

    def save_fault(self, owner: SessionId | str, fault: Fault) -> None:
        """`owner` is empty for what was refused before there was a session."""
        sessions.SAVE_FAULT(
            self._db, id=fault.id, session=owner, code=fault.code, at=fault.at, doc=dump(fault)
        )

    def _free_revision(self, session: SessionId, answer: Answer) -> int:
        (last,) = answers.LAST_REVISION(self._db, session=session, id=answer.id).fetchone()
        return max(answer.revision, (last or 0) + 1)

    def _replace_claims(self, owner: SessionId, step: StepId, claims: tuple[Claim, ...]) -> None:
        """What they were when their phase was accepted is kept when the first change comes."""
        db, doc = self._db, dump(claims, tuple[Claim, ...])
        row = steps.STEP_CLAIMS(db, session=owner, step=step).fetchone()
        before = row[0] if row is not None else NO_CLAIMS
        if before == doc:
            return
        steps.KEEP_ACCEPTED(db, session=owner, id=step, accepted=before, unchanged=UNCHANGED)
        if claims:
            steps.SAVE_CLAIMS(db, session=owner, step=step, doc=doc)
        else:
            steps.DELETE_CLAIMS(db, session=owner, step=step)

    def _send(self, session: SessionId, number: int, effect: fx.Effect, at: float) -> None:
        db, kind, key = self._db, type(effect).__name__, effect.coalescing_key()
        wait_s = effect.wait_s if isinstance(effect, fx.ReadAnswers | fx.AskModel) else 0.0
        if wait_s <= SOON_S:
            self.lanes.append(
                LaneKey(effect.lane, session, number if effect.lane == "brain" else None)
            )
        if (replaced := key or effect.coalescing_key_as_edit()) is not None:
            # Replaced, not kept: the one that waits may be on its way out with what was before.
            outbox.DELETE_REPAINT(db, session=session, target=replaced)
        outbox.INSERT_EFFECT(
            db,
            session=session,
            id=number,
            lane=effect.lane,
            kind=kind,
            target=key,
            rank=effect.rank,
            doc=dump(effect),
            due=at + wait_s,
        )


def _searched(session: Session) -> Mapping[str, Value]:
    """What SQL looks for in all sessions."""
    waiting = (proposal.by for proposal in session.proposals if not proposal.outcome)
    return {
        "step": session.course.step,
        "people": f" {' '.join((*session.people.answered, *waiting))} ",
        "is_seated": int(session.party.is_seated),
    }
