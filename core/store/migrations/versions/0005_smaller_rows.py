"""Rows that take less room: packed, kept once, in one tree each

Nearly every row is written anew: a large database takes its time, and needs as much room again
meanwhile. Which requests were made of brains is dropped, the journal says what came of each; and
accepted claims stand with their step, and only where they differ from those of now.
"""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from core.store.packing import packed, plain

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

OBSOLETE = ("ix_menus_session", "threads_root", "posts_thread", "ix_tasks_session")
REMADE = {
    "steps": """session VARCHAR NOT NULL, id VARCHAR NOT NULL, phase VARCHAR NOT NULL,
        place INTEGER NOT NULL, doc VARCHAR NOT NULL, accepted VARCHAR,
        PRIMARY KEY (session, id)""",
    "threads": """session VARCHAR NOT NULL, persona VARCHAR NOT NULL, channel VARCHAR NOT NULL,
        ts VARCHAR NOT NULL, PRIMARY KEY (session, persona)""",
    "posts": """session VARCHAR NOT NULL, target VARCHAR NOT NULL, channel VARCHAR NOT NULL,
        ts VARCHAR NOT NULL, thread_ts VARCHAR, step VARCHAR, PRIMARY KEY (session, target)""",
    "sections": """session VARCHAR NOT NULL, step VARCHAR NOT NULL, file VARCHAR NOT NULL,
        version INTEGER NOT NULL, current INTEGER NOT NULL, doc VARCHAR NOT NULL,
        PRIMARY KEY (session, step, file, version)""",
    "menus": """id VARCHAR NOT NULL, session VARCHAR NOT NULL, state VARCHAR NOT NULL,
        doc VARCHAR NOT NULL, PRIMARY KEY (id)""",
    "contributions": """session VARCHAR NOT NULL, phase VARCHAR NOT NULL, place INTEGER NOT NULL,
        doc VARCHAR NOT NULL, PRIMARY KEY (session, phase, place)""",
    "claims": """session VARCHAR NOT NULL, step VARCHAR NOT NULL, doc VARCHAR NOT NULL,
        PRIMARY KEY (session, step)""",
}
FILLED = {
    "steps": "SELECT session, id, phase, place, packed(doc), NULL FROM {} ORDER BY session, id",
    "threads": "SELECT session, persona, channel, ts FROM {} ORDER BY session, persona",
    "posts": """SELECT session, target, channel, ts, thread_ts, step FROM {}
        ORDER BY session, target""",
    "sections": """SELECT session, step, file, version, current, packed(doc) FROM {}
        ORDER BY session, step, file, version""",
    "menus": """SELECT id, session, state, packed(CASE WHEN json_valid(doc)
        THEN json_remove(doc, '$.id', '$.session') ELSE doc END) FROM {} ORDER BY id""",
    "contributions": """SELECT session, phase, place, packed(doc) FROM {}
        ORDER BY session, phase, place""",
    "claims": """SELECT session, step, packed('[' || group_concat(doc, ',') || ']')
        FROM (SELECT session, step, doc FROM {} ORDER BY session, step, place)
        GROUP BY session, step""",
}
PACKED = (
    "UPDATE answers SET doc = packed(doc)",
    "UPDATE stances SET doc = packed(doc)",
    "UPDATE settlements SET doc = packed(doc)",
    "UPDATE journal SET doc = packed(doc), rest = packed(rest)",
)
INDEXES = (
    "CREATE INDEX threads_root ON threads (channel, ts)",
    """CREATE INDEX posts_prompt ON posts (session, thread_ts, ts)
        WHERE target >= 'prompt:' AND target < 'prompt;'""",
)
OF_PHASE = """SELECT s.id, c.doc FROM steps s
    LEFT JOIN claims c ON c.session = s.session AND c.step = s.id
    WHERE s.session = :session AND s.phase = :phase"""
ACCEPTED = "UPDATE steps SET accepted = :doc WHERE session = :session AND id = :step"


def upgrade() -> None:
    db = op.get_bind()
    raw: Any = db.connection.dbapi_connection
    raw.create_function("packed", 1, lambda doc: None if doc is None else packed(doc))
    for index in OBSOLETE:
        op.drop_index(index)
    for table, columns in REMADE.items():
        before = f"{table}_before"
        op.rename_table(table, before)
        op.execute(f"CREATE TABLE {table} ({columns}) WITHOUT ROWID")
        op.execute(f"INSERT INTO {table} {FILLED[table].format(before)}")
        op.drop_table(before)
    for statement in (*PACKED, *INDEXES):
        op.execute(statement)
    for session, phase, doc in db.execute(sa.text("SELECT session, phase, doc FROM baselines")):
        _accept(db, session, phase, doc)
    op.drop_table("baselines")
    op.drop_table("tasks")


def _accept(db: sa.Connection, session: str, phase: str, doc: str) -> None:
    then: dict[str, list[Any]] = {}
    for claim in _list(doc):
        if isinstance(claim, dict):
            then.setdefault(str(claim.get("step")), []).append(claim)
    of_phase = db.execute(sa.text(OF_PHASE), {"session": session, "phase": phase}).all()
    for step, now in of_phase:
        was = then.get(step, [])
        same = was == (_list(now) if now else [])
        kept = "" if same else packed(json.dumps(was, ensure_ascii=False))
        db.execute(sa.text(ACCEPTED), {"doc": kept, "session": session, "step": step})


def _list(doc: str | bytes) -> list[Any]:
    """Nothing where it cannot be read: an upgrade does not stop at a damaged row."""
    try:
        found = json.loads(plain(doc))
    except ValueError:
        return []
    return found if isinstance(found, list) else []


def downgrade() -> None:
    raise NotImplementedError("rows are packed since: go back to a copy from before")
