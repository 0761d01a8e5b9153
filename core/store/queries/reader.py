"""What stages, commands and the command line may look up. Reads the last commit, writes nothing."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

from sqlmodel import col, select

from core.domain import events as on
from core.domain.answers import Answer, Claim, Section
from core.domain.ids import (
    AnswerId,
    ChannelId,
    Digest,
    FaultId,
    PersonaKey,
    PhaseKey,
    SessionId,
    StepId,
    TeamId,
    Ts,
)
from core.domain.mentions import users_in, with_names
from core.domain.party import LEAD_ALONE, Party
from core.domain.party.contributions import Contribution
from core.domain.session.halt import Fault
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.domain.steps.playbook import BUILT_IN, Persona, Playbook, Step
from core.ports import Gone, Post, Workspace
from core.store.connection.database import Database
from core.store.documents import ANSWERS, CONTRIBUTIONS, load
from core.store.queries.session_lists import SessionLists, flow_of
from core.store.schema.tables import FaultRow, SessionRow
from core.store.statements import answers, outbox, sessions, steps
from core.store.statements.statement import Value

T = TypeVar("T")
CONTENTS_MAX: Final = 5000


class Reader(SessionLists):
    """Implements `core.ports.SessionReader` on SQLite.

    What has to be there and is not raises `Gone`.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._contents: OrderedDict[Digest, Any] = OrderedDict()

    def load(self, session: SessionId, loaded: Session | None = None) -> Session:
        """See `SessionReader.load`. `loaded`: a value to give back while its version stands."""
        with self._database.reading():
            stored = self.session(session, loaded)
        if stored is None:
            raise Gone(session)
        return stored

    # ── what files held when they were read, by their digest ──

    def _content(self, kind: type[T], digest: Digest | None) -> T | None:
        """What is stored under a digest never changes."""
        if digest is None:
            return None
        if digest not in self._contents:
            row = self._one(sessions.CONTENT, digest=digest)
            if row is None:
                return None
            self._contents[digest] = load(kind, row[0])
            if len(self._contents) > CONTENTS_MAX:
                self._contents.popitem(last=False)
        content: T = self._contents[digest]
        return content

    def content(self, digest: Digest) -> Step:
        step = self._content(Step, digest)
        if step is None:
            raise Gone(digest)
        return step

    def personas(self, session: Session) -> tuple[Persona, ...]:
        if session.roster.file is None:
            return BUILT_IN if session.flow == "analysis" else (LEAD_ALONE,)
        return self._content(tuple[Persona, ...], session.roster.file) or BUILT_IN

    def party(self, session: Session) -> Party | None:
        return self._content(Party, session.party.file)

    def playbook(self, session: Session | None, event: on.Event) -> Playbook:
        """Personas and steps of the session, with the steps that the event brings along."""
        if session is None:
            return Playbook((), {})
        by_digest = {
            state.digest: self.content(state.digest)
            for state in session.course.steps
            if state.digest
        }
        by_digest |= {step.digest: step for step in steps_in(event)}
        return Playbook(self.personas(session), by_digest)

    # ── steps ──

    def all_steps(self, session: SessionId) -> tuple[StepState, ...]:
        states = self.stored_steps(session)
        return tuple(state for state in states if state.pinned or state.status == "completed")

    def step_order(self, session: SessionId) -> tuple[StepId, ...]:
        """Every step that was ever pinned, in the order of phases and files."""
        return tuple(StepId(step) for (step,) in self._all(steps.STEP_IDS, session=session))

    def contributions(self, session: SessionId, phase: PhaseKey) -> tuple[Contribution, ...]:
        """The turns of a council so far, in the order in which they were delivered."""
        return self._values(CONTRIBUTIONS.load, answers.CONTRIBUTIONS, session=session, phase=phase)

    def contribution(self, session: SessionId, phase: PhaseKey, place: int) -> Contribution:
        turn = self._value(
            CONTRIBUTIONS.load, answers.CONTRIBUTION, session=session, phase=phase, place=place
        )
        if turn is None:
            raise Gone(f"{phase}:{place}")
        return turn

    # ── answers and what was made of them ──

    def answers(self, session: SessionId, step: StepId | None = None) -> tuple[Answer, ...]:
        return self._named(session, self._answers(session, step))

    def answers_as_stored(self, session: SessionId) -> tuple[Answer, ...]:
        return self._answers(session)

    def _named(self, session: SessionId, unnamed: tuple[Answer, ...]) -> tuple[Answer, ...]:
        if not any(users_in(answer.text) for answer in unnamed):
            return unnamed
        names = dict(self.load(session).people.names)
        return tuple(replace(answer, text=with_names(answer.text, names)) for answer in unnamed)

    def _answers(self, session: SessionId, step: StepId | None = None) -> tuple[Answer, ...]:
        if step is None:
            stored = self._values(ANSWERS.load, answers.ANSWERS_BY_STEP, session=session)
        else:
            key = {"session": session, "step": step}
            stored = self._values(ANSWERS.load, answers.ANSWERS_OF_STEP, **key)
        return tuple(answer for answer in stored if not answer.withdrawn)

    def proposed(self, session: Session) -> tuple[Answer, ...]:
        stored = (self.answer(session.id, proposal.answer) for proposal in session.proposals)
        return self._named(session.id, tuple(answer for answer in stored if answer is not None))

    def baseline(self, session: SessionId, phase: PhaseKey) -> tuple[Claim, ...] | None:
        rows = self._all(steps.ACCEPTED, session=session, phase=phase)
        if not rows:
            return None
        return tuple(claim for (doc,) in rows if doc for claim in load(tuple[Claim, ...], doc))

    def sections(self, session: SessionId, file: str | None = None) -> tuple[Section, ...]:
        if file is None:
            rows = self._all(steps.SECTIONS, session=session)
        else:
            rows = self._all(steps.SECTIONS_OF_FILE, session=session, file=file)
        return tuple(Section(*row) for row in rows)

    def shown_files(self, session: SessionId) -> tuple[str, ...]:
        """The files that show anything now, in the order in which they begin."""
        rows = self._all(steps.SHOWN_FILES, session=session)
        return tuple(dict.fromkeys(file for (file,) in rows))

    def files(self, session: SessionId, step: StepId | None = None) -> tuple[str, ...]:
        """The files that show a step; without one, those that ever showed any."""
        if step is None:
            rows = self._all(steps.FILES, session=session)
        else:
            rows = self._all(steps.FILES_OF_STEP, session=session, step=step)
        return tuple(file for (file,) in rows)

    # ── faults ──

    def fault(self, fault: FaultId) -> Fault:
        docs = self._rows(select(FaultRow.doc).where(FaultRow.id == fault))
        if not docs:
            raise Gone(fault)
        return load(Fault, docs[0])

    def faults(self, session: SessionId) -> tuple[Fault, ...]:
        query = select(FaultRow.doc).where(FaultRow.session == session)
        return tuple(load(Fault, doc) for doc in self._rows(query.order_by(col(FaultRow.place))))

    def every_fault(self) -> tuple[tuple[SessionId, str, str, Fault], ...]:
        """All, oldest first, with session, slug and flow; those are empty where nothing began."""
        query = (
            select(FaultRow, SessionRow)
            .join(SessionRow, col(SessionRow.id) == FaultRow.session, isouter=True)
            .order_by(col(FaultRow.at), FaultRow.session, col(FaultRow.place))
        )
        return tuple(
            (
                SessionId(row.session),
                owner.slug if owner else "",
                flow_of(owner),
                load(Fault, row.doc),
            )
            for row, owner in self._rows(query)
        )

    def is_notified(self, session: SessionId, fault: Fault) -> bool:
        """True if the owner or the operators were sent a message about it."""
        menu = fault.facts.get("notification_id")
        targets = (f"operators:{fault.id}", *([f"recovery:{menu}"] if menu else []))
        return any(self.post(session, target) is not None for target in targets)

    # ── messages ──

    def post(self, session: SessionId, target: str) -> Post | None:
        row = self._one(outbox.POST, session=session, target=target)
        return Post(*row) if row else None

    def thread(self, session: SessionId, persona: PersonaKey | None) -> Post | None:
        return self.post(session, f"thread:{persona}" if persona else "card")

    def is_post(self, session: SessionId, channel: ChannelId, ts: Ts) -> bool:
        return bool(self._all(outbox.IS_POST, session=session, channel=channel, ts=ts))

    def last_post(self, session: SessionId, prefix: str) -> Post | None:
        key: dict[str, Value] = {"session": session, "prefix": prefix, "length": len(prefix)}
        row = self._one(outbox.LAST_POST, **key)
        return Post(*row) if row else None

    def session_of_thread(
        self, team: TeamId, channel: ChannelId, thread_ts: Ts
    ) -> SessionId | None:
        thread = self.thread_at(team, channel, thread_ts)
        return thread[0] if thread else None

    def teams_of_answer(self, answer: AnswerId) -> tuple[TeamId, ...]:
        """The workspaces that have an answer of this id, which names its channel and time."""
        return tuple(TeamId(team) for (team,) in self._all(answers.ANSWER_TEAMS, id=answer))

    def passed_by(self, session: SessionId, thread_ts: Ts, ts: Ts) -> int:
        key = {"session": session, "since": ts}
        later = self._values(ANSWERS.load, answers.ANSWERS_SINCE, **key)
        theirs = sum(answer.thread_ts == thread_ts for answer in later)
        return theirs + len(self._all(outbox.POSTS_AFTER, thread_ts=thread_ts, **key))

    # ── workspaces ──

    def workspace(self, team: TeamId) -> Workspace:
        row = self._one(sessions.WORKSPACE, team=team)
        if row is None:
            raise Gone(team)
        return Workspace(*row)

    def workspaces(self) -> tuple[Workspace, ...]:
        """Every workspace a bot on this database has been of."""
        return tuple(Workspace(*row) for row in self._all(sessions.WORKSPACES))

    def channel_repository(self, team: TeamId, channel: ChannelId) -> str:
        """The one that is linked to a channel's sessions to come; empty: none."""
        rows = self._all(sessions.CHANNEL, team=team, channel=channel)
        return str(rows[0][0] or "") if rows else ""

    def is_script_channel(self, team: TeamId, channel: ChannelId) -> bool:
        """True if the script alone reads a channel's sessions to come."""
        rows = self._all(sessions.CHANNEL, team=team, channel=channel)
        return bool(rows and rows[0][1])

    def refused_widgets(self, team: TeamId) -> Mapping[str, float]:
        row = self._one(sessions.REFUSED_WIDGETS, team=team)
        return load(dict[str, float], (row and row[0]) or "{}")


def steps_in(event: on.Event) -> list[Step]:
    """The steps that an event brings along."""
    if isinstance(event, on.PhaseOpened):
        return [file.step for file in event.files if file.step is not None]
    if isinstance(event, on.StepOpened) and event.file.step is not None:
        return [event.file.step]
    return []
