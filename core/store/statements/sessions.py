"""Statements on sessions, their runs, menus, faults and journal; on deliveries and contents."""

from typing import Final

from sqlalchemy import and_, bindparam, column, delete, literal_column, or_, select, table, update

from core.store.schema import tables, workspace_tables
from core.store.statements import statement as sql

workspaces: Final = tables.table_of(workspace_tables.WorkspaceRow)
channels: Final = tables.table_of(workspace_tables.ChannelRow)
sessions: Final = tables.table_of(tables.SessionRow)
runs: Final = tables.table_of(tables.RunRow)
menus: Final = tables.table_of(tables.MenuRow)
faults: Final = tables.table_of(tables.FaultRow)
journal: Final = tables.table_of(tables.JournalRow)
journal_extras: Final = tables.table_of(tables.JournalExtraRow)
contents: Final = tables.table_of(tables.ContentRow)
deliveries: Final = tables.table_of(workspace_tables.DeliveryRow)

SCHEMA_REVISION: Final = sql.SqlStatement(
    select(column("version_num")).select_from(table("alembic_version"))
)

# ── deliveries and contents ──

DELIVERY: Final = sql.select_columns(deliveries, "key", keys=("key",))
SAVE_DELIVERY: Final = sql.insert_row(deliveries)
PRUNE_DELIVERIES: Final = sql.SqlStatement(
    delete(deliveries).where(deliveries.c.at < bindparam("before"))
)
CONTENT: Final = sql.select_docs(contents, "digest")
SAVE_CONTENT: Final = sql.insert_new(contents)
IDENTITY: Final = ("team", "url", "bot_user", "bot_id", "bot_name")
SAVE_WORKSPACE: Final = sql.upsert(workspaces, *IDENTITY)
WORKSPACES: Final = sql.select_columns(workspaces, *IDENTITY, keys=())
WORKSPACE: Final = sql.select_columns(workspaces, *IDENTITY, keys=("team",))
SAVE_REFUSED_WIDGETS: Final = sql.update_rows(
    workspaces, "team", refused_widgets=bindparam("refused_widgets")
)
REFUSED_WIDGETS: Final = sql.select_columns(workspaces, "refused_widgets", keys=("team",))
LINK_CHANNEL: Final = sql.upsert(channels, "team", "channel", "repository")
CHOOSE_CHANNEL_BRAIN: Final = sql.upsert(channels, "team", "channel", "script_only")
CHANNEL: Final = sql.select_columns(channels, "repository", "script_only", keys=("team", "channel"))

# ── the session itself ──

SESSION: Final = sql.select_columns(sessions, "doc", "version", keys=("id",))
SESSION_VERSION: Final = sql.select_columns(sessions, "version", keys=("id",))
# As these, and nobody else changes the session meanwhile. SQLite has one writer: nothing is added.
SESSION_LOCKED: Final = sql.select_locked(sessions, "doc", "version", keys=("id",))
VERSION_LOCKED: Final = sql.select_locked(sessions, "version", keys=("id",))
LAST_RUN: Final = (
    select(runs.c.id)
    .where(runs.c.session == sessions.c.id)
    .order_by(runs.c.started_at.desc())
    .limit(1)
    .scalar_subquery()
)
COLUMNS: Final = (
    "id",
    "team",
    "channel",
    "slug",
    "title",
    "owner",
    "status",
    "version",
    "run",
)
SESSION_COLUMNS: Final = sql.SqlStatement(
    select(*(sessions.c[name] for name in COLUMNS[:-1]), LAST_RUN.label("run")).where(
        sql.is_param(sessions.c.id)
    )
)
INSERT_SESSION: Final = sql.insert_row(sessions, version=literal_column("1"))
CHANGED: Final = ("owner", "status", "doc", "updated_at", "step", "people", "is_seated")
UPDATE_SESSION: Final = sql.SqlStatement(
    update(sessions)
    .where(sql.is_param(sessions.c.id), sql.is_param(sessions.c.version, "read_version"))
    .values(
        **{name: bindparam(name) for name in CHANGED},
        version=sessions.c.version + literal_column("1"),
    )
)
# It has an index, which is written even where the value stays as it was.
UPDATE_SLUG: Final = sql.update_rows(sessions, "id", slug=bindparam("slug"))
# Slugs sort by their bytes: what lies between "x-0" and "x-:" is "x-", a digit, and more.
SLUGS: Final = sql.SqlStatement(
    select(
        sessions.c.id, sessions.c.slug, sessions.c.channel, sessions.c.status, sessions.c.title
    ).where(
        sql.is_param(sessions.c.team),
        or_(
            sessions.c.slug == bindparam("base"),
            and_(sessions.c.slug >= bindparam("first"), sessions.c.slug < bindparam("last")),
        ),
    )
)
INSERT_RUN: Final = sql.SqlStatement(
    runs.insert().values({name: bindparam(name) for name in ("id", "session", "started_at")})
)
END_RUN: Final = sql.update_rows(
    runs, "id", ended_at=bindparam("ended_at"), status=bindparam("status")
)
INSERT_JOURNAL: Final = sql.insert_row(journal)
INSERT_JOURNAL_EXTRA: Final = sql.insert_row(journal_extras)
JOURNAL: Final = sql.SqlStatement(
    select(*(column for column in journal.c if column.name != "session"), journal_extras.c.doc)
    .select_from(
        journal.outerjoin(
            journal_extras,
            and_(
                journal_extras.c.session == journal.c.session,
                journal_extras.c.place == journal.c.place,
            ),
        )
    )
    .where(sql.is_param(journal.c.session))
    .order_by(journal.c.place)
)

# ── menus and faults ──

MENU: Final = sql.select_columns(menus, "session", "state", "doc", keys=("id",))
MENU_SESSION: Final = sql.select_columns(menus, "session", keys=("id",))
SAVE_MENU: Final = sql.upsert(menus)
DELETE_MENU: Final = sql.delete_rows(menus, "id")
SAVE_FAULT: Final = sql.insert_new(faults, place=sql.next_number(faults.c.place, faults.c.session))
