"""Lists of sessions: those of a channel or of all, and those that concern one person, in order.

What concerns one person takes three statements, however many sessions there are: one for the order
of all, two for a page. What one person sees of a channel's other sessions is nothing.

A session that cannot be read is listed by its columns: nobody else's list fails for it.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import and_, case, or_
from sqlmodel import Session as Database
from sqlmodel import col, func, select

from core.domain.ids import ChannelId, SessionId, TeamId, UserId
from core.domain.session import AWAITS_PEOPLE, ENDED, Session
from core.engine.flow.reminders import Involvement, waits_for
from core.ports import InvolvedSession, Post, SessionEntry, Summary
from core.store.documents import (
    SESSIONS,
    STATES,
    CorruptError,
    is_of_columns,
    session_of_columns,
)
from core.store.schema.tables import PostRow, SessionRow, StepRow


def _session(row: SessionRow) -> Session:
    try:
        return SESSIONS.load(row.doc)
    except CorruptError as error:
        columns = row.model_dump(exclude={"doc", "updated_at"})
        return session_of_columns(**columns, damage=error.what)


# ── all, or those of a channel ──


def summaries(db: Database, *where: Any) -> tuple[Summary, ...]:
    """The sessions for which these conditions hold, newest first."""
    query = select(SessionRow).where(*where)
    rows = db.exec(query.order_by(col(SessionRow.updated_at).desc(), SessionRow.id))
    return tuple(_summary(_session(row), row) for row in rows)


def _summary(session: Session, row: SessionRow) -> Summary:
    is_waiting = session.status in AWAITS_PEOPLE and not is_of_columns(session)
    return Summary(
        id=session.id,
        slug=session.slug,
        title=session.title,
        channel=session.channel,
        owner=session.owner,
        status=session.status,
        phase=session.phase,
        step=session.step,
        done=len(session.done),
        total=sum(phase.count for phase in session.phases),
        updated_at=row.updated_at,
        awaited=session.awaited if is_waiting else (),
    )


def seated(db: Database) -> tuple[SessionId, ...]:
    """Sessions whose party has a team that is still needed."""
    query = select(SessionRow).where(
        col(SessionRow.doc).contains('"is_seated":true'),
        col(SessionRow.status).not_in(("completed", "cancelled")),
    )
    listed = (_session(row) for row in db.exec(query))
    return tuple(session.id for session in listed if session.party.is_seated)


def flow_of(row: SessionRow | None) -> str:
    """The flow of a session; empty where there is none, or none that can be read."""
    session = _session(row) if row else None
    return "" if session is None or is_of_columns(session) else session.flow


# ── those that concern one person ──


def sessions_involving(db: Database, team: TeamId, user: UserId) -> tuple[InvolvedSession, ...]:
    """Started, answered in, or with words to confirm; what waits longest for them comes first."""
    query = select(SessionRow).where(
        SessionRow.team == team,
        SessionRow.status != "refused",
        # Whoever is in a document at all; who is really meant is looked at one by one.
        or_(col(SessionRow.owner) == user, func.instr(SessionRow.doc, json.dumps(user)) > 0),
    )
    return tuple(sorted(_involving(db.exec(query).all(), user), key=_order))


def _involving(rows: Sequence[SessionRow], user: UserId) -> Iterator[InvolvedSession]:
    for row in rows:
        session = _session(row)
        took_part = user in session.people.answered
        proposed = any(
            proposal.by == user and not proposal.outcome for proposal in session.proposals
        )
        if row.owner != user and not took_part and not proposed:
            continue
        person = Involvement(
            is_owner=row.owner == user,
            took_part=took_part,
            has_answered=is_of_columns(session) or user in session.people.answered_step,
            has_recovery=session.menus.recovery is not None,
            has_proposal=proposed,
        )
        since = session.waiting.since or row.updated_at
        yield InvolvedSession(
            SessionId(row.id),
            ChannelId(row.channel),
            waiting_since=since if waits_for(session.status, person) else None,
            ended=row.status in ENDED,
            updated_at=row.updated_at,
        )


def _order(entry: InvolvedSession) -> tuple[int, float, str]:
    if entry.waiting_since is not None:
        return 0, entry.waiting_since, entry.id
    return (2 if entry.ended else 1), -entry.updated_at, entry.id


def entries(db: Database, ids: Sequence[SessionId]) -> tuple[SessionEntry, ...]:
    """What a page shows, in the order asked for; what is gone meanwhile is left out."""
    is_shown = or_(col(PostRow.target) == "card", col(PostRow.target).startswith("thread:"))
    posts = {
        (row.session, row.target): Post(**row.model_dump(exclude={"session"}))
        for row in db.exec(select(PostRow).where(col(PostRow.session).in_(ids), is_shown))
    }
    doc = SessionRow.doc
    step = case((func.json_valid(doc) == 1, func.json_extract(doc, "$.step")))
    current = and_(col(StepRow.session) == SessionRow.id, col(StepRow.id) == step)
    query = select(SessionRow, StepRow.doc).outerjoin(StepRow, current)
    rows = {
        row.id: (_session(row), step_doc)
        for row, step_doc in db.exec(query.where(col(SessionRow.id).in_(ids)))
    }
    return tuple(_entry(*rows[session], posts) for session in ids if session in rows)


def _entry(
    session: Session, step_doc: str | None, posts: dict[tuple[str, str], Post]
) -> SessionEntry:
    return SessionEntry(
        session,
        step=_title(step_doc) if step_doc else "",
        card=posts.get((session.id, "card")),
        thread=posts.get((session.id, f"thread:{session.voice}")),
    )


def _title(step_doc: str) -> str:
    try:
        return STATES.load(step_doc).title
    except CorruptError:
        return ""
