"""Statements on the outbox and the timers."""

from typing import Final

from sqlalchemy import Integer, bindparam, case, delete, func, literal_column, null, select, update

from core.store.schema.tables import OutboxRow, TimerRow, table_of
from core.store.statements.statement import Statement, insert_row, is_param, upsert

outbox: Final = table_of(OutboxRow)
timers: Final = table_of(TimerRow)

# ── the outbox ──

ROW: Final = (
    outbox.c.id,
    outbox.c.kind,
    outbox.c.doc,
    outbox.c.since,
    outbox.c.due,
    outbox.c.attempts,
    outbox.c.attempted_at,
    outbox.c.attempt,
    outbox.c.rank,
)
IS_ROW: Final = (is_param(outbox.c.session), is_param(outbox.c.id))
IS_NOT_PARKED: Final = outbox.c.due.is_not(None)

INSERT_EFFECT: Final = insert_row(
    outbox,
    since=bindparam("due"),
    attempts=literal_column("0"),
    attempted_at=null(),
    attempt=null(),
)
DELETE_REPAINT: Final = Statement(
    delete(outbox).where(
        is_param(outbox.c.session), is_param(outbox.c.target), outbox.c.attempted_at.is_(None)
    )
)
# Posts in their order. Of what may be passed, first what need not wait for its time.
HEAD: Final = Statement(
    select(*ROW)
    .where(is_param(outbox.c.session), is_param(outbox.c.lane), IS_NOT_PARKED)
    .order_by(
        outbox.c.rank,
        case((outbox.c.rank == literal_column("0"), literal_column("0")), else_=outbox.c.due),
        outbox.c.id,
    )
    .limit(bindparam("many", type_=Integer))
)
LANE: Final = Statement(
    select(*ROW)
    .where(is_param(outbox.c.session), is_param(outbox.c.lane), IS_NOT_PARKED)
    .order_by(outbox.c.id)
)
WAITS: Final = Statement(select(outbox.c.id).where(*IS_ROW))
LOWER_RANK: Final = Statement(
    update(outbox).where(*IS_ROW).values(rank=literal_column("1"), target=bindparam("target"))
)
MARK_ATTEMPTED: Final = Statement(
    update(outbox)
    .where(*IS_ROW)
    .values(attempted_at=bindparam("attempted_at"), attempt=bindparam("attempt"))
)
IS_IN_DOUBT: Final = bindparam("in_doubt", type_=Integer) == literal_column("1")
POSTPONE: Final = Statement(
    update(outbox)
    .where(*IS_ROW)
    .values(
        due=bindparam("due"),
        attempts=outbox.c.attempts + literal_column("1"),
        attempted_at=case((IS_IN_DOUBT, outbox.c.attempted_at), else_=None),
        attempt=case((IS_IN_DOUBT, outbox.c.attempt), else_=None),
    )
)
DELETE_EFFECT: Final = Statement(delete(outbox).where(*IS_ROW))
# What depends on a post; a thread depends on no other thread.
DELETE_VISIBLE: Final = Statement(
    delete(outbox).where(
        is_param(outbox.c.session),
        outbox.c.lane == literal_column("'visible'"),
        outbox.c.kind != literal_column("'Respond'"),
        outbox.c.kind != literal_column("'OpenThread'"),
    )
)
UNPARK: Final = Statement(
    update(outbox)
    .where(is_param(outbox.c.session), outbox.c.due.is_(None))
    .values(due=bindparam("due"))
)
UNPARK_ALL: Final = Statement(
    update(outbox).where(outbox.c.due.is_(None)).values(due=bindparam("due"))
)
SESSIONS_WITH_WORK: Final = Statement(select(outbox.c.session).distinct().where(IS_NOT_PARKED))
EFFECTS_WAITING: Final = Statement(select(func.count()).select_from(outbox).where(IS_NOT_PARKED))
POSTS_DUE: Final = Statement(
    select(outbox.c.id)
    .where(outbox.c.lane == literal_column("'visible'"), outbox.c.due <= bindparam("now"))
    .limit(1)
)
PROMPT_UNDER_WAY: Final = Statement(
    select(outbox.c.id).where(
        is_param(outbox.c.session),
        outbox.c.lane == literal_column("'visible'"),
        outbox.c.kind == literal_column("'PostPrompt'"),
        outbox.c.attempted_at <= bindparam("before"),
    )
)

# ── timers ──

SAVE_TIMER: Final = upsert(timers)
CANCEL_TIMER: Final = Statement(
    delete(timers).where(is_param(timers.c.session), is_param(timers.c.kind))
)
CANCEL_TIMERS: Final = Statement(delete(timers).where(is_param(timers.c.session)))
END_TIMER: Final = Statement(
    delete(timers).where(
        is_param(timers.c.session), is_param(timers.c.kind), is_param(timers.c.due)
    )
)
NEXT_TIMER: Final = Statement(select(func.min(timers.c.due)))
TIMERS_DUE: Final = Statement(
    select(timers.c.session, timers.c.kind, timers.c.step, timers.c.due)
    .where(timers.c.due <= bindparam("now"))
    .order_by(timers.c.due)
)
TIMERS_RUN_OUT: Final = Statement(
    select(func.count()).select_from(timers).where(timers.c.due <= bindparam("now"))
)
