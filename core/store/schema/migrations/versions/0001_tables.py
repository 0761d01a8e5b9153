"""All tables"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _shared()
    _current()
    _history()
    _slack()


def _shared() -> None:
    _create("workspaces", _text("team"), _text("url", "bot_user", "bot_id", "bot_name"))
    _create("contents", _text("digest"), _text("kind", "doc"), clustered=False)
    _create("deliveries", _text("key"), [_real("at")])


def _current() -> None:
    _create(
        "sessions",
        _text("id"),
        [
            *_text("team", "channel", "slug", "title", "owner", "status", "doc"),
            _integer("version"),
            _real("updated_at"),
        ],
        clustered=False,
    )
    op.create_index("ix_sessions_channel", "sessions", ["channel"])
    op.create_index("ix_sessions_status", "sessions", ["status"])
    op.create_index("sessions_slug", "sessions", ["team", "slug"], unique=True)
    _create(
        "steps",
        _text("session", "id"),
        [*_text("phase"), _integer("place"), *_text("doc"), *_optional("accepted")],
    )
    _create("claims", _text("session", "step"), _text("doc"), clustered=False)
    _create("menus", _text("id"), _text("session", "state", "doc"))
    _create("timers", _text("session", "kind"), [*_text("step"), _real("due")])
    _create(
        "outbox",
        [*_text("session"), _integer("id")],
        [
            *_text("lane", "kind"),
            *_optional("target"),
            _integer("rank"),
            *_text("doc"),
            _real("since"),
            _real("due", nullable=True),
            _integer("attempts"),
            _real("attempted_at", nullable=True),
            *_optional("attempt"),
        ],
    )


def _history() -> None:
    _create(
        "answers",
        [*_text("session", "id"), _integer("revision")],
        [*_text("step"), _integer("current"), *_text("ts", "doc")],
    )
    op.create_index("answers_id", "answers", ["id"])
    _create("stances", _text("session", "answer", "by"), _text("step", "doc"))
    _create("settlements", [*_text("session"), _integer("place")], _text("step", "doc"))
    _create(
        "sections",
        [*_text("session", "step", "file"), _integer("version")],
        [_integer("current"), *_text("doc")],
        clustered=False,
    )
    _create("contributions", [*_text("session", "phase"), _integer("place")], _text("doc"))
    _create(
        "runs",
        _text("id"),
        [
            *_text("session"),
            _real("started_at"),
            _real("ended_at", nullable=True),
            *_optional("status"),
        ],
    )
    op.create_index("ix_runs_session", "runs", ["session"])
    _create(
        "faults",
        _text("id"),
        [*_text("session"), _integer("place"), *_text("code"), _real("at"), *_text("doc")],
        clustered=False,
    )
    op.create_index("ix_faults_session", "faults", ["session"])
    _create(
        "journal",
        [*_text("session"), _integer("place")],
        [
            _real("at"),
            *_text("kind"),
            *_optional("by"),
            *_text("doc"),
            *_optional("extra"),
            *_text("checksum", "conditions", "effects"),
        ],
    )


def _slack() -> None:
    _create("threads", _text("session", "persona"), _text("channel", "ts"))
    op.create_index("threads_root", "threads", ["channel", "ts"])
    _create(
        "posts",
        _text("session", "target"),
        [*_text("channel", "ts"), *_optional("thread_ts", "step")],
    )
    op.create_index(
        "posts_prompt",
        "posts",
        ["session", "thread_ts", "ts"],
        sqlite_where=sa.text("target >= 'prompt:' AND target < 'prompt;'"),
    )


def downgrade() -> None:
    raise NotImplementedError("there is nothing before these tables: delete the file instead")


Columns = list[sa.Column[object]]


def _create(name: str, key: Columns, others: Columns, *, clustered: bool = True) -> None:
    primary = sa.PrimaryKeyConstraint(*(column.name for column in key))
    op.create_table(name, *key, *others, primary, sqlite_with_rowid=not clustered)


def _text(*names: str) -> Columns:
    return [sa.Column(name, sa.String(), nullable=False) for name in names]


def _optional(*names: str) -> Columns:
    return [sa.Column(name, sa.String(), nullable=True) for name in names]


def _integer(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.Integer(), nullable=False)


def _real(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.Float(), nullable=nullable)
