"""Taking a session out of the database: every row of it, and what is left of them in the file.

SQLite only marks deleted rows as free, in the file and in the log beside it. `compact` writes the
file anew, so that the words are in neither.
"""

import sqlite3
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.domain.answers import Answer
from core.domain.ids import ChannelId, SessionId, Slug, TeamId, UserId
from core.store.documents import CorruptError, load
from core.store.repository.erase import tables_of_a_session

SHARED: Final[Mapping[str, str]] = {
    "workspaces": "who the bot is",
    "contents": "step files, agent files, settings",
    "deliveries": "ids of what Slack delivered in the last three days",
}
"""Those of all sessions together, and what they hold: no word of anybody's."""


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session as its columns name it: one that cannot be read can be deleted all the same."""

    id: SessionId
    team: TeamId
    channel: ChannelId
    slug: Slug
    title: str
    owner: UserId
    status: str


def called(db: sqlite3.Connection, name: str) -> tuple[StoredSession, ...]:
    """The sessions with that slug or id, or with a run of that id."""
    query = """SELECT id, team, channel, slug, title, owner, status FROM sessions
        WHERE ? IN (id, slug) OR id IN (SELECT session FROM runs WHERE id = ?) ORDER BY id"""
    return tuple(StoredSession(*row) for row in db.execute(query, (name, name)))


def people_of(db: sqlite3.Connection, session: SessionId) -> tuple[UserId, ...]:
    """Whose answers it holds, whether they count or not."""
    rows = db.execute("SELECT doc FROM answers WHERE session = ?", (session,))
    authors = (_author(doc) for (doc,) in rows)
    return tuple(sorted({author for author in authors if author is not None}))


def rows_of(db: sqlite3.Connection, session: SessionId) -> Mapping[str, int]:
    """How many rows it has, by table; those without any are left out."""
    counts = {
        table: db.execute(
            f"SELECT count(*) FROM {table} WHERE {_key(table)} = ?",  # noqa: S608
            (session,),
        ).fetchone()[0]
        for table in ("sessions", *tables_of_a_session())
    }
    return {table: count for table, count in counts.items() if count}


def compact(db: sqlite3.Connection) -> None:
    """Write the file anew and empty the log beside it. Needs the file alone, and as much room again
    as it takes. Raises `sqlite3.Error`; then all rows are as they were, and only traces are left.
    """
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.execute("VACUUM")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@dataclass(frozen=True, slots=True)
class Named:
    """Where somebody's id stands in one session; `session` is empty for rows of none."""

    session: SessionId
    slug: str
    title: str
    channel: str
    status: str
    owns: bool
    answers: int  # answers of theirs, each once
    rows: Mapping[str, int]  # by table


def naming(db: sqlite3.Connection, user: UserId) -> tuple[Named, ...]:
    """Every session with a row that names somebody, oldest id first. Looks at every row there is:
    a table that is added later is looked at as well."""
    found: dict[SessionId, Counter[str]] = {}
    for table in _tables(db):
        if table in SHARED:
            continue
        for owner, row in _rows(db, table):
            if any(_names(user, str(value)) for value in row):
                found.setdefault(SessionId(owner), Counter())[table] += 1
    return tuple(_named(db, session, rows, user) for session, rows in sorted(found.items()))


def _names(user: UserId, text: str) -> bool:
    """Whether an id stands in a text, and not within a longer one."""
    at = text.find(user)
    while at >= 0:
        beside = (text[max(at - 1, 0) : at], text[at + len(user) :][:1])
        if not any(sign.isascii() and sign.isalnum() for sign in beside):
            return True
        at = text.find(user, at + 1)
    return False


def _named(
    db: sqlite3.Connection, session: SessionId, rows: Mapping[str, int], user: UserId
) -> Named:
    query = "SELECT slug, title, channel, status, owner FROM sessions WHERE id = ?"
    slug, title, channel, status, owner = db.execute(query, (session,)).fetchone() or ("",) * 5
    said = db.execute("SELECT id, doc FROM answers WHERE session = ?", (session,))
    answers = len({answer for answer, doc in said if _author(doc) == user})
    return Named(session, slug, title, channel, status, owner == user, answers, dict(rows))


def _author(doc: str) -> UserId | None:
    try:
        return load(Answer, doc).by
    except CorruptError:
        return None


def _tables(db: sqlite3.Connection) -> list[str]:
    query = """SELECT name FROM sqlite_master WHERE type = 'table'
        AND name NOT LIKE 'sqlite_%' AND name <> 'alembic_version' ORDER BY name"""
    return [name for (name,) in db.execute(query)]


def _rows(db: sqlite3.Connection, table: str) -> list[tuple[str, tuple[object, ...]]]:
    query = f"SELECT {_key(table)}, * FROM {table}"  # noqa: S608 - named by the database itself
    return [(row[0], row[1:]) for row in db.execute(query)]


def _key(table: str) -> str:
    return "id" if table == "sessions" else "session"
