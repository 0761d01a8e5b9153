"""Statements on whether any process took what Slack delivers, and on who reads threads again."""

from typing import Any, Final

from sqlalchemy import bindparam, case, literal_column, or_

from core.store.schema import tables, workspace_tables
from core.store.statements import statement as sql

presence: Final = tables.table_of(workspace_tables.PresenceRow)

ZERO: Final[Any] = literal_column("0")
NOBODY: Final[Any] = literal_column("''")
ENSURE: Final = sql.insert_new(
    presence, id=literal_column("1"), up_at=ZERO, is_to_read=ZERO, reader=NOBODY, reader_until=ZERO
)
NOTE_UP: Final = sql.update_rows(
    presence,
    up_at=bindparam("now"),
    is_to_read=case(
        (presence.c.up_at < bindparam("since"), literal_column("1")), else_=presence.c.is_to_read
    ),
)
TAKE: Final = sql.update_rows(
    presence,
    where=(
        presence.c.is_to_read == literal_column("1"),
        or_(sql.is_param(presence.c.reader), presence.c.reader_until <= bindparam("now")),
    ),
    reader=bindparam("reader"),
    reader_until=bindparam("until"),
)
END: Final = sql.update_rows(presence, "reader", is_to_read=ZERO, reader=NOBODY, reader_until=ZERO)
