"""What a test leaves behind is closed: an open database is a warning, and warnings are errors."""

import gc
import io
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from hypothesis import HealthCheck, settings

from core import logs
from tests.support import harness, postgres, temporary_folder
from tests.support.browser import browser, tab
from tests.support.databases import DATABASES, KINDS, ONE_DATABASE, is_of_another

__all__ = ["browser", "tab"]


class Nowhere(io.StringIO):
    """What is logged is nobody's business here, and a traceback with its locals costs a second."""

    def write(self, text: str) -> int:
        return len(text)


temporary_folder.move_in()


def _unheard() -> object:
    logs.configure("json", "info", Nowhere())
    return structlog.get_config()["processors"]


_NOBODY = [_unheard()]

# The suite gives the same verdict twice. Look for new cases with `--hypothesis-profile=default`.
# How long an example takes is no verdict: a busy machine is slow, and nothing here is timed.
# `make whole` tries five times as many examples as `make test` does.
for profile, examples in (("suite", 40), ("thorough", 200)):
    settings.register_profile(
        profile,
        max_examples=examples,
        derandomize=True,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("suite")


QUICK = "tests/core/"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The many quick files come last: no worker has a long one left when the other is done.

    `make test` hands files out in this order (`--no-loadscope-reorder`). By itself xdist begins
    with those that hold the most tests, and ends with those that play one session for a minute.
    """
    of_another = [item for item in items if is_of_another(item)]
    config.hook.pytest_deselected(items=of_another)
    items[:] = [item for item in items if item not in of_another]
    items.sort(key=lambda item: item.nodeid.startswith(QUICK))


def pytest_collection_finish() -> None:
    """What was collected lives as long as the run: the garbage collector need not look at it."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """How many tests run on one database alone: each is a promise that is held on the other by
    nothing."""
    passed = terminalreporter.stats.get("passed", ())
    alone = {report.nodeid for report in passed if ONE_DATABASE in report.keywords}
    if alone:
        terminalreporter.write_line(f"{len(alone)} tests on one database alone")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    """The run's server. Without one, whoever asks for it is skipped."""
    postgres.need()
    with postgres.served() as server:
        yield server


@pytest.fixture(params=KINDS)
def each_database(request: pytest.FixtureRequest) -> Iterator[str]:
    """The test runs on SQLite and on PostgreSQL; tables are closed before a database goes."""
    if request.param == "sqlite":
        yield request.param
        return
    with DATABASES.on(request.getfixturevalue("postgres_server")):
        yield request.param
        harness.close_all()


@pytest.fixture(scope="module", params=KINDS)
def each_database_of_module(request: pytest.FixtureRequest) -> Iterator[str]:
    """As `each_database`, for what is played once for all tests of a file."""
    if request.param == "sqlite":
        yield request.param
        return
    with DATABASES.on(request.getfixturevalue("postgres_server")):
        yield request.param


@pytest.fixture(autouse=True)
def _closed_tables() -> Iterator[None]:
    yield
    harness.close_all()


@pytest.fixture
def log_stream() -> Iterator[io.StringIO]:
    """Logging as it is set up in earnest, at its most talkative."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    logs.configure("json", "debug", stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture(autouse=True)
def _nobody_listens() -> Iterator[None]:
    """After a test that listened: nobody does any more."""
    yield
    if structlog.get_config()["processors"] is not _NOBODY[0]:
        _NOBODY[0] = _unheard()
