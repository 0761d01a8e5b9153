"""Statements on what is to be sent, on what was sent, and on timers."""

from typing import Final

from sqlalchemy import (
    Float,
    Integer,
    bindparam,
    case,
    cast,
    func,
    literal_column,
    null,
    or_,
    select,
    text,
    update,
)

from core.store.schema import tables, workspace_tables
from core.store.statements import statement as sql

outbox: Final = tables.table_of(tables.OutboxRow)
timers: Final = tables.table_of(tables.TimerRow)
posts: Final = tables.table_of(tables.PostRow)
threads: Final = tables.table_of(tables.ThreadRow)
installations: Final = tables.table_of(workspace_tables.InstallationRow)
sessions: Final = tables.table_of(tables.SessionRow)

# ── the outbox ──

ROW: Final = (
    "id",
    "kind",
    "doc",
    "since",
    "due",
    "attempts",
    "attempted_at",
    "attempt",
    "rank",
    "held_until",
)
IS_NOT_PARKED: Final = outbox.c.due.is_not(None)
IS_PARKED: Final = outbox.c.due.is_(None)
IS_VISIBLE: Final = outbox.c.lane == literal_column("'visible'")

INSERT_EFFECT: Final = sql.insert_row(
    outbox,
    since=bindparam("due"),
    attempts=literal_column("0"),
    attempted_at=null(),
    attempt=null(),
    holder=null(),
    held_until=null(),
)
DELETE_REPAINT: Final = sql.delete_rows(
    outbox, "session", "target", where=(outbox.c.attempted_at.is_(None),)
)
# Posts in their order. Of what may be passed, first what need not wait for its time.
HEAD: Final = sql.SqlStatement(
    select(*(outbox.c[name] for name in ROW))
    .where(*sql.are_params(outbox, "session", "lane"), IS_NOT_PARKED)
    .order_by(
        outbox.c.rank,
        case((outbox.c.rank == literal_column("0"), literal_column("0")), else_=outbox.c.due),
        outbox.c.id,
    )
    .limit(bindparam("many", type_=Integer))
)
LANE: Final = sql.select_columns(
    outbox, *ROW, keys=("session", "lane"), where=(IS_NOT_PARKED,), order_by=(outbox.c.id,)
)
WAITS: Final = sql.select_columns(outbox, "id", keys=("session", "id"))
LOWER_RANK: Final = sql.update_rows(
    outbox, "session", "id", rank=literal_column("1"), target=bindparam("target")
)
# Of several processes one performs a row; of one process nobody asks, and there is no holder.
IS_OURS: Final = func.coalesce(outbox.c.holder, bindparam("holder")) == bindparam("holder")
MAY_BE_TAKEN: Final = or_(
    IS_OURS, func.coalesce(outbox.c.held_until, literal_column("0")) <= bindparam("now")
)
TAKE: Final = sql.update_rows(
    outbox,
    "session",
    "id",
    where=(MAY_BE_TAKEN,),
    holder=bindparam("holder"),
    held_until=bindparam("until"),
)
DELAY_UNATTEMPTED: Final = sql.update_rows(
    outbox, "session", "id", where=(outbox.c.due < bindparam("due"),), due=bindparam("due")
)
MARK_ATTEMPTED: Final = sql.update_rows(
    outbox,
    "session",
    "id",
    attempted_at=bindparam("attempted_at"),
    attempt=bindparam("attempt"),
)
IS_IN_DOUBT: Final = bindparam("in_doubt", type_=Integer) == literal_column("1")
RETRY_LATER: Final = sql.update_rows(
    outbox,
    "session",
    "id",
    where=(IS_OURS,),
    holder=null(),
    held_until=null(),
    # One that was parked while it was sent stays so: the app was uninstalled meanwhile.
    due=case((IS_NOT_PARKED, cast(bindparam("due"), Float)), else_=null()),
    attempts=outbox.c.attempts + literal_column("1"),
    attempted_at=case((IS_IN_DOUBT, outbox.c.attempted_at), else_=None),
    attempt=case((IS_IN_DOUBT, outbox.c.attempt), else_=None),
)
# Not where it was installed anew since: whoever installed it has given these rows their time.
INSTALLED_SINCE: Final = (
    select(sessions.c.id)
    .join(installations, installations.c.team == sessions.c.team)
    .where(installations.c.token.is_not(None), installations.c.installed_at >= bindparam("since"))
)
MARK_UNSERVED: Final = sql.SqlStatement(
    update(installations)
    .where(
        installations.c.team.in_(
            select(sessions.c.team).where(sql.is_param(sessions.c.id, "session"))
        ),
        installations.c.unserved_at.is_(None),
        installations.c.installed_at < bindparam("since"),
    )
    .values(unserved_at=bindparam("since"))
)
PARK: Final = sql.update_rows(
    outbox,
    "session",
    where=(sql.is_param(outbox.c.id, "row"),),
    holder=null(),
    held_until=null(),
    due=case((outbox.c.session.in_(INSTALLED_SINCE), outbox.c.due), else_=null()),
    attempted_at=case((IS_IN_DOUBT, outbox.c.attempted_at), else_=None),
    attempt=case((IS_IN_DOUBT, outbox.c.attempt), else_=None),
)
DELETE_EFFECT: Final = sql.delete_rows(outbox, "session", "id")
DELETE_OURS: Final = sql.delete_rows(outbox, "session", "id", where=(IS_OURS,))
# What depends on a post; a thread depends on no other thread.
DELETE_VISIBLE: Final = sql.delete_rows(
    outbox,
    "session",
    where=(
        IS_VISIBLE,
        outbox.c.kind != literal_column("'Respond'"),
        outbox.c.kind != literal_column("'OpenThread'"),
    ),
)
UNPARK: Final = sql.update_rows(outbox, "session", where=(IS_PARKED,), due=bindparam("due"))
OF_TEAM: Final = select(sessions.c.id).where(sql.is_param(sessions.c.team))
UNPARK_TEAM: Final = sql.SqlStatement(
    update(outbox).where(outbox.c.session.in_(OF_TEAM), IS_PARKED).values(due=bindparam("due"))
)
SESSIONS_WITH_WORK: Final = sql.SqlStatement(
    select(outbox.c.session).distinct().where(IS_NOT_PARKED)
)
POSTS_DUE: Final = sql.SqlStatement(
    select(outbox.c.id).where(IS_VISIBLE, outbox.c.due <= bindparam("now")).limit(1)
)
POSTS_IN_DOUBT: Final = sql.SqlStatement(
    select(outbox.c.id)
    .join(sessions, sessions.c.id == outbox.c.session)
    .where(IS_NOT_PARKED, outbox.c.attempted_at.is_not(None), sql.is_param(sessions.c.team))
    .limit(1)
)
PROMPT_UNDER_WAY: Final = sql.select_columns(
    outbox,
    "id",
    keys=("session",),
    where=(
        IS_VISIBLE,
        outbox.c.kind == literal_column("'PostPrompt'"),
        outbox.c.attempted_at <= bindparam("before"),
    ),
)

# ── messages of ours and their threads ──

# As it stands in the index: SQLite takes a partial index only for the very same words.
PROMPTS: Final = text(tables.IS_PROMPT)

# Two workspaces may have a channel of one id, or share one: a time there is not one session's.
THREAD: Final = sql.SqlStatement(
    select(threads.c.session, threads.c.persona)
    .join(sessions, sessions.c.id == threads.c.session)
    .where(*sql.are_params(threads, "channel", "ts"), sql.is_param(sessions.c.team))
)
THREAD_ROOT: Final = sql.select_columns(threads, "ts", keys=("session", "persona"))
SAVE_THREAD: Final = sql.upsert(threads)
SAVE_POST: Final = sql.upsert(posts)
DELETE_POST: Final = sql.delete_rows(posts, "session", "target")
SHOWN: Final = ("target", "channel", "ts", "thread_ts", "step")
POST: Final = sql.select_columns(posts, *SHOWN, keys=("session", "target"))
LAST_POST: Final = sql.SqlStatement(
    select(*(posts.c[name] for name in SHOWN))
    .where(
        sql.is_param(posts.c.session),
        func.substr(posts.c.target, literal_column("1"), bindparam("length", type_=Integer))
        == bindparam("prefix"),
    )
    .order_by(posts.c.ts.desc())
    .limit(1)
)
IS_POST: Final = sql.select_columns(posts, "ts", keys=("session", "channel", "ts"))
POSTS_AFTER: Final = sql.select_columns(
    posts, "ts", keys=("session", "thread_ts"), where=(posts.c.ts > bindparam("since"),)
)
LAST_PROMPT: Final = sql.SqlStatement(
    select(func.max(posts.c.ts)).where(*sql.are_params(posts, "session", "thread_ts"), PROMPTS)
)
PROMPTED_STEP: Final = sql.SqlStatement(
    select(posts.c.step)
    .where(
        *sql.are_params(posts, "session", "thread_ts"), posts.c.ts < bindparam("before"), PROMPTS
    )
    .order_by(posts.c.ts.desc())
    .limit(1)
)

# ── timers ──

SAVE_TIMER: Final = sql.upsert(timers)
CANCEL_TIMER: Final = sql.delete_rows(timers, "session", "kind")
CANCEL_TIMERS: Final = sql.delete_rows(timers, "session")
END_TIMER: Final = sql.delete_rows(timers, "session", "kind", "due")
NEXT_TIMER: Final = sql.SqlStatement(
    select(func.min(timers.c.due)).where(timers.c.due > bindparam("after"))
)
HAS_RUN_OUT: Final = timers.c.due <= bindparam("now")
TIMER: Final = ("session", "kind", "step", "due")
TIMERS_DUE: Final = sql.select_columns(
    timers, *TIMER, keys=(), where=(HAS_RUN_OUT,), order_by=(timers.c.due,)
)
TIMERS_DUE_OF: Final = sql.select_columns(
    timers, *TIMER, keys=("session",), where=(HAS_RUN_OUT,), order_by=(timers.c.due,)
)
# One statement: between two, a timer that runs out turns into an effect and is in neither count.
PENDING: Final = sql.SqlStatement(
    select(
        select(func.count()).select_from(outbox).where(IS_NOT_PARKED).scalar_subquery()
        + select(func.count()).select_from(timers).where(HAS_RUN_OUT).scalar_subquery()
    )
)
