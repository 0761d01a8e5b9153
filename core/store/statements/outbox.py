"""Statements on what is to be sent, on what was sent, and on timers."""

from typing import Final

from sqlalchemy import (
    Integer,
    bindparam,
    case,
    func,
    literal_column,
    null,
    select,
    text,
    update,
)

from core.store.schema.tables import (
    IS_PROMPT,
    OutboxRow,
    PostRow,
    ThreadRow,
    TimerRow,
    table_of,
)
from core.store.statements.statement import (
    Statement,
    are_params,
    delete_rows,
    insert_row,
    select_columns,
    update_rows,
    upsert,
)

outbox: Final = table_of(OutboxRow)
timers: Final = table_of(TimerRow)
posts: Final = table_of(PostRow)
threads: Final = table_of(ThreadRow)

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
)
IS_NOT_PARKED: Final = outbox.c.due.is_not(None)
IS_PARKED: Final = outbox.c.due.is_(None)
IS_VISIBLE: Final = outbox.c.lane == literal_column("'visible'")

INSERT_EFFECT: Final = insert_row(
    outbox,
    since=bindparam("due"),
    attempts=literal_column("0"),
    attempted_at=null(),
    attempt=null(),
)
DELETE_REPAINT: Final = delete_rows(
    outbox, "session", "target", where=(outbox.c.attempted_at.is_(None),)
)
# Posts in their order. Of what may be passed, first what need not wait for its time.
HEAD: Final = Statement(
    select(*(outbox.c[name] for name in ROW))
    .where(*are_params(outbox, "session", "lane"), IS_NOT_PARKED)
    .order_by(
        outbox.c.rank,
        case((outbox.c.rank == literal_column("0"), literal_column("0")), else_=outbox.c.due),
        outbox.c.id,
    )
    .limit(bindparam("many", type_=Integer))
)
LANE: Final = select_columns(
    outbox, *ROW, keys=("session", "lane"), where=(IS_NOT_PARKED,), order_by=(outbox.c.id,)
)
WAITS: Final = select_columns(outbox, "id", keys=("session", "id"))
LOWER_RANK: Final = update_rows(
    outbox, "session", "id", rank=literal_column("1"), target=bindparam("target")
)
MARK_ATTEMPTED: Final = update_rows(
    outbox,
    "session",
    "id",
    attempted_at=bindparam("attempted_at"),
    attempt=bindparam("attempt"),
)
IS_IN_DOUBT: Final = bindparam("in_doubt", type_=Integer) == literal_column("1")
POSTPONE: Final = update_rows(
    outbox,
    "session",
    "id",
    due=bindparam("due"),
    attempts=outbox.c.attempts + literal_column("1"),
    attempted_at=case((IS_IN_DOUBT, outbox.c.attempted_at), else_=None),
    attempt=case((IS_IN_DOUBT, outbox.c.attempt), else_=None),
)
DELETE_EFFECT: Final = delete_rows(outbox, "session", "id")
# What depends on a post; a thread depends on no other thread.
DELETE_VISIBLE: Final = delete_rows(
    outbox,
    "session",
    where=(
        IS_VISIBLE,
        outbox.c.kind != literal_column("'Respond'"),
        outbox.c.kind != literal_column("'OpenThread'"),
    ),
)
UNPARK: Final = update_rows(outbox, "session", where=(IS_PARKED,), due=bindparam("due"))
UNPARK_ALL: Final = Statement(update(outbox).where(IS_PARKED).values(due=bindparam("due")))
SESSIONS_WITH_WORK: Final = Statement(select(outbox.c.session).distinct().where(IS_NOT_PARKED))
EFFECTS_WAITING: Final = Statement(select(func.count()).select_from(outbox).where(IS_NOT_PARKED))
POSTS_DUE: Final = Statement(
    select(outbox.c.id).where(IS_VISIBLE, outbox.c.due <= bindparam("now")).limit(1)
)
PROMPT_UNDER_WAY: Final = select_columns(
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
PROMPTS: Final = text(IS_PROMPT)

THREAD: Final = select_columns(threads, "session", "persona", keys=("channel", "ts"))
THREAD_ROOT: Final = select_columns(threads, "ts", keys=("session", "persona"))
SAVE_THREAD: Final = upsert(threads)
SAVE_POST: Final = upsert(posts)
DELETE_POST: Final = delete_rows(posts, "session", "target")
POST: Final = select_columns(
    posts, "target", "channel", "ts", "thread_ts", "step", keys=("session", "target")
)
IS_POST: Final = select_columns(posts, "ts", keys=("session", "channel", "ts"))
POSTS_AFTER: Final = select_columns(
    posts, "ts", keys=("session", "thread_ts"), where=(posts.c.ts > bindparam("since"),)
)
LAST_PROMPT: Final = Statement(
    select(func.max(posts.c.ts)).where(*are_params(posts, "session", "thread_ts"), PROMPTS)
)
PROMPTED_STEP: Final = Statement(
    select(posts.c.step)
    .where(*are_params(posts, "session", "thread_ts"), posts.c.ts < bindparam("before"), PROMPTS)
    .order_by(posts.c.ts.desc())
    .limit(1)
)

# ── timers ──

SAVE_TIMER: Final = upsert(timers)
CANCEL_TIMER: Final = delete_rows(timers, "session", "kind")
CANCEL_TIMERS: Final = delete_rows(timers, "session")
END_TIMER: Final = delete_rows(timers, "session", "kind", "due")
NEXT_TIMER: Final = Statement(select(func.min(timers.c.due)))
HAS_RUN_OUT: Final = timers.c.due <= bindparam("now")
TIMERS_DUE: Final = select_columns(
    timers,
    "session",
    "kind",
    "step",
    "due",
    keys=(),
    where=(HAS_RUN_OUT,),
    order_by=(timers.c.due,),
)
TIMERS_RUN_OUT: Final = Statement(select(func.count()).select_from(timers).where(HAS_RUN_OUT))
