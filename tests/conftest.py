"""What a test leaves behind is closed: an open database is a warning, and warnings are errors."""

import io
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import HealthCheck, settings

from core import logs
from tests.support import harness, temporary_folder
from tests.support.browser import browser, tab

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The many quick files come last: no worker has a long one left when the other is done.

    `make test` hands files out in this order (`--no-loadscope-reorder`). By itself xdist begins
    with those that hold the most tests, and ends with those that play one session for a minute.
    """
    items.sort(key=lambda item: item.nodeid.startswith(QUICK))


@pytest.fixture(autouse=True)
def _closed_tables() -> Iterator[None]:
    yield
    harness.close_all()


@pytest.fixture(autouse=True)
def _nobody_listens() -> Iterator[None]:
    """After a test that listened: nobody does any more."""
    yield
    if structlog.get_config()["processors"] is not _NOBODY[0]:
        _NOBODY[0] = _unheard()
