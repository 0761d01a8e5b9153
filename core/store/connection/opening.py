"""The database that an address names. A driver is imported only where it is named."""

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from core.store.connection.database import Database
    from core.store.statements.statement import Connection

POSTGRES_PREFIXES: Final = ("postgresql://", "postgres://")


def is_postgres(url: str) -> bool:
    """True if the address is a PostgreSQL server's."""
    return url.startswith(POSTGRES_PREFIXES)


def open_database(url: str) -> "Database":
    """Open it. Raises `core.store.connection.database.StoreError` where it cannot be used."""
    if is_postgres(url):
        from core.store.connection.postgres import PostgresDatabase

        return PostgresDatabase(url)
    from core.store.connection.sqlite import SqliteDatabase

    return SqliteDatabase(url)


def neutral_errors(db: "Connection") -> AbstractContextManager[None]:
    """What that connection's driver raises inside comes out as `DatabaseError`."""
    if db.dialect.name == "sqlite":
        from core.store.connection.sqlite import neutral_errors as of_sqlite

        return of_sqlite()
    from core.store.connection.postgres import neutral_errors as of_postgres

    return of_postgres()


def engine_over(db: "Connection") -> "Engine":
    """SQLAlchemy's own over a connection, for what is asked seldom."""
    from sqlalchemy import create_engine
    from sqlalchemy.pool import StaticPool

    if db.dialect.name == "sqlite":
        return create_engine("sqlite://", creator=lambda: db, poolclass=StaticPool)
    return create_engine(
        "postgresql+psycopg://", creator=lambda: db, poolclass=StaticPool, use_native_hstore=False
    )
