"""A line that says little alone stands with what was said right before it."""

from itertools import cycle, takewhile

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
        ("The till is open. Why?", "Why?", "The till is open"),
        ("Is the till open? It must be shut at 8.", "It must be", "Is the till open?"),
        (
            "And who may change the cap? only owners may.",
            "only owners may",
            "And who may change the cap?",
        ),
        ("The till is open.\n1. ok. It must be shut at 8.", "It must be", "The till is open"),
        ("The till is open. and on Sundays?", "and on Sundays?", "The till is open"),
    ],
)
def test_it_is_the_sentence_before_it_in_the_same_answer(said: str, line: str, before: str) -> None:
    assert below(line, said) == f"  - Before it: {before}"


@pytest.mark.parametrize("head", ["never:", "It must not have:", "may change:"])
def test_a_head_that_turns_the_sense_of_its_list_stands_below_each_item(head: str) -> None:
    items = "- notes that must be in a PDF\n- texts that others must change"
    said = f"Guests get a mail.\n{head}\n{items}"
    rows = page(made("01-06", SPEC, said)).splitlines()
    for text in ("in a PDF", "others must change"):
        at = next(n for n, row in enumerate(rows) if row.startswith("- **FR-") and text in row)
        assert rows[at + 1].startswith(f"  - Before it: {head} — said by Priya")


def test_any_other_head_is_not_said_again() -> None:
    assert "Before it" not in page(made("01-06", SPEC, "in:\n- guests must get a mail each"))


@pytest.mark.parametrize(
    "said",
    [
        "Guests get a mail. It has to be in their language.",
        "- the list is printed\n- that must be in red",
    ],
)
def test_what_stands_right_above_a_line_is_not_said_again(said: str) -> None:
    assert "Before it" not in page(made("01-06", SPEC, said))


def test_a_line_that_opens_its_answer_points_back_at_what_was_said_last_and_by_whom() -> None:
    said = ((PRIYA, "There is a list on paper."), (SAM, "that must stay until May"))
    rows = page(made("01-06", SPEC, *said)).splitlines()
    (row,) = [row for row in rows if "Before it" in row]
    assert row.startswith("  - Before it: There is a list on paper. — said by Priya ([message](")


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
    assert "Before it" not in page(made("01-06", SPEC, said))


def test_a_long_sentence_is_cut_at_its_head() -> None:
    long = "the bell rings " * 20
    row = below("It must be loud", f"{long}at nine. It must be loud.")
    assert row.startswith("  - Before it: … ")
    assert row.endswith("rings at nine")
    assert len(row) < 200


@pytest.mark.parametrize(
    ("put", "answers", "line"),
    [
        ("What about a map of the stops? Would be nice", ("nah, later",), "nah, later"),
        ("A map of the stops?", ("nah, later", "ok not in v1"), "ok not in v1"),
        ("A map of the stops, with photos.", ("not in v1 please.",), "not in v1 please"),
    ],
)
def test_what_leaves_something_out_without_naming_it_stands_with_what_was_put(
    put: str, answers: tuple[str, ...], line: str
) -> None:
    said = zip(cycle((PRIYA, SAM)), (put, *answers), strict=False)
    rows = page(made("01-06", SPEC, *said)).splitlines()
    at = next(n for n, row in enumerate(rows) if row.startswith("- **") and line in row)
    assert rows[at + 1].startswith(f"  - Before it: {put} — said by Priya")


def test_what_names_the_thing_that_it_leaves_out_stands_alone() -> None:
    assert "Before it" not in page(made("01-06", SPEC, "A map?", (SAM, "no map in v1")))


def before_decision(text: str, *said: str) -> list[str]:
    """The lines below the decision with that text; people speak in turn."""
    people = cycle((PRIYA, SAM))
    rows = page(made("01-06", SPEC, *zip(people, said, strict=False))).splitlines()
    at = next(n for n, row in enumerate(rows) if row.startswith("- **ADR-") and text in row)
    rows_below = takewhile(lambda row: row.startswith("  - "), rows[at + 1 :])
    return [row.partition(" — ")[0].removeprefix("  - ") for row in rows_below]


@pytest.mark.parametrize(
    ("said", "text", "before"),
    [
        (
            ("The lamp goes out after 90 seconds.", "90 is too long. 40", "40 it is."),
            "40 it is",
            [
                "Before it: The lamp goes out after 90 seconds.",
                "Before it: 90 is too long. 40",
                "**FR-001** ~~The lamp goes out after 90 seconds.~~",
            ],
        ),
        (
            ("We have 9 keys.", "2 keys are not cut by then, I will cry", "Monday 9 March it is."),
            "9 March",
            ["Before it: 2 keys are not cut by then, I will cry"],
        ),
        (
            ("Should we begin with the tower?", "No, the tower leaks.", "The cellar it is."),
            "The cellar",
            ["Before it: No, the tower leaks."],
        ),
        (
            ("Should we begin with the tower?", "You are right. The cellar it is."),
            "The cellar",
            ["Before it: Should we begin with the tower?"],
        ),
        (("We go with oak for the doors of both houses, it lasts.",), "We go with oak", []),
    ],
)
def test_a_short_decision_stands_with_what_it_settles(
    said: tuple[str, ...], text: str, before: list[str]
) -> None:
    assert before_decision(text, *said) == before


def test_a_long_text_is_cut_around_the_amount_that_was_decided() -> None:
    long = "the bell rings " * 20
    (row,) = before_decision("9 it is", f"{long}after 9 turns, {long}", "9 it is.")
    assert row.startswith("Before it: … ")
    assert row.endswith(" …")
    assert "after 9 turns" in row
