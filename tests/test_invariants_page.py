"""The page of invariants names tests that are there, and every rule that is looked at."""

import re
from pathlib import Path

import pytest

from core.domain.invariants import RULES

PAGE = Path("docs/reference/invariants.md")
ROW = re.compile(r"^\| (?P<name>[^|]+) \| [^|]+ \| (?P<tests>[^|]+) \|$", re.MULTILINE)
TEST = re.compile(r"\[`(test_\w+)`\]\(\.\./\.\./(tests/[\w/]+\.py)\)")
INVARIANTS = {
    row["name"]: TEST.findall(row["tests"])
    for row in ROW.finditer(PAGE.read_text())
    if row["name"] != "Invariant"
}


def test_the_page_has_every_invariant_of_the_product() -> None:
    assert len(INVARIANTS) == 11


@pytest.mark.parametrize("name", INVARIANTS)
def test_an_invariant_is_held_by_tests_that_are_there(name: str) -> None:
    assert INVARIANTS[name]
    missing = [
        f"{path}::{test}"
        for test, path in INVARIANTS[name]
        if f"def {test}(" not in Path(path).read_text()
    ]
    assert missing == []


def test_every_rule_of_a_stored_session_is_listed() -> None:
    assert [rule for rule in RULES if f"- {rule}\n" not in PAGE.read_text()] == []
