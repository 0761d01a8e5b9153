"""Statements on workspaces that installed the app, and on installations that were begun."""

from typing import Final

from sqlalchemy import Integer, bindparam, delete, func, literal_column, null, or_, select, update

from core.store.schema import tables, workspace_tables
from core.store.statements import statement as sql
from core.store.statements.calls import calls
from core.store.statements.outbox import OF_TEAM, outbox, timers
from core.store.statements.sessions import deliveries, faults, sessions

installations: Final = tables.table_of(workspace_tables.InstallationRow)
states: Final = tables.table_of(workspace_tables.OAuthStateRow)
holders: Final = tables.table_of(workspace_tables.KeyHolderRow)

PARKED_S: Final = 1_000_000_000.0
"""How far ahead the timers of a workspace are put while the app is not installed there."""

COLUMNS: Final = ("team", "token", "installed_at", "uninstalled_at", "model_hosts", "unserved_at")
INSTALLATION: Final = sql.select_columns(installations, *COLUMNS, keys=("team",))
INSTALLATIONS: Final = sql.select_columns(
    installations, *COLUMNS, keys=(), order_by=(installations.c.team,)
)
SAVE_INSTALLATION: Final = sql.upsert(
    installations,
    "team",
    "token",
    "installed_at",
    uninstalled_at=lambda _row: null(),
    unserved_at=lambda _row: null(),
)
# A second is all that the time of an event tells: an installation of the same one is not newer.
REMOVE_TOKEN: Final = sql.update_rows(
    installations,
    "team",
    where=(
        installations.c.token.is_not(None),
        installations.c.installed_at < bindparam("happened_before"),
    ),
    token=null(),
    uninstalled_at=bindparam("uninstalled_at"),
)
REPLACE_TOKEN: Final = sql.update_rows(
    installations,
    "team",
    where=(installations.c.token == bindparam("sealed_before"),),
    token=bindparam("token"),
)
SAVE_MODEL_HOSTS: Final = sql.update_rows(
    installations, "team", model_hosts=bindparam("model_hosts")
)

# ── what waits while the app is not installed ──

MARK_SERVED: Final = sql.update_rows(installations, "team", unserved_at=null())
PARK_ROWS: Final = sql.SqlStatement(
    update(outbox).where(outbox.c.session.in_(OF_TEAM)).values(due=null())
)
IS_PARKED: Final = timers.c.due >= literal_column(str(2 * PARKED_S))
PARK_TIMERS: Final = sql.SqlStatement(
    update(timers)
    .where(timers.c.session.in_(OF_TEAM), ~IS_PARKED)
    .values(due=timers.c.due + literal_column(str(PARKED_S)))
)
UNPARK_TIMERS: Final = sql.SqlStatement(
    update(timers)
    .where(timers.c.session.in_(OF_TEAM), IS_PARKED)
    .values(due=timers.c.due - literal_column(str(PARKED_S)))
)

# ── what goes with a workspace ──

SESSIONS_OF_TEAM: Final = sql.SqlStatement(OF_TEAM)
DELETE_DELIVERIES: Final = sql.SqlStatement(
    delete(deliveries).where(deliveries.c.key.like(bindparam("pattern")))
)
DELETE_REFUSED: Final = sql.SqlStatement(
    delete(faults).where(
        faults.c.session == literal_column("''"), faults.c.id.like(bindparam("pattern"))
    )
)

# ── what it has cost ──

SPENDING: Final = sql.SqlStatement(
    select(
        sessions.c.team,
        func.count(sessions.c.id.distinct()),
        func.coalesce(func.sum(calls.c.input_tokens + calls.c.output_tokens), literal_column("0")),
        func.sum(calls.c.usd),
    )
    .select_from(sessions.outerjoin(calls, calls.c.session == sessions.c.id))
    .group_by(sessions.c.team)
    .order_by(sessions.c.team)
)

# ── installations that were begun ──

DELETE_EXPIRED: Final = sql.SqlStatement(
    delete(states).where(states.c.expires_at <= bindparam("now"))
)
OPEN_STATES: Final = sql.SqlStatement(select(func.count()).select_from(states))
DELETE_OLDEST: Final = sql.SqlStatement(
    delete(states).where(
        states.c.digest.in_(
            select(states.c.digest)
            .order_by(states.c.expires_at, states.c.digest)
            .limit(bindparam("many", type_=Integer))
        )
    )
)
SAVE_STATE: Final = sql.insert_row(states)
USE_STATE: Final = sql.delete_rows(
    states, "digest", where=(states.c.expires_at > bindparam("now"),)
)

# ── who has which keys ──

SAVE_HOLDER: Final = sql.upsert(holders)
DELETE_HOLDER: Final = sql.SqlStatement(
    delete(holders).where(
        or_(sql.is_param(holders.c.process), holders.c.last_at < bindparam("before"))
    )
)
HOLDERS: Final = sql.select_columns(
    holders, "process", "keys", keys=(), where=(holders.c.last_at >= bindparam("since"),)
)
