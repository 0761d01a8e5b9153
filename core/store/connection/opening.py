"""The database that an address names. A driver is imported only where it is named."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from core.store.connection.database import Database

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
