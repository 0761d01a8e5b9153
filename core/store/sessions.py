"""Loading and saving a session: everything one event changes, in one transaction."""

import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final, assert_never

from core.domain import effects as fx
from core.domain.answers import Answer, Claim
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
)
from core.domain.party import Party
from core.domain.playbook import Persona, Step
from core.domain.session import ENDED, Fault, Known, Menu, Session, StepState, changed
from core.domain.stances import Settlement, Stance
from core.store import sections
from core.store import statements as sql
from core.store.codec import (
    CorruptError,
    dump,
    dump_menu,
    dump_session,
    load,
    load_menu,
)
from core.store.erasing import erase
from core.store.journal import Conditions, Decided, keep_conditions, row_of
from core.store.memory import ANSWERS, CLAIMS, SESSIONS, STATES
from core.store.outbox import cancel_visible, forget_thread

UNCHANGED: Final = ""  # the claims of a step are what they were when its phase was accepted
NO_CLAIMS: Final = "[]"
EFFECTS_MAX: Final = 1_000  # of one event: by it the rows of the outbox are numbered in order
DAMAGE_CHARS_MAX: Final = 100_000  # of a row that cannot be read, kept for examination


class ConflictError(Exception):
    """The session was saved by somebody else since it was loaded. Load and decide again."""


class Writing:
    """One open transaction."""

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
        return any(self._db.execute(sql.SEEN, (key,)).fetchone() for key in keys)

    def session(self, session: SessionId, loaded: Session | None = None) -> Session | None:
        """A session as it is now: the value that was `loaded` before while its version stands."""
        if loaded is not None:
            row = self._db.execute(sql.VERSION, (session,)).fetchone()
            if row == (loaded.version,):
                return loaded
        return self._load(session)

    def _load(self, session: SessionId) -> Session | None:
        row = self._db.execute(sql.LOAD, (session,)).fetchone()
        if row is None:
            return None
        try:
            found = SESSIONS.load(row[0])
        except CorruptError as error:
            return self._from_columns(session, error)
        steps: tuple[StepState, ...] = ()
        if found.phase is not None:
            try:
                listed = self.phase_steps(session, found.phase)
            except CorruptError as error:
                found, listed = _damaged(found, error), ()
            steps = tuple(state for state in listed if state.pinned)
        return changed(found, steps=steps, version=row[1])

    def _from_columns(self, session: SessionId, error: CorruptError) -> Session:
        """What is left of a session whose document cannot be read: enough to halt it and say so."""
        row = self._db.execute(sql.COLUMNS, (session,)).fetchone()
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
        rows = self._db.execute(sql.LOAD_STEPS, (session, phase)).fetchall()
        return tuple(STATES.load(doc) for (doc,) in rows)

    def step(self, session: SessionId, step: StepId) -> StepState | None:
        row = self._db.execute(sql.STEP, (session, step)).fetchone()
        return STATES.load(row[0]) if row else None

    def thread(self, channel: ChannelId, ts: Ts) -> tuple[SessionId, PersonaKey | None] | None:
        if (channel, ts) in self._threads:
            return self._threads[channel, ts]
        found = self._threads[channel, ts] = self._thread(channel, ts)
        return found

    def _thread(self, channel: ChannelId, ts: Ts) -> tuple[SessionId, PersonaKey | None] | None:
        row = self._db.execute(sql.THREAD, (channel, ts)).fetchone()
        return (SessionId(row[0]), PersonaKey(row[1]) if row[1] else None) if row else None

    def asked(self, session: SessionId, thread_ts: Ts, ts: Ts) -> StepId | None:
        """The step whose prompt is the last one before `ts` in that thread."""
        row = self._db.execute(sql.ASKED, (session, thread_ts, ts)).fetchone()
        return StepId(row[0]) if row else None

    def prompt_under_way(self, session: SessionId, before: float) -> bool:
        """A prompt was sent before that time and we do not know yet what became of it."""
        query = """SELECT 1 FROM outbox WHERE session = ? AND lane = 'visible'
            AND kind = 'PostPrompt' AND attempted_at <= ?"""
        return self._db.execute(query, (session, before)).fetchone() is not None

    def answer(self, channel: ChannelId, ts: Ts) -> tuple[Answer, SessionId] | None:
        row = self._db.execute(sql.ANSWER, (f"{channel}:{ts}",)).fetchone()
        return (ANSWERS.load(row[0]), SessionId(row[1])) if row else None

    def answer_of(self, session: SessionId, answer: str) -> Answer | None:
        """One answer of a session, whether it counts or not."""
        row = self._db.execute(sql.ANSWER, (answer,)).fetchone()
        return ANSWERS.load(row[0]) if row and row[1] == session else None

    def named_answer(self, session: SessionId, answer: AnswerId) -> Answer | None:
        """The current revision, withdrawn or not."""
        row = self._db.execute(sql.NAMED_ANSWER, (session, answer)).fetchone()
        return ANSWERS.load(row[0]) if row else None

    def stances(self, session: SessionId, step: StepId | None = None) -> tuple[Stance, ...]:
        rows = self._db.execute(sql.STANCES, (session, step, step)).fetchall()
        return tuple(load(Stance, doc) for (doc,) in rows)

    def stances_on(self, session: SessionId, answer: AnswerId) -> tuple[Stance, ...]:
        rows = self._db.execute(sql.STANCES_ON, (session, answer)).fetchall()
        return tuple(load(Stance, doc) for (doc,) in rows)

    def settlements(self, session: SessionId, step: StepId | None = None) -> tuple[Settlement, ...]:
        rows = self._db.execute(sql.SETTLEMENTS, (session, step, step)).fetchall()
        return tuple(load(Settlement, doc) for (doc,) in rows)

    def owner(self, query: str, key: str) -> SessionId | None:
        """Whose row that is, read off its column: what stands in the row may say nothing."""
        row = self._db.execute(query, (key,)).fetchone()
        return SessionId(row[0]) if row else None

    def menu(self, menu: MenuId) -> Menu | None:
        row = self._db.execute(sql.MENU, (menu,)).fetchone()
        return load_menu(menu, *row) if row else None

    def known(self, team: TeamId, base: str) -> tuple[Known, ...]:
        """Sessions of the team whose slug is `base` or begins with it and a number."""
        rows = self._db.execute(
            "SELECT id, slug, channel, status, title FROM sessions"
            " WHERE team = ? AND (slug = ? OR slug GLOB ?)",
            (team, base, f"{base}-[0-9]*"),
        ).fetchall()
        return tuple(Known(*row) for row in rows)

    def has_answers(self, session: SessionId, step: StepId) -> bool:
        rows = self._db.execute(
            "SELECT doc FROM answers WHERE session = ? AND step = ? AND current = 1",
            (session, step),
        )
        return any(not ANSWERS.load(doc).withdrawn for (doc,) in rows)

    def claims(self, session: SessionId) -> tuple[Claim, ...]:
        rows = self._db.execute(sql.CLAIMS, (session,))
        return tuple(claim for (doc,) in rows for claim in CLAIMS.load(doc))

    def all_steps(self, session: SessionId) -> tuple[StepState, ...]:
        rows = self._db.execute(
            "SELECT doc FROM steps WHERE session = ? ORDER BY phase, place, id", (session,)
        ).fetchall()
        return tuple(STATES.load(doc) for (doc,) in rows)

    def answers(self, session: SessionId) -> tuple[Answer, ...]:
        query = "SELECT doc FROM answers WHERE session = ? AND current = 1 ORDER BY ts, id"
        return tuple(ANSWERS.load(doc) for (doc,) in self._db.execute(query, (session,)))

    def keep_party(self, digest: Digest, party: Party) -> None:
        self._db.execute(
            "INSERT OR IGNORE INTO contents(digest, kind, doc) VALUES (?, 'party', ?)",
            (digest, dump(party)),
        )

    # ── saving ──

    def mark_seen(self, keys: Collection[str], at: float) -> None:
        self._db.executemany(sql.MARK_SEEN, [(key, at) for key in keys])

    def keep_steps(self, steps: Collection[Step]) -> None:
        """The content of steps as they were read, once for all sessions."""
        self._db.executemany(
            "INSERT OR IGNORE INTO contents(digest, kind, doc) VALUES (?, 'step', ?)",
            [(step.digest, dump(step)) for step in steps],
        )

    def keep_conditions(self, conditions: Conditions) -> None:
        keep_conditions(self._db, conditions)

    def keep_personas(self, digest: Digest, personas: tuple[Persona, ...]) -> None:
        doc = dump(personas, tuple[Persona, ...])
        self._db.execute(
            "INSERT OR IGNORE INTO contents(digest, kind, doc) VALUES (?, 'agent', ?)",
            (digest, doc),
        )

    def save(self, before: Session | None, decided: Decided, *, at: float) -> None:
        """Write the session at its version, the records, the outbox rows and the journal entry."""
        transition, session = decided.result, decided.result.session
        assert session is not None
        doc = dump_session(session)
        SESSIONS.keep(doc, changed(session, steps=(), version=0))
        if before is None:
            self._insert(session, doc, at)
        else:
            self._replace(before, session, doc, at)
        self._db.execute(sql.JOURNAL, row_of(self._db, session, doc, decided))
        places = {state.id: place for place, state in enumerate(session.steps)}
        for record in transition.records:
            self._record(session, record, places)
        first = (before.version if before else 0) * EFFECTS_MAX
        for number, effect in enumerate(transition.effects, first):
            self._send(session.id, number, effect, at)

    def _insert(self, session: Session, doc: str, at: float) -> None:
        row = (session.id, session.team, session.channel, session.slug, session.title)
        self._db.execute(sql.INSERT, (*row, session.owner, session.status, doc, at))
        self._db.execute(sql.BEGIN_RUN, (session.run, session.id, at))

    def _replace(self, before: Session, session: Session, doc: str, at: float) -> None:
        kept = (doc, at, session.id, before.version)
        done = self._db.execute(sql.REPLACE, kept).rowcount
        if not done:
            raise ConflictError(session.id)
        row = (session.status, session.slug, session.owner)
        if row != (before.status, before.slug, before.owner):
            self._db.execute(sql.REPLACE_COLUMNS, (*row, session.id))
        if session.run != before.run:  # after a halt
            self._db.execute(sql.BEGIN_RUN, (session.run, session.id, at))
        if session.status != before.status and session.status in ENDED:
            self._db.execute(
                "UPDATE runs SET ended_at = ?, status = ? WHERE id = ?",
                (at, session.status, session.run),
            )

    def _record(self, session: Session, record: fx.Record, places: Mapping[StepId, int]) -> None:
        db, owner = self._db, session.id
        match record:
            case fx.StepSaved(state):
                doc = dump(state)
                STATES.keep(doc, state)
                row = (owner, state.id, state.phase, places.get(state.id, -1), doc)
                db.execute(sql.SAVE_STEP, row)
            case fx.AnswerSaved(answer):
                again = answer.revision > 1 or answer.source in ("proposed", "draft", "view")
                revision = self._free_revision(owner, answer) if again else 1
                if revision > 1:
                    db.execute(sql.RETIRE_ANSWER, (owner, answer.id))
                kept = (owner, answer.id, revision, answer.step, answer.ts, dump(answer))
                db.execute(sql.SAVE_ANSWER, kept)
            case fx.StanceSaved(stance):
                given = (owner, stance.answer, stance.by, stance.step, dump(stance))
                db.execute(sql.SAVE_STANCE, given)
            case fx.SettlementSaved(settlement):
                last = (owner, settlement.step, dump(settlement), owner)
                db.execute(sql.SAVE_SETTLEMENT, last)
            case fx.ClaimsReplaced(step, claims):
                self._replace_claims(owner, step, claims)
            case fx.BaselineSet(phase):
                db.execute(sql.SET_BASELINE, (UNCHANGED, owner, phase))
            case fx.SectionsSaved(step, shown, partly):
                sections.save(db, owner, step, shown, partly=partly)
            case fx.MenuOpened(menu):
                db.execute(sql.SAVE_MENU, (menu.id, owner, menu.state, dump_menu(menu)))
            case fx.MenuEnded(menu_id, state, by, choice):
                try:
                    known = self.menu(menu_id)
                except CorruptError:  # nobody can use it, and nobody could end it
                    db.execute("DELETE FROM menus WHERE id = ?", (menu_id,))
                    return
                if known is not None and known.state == "open":
                    ended = replace(known, state=state, used_by=by, chosen=choice)
                    db.execute(sql.SAVE_MENU, (menu_id, owner, state, dump_menu(ended)))
            case fx.FaultRecorded(fault):
                self.keep_fault(owner, fault)
            case fx.TimerSet(kind, step, due):
                db.execute(
                    "INSERT OR REPLACE INTO timers VALUES (?, ?, ?, ?)", (owner, kind, step, due)
                )
            case fx.TimerCancelled(kind):
                db.execute("DELETE FROM timers WHERE session = ? AND kind = ?", (owner, kind))
            case fx.ContributionKept(phase, place, contribution):
                db.execute(
                    "INSERT OR REPLACE INTO contributions(session, phase, place, doc)"
                    " VALUES (?, ?, ?, ?)",
                    (owner, phase, place, dump(contribution)),
                )
            case fx.TimersCancelled():
                db.execute("DELETE FROM timers WHERE session = ?", (owner,))
            case fx.WaitingPostsDropped():
                cancel_visible(db, owner)
            case fx.ThreadForgotten(persona):
                forget_thread(db, owner, persona)
            case fx.SessionErased():
                erase(db, owner)
            case _:
                assert_never(record)

    def keep_fault(self, owner: SessionId | str, fault: Fault) -> None:
        """`owner` is empty for what was refused before there was a session."""
        row = (fault.id, owner, fault.code, fault.at, dump(fault))
        self._db.execute(sql.SAVE_FAULT, row)

    def _free_revision(self, session: SessionId, answer: Answer) -> int:
        row = self._db.execute(
            "SELECT max(revision) FROM answers WHERE session = ? AND id = ?", (session, answer.id)
        ).fetchone()
        return max(answer.revision, (row[0] or 0) + 1)

    def _replace_claims(self, owner: SessionId, step: StepId, claims: tuple[Claim, ...]) -> None:
        """What they were when their phase was accepted is kept when the first change comes."""
        db, text = self._db, dump(claims, tuple[Claim, ...])
        before = db.execute(sql.STEP_CLAIMS, (owner, step)).fetchone()
        was = before[0] if before is not None else NO_CLAIMS
        if was == text:
            return
        db.execute(sql.KEEP_BASELINE, (was, owner, step, UNCHANGED))
        if claims:
            db.execute(sql.SAVE_CLAIMS, (owner, step, text))
        else:
            db.execute(sql.DROP_CLAIMS, (owner, step))

    def _send(self, session: SessionId, number: int, effect: fx.Effect, at: float) -> None:
        kind, key = type(effect).__name__, effect.coalescing_key()
        if (replaced := key or effect.coalescing_key_as_edit()) is not None:
            # Replaced, not kept: the one that waits may be on its way out with what was before.
            self._db.execute(sql.DROP_REPAINT, (session, replaced))
        due = at + effect.wait_s if isinstance(effect, fx.ReadAnswers) else at
        row = (session, number, effect.lane, kind, key, effect.rank, dump(effect), due)
        self._db.execute(sql.SEND, row)


def _damaged(session: Session, error: CorruptError) -> Session:
    return replace(session, damage=f"{error.what}: {error.doc[:DAMAGE_CHARS_MAX]}")
