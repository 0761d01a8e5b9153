"""Alembic's entrance: the connection comes from `core.store.maintenance.upgrade`."""

from alembic import context
from sqlmodel import SQLModel

from core.store.schema import tables, workspace_tables  # noqa: F401 - they register themselves

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
