"""A line that says little alone stands with what was said right before it."""

import pytest

from core.domain.ids import UserId
from tests.core.test_compose import made, page
from tests.core.test_scripted import PRIYA, SAM

SPEC = "requirements-spec.md"


def below(text: str, *said: str | tuple[UserId, str]) -> str:
    """What stands right below the line with that text."""
    rows = page(made("01-06", SPEC, *said)).splitlines()
    at = next(n for n, row in enumerate(rows) if row.startswith("- ") and text in row)
    return rows[at + 1].partition(" — ")[0]


@pytest.mark.parametrize(
    ("said", "line", "before"),
    [
        ("Guests get a mail. It has to be in their language.", "It has to be", "Guests get a mail"),
        (
            "older guests.\nthey keep calling. must not lose that",
            "must not lose",
            "they keep calling",
        ),
        ("- the list is printed\n- that must be in red", "that must be", "the list is printed"),
        ("The till is open. Why?", "Why?", "The till is open"),
        ("Is the till open? It must be shut at 8.", "It must be", "Is the till open?"),
        ("The till is open.\n1. ok. It must be shut at 8.", "It must be", "The till is open"),
        ("The till is open. and on Sundays?", "and on Sundays?", "The till is open"),
    ],
)
def test_it_is_the_sentence_before_it_in_the_same_answer(said: str, line: str, before: str) -> None:
    assert below(line, said) == f"  - Right before it: {before}"


def test_a_line_that_opens_its_answer_points_back_at_what_was_said_last_and_by_whom() -> None:
    said = ((PRIYA, "There is a list on paper."), (SAM, "that must stay until May"))
    rows = page(made("01-06", SPEC, *said)).splitlines()
    (row,) = [row for row in rows if "Right before it" in row]
    assert row.startswith(
        "  - Right before it: There is a list on paper. — said by Priya ([message]("
    )


@pytest.mark.parametrize(
    "said",
    [
        "The desk prints a list. Guests must get a mail.",
        "that must stay until May",
        "The list is red. No file may be lost. Both sides must get a mail.",
        "The list is red. Who may print the list on a Sunday?",
    ],
)
def test_a_line_that_stands_by_itself_or_opens_the_step_has_nothing_before_it(said: str) -> None:
    assert "Right before it" not in page(made("01-06", SPEC, said))


def test_a_long_sentence_is_cut_at_its_head() -> None:
    long = "the bell rings " * 20
    row = below("It must be loud", f"{long}at nine. It must be loud.")
    assert row.startswith("  - Right before it: … ")
    assert row.endswith("rings at nine")
    assert len(row) < 200
