"""The first tables"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "answers",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("current", sa.Integer(), nullable=False),
        sa.Column("ts", sa.String(), nullable=False),
        sa.Column("doc", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("session", "id", "revision"),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("answers", schema=None) as batch_op:
        batch_op.create_index("answers_id", ["id"], unique=False)

    op.create_table(
        "baselines",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("doc", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("session", "phase"),
    )
    op.create_table(
        "claims",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("doc", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("session", "step", "place"),
    )
    op.create_table(
        "contents",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("doc", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_table(
        "deliveries",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "faults",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("doc", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("faults", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_faults_session"), ["session"], unique=False)

    op.create_table(
        "journal",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=True),
        sa.Column("doc", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("session", "place"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "menus",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("doc", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("menus", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_menus_session"), ["session"], unique=False)

    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("lane", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=True),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("doc", sa.String(), nullable=False),
        sa.Column("due", sa.Float(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("attempted_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index("outbox_lane", ["session", "lane", "rank", "id"], unique=False)

    op.create_table(
        "posts",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("ts", sa.String(), nullable=False),
        sa.Column("thread_ts", sa.String(), nullable=True),
        sa.Column("step", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("session", "target"),
    )
    with op.batch_alter_table("posts", schema=None) as batch_op:
        batch_op.create_index("posts_thread", ["session", "thread_ts", "ts"], unique=False)

    op.create_table(
        "runs",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("started_at", sa.Float(), nullable=False),
        sa.Column("ended_at", sa.Float(), nullable=True),
        sa.Column("status", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_runs_session"), ["session"], unique=False)

    op.create_table(
        "sections",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("file", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("current", sa.Integer(), nullable=False),
        sa.Column("doc", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("session", "step", "file", "version"),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("team", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("doc", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sessions_channel"), ["channel"], unique=False)
        batch_op.create_index(batch_op.f("ix_sessions_status"), ["status"], unique=False)
        batch_op.create_index("sessions_slug", ["team", "slug"], unique=True)

    op.create_table(
        "steps",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("doc", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("session", "id"),
    )
    op.create_table(
        "tasks",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("persona", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("opened_at", sa.Float(), nullable=False),
        sa.Column("closed_at", sa.Float(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("tasks", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tasks_session"), ["session"], unique=False)

    op.create_table(
        "threads",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("persona", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("ts", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("session", "persona"),
    )
    with op.batch_alter_table("threads", schema=None) as batch_op:
        batch_op.create_index("threads_root", ["channel", "ts"], unique=False)

    op.create_table(
        "timers",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("due", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("session", "kind"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "workspaces",
        sa.Column("team", sa.String(), nullable=False),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("bot_user", sa.String(), nullable=False),
        sa.Column("bot_id", sa.String(), nullable=False),
        sa.Column("bot_name", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("team"),
    )


def downgrade() -> None:
    op.drop_table("workspaces")
    op.drop_table("timers")
    with op.batch_alter_table("threads", schema=None) as batch_op:
        batch_op.drop_index("threads_root")

    op.drop_table("threads")
    with op.batch_alter_table("tasks", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_tasks_session"))

    op.drop_table("tasks")
    op.drop_table("steps")
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.drop_index("sessions_slug")
        batch_op.drop_index(batch_op.f("ix_sessions_status"))
        batch_op.drop_index(batch_op.f("ix_sessions_channel"))

    op.drop_table("sessions")
    op.drop_table("sections")
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_runs_session"))

    op.drop_table("runs")
    with op.batch_alter_table("posts", schema=None) as batch_op:
        batch_op.drop_index("posts_thread")

    op.drop_table("posts")
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_index("outbox_lane")

    op.drop_table("outbox")
    with op.batch_alter_table("menus", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_menus_session"))

    op.drop_table("menus")
    op.drop_table("journal")
    with op.batch_alter_table("faults", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_faults_session"))

    op.drop_table("faults")
    op.drop_table("deliveries")
    op.drop_table("contents")
    op.drop_table("claims")
    op.drop_table("baselines")
    with op.batch_alter_table("answers", schema=None) as batch_op:
        batch_op.drop_index("answers_id")

    op.drop_table("answers")
