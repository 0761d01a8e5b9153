"""Statements on sessions, their runs, menus, faults and journal; on deliveries and contents."""

from typing import Final

from sqlalchemy import and_, bindparam, delete, literal_column, or_, select, update

from core.store.schema.tables import (
    ContentRow,
    DeliveryRow,
    FaultRow,
    JournalRow,
    MenuRow,
    RunRow,
    SessionRow,
    WorkspaceRow,
    table_of,
)
from core.store.statements.statement import (
    Statement,
    delete_rows,
    insert_new,
    insert_row,
    is_param,
    next_number,
    select_columns,
    select_docs,
    update_rows,
    upsert,
)

workspaces: Final = table_of(WorkspaceRow)
sessions: Final = table_of(SessionRow)
runs: Final = table_of(RunRow)
menus: Final = table_of(MenuRow)
faults: Final = table_of(FaultRow)
journal: Final = table_of(JournalRow)
contents: Final = table_of(ContentRow)
deliveries: Final = table_of(DeliveryRow)

# ── deliveries and contents ──

DELIVERY: Final = select_columns(deliveries, "key", keys=("key",))
SAVE_DELIVERY: Final = insert_new(deliveries)
PRUNE_DELIVERIES: Final = Statement(delete(deliveries).where(deliveries.c.at < bindparam("before")))
CONTENT: Final = select_docs(contents, "digest")
SAVE_CONTENT: Final = insert_new(contents)
SAVE_WORKSPACE: Final = upsert(workspaces)

# ── the session itself ──

SESSION: Final = select_columns(sessions, "doc", "version", keys=("id",))
SESSION_VERSION: Final = select_columns(sessions, "version", keys=("id",))
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
SESSION_COLUMNS: Final = Statement(
    select(*(sessions.c[name] for name in COLUMNS[:-1]), LAST_RUN.label("run")).where(
        is_param(sessions.c.id)
    )
)
INSERT_SESSION: Final = insert_row(sessions, version=literal_column("1"))
UPDATE_SESSION: Final = Statement(
    update(sessions)
    .where(is_param(sessions.c.id), is_param(sessions.c.version, "read_version"))
    .values(
        doc=bindparam("doc"),
        updated_at=bindparam("updated_at"),
        version=sessions.c.version + literal_column("1"),
    )
)
# These have indexes, which are written even where the value stays as it was.
UPDATE_SESSION_COLUMNS: Final = update_rows(
    sessions, "id", **{name: bindparam(name) for name in ("status", "slug", "owner")}
)
# Slugs sort by their bytes: what lies between "x-0" and "x-:" is "x-", a digit, and more.
SLUGS: Final = Statement(
    select(
        sessions.c.id, sessions.c.slug, sessions.c.channel, sessions.c.status, sessions.c.title
    ).where(
        is_param(sessions.c.team),
        or_(
            sessions.c.slug == bindparam("base"),
            and_(sessions.c.slug >= bindparam("first"), sessions.c.slug < bindparam("last")),
        ),
    )
)
INSERT_RUN: Final = Statement(
    runs.insert().values({name: bindparam(name) for name in ("id", "session", "started_at")})
)
END_RUN: Final = update_rows(runs, "id", ended_at=bindparam("ended_at"), status=bindparam("status"))
INSERT_JOURNAL: Final = insert_row(journal)
JOURNAL: Final = Statement(
    select(*(column for column in journal.c if column.name != "session"))
    .where(is_param(journal.c.session))
    .order_by(journal.c.place)
)

# ── menus and faults ──

MENU: Final = select_columns(menus, "session", "doc", keys=("id",))
MENU_SESSION: Final = select_columns(menus, "session", keys=("id",))
SAVE_MENU: Final = upsert(menus)
DELETE_MENU: Final = delete_rows(menus, "id")
SAVE_FAULT: Final = insert_new(faults, place=next_number(faults.c.place, faults.c.session))
