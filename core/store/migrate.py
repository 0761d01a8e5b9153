"""Bring a database to the newest schema. Alembic is imported lazily."""

from pathlib import Path
from typing import TYPE_CHECKING

from core.store.database import StoreError, path_of

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Engine


def upgrade(url: str, to: str = "head") -> str:
    """Migrate to the newest revision, or to one by name, and return it. Safe to run again."""
    from alembic import command

    config, head = _config()
    path = Path(path_of(url))
    if not path.parent.is_dir():
        raise StoreError(f"the folder of {path} does not exist")
    with _engine(url).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, to)
    return head if to == "head" else to


def current(url: str) -> tuple[str | None, str]:
    """The database's revision (None: empty) and the newest one."""
    from alembic.runtime.migration import MigrationContext

    _, head = _config()
    with _engine(url).connect() as connection:
        return MigrationContext.configure(connection).get_current_revision(), head


def is_current(url: str) -> bool:
    """Whether the database exists and is at the newest revision."""
    if not Path(path_of(url)).exists():
        return False
    revision, head = current(url)
    return revision == head


def _engine(url: str) -> "Engine":
    from sqlalchemy import create_engine
    from sqlalchemy.pool import NullPool

    return create_engine(url, poolclass=NullPool)


def _config() -> "tuple[Config, str]":
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    head = ScriptDirectory.from_config(config).get_current_head()
    assert head is not None
    return config, head
