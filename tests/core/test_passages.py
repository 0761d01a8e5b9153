"""Sentences and rows that stand side by side in a message are shown as people wrote them."""

import pytest

from core.artifacts.compose.lines.passages import PASSAGE_CHARS_MAX
from core.domain.ids import UserId
from tests.core.test_compose import made, page
from tests.core.test_scripted import PRIYA, SAM

SPEC = "requirements-spec.md"
TABLE = "What we have:\n\n| what | where |\n|:--|--:|\n| keys | a drawer |\n| list | `lists.xlsx` |"


def items(*said: str | tuple[UserId, str]) -> list[str]:
    """The lines of the step's list, without who said them."""
    rows = page(made("01-01", SPEC, *said)).splitlines()
    return [row.partition(" — ")[0] for row in rows if row.startswith("- ")]


def test_sentences_of_one_message_are_one_line() -> None:
    text = "Two keys are lost. It rains in! The desk has a list"
    assert items(text) == [f"- {text}"]


@pytest.mark.parametrize(
    ("said", "lines"),
    [
        (
            "Two keys are lost.\nThe desk has a list.",
            ["Two keys are lost.", "The desk has a list."],
        ),
        (
            "Two keys are lost. Which ones? The desk has a list.",
            ["Two keys are lost.", "The desk has a list."],
        ),
        (
            "Two keys are lost. Guests must get a mail. The desk has a list.",
            ["**FR-001** Guests must get a mail.", "Two keys are lost.", "The desk has a list."],
        ),
    ],
)
def test_what_stands_apart_in_a_message_stays_apart(said: str, lines: list[str]) -> None:
    shown = items(said)
    assert [line for line in shown if "ones?" not in line] == [f"- {line}" for line in lines]


def test_sentences_of_two_people_are_two_lines() -> None:
    said = ((PRIYA, "Two keys are lost."), (SAM, "The desk has a list."))
    assert items(*said) == ["- Two keys are lost.", "- The desk has a list."]


def test_a_passage_ends_before_it_is_too_long() -> None:
    things = ("bell", "lamp", "door", "roof", "wall", "gate", "till", "desk", "sign", "rope")
    said = " ".join(
        f"The {thing} of the old house on the hill is quite worn out by now." for thing in things
    )
    shown = items(said)
    assert all(len(line) <= PASSAGE_CHARS_MAX + len("- ") for line in shown)
    assert len(shown) == 2
    assert " ".join(line.removeprefix("- ") for line in shown) == said


def test_a_pasted_table_is_a_table() -> None:
    text = page(made("01-04", SPEC, TABLE))
    table = "  | what | where |\n  |---|---|\n  | keys | a drawer |\n  | list | `lists.xlsx` |\n"
    assert f"):\n\n{table}" in text
    assert "- said by Priya ([message](" in text


def test_a_row_that_asks_for_something_is_a_line_of_its_own() -> None:
    text = page(made("01-04", SPEC, f"{TABLE}\n| mail | guests must get one |"))
    assert "  | list | `lists.xlsx` |\n" in text
    assert "**FR-001** mail \\| guests must get one" in text


def test_rows_beside_one_that_stands_elsewhere_are_a_table() -> None:
    rows = "| keys | a drawer |\n| mail | guests must get one |\n| list | the desk |"
    text = page(made("01-04", SPEC, f"| what | where |\n|---|---|\n{rows}"))
    assert "  |---|---|\n  | keys | a drawer |\n  | list | the desk |\n" in text
    line = text.partition("**FR-001**")[2]
    assert line.splitlines()[1].startswith("  - Before it: what \\| where — said by Priya")


def test_a_row_of_targets_is_a_quality_and_its_measure() -> None:
    table = "| what | target |\n|---|---|\n| the page must open | max 2 s p99 |"
    text = page(made("01-05", "nfr-matrix.md", table))
    assert "| NFR-001 | the page must open | max 2 s p99 | Priya" in text


@pytest.mark.parametrize("row", ["| keys | a drawer | second shelf |", "keys"])
def test_a_row_that_does_not_fit_the_table_loses_nothing(row: str) -> None:
    text = page(made("01-04", SPEC, f"| what | where |\n|---|---|\n{row}"))
    assert all(cell.strip() in text for cell in row.strip("|").split("|"))
    assert "|---|" not in text
