"""Which database a test runs on: a file of its own, or a database of the run's one server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.support.postgres import Server

KINDS: Final = ("sqlite", "postgres")
EACH_DATABASE: Final = pytest.mark.usefixtures("each_database")
SLOW_ON_POSTGRES: Final = pytest.mark.parametrize(
    "each_database", ["sqlite", pytest.param("postgres", marks=pytest.mark.slow)], indirect=True
)
"""Beside `EACH_DATABASE`: what takes long is tried on PostgreSQL with `make chaos`."""
ONE_DATABASE: Final = "one_database"


class Databases:
    """The databases of the test that is running, by the files they would be."""

    def __init__(self) -> None:
        self.server: Server | None = None
        self._urls: dict[Path, str] = {}

    @property
    def is_postgres(self) -> bool:
        return self.server is not None

    @contextmanager
    def on(self, server: Server) -> Iterator[None]:
        """Inside, databases are of the server; they are dropped in the end."""
        self.server = server
        try:
            yield
        finally:
            self.server = None
            while self._urls:
                server.drop(self._urls.popitem()[1])

    def url(self, path: Path) -> str:
        """The address of a migrated database, the same for the same file."""
        assert self.server is not None
        if path not in self._urls:
            self._urls[path] = self.server.database()
        return self._urls[path]


DATABASES: Final = Databases()


def is_of_another(item: pytest.Item) -> bool:
    """True for a test on the database that its marker `one_database` leaves out."""
    marker = item.get_closest_marker(ONE_DATABASE)
    parameters = getattr(item, "callspec", None)
    kind = parameters.params.get("each_database") if parameters else None
    return marker is not None and kind is not None and kind != marker.args[0]
