"""What stages, commands and the command line may look up. Reads the last commit, writes nothing."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from sqlmodel import col, func, select

from core.domain.answers import Answer, Claim, Section
from core.domain.ids import (
    ChannelId,
    Digest,
    FaultId,
    MenuId,
    PersonaKey,
    PhaseKey,
    SessionId,
    Slug,
    StepId,
    TeamId,
    Ts,
    UserId,
)
from core.domain.mentions import users_in, with_names
from core.domain.party import LEAD_ALONE, Party
from core.domain.party.contributions import Contribution
from core.domain.playbook import BUILT_IN, Persona, Step
from core.domain.session import AWAITS_PEOPLE, Fault, Menu, Session, StepState
from core.domain.stances import Settlement, Stance
from core.ports import Gone, InvolvedSession, Post, SessionEntry, Summary, Workspace
from core.store.connection.database import Database
from core.store.documents.cache import ANSWERS, SECTIONS
from core.store.documents.codec import CorruptError, load
from core.store.queries import home_query
from core.store.repository.transaction import Transaction
from core.store.schema.tables import (
    FaultRow,
    PostRow,
    RunRow,
    SectionRow,
    SessionRow,
    StepRow,
    WorkspaceRow,
)
from core.store.statements import answers, posts, sessions, steps
from core.store.statements.statement import Statement, Value

CONTENTS_MAX = 5000


class Reader:
    """Implements `core.ports.SessionReader` on SQLite.

    What has to be there and is not raises `Gone`.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._steps: OrderedDict[Digest, Step] = OrderedDict()
        self._teams: dict[Digest, tuple[Persona, ...]] = {}
        self._parties: dict[Digest, Party] = {}

    def load(self, session: SessionId, loaded: Session | None = None) -> Session:
        """See `SessionReader.load`. `loaded`: a value to give back while its version stands."""
        with self._reading() as db:
            found = db.session(session, loaded)
        if found is None:
            raise Gone(session)
        return found

    def personas(self, session: Session) -> tuple[Persona, ...]:
        file = session.roster.file
        if file is None:
            return BUILT_IN if session.flow == "analysis" else (LEAD_ALONE,)
        if file not in self._teams:
            row = self._one(sessions.CONTENT, digest=file)
            self._teams[file] = load(tuple[Persona, ...], row[0]) if row else BUILT_IN
        return self._teams[file]

    def party(self, session: Session) -> Party | None:
        if session.party.file is None:
            return None
        if session.party.file not in self._parties:
            row = self._one(sessions.CONTENT, digest=session.party.file)
            if row is None:
                return None
            self._parties[session.party.file] = load(Party, row[0])
        return self._parties[session.party.file]

    def contributions(self, session: SessionId, phase: PhaseKey) -> tuple[Contribution, ...]:
        """The turns of a council so far, in the order in which they were delivered."""
        rows = self._all(answers.CONTRIBUTIONS, session=session, phase=phase)
        return tuple(load(Contribution, doc) for (doc,) in rows)

    def contribution(self, session: SessionId, phase: PhaseKey, place: int) -> Contribution:
        row = self._one(answers.CONTRIBUTION, session=session, phase=phase, place=place)
        if row is None:
            raise Gone(f"{phase}:{place}")
        return load(Contribution, row[0])

    def step_state(self, session: SessionId, step: StepId) -> StepState | None:
        with self._reading() as db:
            return db.step(session, step)

    def all_steps(self, session: SessionId) -> tuple[StepState, ...]:
        with self._reading() as db:
            every = db.all_steps(session)
        return tuple(state for state in every if state.pinned or state.status == "completed")

    def step_order(self, session: SessionId) -> tuple[StepId, ...]:
        """Every step that was ever pinned, in the order of phases and files."""
        query = (
            select(StepRow.id)
            .where(StepRow.session == session)
            .order_by(StepRow.phase, col(StepRow.place), StepRow.id)
        )
        return tuple(StepId(step) for step in self._rows(query))

    def content(self, digest: Digest) -> Step:
        if digest not in self._steps:
            row = self._one(sessions.CONTENT, digest=digest)
            if row is None:
                raise Gone(digest)
            self._steps[digest] = load(Step, row[0])
            if len(self._steps) > CONTENTS_MAX:
                self._steps.popitem(last=False)
        return self._steps[digest]

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
        rows = (
            self._all(answers.ANSWERS_OF_STEP, session=session, step=step)
            if step
            else self._all(answers.ANSWERS_BY_STEP, session=session)
        )
        stored = (ANSWERS.load(doc) for (doc,) in rows)
        return tuple(answer for answer in stored if not answer.withdrawn)

    def proposed(self, session: Session) -> tuple[Answer, ...]:
        with self._reading() as db:
            found = [db.answer_of(session.id, proposal.answer) for proposal in session.proposals]
        return self._named(session.id, tuple(answer for answer in found if answer is not None))

    def stances(self, session: SessionId, step: StepId | None = None) -> tuple[Stance, ...]:
        with self._reading() as db:
            return db.stances(session, step)

    def settlements(self, session: SessionId, step: StepId | None = None) -> tuple[Settlement, ...]:
        with self._reading() as db:
            return db.settlements(session, step)

    def claims(self, session: SessionId) -> tuple[Claim, ...]:
        with self._reading() as db:
            return db.claims(session)

    def baseline(self, session: SessionId, phase: PhaseKey) -> tuple[Claim, ...] | None:
        rows = self._all(steps.ACCEPTED, session=session, phase=phase)
        if not rows:
            return None
        return tuple(claim for (doc,) in rows if doc for claim in load(tuple[Claim, ...], doc))

    def sections(self, session: SessionId, file: str | None = None) -> tuple[Section, ...]:
        rows = (
            self._all(steps.SECTIONS_OF_FILE, session=session, file=file)
            if file
            else self._all(steps.SECTIONS, session=session)
        )
        return tuple(SECTIONS.load(doc) for (doc,) in rows)

    def shown_in(self, session: SessionId) -> tuple[tuple[str, StepId], ...]:
        """File and step of each section, in the same order, without what it says."""
        rows = self._all(steps.SHOWN_IN, session=session)
        return tuple((file, StepId(step)) for file, step in rows)

    def files(self, session: SessionId, step: StepId | None = None) -> tuple[str, ...]:
        """The files that show a step; without one, those that ever showed any."""
        if step is None:
            query = select(SectionRow.file).where(SectionRow.session == session).distinct()
            return tuple(self._rows(query))
        return tuple(file for (file,) in self._all(steps.FILES_OF_STEP, session=session, step=step))

    def menu(self, menu: MenuId) -> Menu | None:
        with self._reading() as db:
            return db.menu(menu)

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
            select(FaultRow.session, FaultRow.doc, SessionRow.slug, SessionRow.doc)
            .select_from(FaultRow)
            .join(SessionRow, col(SessionRow.id) == FaultRow.session, isouter=True)
            .order_by(col(FaultRow.at), FaultRow.session, col(FaultRow.place))
        )
        return tuple(
            (SessionId(session), slug or "", _flow(doc), load(Fault, fault))
            for session, fault, slug, doc in self._rows(query)
        )

    def is_notified(self, session: SessionId, fault: Fault) -> bool:
        """True if the owner or the operators were sent a message about it."""
        menu = fault.facts.get("notification_id")
        targets = (f"operators:{fault.id}", *([f"recovery:{menu}"] if menu else []))
        return any(self.post(session, target) is not None for target in targets)

    def post(self, session: SessionId, target: str) -> Post | None:
        row = self._one(posts.POST, session=session, target=target)
        return Post(*row) if row else None

    def is_post(self, session: SessionId, channel: ChannelId, ts: Ts) -> bool:
        return self._one(posts.IS_POST, session=session, channel=channel, ts=ts) is not None

    def last_post(self, session: SessionId, prefix: str) -> Post | None:
        query = (
            select(PostRow)
            .where(
                PostRow.session == session, func.substr(PostRow.target, 1, len(prefix)) == prefix
            )
            .order_by(col(PostRow.ts).desc())
        )
        rows = self._rows(query.limit(1))
        return Post(**rows[0].model_dump(exclude={"session"})) if rows else None

    def session_of_thread(self, channel: ChannelId, thread_ts: Ts) -> SessionId | None:
        row = self._one(posts.THREAD, channel=channel, ts=thread_ts)
        return SessionId(row[0]) if row else None

    def passed_by(self, session: SessionId, thread_ts: Ts, ts: Ts) -> int:
        query = select(PostRow.ts).where(
            PostRow.session == session, PostRow.thread_ts == thread_ts, PostRow.ts > ts
        )
        rows = self._all(answers.ANSWERS_SINCE, session=session, since=ts)
        theirs = sum(ANSWERS.load(doc).thread_ts == thread_ts for (doc,) in rows)
        return len(self._rows(query)) + theirs

    def sessions_involving(self, team: TeamId, user: UserId) -> tuple[InvolvedSession, ...]:
        with self._database.reading() as db:
            return home_query.sessions_involving(db, team, user)

    def entries(self, sessions: Sequence[SessionId]) -> tuple[SessionEntry, ...]:
        with self._database.reading() as db:
            return home_query.entries(db, sessions)

    def workspace(self, team: TeamId) -> Workspace:
        row = next((each for each in self.workspaces() if each.team == team), None)
        if row is None:
            raise Gone(team)
        return row

    def workspaces(self) -> tuple[Workspace, ...]:
        """Every workspace a bot on this database has been of."""
        return tuple(Workspace(**row.model_dump()) for row in self._rows(select(WorkspaceRow)))

    def of_slug(self, team: TeamId, slug: Slug) -> Summary | None:
        """The one session of a workspace that has this slug, in whichever channel."""
        return next(iter(self._summaries(SessionRow.team == team, SessionRow.slug == slug)), None)

    def channel_sessions(self, team: TeamId, channel: ChannelId) -> tuple[Summary, ...]:
        return self._summaries(
            SessionRow.team == team, SessionRow.channel == channel, SessionRow.status != "refused"
        )

    def all_sessions(self) -> tuple[Summary, ...]:
        return self._summaries(SessionRow.status != "refused")

    def session_of_run(self, run: str) -> SessionId | None:
        rows = self._rows(select(RunRow.session).where(RunRow.id == run))
        return SessionId(rows[0]) if rows else None

    def seated(self) -> tuple[SessionId, ...]:
        """Sessions whose party has a team that is still needed."""
        query = select(SessionRow.id, SessionRow.doc).where(
            col(SessionRow.doc).contains('"is_seated":true'),
            col(SessionRow.status).not_in(("completed", "cancelled")),
        )
        return tuple(SessionId(session) for session, doc in self._rows(query) if _is_seated(doc))

    def _summaries(self, *where: Any) -> tuple[Summary, ...]:
        query = select(SessionRow).where(*where)
        rows = self._rows(query.order_by(col(SessionRow.updated_at).desc(), SessionRow.id))
        return tuple(_listed(row) for row in rows)

    def thread(self, session: SessionId, persona: PersonaKey | None) -> Post | None:
        return self.post(session, f"thread:{persona}" if persona else "card")

    def _one(self, statement: Statement, **values: Value) -> tuple[Any, ...] | None:
        row: tuple[Any, ...] | None = self._database.read.run(statement, **values).fetchone()
        return row

    def _all(self, statement: Statement, **values: Value) -> list[tuple[Any, ...]]:
        return self._database.read.run(statement, **values)

    def _rows(self, query: Any) -> Sequence[Any]:
        """What is asked seldom, through SQLModel."""
        with self._database.session() as db:
            rows: Sequence[Any] = db.exec(query).all()
        return rows

    @contextmanager
    def _reading(self) -> Iterator[Transaction]:
        with self._database.reading() as db:
            yield Transaction(db)


def _session(doc: str) -> Session | None:
    try:
        return load(Session, doc)
    except CorruptError:
        return None


def _flow(doc: str | None) -> str:
    session = _session(doc) if doc else None
    return session.flow if session else ""


def _is_seated(doc: str) -> bool:
    session = _session(doc)
    return session is not None and session.party.is_seated


def _listed(row: SessionRow) -> Summary:
    """One that cannot be read is listed by its columns: nobody else's list fails for it."""
    session = _session(row.doc)
    if session is not None:
        return _summary(session, row.status, row.updated_at)
    return Summary(
        id=SessionId(row.id),
        slug=Slug(row.slug),
        title=row.title,
        channel=ChannelId(row.channel),
        owner=UserId(row.owner),
        status=row.status,
        phase=None,
        step=None,
        done=0,
        total=0,
        updated_at=row.updated_at,
    )


def _summary(session: Session, status: str, at: float) -> Summary:
    return Summary(
        id=session.id,
        slug=session.slug,
        title=session.title,
        channel=session.channel,
        owner=session.owner,
        status=status,
        phase=session.phase,
        step=session.step,
        done=len(session.done),
        total=sum(phase.count for phase in session.phases),
        updated_at=at,
        awaited=session.awaited if session.status in AWAITS_PEOPLE else (),
    )
