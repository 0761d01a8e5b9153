"""Bring a database to the newest schema, and tell where it stands. Alembic is imported lazily."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from core.store.connection.database import StoreError
from core.store.connection.opening import is_postgres
from core.store.connection.sqlite import path_of
from core.store.schema.revisions import MIGRATIONS, adds_to_ours

if TYPE_CHECKING:
    from alembic.config import Config
    from alembic.script import ScriptDirectory
    from sqlalchemy import Connection, Engine

PRIVATE_FILE: Final = 0o600
UPGRADE_LOCK: Final = 7_264_001  # of the server: one upgrade at a time
LOCK_WAIT_S: Final = 5  # for a table: whoever waits for longer holds up all who come after
LOCK_TIMEOUT: Final = f"SET LOCAL lock_timeout = '{LOCK_WAIT_S}s'"
LOCKED: Final = "55P03"  # lock_not_available
Kind = Literal["missing", "empty", "older", "current", "extended", "newer", "foreign"]


@dataclass(frozen=True, slots=True)
class Standing:
    """A database against this version. `stored` is its revision, `newest` the last known here.

    The revision of a `newer` one is unknown here, and so is that of an `extended` one, which has
    all that this version knows; a `foreign` one has another program's tables.
    """

    kind: Kind
    name: str
    stored: str | None
    newest: str
    noun: Literal["file", "database"] = "file"

    @property
    def is_usable(self) -> bool:
        """True if this version can work with it as it is."""
        return self.kind in ("current", "extended")


def upgrade(url: str) -> str:
    """Migrate to the newest revision and return it. Safe to run again; an extended one stays.

    All of it is one transaction: what is cut off leaves the database as it was.
    Raises StoreError for a database that cannot be written, and for one of a newer version or of
    another program, which is left as it is.
    """
    from alembic import command

    if not is_postgres(url) and not Path(path_of(url)).parent.is_dir():
        raise StoreError(f"the folder of {path_of(url)} does not exist")
    place = standing(url)
    if words := unusable(place):
        raise StoreError(words)
    if place.kind == "extended":
        return str(place.stored)
    if place.kind == "missing":
        _make_private(Path(path_of(url)))
    config = _config()
    with _connection(url, write=True) as connection:
        for statement in _lock_statements(url):
            connection.exec_driver_sql(statement)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        if is_postgres(url):
            _make_engine(connection)
    return place.newest


def _make_engine(connection: "Connection") -> None:
    """The tables of the engine that wakes lanes, in the same transaction."""
    from procrastinate.schema import SchemaManager

    server: Any = connection.connection.driver_connection
    if server.execute("SELECT to_regclass('procrastinate_jobs')").fetchone() == (None,):
        server.execute(SchemaManager.get_schema())


def _lock_statements(url: str) -> tuple[str, ...]:
    """What keeps others out until the end."""
    if is_postgres(url):
        lock = f"SELECT pg_advisory_xact_lock({UPGRADE_LOCK})"
        return lock, LOCK_TIMEOUT
    return ("BEGIN IMMEDIATE",)  # the driver would begin at the first row


def _make_private(path: Path) -> None:
    """Make the file for its owner alone; SQLite gives its log and index the same permissions."""
    with suppress(OSError):  # which SQLite will say in its own words
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))


def standing(url: str) -> Standing:
    """Where the database stands. Makes nothing; StoreError when it cannot be read."""
    scripts = _scripts(_config())
    newest = scripts.get_current_head()
    assert newest is not None
    noun: Literal["file", "database"] = "database" if is_postgres(url) else "file"
    name = _name_of(url)
    if noun == "file" and not Path(name).exists():
        return Standing("missing", name, None, newest)
    stored, has_tables = _stored(url)
    revisions = {script.revision for script in scripts.walk_revisions()}
    kind: Kind
    if stored is None:
        kind = "foreign" if has_tables else "empty"
    elif stored == newest:
        kind = "current"
    elif stored in revisions:
        kind = "older"
    else:
        kind = "extended" if adds_to_ours(stored) else "newer"
    return Standing(kind, name, stored, newest, noun)


def unusable(place: Standing) -> str | None:
    """Why no upgrade helps, and what does, in a line without its full stop."""
    if place.kind == "newer":
        return (
            f"{place.name} is at revision {place.stored}, newer than this version, which ends at "
            f"{place.newest}; install the Roundtable that made it, or name another {place.noun}"
        )
    if place.kind == "foreign":
        return f"{place.name} has the tables of another program; name another {place.noun}"
    return None


def _stored(url: str) -> tuple[str | None, bool]:
    """The revision that is stored, and whether there are tables besides Alembic's own."""
    from alembic.runtime.migration import MigrationContext
    from sqlalchemy import inspect

    with _connection(url) as connection:
        if is_postgres(url):
            connection.exec_driver_sql(LOCK_TIMEOUT)
        tables = set(inspect(connection).get_table_names())
        revision = MigrationContext.configure(connection).get_current_revision()
        return revision, bool(tables - {"alembic_version"})


@contextmanager
def _connection(url: str, *, write: bool = False) -> "Iterator[Connection]":
    from sqlalchemy.exc import DBAPIError

    engine = _engine(url)
    try:
        with engine.begin() if write else engine.connect() as connection:
            yield connection
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) == LOCKED:
            raise StoreError(
                f"{_name_of(url)}: a transaction keeps a table locked for over {LOCK_WAIT_S} s; "
                "nothing was changed: end it (see pg_stat_activity), or try again when it is over"
            ) from error
        why = f"{str(error.orig).splitlines()[0]}; roundtable doctor says what to do"
        raise StoreError(f"{_name_of(url)} cannot be used: {why}") from error


def _engine(url: str) -> "Engine":
    if is_postgres(url):
        from core.store.connection.postgres import engine_of

        return engine_of(url)
    from sqlalchemy import create_engine
    from sqlalchemy.pool import NullPool

    return create_engine(url, poolclass=NullPool)


def _name_of(url: str) -> str:
    if is_postgres(url):
        from core.store.connection.postgres import name_of

        return name_of(url)
    return str(Path(path_of(url)).absolute())


def _config() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


def _scripts(config: "Config") -> "ScriptDirectory":
    from alembic.script import ScriptDirectory

    return ScriptDirectory.from_config(config)
