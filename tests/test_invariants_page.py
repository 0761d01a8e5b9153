"""The pages of invariants and of reliability name tests that are there, and every rule."""

import re
from pathlib import Path

import pytest

from core.domain.invariants import RULES

PAGE = Path("docs/reference/invariants.md")
ROW = re.compile(r"^\| (?P<name>[^|]+) \| [^|]+ \| (?P<tests>[^|]+) \|$", re.MULTILINE)
TEST = re.compile(r"\[`(test_\w+)`\]\(\.\./\.\./(tests/[\w/]+\.py)\)")
TROUBLE = Path("docs/reference/reliability.md")


def rows(page: Path) -> dict[str, list[tuple[str, str]]]:
    """What a row is about, and the tests it names, each with its file."""
    found = {row["name"]: TEST.findall(row["tests"]) for row in ROW.finditer(page.read_text())}
    return {name: tests for name, tests in found.items() if name not in HEADINGS}


HEADINGS = ("Invariant", "What goes wrong", "On PostgreSQL")
INVARIANTS, TROUBLES = rows(PAGE), rows(TROUBLE)
HELD = INVARIANTS | TROUBLES


def test_the_page_has_every_invariant_of_the_product() -> None:
    assert len(INVARIANTS) == 11


def test_the_page_has_every_trouble_of_the_product() -> None:
    assert len(TROUBLES) == 25


@pytest.mark.parametrize("name", HELD)
def test_a_row_is_held_by_tests_that_are_there(name: str) -> None:
    assert HELD[name]
    missing = [
        f"{path}::{test}"
        for test, path in HELD[name]
        if f"def {test}(" not in Path(path).read_text()
    ]
    assert missing == []


def test_every_rule_of_a_stored_session_is_listed() -> None:
    assert [rule for rule in RULES if f"- {rule}\n" not in PAGE.read_text()] == []
