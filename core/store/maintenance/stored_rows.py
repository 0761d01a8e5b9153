"""Taking a session out of the database: every row of it, and what is left of them in the file.

SQLite only marks deleted rows as free, in the file and in the log beside it. `compact` writes the
file anew, so that the words are in neither.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import BindParameter, MetaData, Table, bindparam, func, or_, select
from sqlmodel import SQLModel

from core.domain.answers import Answer
from core.domain.ids import ChannelId, SessionId, Slug, TeamId, UserId
from core.store.connection.opening import engine_over, neutral_errors
from core.store.documents import CorruptError, load
from core.store.repository.erase import erase, session_column, tables_of_a_session
from core.store.statements.answers import answers
from core.store.statements.sessions import runs, sessions
from core.store.statements.statement import (
    SQLITE,
    Connection,
    SqlStatement,
    is_param,
    select_columns,
)

SHARED: Final[Mapping[str, str]] = {
    "workspaces": "who the bot is",
    "installations": "which workspaces installed the app, and their tokens, encrypted",
    "oauth_states": "installations that were begun in the last ten minutes",
    "key_holders": "which keys of tokens each running process has, by the keys' names",
    "channels": "which linked repository a channel's sessions look into, and whether models do",
    "contents": "step files, agent files, settings",
    "pace": "when several processes called Slack lately, by channel and method",
    "home_viewers": "who looks at a Home tab, on PostgreSQL: for half an hour",
    "presence": "until when any process took what Slack delivers, and which reads threads again",
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


_COLUMNS: Final = ("id", "team", "channel", "slug", "title", "owner", "status")
_NAME: Final[BindParameter[str]] = bindparam("name")
_CALLED: Final = SqlStatement(
    select(*(sessions.c[name] for name in _COLUMNS))
    .where(
        or_(
            sessions.c.id == _NAME,
            sessions.c.slug == _NAME,
            sessions.c.id.in_(select(runs.c.session).where(runs.c.id == _NAME)),
        )
    )
    .order_by(sessions.c.id)
)
_REVISIONS: Final = select_columns(answers, "id", "doc", keys=("session",))
_SESSION: Final = select_columns(
    sessions, "slug", "title", "channel", "status", "owner", keys=("id",)
)


def called(db: Connection, name: str) -> tuple[StoredSession, ...]:
    """The sessions with that slug or id, or with a run of that id."""
    return tuple(StoredSession(*row) for row in _CALLED(db, name=name))


def people_of(db: Connection, session: SessionId) -> tuple[UserId, ...]:
    """Whose answers it holds, whether they count or not."""
    authors = (_author(doc) for _, doc in _REVISIONS(db, session=session))
    return tuple(sorted({author for author in authors if author is not None}))


def rows_of(db: Connection, session: SessionId) -> Mapping[str, int]:
    """How many rows it has, by table; those without any are left out."""
    counts = {name: _count(db, name, session) for name in ("sessions", *tables_of_a_session())}
    return {table: count for table, count in counts.items() if count}


def _count(db: Connection, name: str, session: SessionId) -> int:
    table = SQLModel.metadata.tables[name]
    query = select(func.count()).select_from(table).where(is_param(session_column(table), "id"))
    return int(SqlStatement(query)(db, id=session).fetchone()[0])


def erase_for_good(db: Connection, session: StoredSession) -> None:
    """Remove every row of a session in one transaction, and overwrite what they held.

    Raises `DatabaseError`; then no row is gone.
    """
    with neutral_errors(db):
        if db.dialect is SQLITE:
            db.execute("PRAGMA secure_delete=ON")
        db.execute("BEGIN IMMEDIATE" if db.dialect is SQLITE else "BEGIN")
        erase(db, session.id)
        db.execute("COMMIT")


def compact(db: Connection) -> None:
    """Write the file anew and empty the log beside it. Needs the file alone, and as much room again
    as it takes. Raises `DatabaseError`; then all rows are as they were, and only traces are left.
    """
    with neutral_errors(db):
        if db.dialect is SQLITE:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        else:
            db.execute(f"VACUUM FULL {', '.join(SQLModel.metadata.tables)}")


def size_bytes(db: Connection) -> int:
    """What the database takes. Raises `DatabaseError`."""
    query = (
        "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        if db.dialect is SQLITE
        else "SELECT pg_database_size(current_database())"
    )
    with neutral_errors(db):
        return int(db.execute(query).fetchone()[0])


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


def naming(db: Connection, user: UserId) -> tuple[Named, ...]:
    """Every session with a row that names somebody, oldest id first. Looks at every row there is:
    a table that is added later is looked at as well."""
    counts: dict[SessionId, Counter[str]] = {}
    for name, table in sorted(_tables(db).items()):
        for owner, *values in SqlStatement(select(session_column(table), table))(db):
            if any(_names(user, str(value)) for value in values):
                counts.setdefault(SessionId(owner), Counter())[name] += 1
    return tuple(_named(db, session, rows, user) for session, rows in sorted(counts.items()))


def _tables(db: Connection) -> Mapping[str, Table]:
    """Those that are there with rows of sessions."""
    metadata = MetaData()
    metadata.reflect(engine_over(db))
    return {
        name: table
        for name, table in metadata.tables.items()
        if name == "sessions" or "session" in table.c
    }


def _names(user: UserId, text: str) -> bool:
    """True if an id stands in a text, and not within a longer one."""
    at = text.find(user)
    while at >= 0:
        beside = (text[max(at - 1, 0) : at], text[at + len(user) :][:1])
        if not any(sign.isascii() and sign.isalnum() for sign in beside):
            return True
        at = text.find(user, at + 1)
    return False


def _named(db: Connection, session: SessionId, rows: Mapping[str, int], user: UserId) -> Named:
    row = _SESSION(db, id=session).fetchone() or ("",) * 5
    slug, title, channel, status, owner = row
    theirs = {answer for answer, doc in _REVISIONS(db, session=session) if _author(doc) == user}
    return Named(session, slug, title, channel, status, owner == user, len(theirs), dict(rows))


def _author(doc: str) -> UserId | None:
    try:
        return load(Answer, doc).by
    except CorruptError:
        return None
