"""The rows of sessions as values: what decisions, stages and commands look up by key."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any, Final, Protocol, TypeVar

from core.domain.answers import Answer, Claim
from core.domain.deliveries import answer_of
from core.domain.ids import (
    AnswerId,
    ChannelId,
    MenuId,
    PersonaKey,
    PhaseKey,
    SessionId,
    StepId,
    TeamId,
    Ts,
)
from core.domain.lines import Correction
from core.domain.session.menu import Menu
from core.domain.session.session import Session
from core.domain.session.start import Known
from core.domain.session.step import StepState
from core.domain.stances import Settlement, Stance
from core.store.documents import (
    ANSWERS,
    CLAIMS,
    CORRECTIONS,
    SESSIONS,
    SETTLEMENTS,
    STANCES,
    STATES,
    CorruptError,
    load_menu,
    session_of_columns,
)
from core.store.statements import answers, outbox, sessions, steps
from core.store.statements.statement import SqlStatement, Value

T = TypeVar("T")
DAMAGE_CHARS_MAX: Final = 100_000  # of a row that cannot be read, kept for examination


class Run(Protocol):
    """Runs a statement and returns all its rows."""

    def __call__(self, statement: SqlStatement, **values: Value) -> list[tuple[Any, ...]]: ...


class SessionRows:
    """Lookups by key. A row that cannot be read raises `core.store.documents.CorruptError`."""

    _SESSION = sessions.SESSION
    _VERSION = sessions.SESSION_VERSION

    def __init__(self, run: Run) -> None:
        self._all = run

    def _one(self, statement: SqlStatement, **values: Value) -> tuple[Any, ...] | None:
        rows = self._all(statement, **values)
        return rows[0] if rows else None

    def _values(
        self, load: Callable[[str], T], statement: SqlStatement, **key: Value
    ) -> tuple[T, ...]:
        return tuple(load(doc) for (doc,) in self._all(statement, **key))

    def _value(self, load: Callable[[str], T], statement: SqlStatement, **key: Value) -> T | None:
        row = self._one(statement, **key)
        return load(row[0]) if row else None

    def is_delivered(self, keys: Collection[str]) -> bool:
        """True if a delivery with one of these keys was handled."""
        return any(map(self._is_handled, keys))

    def _is_handled(self, key: str) -> bool:
        if (answer_key := answer_of(key)) is None:
            return bool(self._all(sessions.DELIVERY, key=key))
        team, answer = answer_key
        return bool(self._all(answers.MESSAGE, key=key, id=answer, team=team))

    def schema_revision(self) -> str | None:
        """The revision of the schema that is stored."""
        row = self._one(sessions.SCHEMA_REVISION)
        return str(row[0]) if row else None

    # ── the session ──

    def session(self, session: SessionId, loaded: Session | None = None) -> Session | None:
        """A session as it is now: the value that was `loaded` before while its version stands."""
        if loaded is not None:
            row = self._one(self._VERSION, id=session)
            if row == (loaded.version,):
                return loaded
        return self._load(session)

    def _load(self, session_id: SessionId) -> Session | None:
        row = self._one(self._SESSION, id=session_id)
        if row is None:
            return None
        doc, version = row
        try:
            session = SESSIONS.load(doc)
        except CorruptError as error:
            return self._from_columns(session_id, error)
        states: tuple[StepState, ...] = ()
        if session.course.phase is not None:
            try:
                states = self.steps_of_phase(session_id, session.course.phase)
            except CorruptError as error:
                session = replace(session, damage=_damage(error))
        pinned = tuple(state for state in states if state.pinned)
        return session.stored_as(version, pinned)

    def _from_columns(self, session: SessionId, error: CorruptError) -> Session:
        (row,) = self._all(sessions.SESSION_COLUMNS, id=session)
        columns = dict(zip(sessions.COLUMNS, row, strict=True))
        return session_of_columns(**columns, damage=_damage(error))

    def sessions_of_slug(self, team: TeamId, base: str) -> tuple[Known, ...]:
        """Sessions of the team whose slug is `base` or begins with it and a number."""
        first, last = f"{base}-0", f"{base}-:"
        rows = self._all(sessions.SLUGS, team=team, base=base, first=first, last=last)
        return tuple(Known(*row) for row in rows)

    def menu(self, menu: MenuId) -> Menu | None:
        row = self._one(sessions.MENU, id=menu)
        return load_menu(menu, *row) if row else None

    def session_of_menu(self, menu: MenuId) -> SessionId | None:
        row = self._one(sessions.MENU_SESSION, id=menu)
        return SessionId(row[0]) if row else None

    # ── steps and their claims ──

    def step_state(self, session: SessionId, step: StepId) -> StepState | None:
        return self._value(STATES.load, steps.STEP, session=session, id=step)

    def steps_of_phase(self, session: SessionId, phase: PhaseKey) -> tuple[StepState, ...]:
        return self._values(STATES.load, steps.PHASE_STEPS, session=session, phase=phase)

    def stored_steps(self, session: SessionId) -> tuple[StepState, ...]:
        """Those of all phases, whether pinned or not."""
        return self._values(STATES.load, steps.ALL_STEPS, session=session)

    def claims(self, session: SessionId) -> tuple[Claim, ...]:
        by_step = self._values(CLAIMS.load, steps.CLAIMS, session=session)
        return tuple(claim for claims in by_step for claim in claims)

    # ── threads and messages ──

    def thread_at(
        self, team: TeamId, channel: ChannelId, ts: Ts
    ) -> tuple[SessionId, PersonaKey | None] | None:
        """The session and the persona of the thread that begins there; None is the card's."""
        row = self._one(outbox.THREAD, team=team, channel=channel, ts=ts)
        return (SessionId(row[0]), PersonaKey(row[1]) if row[1] else None) if row else None

    def prompted_step(self, session: SessionId, thread_ts: Ts, before: Ts) -> StepId | None:
        """The step whose prompt is the last one before that time in that thread."""
        row = self._one(outbox.PROMPTED_STEP, session=session, thread_ts=thread_ts, before=before)
        return StepId(row[0]) if row else None

    def prompt_under_way(self, session: SessionId, before: float) -> bool:
        """A prompt was sent before that time and we do not know yet what became of it."""
        return bool(self._all(outbox.PROMPT_UNDER_WAY, session=session, before=before))

    # ── answers and what people think of them ──

    def answer(self, session: SessionId, answer: AnswerId) -> Answer | None:
        """The current revision, whether it counts or not."""
        return self._value(ANSWERS.load, answers.ANSWER, session=session, id=answer)

    def session_of_answer(self, team: TeamId, answer: AnswerId) -> SessionId | None:
        """Read off its column: what stands in the row may be damaged."""
        row = self._one(answers.ANSWER_SESSION, team=team, id=answer)
        return SessionId(row[0]) if row else None

    def stored_answers(self, session: SessionId) -> tuple[Answer, ...]:
        """Current revisions by time, those withdrawn too."""
        return self._values(ANSWERS.load, answers.ANSWERS, session=session)

    def answers_of_step(self, session: SessionId, step: StepId) -> tuple[Answer, ...]:
        """Current revisions of those that count."""
        of_step = self._values(ANSWERS.load, answers.ANSWERS_OF_STEP, session=session, step=step)
        return tuple(answer for answer in of_step if not answer.withdrawn)

    def has_answers(self, session: SessionId, step: StepId) -> bool:
        """True if there is one that counts."""
        return bool(self.answers_of_step(session, step))

    def stances(self, session: SessionId, step: StepId | None = None) -> tuple[Stance, ...]:
        if step is None:
            return self._values(STANCES.load, answers.STANCES, session=session)
        return self._values(STANCES.load, answers.STANCES_OF_STEP, session=session, step=step)

    def stances_on(self, session: SessionId, answer: AnswerId) -> tuple[Stance, ...]:
        return self._values(STANCES.load, answers.STANCES_ON, session=session, answer=answer)

    def settlements(self, session: SessionId, step: StepId | None = None) -> tuple[Settlement, ...]:
        load = SETTLEMENTS.load
        if step is None:
            return self._values(load, answers.SETTLEMENTS, session=session)
        return self._values(load, answers.SETTLEMENTS_OF_STEP, session=session, step=step)

    def corrections(self, session: SessionId) -> tuple[Correction, ...]:
        return self._values(CORRECTIONS.load, answers.CORRECTIONS, session=session)


def _damage(error: CorruptError) -> str:
    return f"{error.what}: {error.doc[:DAMAGE_CHARS_MAX]}"
