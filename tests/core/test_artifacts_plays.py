"""Whole plays, their artifacts gone over by the checker; and the examples kept of them."""

from pathlib import Path

import pytest

from core.domain.ids import Depth
from tests.examples import KEPT, PLAYS, played
from tests.support.artifact_checker import check
from tests.support.bot_in_process import BotInProcess

pytestmark = pytest.mark.whole

STANDARD = [(name, "standard") for name in PLAYS]
OTHERS = [
    pytest.param(name, depth, marks=pytest.mark.slow)
    for name in PLAYS
    for depth in ("brief", "deep")
]


@pytest.mark.parametrize(("name", "depth"), [*STANDARD, *OTHERS])
def test_the_artifacts_of_a_play_are_whole_and_invent_nothing(
    name: str, depth: Depth, tmp_path: Path
) -> None:
    outcome = played(name, depth, tmp_path, BotInProcess)
    assert outcome.exit_code == 0
    assert check(outcome.folder, outcome.answers, outcome.title) == []
    if depth == "standard":
        kept = {path.name: path.read_text() for path in sorted((KEPT / name).iterdir())}
        assert outcome.files() == kept, "python -m tests.examples makes the examples again"
