"""Statements on messages of ours and their threads."""

from typing import Final

from sqlalchemy import bindparam, delete, func, select, text

from core.store.schema.tables import IS_PROMPT, PostRow, ThreadRow, table_of
from core.store.statements.statement import Statement, is_param, upsert

posts: Final = table_of(PostRow)
threads: Final = table_of(ThreadRow)

# As it stands in the index: SQLite takes a partial index only for the very same words.
PROMPTS: Final = text(IS_PROMPT)

# ── posts and threads ──

THREAD: Final = Statement(
    select(threads.c.session, threads.c.persona).where(
        is_param(threads.c.channel), is_param(threads.c.ts)
    )
)
THREAD_ROOT: Final = Statement(
    select(threads.c.ts).where(is_param(threads.c.session), is_param(threads.c.persona))
)
SAVE_THREAD: Final = upsert(threads)
SAVE_POST: Final = upsert(posts)
DELETE_POST: Final = Statement(
    delete(posts).where(is_param(posts.c.session), is_param(posts.c.target))
)
POST: Final = Statement(
    select(posts.c.target, posts.c.channel, posts.c.ts, posts.c.thread_ts, posts.c.step).where(
        is_param(posts.c.session), is_param(posts.c.target)
    )
)
IS_POST: Final = Statement(
    select(posts.c.ts).where(
        is_param(posts.c.session), is_param(posts.c.channel), is_param(posts.c.ts)
    )
)
LAST_PROMPT: Final = Statement(
    select(func.max(posts.c.ts)).where(
        is_param(posts.c.session), is_param(posts.c.thread_ts), PROMPTS
    )
)
PROMPTED_STEP: Final = Statement(
    select(posts.c.step)
    .where(
        is_param(posts.c.session),
        is_param(posts.c.thread_ts),
        posts.c.ts < bindparam("before"),
        PROMPTS,
    )
    .order_by(posts.c.ts.desc())
    .limit(1)
)
