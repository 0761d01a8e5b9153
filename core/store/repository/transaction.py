"""Loading and saving a session: everything one event changes, in one transaction."""

import sqlite3
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final, assert_never

from core.domain import effects as fx
from core.domain.answers import Answer, Claim, Section
from core.domain.ids import (
    AnswerId,
    ChannelId,
    Digest,
    MenuId,
    PersonaKey,
    RunId,
    SessionId,
    StepId,
    TeamId,
    Ts,
    UserId,
)
from core.domain.party import Party
from core.domain.playbook import Persona, Step
from core.domain.session import (
    ENDED,
    Fault,
    Known,
    Menu,
    MenuState,
    Session,
    StepState,
    changed,
)
from core.domain.stances import Settlement, Stance
from core.store.documents.cache import ANSWERS, CLAIMS, SECTIONS, SESSIONS, STATES
from core.store.documents.codec import CorruptError, dump, dump_menu, dump_session, load, load_menu
from core.store.repository.erase import erase
from core.store.repository.journal_entry import (
    Conditions,
    JournalledDecision,
    keep_conditions,
    row_of,
)
from core.store.repository.outbox import cancel_visible, forget_thread
from core.store.statements import answers, outbox, posts, sessions, steps
from core.store.statements.statement import Statement

OF_ANOTHER_PHASE: Final = -1  # in place of a step's place, which stays as it was
UNCHANGED: Final = ""  # the claims of a step are what they were when its phase was accepted
NO_CLAIMS: Final = "[]"
EFFECTS_MAX: Final = 1_000  # of one event: by it the rows of the outbox are numbered in order
DAMAGE_CHARS_MAX: Final = 100_000  # of a row that cannot be read, kept for examination


class ConflictError(Exception):
    """The session was saved by somebody else since it was loaded. Load and decide again."""


class Transaction:
    """One open transaction: what a decision reads, and what it saves."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._threads: dict[
            tuple[ChannelId, Ts], tuple[SessionId, PersonaKey | None] | None
        ] = {}  # asked twice on the way of one answer

    @property
    def connection(self) -> sqlite3.Connection:
        return self._db

    # ── looking ──

    def seen(self, keys: Collection[str]) -> bool:
        return any(sessions.DELIVERY(self._db, key=key).fetchone() for key in keys)

    def session(self, session: SessionId, loaded: Session | None = None) -> Session | None:
        """A session as it is now: the value that was `loaded` before while its version stands."""
        if loaded is not None:
            row = sessions.SESSION_VERSION(self._db, id=session).fetchone()
            if row == (loaded.version,):
                return loaded
        return self._load(session)

    def _load(self, session: SessionId) -> Session | None:
        row = sessions.SESSION(self._db, id=session).fetchone()
        if row is None:
            return None
        try:
            found = SESSIONS.load(row[0])
        except CorruptError as error:
            return self._from_columns(session, error)
        of_phase: tuple[StepState, ...] = ()
        if found.phase is not None:
            try:
                listed = self.phase_steps(session, found.phase)
            except CorruptError as error:
                found, listed = _damaged(found, error), ()
            of_phase = tuple(state for state in listed if state.pinned)
        return changed(found, steps=of_phase, version=row[1])

    def _from_columns(self, session: SessionId, error: CorruptError) -> Session:
        """What is left of a session whose document cannot be read: enough to halt it and say so."""
        row = sessions.SESSION_COLUMNS(self._db, id=session).fetchone()
        team, channel, slug, title, owner, status, version, run = row
        left = Session(
            id=session,
            run=RunId(run or ""),
            team=team,
            channel=channel,
            owner=owner,
            slug=slug,
            title=title,
            text="",
            seed=f"{session}:{version}",
            created_at="",
            status=status,
            version=version,
        )
        return _damaged(left, error)

    def phase_steps(self, session: SessionId, phase: str) -> tuple[StepState, ...]:
        rows = steps.PHASE_STEPS(self._db, session=session, phase=phase)
        return tuple(STATES.load(doc) for (doc,) in rows)

    def step(self, session: SessionId, step: StepId) -> StepState | None:
        row = steps.STEP(self._db, session=session, id=step).fetchone()
        return STATES.load(row[0]) if row else None

    def thread(self, channel: ChannelId, ts: Ts) -> tuple[SessionId, PersonaKey | None] | None:
        if (channel, ts) in self._threads:
            return self._threads[channel, ts]
        found = self._threads[channel, ts] = self._thread(channel, ts)
        return found

    def _thread(self, channel: ChannelId, ts: Ts) -> tuple[SessionId, PersonaKey | None] | None:
        row = posts.THREAD(self._db, channel=channel, ts=ts).fetchone()
        return (SessionId(row[0]), PersonaKey(row[1]) if row[1] else None) if row else None

    def asked(self, session: SessionId, thread_ts: Ts, ts: Ts) -> StepId | None:
        """The step whose prompt is the last one before `ts` in that thread."""
        row = posts.PROMPTED_STEP(
            self._db, session=session, thread_ts=thread_ts, before=ts
        ).fetchone()
        return StepId(row[0]) if row else None

    def prompt_under_way(self, session: SessionId, before: float) -> bool:
        """A prompt was sent before that time and we do not know yet what became of it."""
        rows = outbox.PROMPT_UNDER_WAY(self._db, session=session, before=before)
        return rows.fetchone() is not None

    def answer(self, channel: ChannelId, ts: Ts) -> tuple[Answer, SessionId] | None:
        row = answers.ANSWER(self._db, id=f"{channel}:{ts}").fetchone()
        return (ANSWERS.load(row[0]), SessionId(row[1])) if row else None

    def answer_of(self, session: SessionId, answer: str) -> Answer | None:
        """One answer of a session, whether it counts or not."""
        row = answers.SESSION_ANSWER(self._db, session=session, id=answer).fetchone()
        return ANSWERS.load(row[0]) if row else None

    def named_answer(self, session: SessionId, answer: AnswerId) -> Answer | None:
        """The current revision, withdrawn or not."""
        row = answers.SESSION_ANSWER(self._db, session=session, id=answer).fetchone()
        return ANSWERS.load(row[0]) if row else None

    def stances(self, session: SessionId, step: StepId | None = None) -> tuple[Stance, ...]:
        rows = (
            answers.STANCES_OF_STEP(self._db, session=session, step=step)
            if step
            else answers.STANCES(self._db, session=session)
        )
        return tuple(load(Stance, doc) for (doc,) in rows)

    def stances_on(self, session: SessionId, answer: AnswerId) -> tuple[Stance, ...]:
        rows = answers.STANCES_ON(self._db, session=session, answer=answer)
        return tuple(load(Stance, doc) for (doc,) in rows)

    def settlements(self, session: SessionId, step: StepId | None = None) -> tuple[Settlement, ...]:
        rows = (
            answers.SETTLEMENTS_OF_STEP(self._db, session=session, step=step)
            if step
            else answers.SETTLEMENTS(self._db, session=session)
        )
        return tuple(load(Settlement, doc) for (doc,) in rows)

    def session_of_answer(self, answer: str) -> SessionId | None:
        """Read off its column: what stands in the row may be damaged."""
        return self._owner(answers.ANSWER_SESSION, answer)

    def session_of_menu(self, menu: MenuId) -> SessionId | None:
        return self._owner(sessions.MENU_SESSION, menu)

    def _owner(self, statement: Statement, key: str) -> SessionId | None:
        row = statement(self._db, id=key).fetchone()
        return SessionId(row[0]) if row else None

    def menu(self, menu: MenuId) -> Menu | None:
        row = sessions.MENU(self._db, id=menu).fetchone()
        return load_menu(menu, *row) if row else None

    def known(self, team: TeamId, base: str) -> tuple[Known, ...]:
        """Sessions of the team whose slug is `base` or begins with it and a number."""
        first, last = f"{base}-0", f"{base}-:"
        rows = sessions.SLUGS(self._db, team=team, base=base, first=first, last=last)
        return tuple(Known(*row) for row in rows)

    def has_answers(self, session: SessionId, step: StepId) -> bool:
        rows = answers.ANSWERS_OF_STEP(self._db, session=session, step=step)
        return any(not ANSWERS.load(doc).withdrawn for (doc,) in rows)

    def claims(self, session: SessionId) -> tuple[Claim, ...]:
        rows = steps.CLAIMS(self._db, session=session)
        return tuple(claim for (doc,) in rows for claim in CLAIMS.load(doc))

    def all_steps(self, session: SessionId) -> tuple[StepState, ...]:
        rows = steps.ALL_STEPS(self._db, session=session)
        return tuple(STATES.load(doc) for (doc,) in rows)

    def answers(self, session: SessionId) -> tuple[Answer, ...]:
        rows = answers.ANSWERS(self._db, session=session)
        return tuple(ANSWERS.load(doc) for (doc,) in rows)

    def save_party(self, digest: Digest, party: Party) -> None:
        sessions.SAVE_CONTENT(self._db, digest=digest, kind="party", doc=dump(party))

    # ── saving ──

    def mark_seen(self, keys: Collection[str], at: float) -> None:
        for key in keys:
            sessions.SAVE_DELIVERY(self._db, key=key, at=at)

    def keep_steps(self, contents: Collection[Step]) -> None:
        """The content of steps as they were read, once for all sessions."""
        for step in contents:
            sessions.SAVE_CONTENT(self._db, digest=step.digest, kind="step", doc=dump(step))

    def keep_conditions(self, conditions: Conditions) -> None:
        keep_conditions(self._db, conditions)

    def save_personas(self, digest: Digest, personas: tuple[Persona, ...]) -> None:
        doc = dump(personas, tuple[Persona, ...])
        sessions.SAVE_CONTENT(self._db, digest=digest, kind="agent", doc=doc)

    def save(self, before: Session | None, decided: JournalledDecision, *, at: float) -> None:
        """Write the session at its version, the records, the outbox rows and the journal entry."""
        transition, session = decided.result, decided.result.session
        assert session is not None
        doc = dump_session(session)
        SESSIONS.keep(doc, changed(session, steps=(), version=0))
        if before is None:
            self._insert(session, doc, at)
        else:
            self._replace(before, session, doc, at)
        sessions.INSERT_JOURNAL(self._db, **row_of(self._db, session, doc, decided))
        places = {state.id: place for place, state in enumerate(session.steps)}
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
        )
        sessions.INSERT_RUN(self._db, id=session.run, session=session.id, started_at=at)

    def _replace(self, before: Session, session: Session, doc: str, at: float) -> None:
        done = sessions.UPDATE_SESSION(
            self._db, id=session.id, read_version=before.version, doc=doc, updated_at=at
        )
        if not done.rowcount:
            raise ConflictError(session.id)
        columns = {"status": session.status, "slug": session.slug, "owner": session.owner}
        if columns != {"status": before.status, "slug": before.slug, "owner": before.owner}:
            sessions.UPDATE_SESSION_COLUMNS(self._db, id=session.id, **columns)
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
            case fx.ClaimsReplaced(step, claims):
                self._replace_claims(owner, step, claims)
            case fx.BaselineSet(phase):
                steps.ACCEPT_PHASE(db, session=owner, phase=phase, accepted=UNCHANGED)
            case fx.SectionsSaved(step, shown, partly):
                self._save_sections(owner, step, shown, partly=partly)
            case fx.MenuOpened(menu):
                self._save_menu(menu)
            case fx.MenuEnded(menu_id, state, by, choice):
                self._end_menu(menu_id, state, by, choice)
            case fx.FaultRecorded(fault):
                self.keep_fault(owner, fault)
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
                cancel_visible(db, owner)
            case fx.ThreadForgotten(persona):
                forget_thread(db, owner, persona)
            case fx.SessionErased():
                erase(db, owner)
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

    def _save_sections(
        self, owner: SessionId, step: StepId, shown: Iterable[Section], *, partly: bool
    ) -> None:
        """What a step shows from now on: all of it, or `partly` these files of it."""
        if not partly:
            steps.RETIRE_SECTIONS(self._db, session=owner, step=step)
        for section in shown:
            if partly:
                steps.RETIRE_SECTION(self._db, session=owner, step=step, file=section.file)
            doc = dump(section)
            SECTIONS.keep(doc, section)
            key = {"session": owner, "step": step, "file": section.file}
            (last,) = steps.LAST_SECTION(self._db, **key).fetchone()
            steps.INSERT_SECTION(self._db, **key, version=(last or 0) + 1, doc=doc)

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

    def keep_fault(self, owner: SessionId | str, fault: Fault) -> None:
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
            due=at + effect.wait_s if isinstance(effect, fx.ReadAnswers) else at,
        )


def _damaged(session: Session, error: CorruptError) -> Session:
    return replace(session, damage=f"{error.what}: {error.doc[:DAMAGE_CHARS_MAX]}")
