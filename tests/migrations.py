"""A revision after the newest, so that a database can be of an older one."""

import shutil
from pathlib import Path

import pytest

from core.store.maintenance import upgrade
from core.store.schema.revisions import MIGRATIONS

NEXT = """
from alembic import op

revision = "9000"
down_revision = "{newest}"


def upgrade() -> None:
    for statement in {statements}:
        op.execute(statement)
"""
FIFTY_TABLES = tuple(f"CREATE TABLE later_{number} (session TEXT)" for number in range(50))


def add_revision(monkeypatch: pytest.MonkeyPatch, folder: Path, *statements: str) -> None:
    """The migrations go on with one of these; fifty new tables without any. Put back in the end."""
    copy = folder / "migrations"
    shutil.copytree(MIGRATIONS, copy)
    newest = max(path.stem.partition("_")[0] for path in copy.glob("versions/*.py"))
    (copy / "versions" / "9000_later.py").write_text(
        NEXT.format(newest=newest, statements=statements or FIFTY_TABLES)
    )
    monkeypatch.setattr(upgrade, "MIGRATIONS", copy)
