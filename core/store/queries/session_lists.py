"""Lists of sessions: those of a channel or of all, and those that concern one person, in order.

What concerns one person takes three statements, however many sessions there are: one for the order
of all, two for a page. What one person sees of a channel's other sessions is nothing.

A session that cannot be read is listed by its columns: nobody else's list fails for it.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import and_, or_
from sqlmodel import col, select

from core.domain.ids import ChannelId, SessionId, Slug, TeamId, UserId
from core.domain.session.course import AWAITS_PEOPLE, ENDED
from core.domain.session.session import Session
from core.ports import InvolvedSession, Post, SessionEntry, Summary
from core.store.connection.database import Database
from core.store.documents import SESSIONS, STATES, CorruptError, is_of_columns, session_of_columns
from core.store.repository.session_rows import SessionRows
from core.store.schema.tables import PostRow, SessionRow, StepRow


class SessionLists(SessionRows):
    """Lists of sessions, and whatever else is asked seldom, as of the last commit."""

    def __init__(self, database: Database) -> None:
        super().__init__(database.run)
        self._database = database

    def _rows(self, query: Any) -> Sequence[Any]:
        """The rows of a query, through SQLModel."""
        with self._database.session() as db:
            rows: Sequence[Any] = db.exec(query).all()
        return rows

    # ── all, or those of a channel ──

    def of_slug(self, team: TeamId, slug: Slug) -> Summary | None:
        """The one session of a workspace that has this slug, in whichever channel."""
        return next(iter(self._summaries(SessionRow.team == team, SessionRow.slug == slug)), None)

    def channel_sessions(self, team: TeamId, channel: ChannelId) -> tuple[Summary, ...]:
        """The sessions of a channel, newest first."""
        return self._summaries(
            SessionRow.team == team, SessionRow.channel == channel, SessionRow.status != "refused"
        )

    def all_sessions(self) -> tuple[Summary, ...]:
        """The sessions of all workspaces, newest first."""
        return self._summaries(SessionRow.status != "refused")

    def _summaries(self, *where: Any) -> tuple[Summary, ...]:
        query = select(SessionRow).where(*where)
        rows = self._rows(query.order_by(col(SessionRow.updated_at).desc(), SessionRow.id))
        return tuple(_summary(_session(row), row) for row in rows)

    def seated(self) -> tuple[SessionId, ...]:
        """Sessions whose party has a team that is still needed."""
        query = select(SessionRow).where(
            SessionRow.is_seated == 1,
            col(SessionRow.status).not_in(("completed", "cancelled")),
        )
        listed = (_session(row) for row in self._rows(query))
        return tuple(session.id for session in listed if session.party.is_seated)

    # ── those that concern one person ──

    def sessions_involving(self, team: TeamId, user: UserId) -> tuple[InvolvedSession, ...]:
        """Started, answered in, or with words to confirm; what waits longest for them first."""
        query = select(SessionRow).where(
            SessionRow.team == team,
            SessionRow.status != "refused",
            or_(
                col(SessionRow.owner) == user,
                col(SessionRow.people).contains(f" {user} ", autoescape=True),
            ),
        )
        return tuple(sorted(_involving(self._rows(query), user), key=_order))

    def entries(self, sessions: Sequence[SessionId]) -> tuple[SessionEntry, ...]:
        """What a page shows, in the order asked for; what is gone meanwhile is left out."""
        is_shown = or_(col(PostRow.target) == "card", col(PostRow.target).startswith("thread:"))
        current = and_(col(StepRow.session) == SessionRow.id, col(StepRow.id) == SessionRow.step)
        query = select(SessionRow, StepRow.doc).outerjoin(StepRow, current)
        post_rows = self._rows(select(PostRow).where(col(PostRow.session).in_(sessions), is_shown))
        listed = self._rows(query.where(col(SessionRow.id).in_(sessions)))
        posts = {(row.session, row.target): post_of_row(row) for row in post_rows}
        rows = {row.id: (_session(row), step_doc) for row, step_doc in listed}
        return tuple(_entry(*rows[session], posts) for session in sessions if session in rows)


def _session(row: SessionRow) -> Session:
    try:
        return SESSIONS.load(row.doc)
    except CorruptError as error:
        columns = row.model_dump(exclude={"doc", "updated_at", "step", "people", "is_seated"})
        return session_of_columns(**columns, damage=error.what)


def _summary(session: Session, row: SessionRow) -> Summary:
    is_waiting = session.status in AWAITS_PEOPLE and not is_of_columns(session)
    return Summary(
        id=session.id,
        slug=session.slug,
        title=session.title,
        channel=session.channel,
        owner=session.owner,
        status=session.status,
        phase=session.course.phase,
        step=session.course.step,
        done=len(session.course.done),
        total=sum(phase.count for phase in session.course.phases),
        updated_at=row.updated_at,
        awaited=session.awaited if is_waiting else (),
        usage=session.model.usage,
    )


def flow_of(row: SessionRow | None) -> str:
    """The flow of a session; empty where there is none, or none that can be read."""
    session = _session(row) if row else None
    return "" if session is None or is_of_columns(session) else session.flow


def _involving(rows: Sequence[SessionRow], user: UserId) -> Iterator[InvolvedSession]:
    for row in rows:
        session = _session(row)
        is_involved = user == row.owner or user in session.people.answered
        if not is_involved and not session.has_proposal_of(user):
            continue
        is_awaited = session.waits_for(user) and not is_of_columns(session)
        since = session.waiting.since or row.updated_at
        yield InvolvedSession(
            SessionId(row.id),
            ChannelId(row.channel),
            waiting_since=since if is_awaited else None,
            ended=row.status in ENDED,
            updated_at=row.updated_at,
        )


def _order(entry: InvolvedSession) -> tuple[int, float, str]:
    if entry.waiting_since is not None:
        return 0, entry.waiting_since, entry.id
    return (2 if entry.ended else 1), -entry.updated_at, entry.id


def post_of_row(row: PostRow) -> Post:
    """The message of a row."""
    return Post(**row.model_dump(exclude={"session"}))


def _entry(
    session: Session, step_doc: str | None, posts: dict[tuple[str, str], Post]
) -> SessionEntry:
    return SessionEntry(
        session,
        step=_title(step_doc) if step_doc else "",
        card=posts.get((session.id, "card")),
        thread=posts.get((session.id, f"thread:{session.course.thread}")),
    )


def _title(step_doc: str) -> str:
    try:
        return STATES.load(step_doc).title
    except CorruptError:
        return ""
