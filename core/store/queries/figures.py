"""Counts of what is stored, for whoever watches the bot.

None is of a person, a channel or a workspace.
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, func, select

from core.store.connection.database import Database
from core.store.statements import outbox as waiting
from core.store.statements import sessions as stored
from core.store.statements.statement import SqlStatement

_COUNT: Final = func.count()
SESSIONS: Final = SqlStatement(
    select(stored.sessions.c.status, _COUNT).group_by(stored.sessions.c.status)
)
FAULTS: Final = SqlStatement(select(stored.faults.c.code, _COUNT).group_by(stored.faults.c.code))
ROWS: Final = SqlStatement(
    select(waiting.outbox.c.lane, _COUNT, func.count(waiting.outbox.c.due)).group_by(
        waiting.outbox.c.lane
    )
)
OLDEST_DUE: Final = SqlStatement(
    select(func.min(waiting.outbox.c.due)).where(waiting.outbox.c.due <= bindparam("now"))
)


@dataclass(frozen=True, slots=True)
class Figures:
    sessions: dict[str, int]  # by status
    rows: dict[str, int]  # of the outbox by lane, those that are parked among them
    parked: int
    oldest_due_s: float  # for how long the oldest row has been due; 0: none is
    faults: dict[str, int]  # ever recorded, by code


def figures(database: Database, now: float) -> Figures:
    """Count what is stored now."""
    rows = database.run(ROWS)
    ((oldest,),) = database.run(OLDEST_DUE, now=now)
    return Figures(
        sessions=dict(database.run(SESSIONS)),
        rows={lane: count for lane, count, _ in rows},
        parked=sum(count - due for _, count, due in rows),
        oldest_due_s=max(now - oldest, 0.0) if oldest is not None else 0.0,
        faults=dict(database.run(FAULTS)),
    )
