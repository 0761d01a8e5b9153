"""A session of a few steps, begun and waiting for its first answer."""

from pathlib import Path

import pytest

from tests.support.harness import Harness, small_table


@pytest.fixture
def table(tmp_path: Path) -> Harness:
    table = small_table(tmp_path)
    table.start()
    return table
