"""What concerns one person: their sessions in order, and what a page of them has to show.

Three statements, however many sessions there are: one for the order of all, two for a page. What
one person sees of a channel's other sessions is nothing.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, Final

from core.domain.ids import ChannelId, RunId, SessionId, TeamId, UserId
from core.domain.session import ENDED, Session, StepState
from core.engine.flow.reminders import Involvement, waits_for
from core.ports import InvolvedSession, Post, SessionEntry
from core.store.documents.cache import STATES
from core.store.documents.codec import CorruptError, load

# Whoever is in a document at all; who is really meant is looked at one by one.
ORDER: Final = """SELECT id, channel, owner, status, updated_at,
    json_extract(part, '$.waiting.since'), json_extract(part, '$.people.answered'),
    json_extract(part, '$.people.answered_step'), json_extract(part, '$.proposals'),
    json_extract(part, '$.menus.recovery'), readable
    FROM (SELECT id, channel, owner, status, updated_at,
          CASE WHEN json_valid(doc) THEN doc ELSE '{}' END AS part, json_valid(doc) AS readable
          FROM (SELECT id, channel, owner, status, updated_at, doc FROM sessions
                WHERE team = ? AND status <> 'refused')
          WHERE owner = ? OR instr(doc, ?) > 0)"""
PAGE: Final = """SELECT s.id, s.team, s.channel, s.slug, s.title, s.owner, s.status, s.version,
    s.doc, (SELECT p.doc FROM steps p WHERE p.session = s.id AND p.id =
     CASE WHEN json_valid(s.doc) THEN json_extract(s.doc, '$.step') END)
    FROM sessions s WHERE s.id IN (%s)"""
POSTS: Final = """SELECT session, target, channel, ts, thread_ts, step FROM posts
    WHERE session IN (%s) AND (target = 'card' OR target LIKE 'thread:%%')"""


def sessions_involving(
    db: sqlite3.Connection, team: TeamId, user: UserId
) -> tuple[InvolvedSession, ...]:
    """Started, answered in, or with words to confirm; what waits longest for them comes first."""
    rows = db.execute(ORDER, (team, user, json.dumps(user))).fetchall()
    return tuple(sorted(_concerning(rows, user), key=_order))


def _concerning(rows: Iterable[tuple[Any, ...]], user: UserId) -> Iterable[InvolvedSession]:
    for row in rows:
        known, channel, owner, status, updated, since, people, heard = row[:8]
        proposals, recovery, sound = row[8:]
        took_part = user in _listed(people)
        proposed = any(
            each.get("by") == user and not each.get("outcome") for each in _listed(proposals)
        )
        if owner != user and not took_part and not proposed:
            continue
        person = Involvement(
            is_owner=owner == user,
            took_part=took_part,
            has_answered=not sound or user in _listed(heard),
            has_recovery=recovery is not None,
            has_proposal=proposed,
        )
        yield InvolvedSession(
            SessionId(known),
            ChannelId(channel),
            waiting_since=float(since or updated) if waits_for(status, person) else None,
            ended=status in ENDED,
            updated_at=float(updated),
        )


def _listed(part: str | None) -> list[Any]:
    found = json.loads(part) if part else []
    return found if isinstance(found, list) else []


def _order(entry: InvolvedSession) -> tuple[int, float, str]:
    if entry.waiting_since is not None:
        return 0, entry.waiting_since, entry.id
    return (2 if entry.ended else 1), -entry.updated_at, entry.id


def entries(db: sqlite3.Connection, ids: Sequence[SessionId]) -> tuple[SessionEntry, ...]:
    """What a page shows, in the order asked for; what is gone meanwhile is left out."""
    if not ids:
        return ()
    marks = ",".join("?" * len(ids))
    posts: dict[str, dict[str, Post]] = {}
    for session, *post in db.execute(POSTS % marks, tuple(ids)):
        posts.setdefault(session, {})[post[0]] = Post(*post)
    rows = {row[0]: row for row in db.execute(PAGE % marks, tuple(ids))}
    return tuple(_entry(rows[each], posts.get(each, {})) for each in ids if each in rows)


def _entry(row: tuple[Any, ...], posts: dict[str, Post]) -> SessionEntry:
    session, step = _session(row), _step(row[9])
    return SessionEntry(
        session,
        step=step.title if step else "",
        card=posts.get("card"),
        thread=posts.get(f"thread:{session.voice}"),
    )


def _session(row: tuple[Any, ...]) -> Session:
    """One that cannot be read is shown by its columns: no other entry fails for it."""
    known, team, channel, slug, title, owner, status, version, doc, _ = row
    try:
        return load(Session, doc)
    except CorruptError as error:
        return Session(
            id=known,
            run=RunId(""),
            team=team,
            channel=channel,
            owner=owner,
            slug=slug,
            title=title,
            text="",
            seed="",
            created_at="",
            status=status,
            version=version,
            damage=error.what,
        )


def _step(doc: str | None) -> StepState | None:
    try:
        return STATES.load(doc) if doc else None
    except CorruptError:
        return None
