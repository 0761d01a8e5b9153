"""An index of the nouns that several requirements name, as people call them."""

import pytest

from core.artifacts.compose.analysis.subjects import subject_table
from core.artifacts.document.tree import Table
from core.domain.answers import Answer, Claim
from core.domain.ids import AnswerId, StepId, Ts, UserId

STEP = StepId("01-06")


def answers(*texts: str) -> list[Answer]:
    return [
        Answer(AnswerId(f"C1:{number}"), STEP, UserId("U1"), text, Ts(f"{number}.0"))
        for number, text in enumerate(texts, start=1)
    ]


def subjects(lines: list[str], *beside: str, named: bool = True) -> dict[str, str]:
    """The rows of the index of some requirements, which people said beside other things."""
    claims = [
        Claim(f"01-06/{n}", STEP, "requirement", text, (), ref=f"FR-00{n}" if named else None)
        for n, text in enumerate(lines, start=1)
    ]
    tables = subject_table(claims, answers(*lines, *beside))
    rows = [row for table in tables if isinstance(table, Table) for row in table.rows]
    return {str(subject[0]): str(refs[0]) for subject, refs in rows}


LINES = [
    "The cap is in EUR.",
    "At the cap calls get a 429.",
    "Only owners set a cap.",
    "It is fast",
]


def test_a_noun_that_three_lines_name_has_a_row() -> None:
    assert subjects(LINES) == {"cap": "FR-001, FR-002, FR-003"}


def test_one_and_many_are_one_subject_in_the_form_that_people_used_most() -> None:
    lines = ["Each invoice is final.", "Send the invoices late.", "No open invoices.", "It is fast"]
    beside = "The invoices are slow, all invoices."
    assert subjects(lines, beside) == {"invoices": "FR-001, FR-002, FR-003"}
    lines = ["Each entry is final.", "Send the entries late.", "No entry is lost.", "It is fast"]
    assert list(subjects(lines)) == ["entry"]


@pytest.mark.parametrize(
    "lines",
    [
        LINES[:2],
        ["It must run fast.", "They run it.", "We run them.", "It is there"],
        ["Send it each day.", "On the day it opens.", "A day later it closes.", "It is fast"],
        [f"Number {n} of the list" for n in range(5)],
    ],
)
def test_what_few_or_nearly_all_name_what_is_no_noun_and_times_have_no_row(
    lines: list[str],
) -> None:
    assert subjects(lines) == {}


def test_a_line_without_a_name_is_in_no_row() -> None:
    assert subjects(LINES, named=False) == {}


def test_german_and_spanish_nouns_have_a_row() -> None:
    lines = ["Die Liste ist rot.", "Eine Liste je Tag", "Jede Liste zeigt das", "Es ist schnell"]
    assert subjects(lines) == {"liste": "FR-001, FR-002, FR-003"}
    lines = ["La lista es roja.", "Una lista por mesa", "Cada lista se imprime", "Es así"]
    assert subjects(lines) == {"lista": "FR-001, FR-002, FR-003"}
