"""Artifacts as rows: each change a transaction of its own, after the commit that asks for it."""

import errno
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from core.store.connection.database import ConflictError, Database, DatabaseError
from core.store.statements import files

NUMBERS: Final = {
    "No space left": errno.ENOSPC,
    "permission denied": errno.EACCES,
    "read-only": errno.EROFS,
}  # by what is in the database's words


class ArtifactRows:
    """Implements `core.ports.StoredFiles`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def names(self, team: str, slug: str) -> tuple[str, ...]:
        with _system_errors():
            rows = self._database.run(files.NAMES, team=team, slug=slug)
        return tuple(str(name) for (name,) in rows)

    def read(self, team: str, slug: str, name: str) -> bytes | None:
        with _system_errors():
            rows = self._database.run(files.CONTENT, team=team, slug=slug, name=name)
        return bytes(rows[0][0]) if rows else None

    def write(
        self, team: str, slug: str, contents: Mapping[str, bytes], gone: Collection[str] = ()
    ) -> None:
        with _system_errors(), self._database.write() as db:
            for name in sorted(contents):
                files.SAVE(db, team=team, slug=slug, name=name, content=contents[name])
            for name in sorted(gone):
                files.DELETE(db, team=team, slug=slug, name=name)

    def delete(self, team: str, slug: str, names: Collection[str]) -> None:
        self.write(team, slug, {}, names)


@contextmanager
def _system_errors() -> Iterator[None]:
    """What the database refuses, as the system would."""
    try:
        yield
    except (DatabaseError, ConflictError) as error:
        number = next((NUMBERS[words] for words in NUMBERS if words in str(error)), errno.EIO)
        raise OSError(number, str(error)) from error
