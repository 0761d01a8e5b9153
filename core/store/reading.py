"""What stages, commands and the command line may look up. Reads the last commit, writes nothing."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

from core.domain.answers import Answer, Claim, Section
from core.domain.council import Contribution
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
from core.domain.playbook import BUILT_IN, Persona, Step
from core.domain.session import Fault, Menu, Session, StepState
from core.domain.stances import Settlement, Stance
from core.ports import Entry, Gone, Mine, Post, Summary, Workspace
from core.store import mine
from core.store import statements as sql
from core.store.codec import CorruptError, load
from core.store.database import Database
from core.store.memory import ANSWERS, SECTIONS
from core.store.sessions import Writing

CONTENTS_MAX = 5000
WAITING: Final = frozenset({"asking", "choosing"})


class Reader:
    """Implements `core.ports.SessionReader` on SQLite."""

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
        if session.agent is None:
            return BUILT_IN if session.flow == "analysis" else (LEAD_ALONE,)
        if session.agent not in self._teams:
            row = self._one("SELECT doc FROM contents WHERE digest = ?", session.agent)
            self._teams[session.agent] = load(tuple[Persona, ...], row[0]) if row else BUILT_IN
        return self._teams[session.agent]

    def party(self, session: Session) -> Party | None:
        if session.party.file is None:
            return None
        if session.party.file not in self._parties:
            row = self._one("SELECT doc FROM contents WHERE digest = ?", session.party.file)
            if row is None:
                return None
            self._parties[session.party.file] = load(Party, row[0])
        return self._parties[session.party.file]

    def contributions(self, session: SessionId, phase: PhaseKey) -> tuple[Contribution, ...]:
        """The turns of a council so far, in the order in which they were delivered."""
        rows = self._all(
            "SELECT doc FROM contributions WHERE session = ? AND phase = ? ORDER BY place",
            session,
            phase,
        )
        return tuple(load(Contribution, doc) for (doc,) in rows)

    def contribution(self, session: SessionId, phase: PhaseKey, place: int) -> Contribution:
        row = self._one(
            "SELECT doc FROM contributions WHERE session = ? AND phase = ? AND place = ?",
            session,
            phase,
            place,
        )
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
        query = "SELECT id FROM steps WHERE session = ? ORDER BY phase, place, id"
        return tuple(StepId(step) for (step,) in self._all(query, session))

    def content(self, digest: Digest) -> Step:
        if digest not in self._steps:
            row = self._one("SELECT doc FROM contents WHERE digest = ?", digest)
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

    def _named(self, session: SessionId, answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
        if not any(users_in(answer.text) for answer in answers):
            return answers
        names = dict(self.load(session).mentioned)
        return tuple(replace(answer, text=with_names(answer.text, names)) for answer in answers)

    def _answers(self, session: SessionId, step: StepId | None = None) -> tuple[Answer, ...]:
        query = "SELECT doc FROM answers WHERE session = ? AND current = 1"
        rows = self._all(
            f"{query} AND step = ? ORDER BY ts, id" if step else f"{query} ORDER BY step, ts, id",
            *((session, step) if step else (session,)),
        )
        found = (ANSWERS.load(doc) for (doc,) in rows)
        return tuple(answer for answer in found if not answer.withdrawn)

    def proposed(self, session: Session) -> tuple[Answer, ...]:
        with self._reading() as db:
            found = [db.answer_of(session.id, each.answer) for each in session.proposals]
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
        rows = self._all(sql.BASELINE, session, phase)
        if not rows:
            return None
        return tuple(claim for (doc,) in rows if doc for claim in load(tuple[Claim, ...], doc))

    def sections(self, session: SessionId, file: str | None = None) -> tuple[Section, ...]:
        rows = self._all(
            """SELECT s.doc FROM sections s LEFT JOIN steps p
               ON p.session = s.session AND p.id = s.step
               WHERE s.session = ? AND s.current = 1 AND (? IS NULL OR s.file = ?)
               ORDER BY p.phase, p.place, s.step, s.file""",
            session,
            file,
            file,
        )
        return tuple(SECTIONS.load(doc) for (doc,) in rows)

    def shown_in(self, session: SessionId) -> tuple[tuple[str, StepId], ...]:
        """File and step of each section, in the same order, without what it says."""
        rows = self._all(
            """SELECT s.file, s.step FROM sections s LEFT JOIN steps p
               ON p.session = s.session AND p.id = s.step
               WHERE s.session = ? AND s.current = 1
               ORDER BY p.phase, p.place, s.step, s.file""",
            session,
        )
        return tuple((file, StepId(step)) for file, step in rows)

    def files(self, session: SessionId, step: StepId | None = None) -> tuple[str, ...]:
        """The files that show a step; without one, those that ever showed any."""
        if step is None:
            rows = self._all("SELECT DISTINCT file FROM sections WHERE session = ?", session)
        else:
            query = """SELECT file FROM sections WHERE session = ? AND step = ? AND current = 1
                ORDER BY file"""
            rows = self._all(query, session, step)
        return tuple(file for (file,) in rows)

    def menu(self, menu: MenuId) -> Menu | None:
        with self._reading() as db:
            return db.menu(menu)

    def fault(self, fault: FaultId) -> Fault:
        row = self._one("SELECT doc FROM faults WHERE id = ?", fault)
        if row is None:
            raise Gone(fault)
        return load(Fault, row[0])

    def faults(self, session: SessionId) -> tuple[Fault, ...]:
        rows = self._all("SELECT doc FROM faults WHERE session = ? ORDER BY place", session)
        return tuple(load(Fault, doc) for (doc,) in rows)

    def every_fault(self) -> tuple[tuple[SessionId, str, str, Fault], ...]:
        """All, oldest first, with session, slug and flow; those are empty where nothing began."""
        rows = self._all(
            """SELECT f.session, coalesce(s.slug, ''),
               CASE WHEN s.id IS NULL THEN '' WHEN json_valid(s.doc)
               THEN coalesce(json_extract(s.doc, '$.flow'), 'analysis') ELSE '' END, f.doc
               FROM faults f
               LEFT JOIN sessions s ON s.id = f.session ORDER BY f.at, f.session, f.place"""
        )
        return tuple((SessionId(row[0]), row[1], row[2], load(Fault, row[3])) for row in rows)

    def is_notified(self, session: SessionId, fault: Fault) -> bool:
        """True if the owner or the operators were sent a message about it."""
        menu = fault.facts.get("notification_id")
        targets = (f"operators:{fault.id}", *([f"recovery:{menu}"] if menu else []))
        return any(self.post(session, target) is not None for target in targets)

    def post(self, session: SessionId, target: str) -> Post | None:
        query = "SELECT target, channel, ts, thread_ts, step FROM posts WHERE session = ?"
        row = self._one(f"{query} AND target = ?", session, target)
        return Post(*row) if row else None

    def is_post(self, session: SessionId, channel: ChannelId, ts: Ts) -> bool:
        query = "SELECT 1 FROM posts WHERE session = ? AND channel = ? AND ts = ?"
        return self._one(query, session, channel, ts) is not None

    def last_post(self, session: SessionId, prefix: str) -> Post | None:
        row = self._one(
            """SELECT target, channel, ts, thread_ts, step FROM posts
               WHERE session = ? AND substr(target, 1, ?) = ? ORDER BY ts DESC LIMIT 1""",
            session,
            len(prefix),
            prefix,
        )
        return Post(*row) if row else None

    def session_of_thread(self, channel: ChannelId, thread_ts: Ts) -> SessionId | None:
        row = self._one(sql.THREAD, channel, thread_ts)
        return SessionId(row[0]) if row else None

    def passed_by(self, session: SessionId, thread_ts: Ts, ts: Ts) -> int:
        ours = self._one(
            "SELECT count(*) FROM posts WHERE session = ? AND thread_ts = ? AND ts > ?",
            session,
            thread_ts,
            ts,
        )
        theirs = self._one(
            """SELECT count(*) FROM answers WHERE session = ? AND current = 1 AND ts > ?
               AND json_extract(doc, '$.thread_ts') = ?""",
            session,
            ts,
            thread_ts,
        )
        return int(ours[0] if ours else 0) + int(theirs[0] if theirs else 0)

    def mine(self, team: TeamId, user: UserId) -> tuple[Mine, ...]:
        with self._database.reading() as db:
            return mine.mine(db, team, user)

    def entries(self, sessions: Sequence[SessionId]) -> tuple[Entry, ...]:
        with self._database.reading() as db:
            return mine.entries(db, sessions)

    def workspace(self, team: TeamId) -> Workspace:
        query = "SELECT team, url, bot_user, bot_id, bot_name FROM workspaces WHERE team = ?"
        row = self._one(query, team)
        if row is None:
            raise Gone(team)
        return Workspace(*row)

    def workspaces(self) -> tuple[Workspace, ...]:
        """Every workspace a bot on this database has been of."""
        rows = self._all("SELECT team, url, bot_user, bot_id, bot_name FROM workspaces")
        return tuple(Workspace(*row) for row in rows)

    def of_slug(self, team: TeamId, slug: Slug) -> Summary | None:
        """The one session of a workspace that has this slug, in whichever channel."""
        return next(iter(self._summaries("team = ? AND slug = ?", team, slug)), None)

    def channel_sessions(self, team: TeamId, channel: ChannelId) -> tuple[Summary, ...]:
        return self._summaries("team = ? AND channel = ? AND status <> 'refused'", team, channel)

    def all_sessions(self) -> tuple[Summary, ...]:
        return self._summaries("status <> 'refused'")

    def session_of_run(self, run: str) -> SessionId | None:
        row = self._one("SELECT session FROM runs WHERE id = ?", run)
        return SessionId(row[0]) if row else None

    def seated(self) -> tuple[SessionId, ...]:
        """Sessions whose party has a team that is still needed."""
        rows = self._all(
            """SELECT id FROM sessions WHERE json_valid(doc)
               AND json_extract(doc, '$.party.is_seated')
               AND status NOT IN ('completed', 'cancelled')"""
        )
        return tuple(SessionId(row[0]) for row in rows)

    def _summaries(self, where: str, *args: str) -> tuple[Summary, ...]:
        rows = self._all(
            "SELECT doc, status, updated_at, id, slug, title, channel, owner"  # noqa: S608 - ours
            f" FROM sessions WHERE {where} ORDER BY updated_at DESC, id",
            *args,
        )
        return tuple(_listed(*row) for row in rows)

    def thread(self, session: SessionId, persona: PersonaKey | None) -> Post | None:
        return self.post(session, f"thread:{persona}" if persona else "card")

    def _one(self, query: str, *args: object) -> tuple[Any, ...] | None:
        row: tuple[Any, ...] | None = self._database.read.execute(query, args).fetchone()
        return row

    def _all(self, query: str, *args: object) -> list[tuple[Any, ...]]:
        return self._database.read.execute(query, args).fetchall()

    @contextmanager
    def _reading(self) -> Iterator[Writing]:
        with self._database.reading() as db:
            yield Writing(db)


def _listed(doc: str, status: str, at: float, *columns: Any) -> Summary:
    """One that cannot be read is listed by its columns: nobody else's list fails for it."""
    try:
        return _summary(load(Session, doc), status, at)
    except CorruptError:
        known, slug, title, channel, owner = columns
        return Summary(
            id=SessionId(known),
            slug=slug,
            title=title,
            channel=channel,
            owner=owner,
            status=status,
            phase=None,
            step=None,
            done=0,
            total=0,
            updated_at=at,
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
        awaited=session.awaited if session.status in WAITING else (),
    )
