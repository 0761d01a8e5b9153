"""Statements on artifacts that are kept as rows."""

from typing import Final

from core.store.schema import tables
from core.store.statements import statement as sql

files: Final = tables.table_of(tables.FileRow)

NAMES: Final = sql.select_columns(files, "name", keys=("team", "slug"), order_by=(files.c.name,))
CONTENT: Final = sql.select_columns(files, "content", keys=("team", "slug", "name"))
SAVE: Final = sql.upsert(files)
DELETE: Final = sql.delete_rows(files, "team", "slug", "name")
DELETE_ALL: Final = sql.delete_rows(files, "team", "slug")
