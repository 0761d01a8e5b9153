"""Short lines of five trades, most of them read as what they say and as nothing more."""

from pathlib import Path

import pytest
import yaml

from core.brains.script.reading import read
from tests.core.test_scripted import request

LINES = yaml.safe_load((Path(__file__).parent / "data/lines_of_trades.yaml").read_text("utf-8"))
MISTAKEN_MAX = 0.03
STEPS = {"features": "01-06", "users": "01-02", "quality": "01-05"}


def rows() -> list[tuple[str, str, str]]:
    return [
        (step, kind, line)
        for place, step in STEPS.items()
        for kind, lines in LINES[place].items()
        for line in lines
    ]


def choices() -> list[tuple[str, str, str]]:
    return [
        (step, choice, line)
        for step in ("03-01", "03-02")
        for choice, lines in LINES["options"].items()
        for line in lines
    ]


def is_one_of(kinds: str, step: str, line: str) -> bool:
    found = {claim.kind for claim in read(request(step, line)).claims}
    return len(found) == 1 and found <= set(kinds.split("|"))


def test_most_lines_are_of_one_kind_that_they_say() -> None:
    every = rows()
    mistaken = [line for step, kinds, line in every if not is_one_of(kinds, step, line)]
    assert len(mistaken) <= MISTAKEN_MAX * len(every), mistaken


@pytest.mark.parametrize(("step", "choice", "line"), choices())
def test_a_decision_stands_only_where_somebody_chose(step: str, choice: str, line: str) -> None:
    (claim,) = read(request(step, line)).claims
    if choice == "nothing":
        assert claim.kind != "decision"
        assert "choice" not in claim.data
    else:
        assert claim.data.get("choice") == choice


def test_half_of_the_lines_are_neither_requirement_nor_decision() -> None:
    every = [*rows(), *choices()]
    wanted = [kind for _, kind, _ in every if kind in ("requirement", "chosen", "rejected")]
    assert len(every) >= 120
    assert len(wanted) <= len(every) / 2
