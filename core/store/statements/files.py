"""Statements on artifacts that are kept as rows."""

from typing import Final

from sqlalchemy import delete, select, tuple_

from core.store.schema import tables, workspace_tables
from core.store.statements import statement as sql

files: Final = tables.table_of(workspace_tables.FileRow)
sessions: Final = tables.table_of(tables.SessionRow)

NAMES: Final = sql.select_columns(files, "name", keys=("team", "slug"), order_by=(files.c.name,))
CONTENT: Final = sql.select_columns(files, "content", keys=("team", "slug", "name"))
SAVE: Final = sql.upsert(files)
DELETE: Final = sql.delete_rows(files, "team", "slug", "name")
ERASE_OF_SESSION: Final = sql.SqlStatement(
    delete(files).where(
        tuple_(files.c.team, files.c.slug).in_(
            select(sessions.c.team, sessions.c.slug).where(sql.is_param(sessions.c.id))
        )
    )
)
