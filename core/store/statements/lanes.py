"""Statements of several processes on one PostgreSQL: who performs a lane, and when a call may go.

None has a twin: on SQLite one process owns the file, and a dispatcher's memory does the same. Lists
come as JSON, for a statement binds texts and numbers alone.
"""

from typing import Final

from sqlalchemy import text

from core.store.statements.statement import SqlStatement

QUEUE: Final = "lanes"
TASK: Final = "drain"

# A job of the engine: `lock` keeps two from one lane at once, and nothing keeps a second job from
# waiting behind it, for the first may have looked before this commit.
_JOB: Final = f"""
ROW(
    '{QUEUE}', '{TASK}', 0,
    concat_ws(':', lane, session, place),
    NULL,
    jsonb_build_object('lane', lane, 'session', session, 'place', place),
    NULL
)::procrastinate_job_to_defer_v1
"""

DEFER: Final = SqlStatement(
    text(f"""
SELECT procrastinate_defer_jobs_v1(array_agg({_JOB}))
FROM jsonb_to_recordset(CAST(:lanes AS jsonb)) AS waking(lane text, session text, place bigint)
""")  # noqa: S608
)

_HAS_NO_JOB: Final = """
NOT EXISTS (
    SELECT 1 FROM procrastinate_jobs AS job
    WHERE job.status IN ('todo', 'doing')
        AND job.lock = concat_ws(':', {lane}, {row}.session{place})
)
"""
_ROW_PLACE: Final = "CASE WHEN waiting.lane = 'brain' THEN waiting.id END"
# A row is at the head of its lane where none before it has to wait, as `outbox.HEAD` orders them.
WAKE_DUE: Final = SqlStatement(
    text(f"""
WITH due_row AS (
    SELECT waiting.lane, waiting.session, {_ROW_PLACE} AS place
    FROM outbox AS waiting
    WHERE waiting.due <= :now
        AND coalesce(waiting.held_until, 0) <= :now
        AND NOT EXISTS (
            SELECT 1 FROM outbox AS before
            WHERE before.session = waiting.session
                AND before.lane = waiting.lane
                AND waiting.lane = 'visible'
                AND (before.due > :now OR before.held_until > :now)
                AND (
                    before.rank < waiting.rank
                    OR (before.rank = 0 AND waiting.rank = 0 AND before.id < waiting.id)
                )
        )
        AND {_HAS_NO_JOB.format(lane="waiting.lane", row="waiting", place=f", {_ROW_PLACE}")}
    ORDER BY waiting.due
    LIMIT :many
    FOR UPDATE OF waiting SKIP LOCKED
), due_timer AS (
    SELECT 'timer' AS lane, timer.session, NULL::bigint AS place
    FROM timers AS timer
    WHERE timer.due <= :now
        AND {_HAS_NO_JOB.format(lane="'timer'", row="timer", place="")}
    ORDER BY timer.due
    LIMIT :many
    FOR UPDATE OF timer SKIP LOCKED
), due AS (
    SELECT lane, session, place FROM due_row UNION SELECT lane, session, place FROM due_timer
)
SELECT procrastinate_defer_jobs_v1(array_agg({_JOB})) FROM due
""")  # noqa: S608
)

# A server waits without end for the rest of a pipeline, and takes that for work: none of its time
# limits (up to version 16) ends a transaction whose process was suspended in the midst of one.
END_SUSPENDED: Final = SqlStatement(
    text("""
SELECT pg_terminate_backend(pid)
FROM pg_stat_activity
WHERE datname = current_database()
    AND usename = current_user
    AND application_name = current_setting('application_name')
    AND pid <> pg_backend_pid()
    AND xact_start IS NOT NULL
    AND wait_event = 'ClientRead'
    AND extract(epoch FROM clock_timestamp() - state_change) > :idle_s
""")
)

# ── pace and waits that Slack asked for ──

_RECENT: Final = """
SELECT CAST(call AS double precision) AS at
FROM jsonb_array_elements_text(CAST(pace.calls AS jsonb)) AS call
WHERE CAST(call AS double precision) > :now - {window_s}
"""
# Counted under all limits or none. Whoever is second on the same row sees the first's call.
TAKE_PACE: Final = SqlStatement(
    text(f"""
WITH wanted AS (
    SELECT key, most, window_s
    FROM jsonb_to_recordset(CAST(:limits AS jsonb))
        AS limits(key text, most integer, window_s double precision)
), verdict AS (
    SELECT max(greatest(
        pace.held_until,
        (
            SELECT recent.at + wanted.window_s
            FROM ({_RECENT.format(window_s="wanted.window_s")}) AS recent
            WHERE wanted.most IS NOT NULL
            ORDER BY recent.at DESC OFFSET greatest(wanted.most, 1) - 1 LIMIT 1
        )
    )) AS free_at
    FROM wanted JOIN pace ON pace.key = wanted.key
), counted AS (
    INSERT INTO pace (key, calls, most, window_s, held_until)
    SELECT key, jsonb_build_array(CAST(:now AS double precision))::text, most, window_s, 0
    FROM wanted, verdict
    WHERE most IS NOT NULL AND coalesce(verdict.free_at, 0) <= :now
    ORDER BY key
    ON CONFLICT (key) DO UPDATE SET
        calls = (
            SELECT jsonb_agg(recent.at)::text
            FROM (
                {_RECENT.format(window_s="excluded.window_s")}
                UNION ALL SELECT CAST(:now AS double precision)
            ) AS recent
        ),
        most = excluded.most,
        window_s = excluded.window_s
    WHERE pace.held_until <= :now
        AND excluded.most > (
            SELECT count(*) FROM ({_RECENT.format(window_s="excluded.window_s")}) AS recent
        )
    RETURNING key
)
SELECT
    coalesce(verdict.free_at, 0),
    (SELECT count(*) FROM wanted WHERE most IS NOT NULL) - (SELECT count(*) FROM counted)
FROM verdict
""")  # noqa: S608
)
HOLD_PACE: Final = SqlStatement(
    text("""
INSERT INTO pace (key, calls, most, window_s, held_until) VALUES (:key, '[]', NULL, 0, :until)
ON CONFLICT (key) DO UPDATE SET held_until = greatest(pace.held_until, excluded.held_until)
""")
)
HELD_UNTIL: Final = SqlStatement(text("SELECT held_until FROM pace WHERE key = :key"))
LET_GO: Final = SqlStatement(text("UPDATE pace SET held_until = 0 WHERE key = :key"))
PRUNE_PACE: Final = SqlStatement(
    text("""
DELETE FROM pace
WHERE held_until < :before
    AND NOT EXISTS (
        SELECT 1 FROM jsonb_array_elements_text(CAST(calls AS jsonb)) AS call
        WHERE CAST(call AS double precision) > :before
    )
""")
)

# ── requests at a provider of language models ──

LOCK_PROVIDER: Final = SqlStatement(
    text("SELECT pg_advisory_xact_lock(7264003, hashtext(:provider))")
)
WANT_SLOT: Final = SqlStatement(
    text("""
INSERT INTO model_slots (session, task, provider, team, since, asked_at, held_until)
VALUES (:session, :task, :provider, :team, :now, :now, 0)
ON CONFLICT (session, task) DO UPDATE
SET provider = excluded.provider, asked_at = excluded.asked_at, held_until = 0
WHERE model_slots.held_until <= :now
""")
)
# A workspace's first request goes before another's second, those under way included.
TAKE_SLOT: Final = SqlStatement(
    text("""
WITH at_provider AS (
    SELECT session, task, team, since, held_until > :now AS is_held
    FROM model_slots
    WHERE provider = :provider AND (held_until > :now OR asked_at > :fresh_since)
), turn AS (
    SELECT session, task, is_held, since, row_number() OVER (
        PARTITION BY team ORDER BY is_held DESC, since, session, task
    ) AS number
    FROM at_provider
), place AS (
    SELECT session, task,
        row_number() OVER (ORDER BY is_held DESC, number, since, session, task) AS number
    FROM turn
)
UPDATE model_slots SET held_until = :until
FROM place
WHERE place.session = :session AND place.task = :task AND place.number <= :most
    AND model_slots.session = :session AND model_slots.task = :task
    AND model_slots.held_until <= :now
""")
)
GIVE_BACK_SLOT: Final = SqlStatement(
    text("DELETE FROM model_slots WHERE session = :session AND task = :task")
)
PRUNE_SLOTS: Final = SqlStatement(
    text("DELETE FROM model_slots WHERE held_until < :before AND asked_at < :before")
)
