"""Every case, against the local workspace over real HTTP and real WebSockets."""

import pytest

from bot.devtools.workspace import LocalWorkspace
from tests.conformance.judging import difference
from tests.conformance.scene import Scene, local_place
from tests.conformance.table import CASES
from tests.conformance.values import Case


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_local_workspace_answers_as_the_page_says(case: Case) -> None:
    with (
        LocalWorkspace(people=["Ada", "Bob Lee"], channels=["general", "random"]) as local,
        local_place(local) as place,
    ):
        played, seen = Scene(place).play(case)
        assert difference(played.expect, seen) == "", (case.url, seen.body)
