"""What changed since a phase was last accepted or amended is known when its summary is shown."""

from pathlib import Path

import pytest

from core.domain.ids import PhaseKey
from tests.support.harness import Harness

SCAN = PhaseKey("00-quick-scan")


@pytest.fixture
def table(tmp_path: Path) -> Harness:
    table = Harness(tmp_path)
    table.start(depth="standard")
    table.go_to("00-03")
    table.say("About 30 files.")
    return table


def baseline(table: Harness) -> list[str] | None:
    claims = table.runtime.reader.baseline(table.id, SCAN)
    return None if claims is None else [claim.text for claim in claims]


def test_a_phase_that_nobody_looked_at_together_has_no_baseline(table: Harness) -> None:
    assert baseline(table) is None


@pytest.mark.parametrize("choice", ["accept", "amend"])
def test_accepting_and_amending_remember_what_stood_there(table: Harness, choice: str) -> None:
    stood = [claim.text for claim in table.runtime.reader.claims(table.id)]
    table.click(choice)
    assert baseline(table) == stood


def test_what_is_amended_differs_from_the_baseline(table: Harness) -> None:
    table.click("amend")
    table.say("The settings page makes me unsure.")
    now = [claim.text for claim in table.runtime.reader.claims(table.id)]
    assert "The settings page makes me unsure." in now
    assert "The settings page makes me unsure." not in (baseline(table) or [])
