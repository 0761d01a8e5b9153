"""What people paste from documents: titles, a scope whose lines are named, options in a table."""

import pytest

from core.brains.script.follow_ups.numbers import bare_numbers
from core.brains.script.reading import read
from tests.core.test_scripted import PRIYA, SAM, kinds, request

TABLE = """\
| | what | good | bad |
|---|---|---|---|
| A | a kiln of our own | we have the room | smoke |
| B | rent the one in Oudorp | no smoke | 40 minutes by bike |"""
SCOPE = "## Scope v1\n- **F1** Guests book a bed\n- **F2** Five beds a guest at most"


def test_a_title_of_markdown_is_a_note_and_what_stands_below_it_is_read_alone() -> None:
    said = "## Scope v1\n- Guests book a bed\n\n### Later (maybe)\n- Guests pay by card"
    assert kinds(read(request("01-06", said))) == [
        ("note", "## Scope v1"),
        ("requirement", "Guests book a bed"),
        ("note", "### Later (maybe)"),
        ("requirement", "Guests pay by card"),
    ]


@pytest.mark.parametrize(
    "said", ["# of beds a guest books at most, five\nfive", "## Guests book a bed: by card"]
)
def test_what_says_more_than_a_title_is_no_mere_title(said: str) -> None:
    assert kinds(read(request("01-06", said)))[0] != ("note", said.split("\n")[0])


def test_a_title_in_bold_is_a_note() -> None:
    said = "**Scope v2** (numbers stay, use them pls)\nF1 Guests book a bed\nF2 Guests leave"
    assert kinds(read(request("01-06", said)))[0] == ("note", said.split("\n")[0])


def test_a_title_ends_the_label_above_it() -> None:
    lines = kinds(
        read(request("01-06", "## Out of scope\n- paying\n## Scope v1\n- Guests book beds"))
    )
    assert lines[0] == ("exclusion", "paying")
    assert lines[-1] == ("requirement", "Guests book beds")


def test_a_title_that_is_a_label_sorts_the_lines_below_it() -> None:
    lines = kinds(read(request("01-06", "## Out of scope\n- paying by card")))
    assert lines == [("exclusion", "paying by card")]


def test_an_option_of_a_table_is_taken_by_the_letter_of_its_row() -> None:
    claims = read(request("03-01", (PRIYA, TABLE), (SAM, "ok ok, A wins."))).claims
    (choice,) = [claim for claim in claims if claim.data.get("choice") == "chosen"]
    assert choice.text == "ok ok, A wins."
    assert choice.data["option"] == "Option A"


def test_a_line_that_tries_what_has_its_name_is_a_check() -> None:
    checks = "F1: book, look at the board -> my name\nF2: book a sixth bed -> refused"
    lines = kinds(read(request("01-06", (PRIYA, SCOPE), (SAM, checks))))
    assert [line for line in lines if line[1] in checks] == [
        ("check", "F1: book, look at the board -> my name"),
        ("check", "F2: book a sixth bed -> refused"),
    ]


@pytest.mark.parametrize("said", ["F2: three then.", "F2 nee, not with the groups in May"])
def test_what_takes_up_the_name_of_a_line_is_no_requirement_of_its_own(said: str) -> None:
    lines = kinds(read(request("01-06", (PRIYA, SCOPE), (SAM, said))))
    assert ("requirement", said) not in lines
    assert said in [text for _, text in lines]


def test_a_demand_behind_the_name_of_a_line_is_a_requirement() -> None:
    said = "F2 must hold for groups as well"
    assert ("requirement", said) in kinds(read(request("01-06", (PRIYA, SCOPE), (SAM, said))))


def test_an_item_of_a_list_whose_others_are_requirements_is_one() -> None:
    listed = (
        "1) guests book a bed\n2) prints the key card\n3) refuses the sixth bed\n"
        '4) same guest twice => "already here" + since when\n5) shows who sleeps where'
    )
    lines = kinds(read(request("01-06", (PRIYA, listed))))
    assert [kind for kind, _ in lines] == ["requirement"] * 5


def test_a_reaction_in_a_list_of_requirements_is_none() -> None:
    listed = (
        "- guests book a bed\n- prints the key card\n- guests rate their bed\n- guests pay\n- +1"
    )
    lines = kinds(read(request("01-06", (PRIYA, listed))))
    assert [kind for kind, _ in lines[:4]] == ["requirement"] * 4
    assert ("requirement", "+1") not in lines


def test_a_line_whose_name_no_other_has_is_no_check() -> None:
    lines = kinds(read(request("01-06", "F1: scan a key -> the door opens")))
    assert lines == [("requirement", "F1: scan a key -> the door opens")]


@pytest.mark.parametrize("text", ["Jan 15 to Jan 29 is frozen", "March 9", "beta: us, Jan 26"])
def test_the_day_of_a_month_needs_no_unit(text: str) -> None:
    assert bare_numbers(text) == ()


FAILURES = """\
| what | they see | again? |
|---|---|---|
| lock gives no answer | "Please ring the desk" | no |
| card reader is full | nothing | 3x |"""


def test_a_row_of_a_table_of_failures_says_what_fails_and_what_follows() -> None:
    errors = [one for one in read(request("04-04", FAILURES)).claims if one.kind == "error"]
    assert [(one.data["condition"], one.data["response"]) for one in errors] == [
        ("lock gives no answer", '"Please ring the desk", again? no'),
        ("card reader is full", "nothing, again? 3x"),
    ]


def test_a_row_of_two_columns_without_a_head_says_what_fails_and_what_follows() -> None:
    said = "| lock gives no answer | ring the desk |\n| card is bent | a new one |"
    errors = [one for one in read(request("04-04", said)).claims if one.kind == "error"]
    assert [(one.data["condition"], one.data["response"]) for one in errors] == [
        ("lock gives no answer", "ring the desk"),
        ("card is bent", "a new one"),
    ]
