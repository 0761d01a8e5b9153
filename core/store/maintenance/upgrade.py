"""Bring a database to the newest schema, and tell where it stands. Alembic is imported lazily."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from core.store.connection.database import StoreError, path_of

if TYPE_CHECKING:
    from alembic.config import Config
    from alembic.script import ScriptDirectory
    from sqlalchemy import Connection

PRIVATE_FILE: Final = 0o600
MIGRATIONS: Final = Path(__file__).parents[1] / "schema" / "migrations"
Kind = Literal["missing", "empty", "older", "current", "newer", "foreign"]


@dataclass(frozen=True, slots=True)
class Standing:
    """A database against this version. `stored` is its revision, `newest` the last known here.

    The revision of a `newer` one is unknown here; a `foreign` one has another program's tables.
    """

    kind: Kind
    path: Path
    stored: str | None
    newest: str


def upgrade(url: str) -> str:
    """Migrate to the newest revision and return it. Safe to run again.

    All of it is one transaction: what is cut off leaves the database as it was.
    Raises StoreError for a file that cannot be written, and for one of a newer version or of
    another program, which is left as it is.
    """
    from alembic import command

    path = Path(path_of(url))
    if not path.parent.is_dir():
        raise StoreError(f"the folder of {path} does not exist")
    place = standing(url)
    if words := unusable(place):
        raise StoreError(words)
    if place.kind == "missing":
        _make_private(path)
    config = _config()
    with _connection(url, write=True) as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # the driver would begin at the first row
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    return place.newest


def _make_private(path: Path) -> None:
    """Make the file for its owner alone; SQLite gives its log and index the same permissions."""
    with suppress(OSError):  # which SQLite will say in its own words
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))


def standing(url: str) -> Standing:
    """Where the database stands. Makes nothing; StoreError when the file cannot be read."""
    scripts = _scripts(_config())
    newest = scripts.get_current_head()
    assert newest is not None
    path = Path(path_of(url)).absolute()
    if not path.exists():
        return Standing("missing", path, None, newest)
    stored, has_tables = _stored(url)
    if stored is None:
        return Standing("foreign" if has_tables else "empty", path, None, newest)
    if stored == newest:
        return Standing("current", path, stored, newest)
    revisions = {script.revision for script in scripts.walk_revisions()}
    return Standing("older" if stored in revisions else "newer", path, stored, newest)


def unusable(place: Standing) -> str | None:
    """Why no upgrade helps, and what does, in a line without its full stop."""
    if place.kind == "newer":
        return (
            f"{place.path} is at revision {place.stored}, newer than this version, which ends at "
            f"{place.newest}; install the Roundtable that made it, or name another file"
        )
    if place.kind == "foreign":
        return f"{place.path} has the tables of another program; name another file"
    return None


def _stored(url: str) -> tuple[str | None, bool]:
    """The revision in the file, and whether there are tables besides Alembic's own."""
    from alembic.runtime.migration import MigrationContext
    from sqlalchemy import text

    with _connection(url) as connection:
        tables = set(connection.execute(text("SELECT name FROM sqlite_master")).scalars())
        revision = MigrationContext.configure(connection).get_current_revision()
        return revision, bool(tables - {"alembic_version"})


@contextmanager
def _connection(url: str, *, write: bool = False) -> "Iterator[Connection]":
    from sqlalchemy import create_engine
    from sqlalchemy.exc import DBAPIError
    from sqlalchemy.pool import NullPool

    engine = create_engine(url, poolclass=NullPool)
    try:
        with engine.begin() if write else engine.connect() as connection:
            yield connection
    except DBAPIError as error:
        why = f"{error.orig}; roundtable doctor says what to do"
        raise StoreError(f"{path_of(url)} cannot be used: {why}") from error


def _config() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


def _scripts(config: "Config") -> "ScriptDirectory":
    from alembic.script import ScriptDirectory

    return ScriptDirectory.from_config(config)
