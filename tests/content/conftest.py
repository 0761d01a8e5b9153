from pathlib import Path

import pytest

from tests.support.step_trees import Tree


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path / "steps")
