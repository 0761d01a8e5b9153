"""Whether a database's files are still the ones that were opened.

SQLite goes on with a file that was deleted under it: every commit succeeds and can be read, and all
of it is gone when the process is killed.
"""

import os
from typing import Final

LOG: Final = "-wal"
Identity = tuple[int, int]  # device and inode


class OpenFiles:
    """The database and its log, as they were when the database was opened."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._database = _identity(path)
        self._log = _identity(path + LOG)

    def are_in_place(self) -> bool:
        return self._log == _identity(self._path + LOG) and self._database == _identity(self._path)

    def is_only_the_log_gone(self) -> bool:
        """True if the database itself is there and nobody has begun another log beside it."""
        return self._database == _identity(self._path) and _identity(self._path + LOG) is None


def _identity(path: str) -> Identity | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - on the way of every commit
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
