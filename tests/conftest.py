"""What a test leaves behind is closed: an open database is a warning, and warnings are errors."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests import table

# The suite gives the same verdict twice. Look for new cases with `--hypothesis-profile=default`.
settings.register_profile("suite", derandomize=True)
settings.load_profile("suite")


@pytest.fixture(autouse=True)
def _closed_tables() -> Iterator[None]:
    yield
    table.close_all()
