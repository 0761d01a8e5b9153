"""What stages, commands and the command line may look up. Reads the last commit, writes nothing."""

from collections import OrderedDict
from typing import Any

from core.domain.answers import Answer, Claim, Section
from core.domain.ids import (
    ChannelId,
    Digest,
    FaultId,
    MenuId,
    PersonaKey,
    PhaseKey,
    SessionId,
    StepId,
    TeamId,
    Ts,
)
from core.domain.playbook import BUILT_IN, Persona, Step
from core.domain.session import Fault, Menu, Session, StepState
from core.ports import Gone, Post, Summary, Workspace
from core.store.codec import load
from core.store.database import Database
from core.store.sessions import Writing

CONTENTS_MAX = 5000


class Reader:
    """Implements `core.ports.SessionReader` on SQLite."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._steps: OrderedDict[Digest, Step] = OrderedDict()
        self._teams: dict[Digest, tuple[Persona, ...]] = {}

    def load(self, session: SessionId) -> Session:
        found = Writing(self._database.read).session(session)
        if found is None:
            raise Gone(session)
        return found

    def personas(self, session: Session) -> tuple[Persona, ...]:
        if session.agent is None:
            return BUILT_IN
        if session.agent not in self._teams:
            row = self._one("SELECT doc FROM contents WHERE digest = ?", session.agent)
            self._teams[session.agent] = load(tuple[Persona, ...], row[0]) if row else BUILT_IN
        return self._teams[session.agent]

    def step_state(self, session: SessionId, step: StepId) -> StepState | None:
        return Writing(self._database.read).step(session, step)

    def all_steps(self, session: SessionId) -> tuple[StepState, ...]:
        every = Writing(self._database.read).all_steps(session)
        return tuple(state for state in every if state.pinned or state.status == "completed")

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
        query = "SELECT doc FROM answers WHERE session = ? AND current = 1"
        rows = self._all(
            f"{query} AND step = ? ORDER BY ts, id" if step else f"{query} ORDER BY step, ts, id",
            *((session, step) if step else (session,)),
        )
        found = (load(Answer, doc) for (doc,) in rows)
        return tuple(answer for answer in found if not answer.withdrawn)

    def claims(self, session: SessionId) -> tuple[Claim, ...]:
        rows = self._all("SELECT doc FROM claims WHERE session = ? ORDER BY step, place", session)
        return tuple(load(Claim, doc) for (doc,) in rows)

    def baseline(self, session: SessionId, phase: PhaseKey) -> tuple[Claim, ...] | None:
        query = "SELECT doc FROM baselines WHERE session = ? AND phase = ?"
        row = self._one(query, session, phase)
        return load(tuple[Claim, ...], row[0]) if row else None

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
        return tuple(load(Section, doc) for (doc,) in rows)

    def menu(self, menu: MenuId) -> Menu | None:
        return Writing(self._database.read).menu(menu)

    def fault(self, fault: FaultId) -> Fault:
        row = self._one("SELECT doc FROM faults WHERE id = ?", fault)
        if row is None:
            raise Gone(fault)
        return load(Fault, row[0])

    def faults(self, session: SessionId) -> tuple[Fault, ...]:
        rows = self._all("SELECT doc FROM faults WHERE session = ? ORDER BY place", session)
        return tuple(load(Fault, doc) for (doc,) in rows)

    def post(self, session: SessionId, target: str) -> Post | None:
        query = "SELECT target, channel, ts, thread_ts, step FROM posts WHERE session = ?"
        row = self._one(f"{query} AND target = ?", session, target)
        return Post(*row) if row else None

    def last_post(self, session: SessionId, prefix: str) -> Post | None:
        row = self._one(
            """SELECT target, channel, ts, thread_ts, step FROM posts
               WHERE session = ? AND substr(target, 1, ?) = ? ORDER BY ts DESC LIMIT 1""",
            session,
            len(prefix),
            prefix,
        )
        return Post(*row) if row else None

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

    def workspace(self, team: TeamId) -> Workspace:
        query = "SELECT team, url, bot_user, bot_id, bot_name FROM workspaces WHERE team = ?"
        row = self._one(query, team)
        if row is None:
            raise Gone(team)
        return Workspace(*row)

    def channel_sessions(self, team: TeamId, channel: ChannelId) -> tuple[Summary, ...]:
        return self._summaries("team = ? AND channel = ? AND status <> 'refused'", team, channel)

    def all_sessions(self) -> tuple[Summary, ...]:
        return self._summaries("status <> 'refused'")

    def _summaries(self, where: str, *args: str) -> tuple[Summary, ...]:
        rows = self._all(
            f"SELECT doc, status, updated_at FROM sessions WHERE {where}"  # noqa: S608 - ours
            " ORDER BY updated_at DESC, id",
            *args,
        )
        return tuple(_summary(load(Session, doc), status, at) for doc, status, at in rows)

    def thread(self, session: SessionId, persona: PersonaKey | None) -> Post | None:
        return self.post(session, f"thread:{persona}" if persona else "card")

    def _one(self, query: str, *args: object) -> tuple[Any, ...] | None:
        row: tuple[Any, ...] | None = self._database.read.execute(query, args).fetchone()
        return row

    def _all(self, query: str, *args: object) -> list[tuple[Any, ...]]:
        return self._database.read.execute(query, args).fetchall()


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
    )
