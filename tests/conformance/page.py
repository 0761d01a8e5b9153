"""The tables of docs/reference/conformance.md, made from the cases.

    python -m tests.conformance.page

writes them again between the page's two marks; what stands around them is written by hand.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.conformance.judging import expected_words
from tests.conformance.table import CASES, SUBJECTS
from tests.conformance.values import Case

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "conformance.md"
BEGIN: Final = "<!-- from here on made from the cases by `make conformance` -->"
END: Final = "<!-- to here -->"


def made() -> str:
    lines = [*_silences(), *_left_out(), *_covered()]
    return "\n".join(lines)


def _silences() -> Iterator[str]:
    """What rests on something else than a page, by what it rests on."""
    yield "### Where the documentation is silent\n"
    for basis in ("observed", "our reading"):
        yield f"**{basis.capitalize()}**\n"
        silent = [case for case in CASES if case.basis == basis]
        for note in dict.fromkeys(case.note for case in silent):
            same = [case for case in silent if case.note == note]
            yield f"- {_named(same)}: {note}."
        yield ""


def _named(cases: Sequence[Case]) -> str:
    if len(cases) == 1:
        return f"{cases[0].what} (`{cases[0].id}`)"
    return ", ".join(f"`{case.id}`" for case in cases)


def _left_out() -> Iterator[str]:
    asked = [case for case in CASES if not case.not_live]
    yield "## What a real workspace is not asked\n"
    yield f"{len(asked)} of {len(CASES)} cases run against a real workspace. The others:\n"
    yield "| Why not | Cases |"
    yield "|---|---|"
    for reason in dict.fromkeys(case.not_live for case in CASES if case.not_live):
        ids = ", ".join(f"`{case.id}`" for case in CASES if case.not_live == reason)
        yield f"| {reason} | {ids} |"
    yield ""


def _covered() -> Iterator[str]:
    yield "## What is covered\n"
    yield f"{len(CASES)} cases; each links the page it rests on."
    for subject, cases in SUBJECTS.items():
        yield f"\n### {subject}\n"
        yield "| Case | What | Expected |"
        yield "|---|---|---|"
        for case in cases:
            expected = expected_words(case.expect).replace("|", "\\|").replace("<", "&lt;")
            yield f"| `{case.id}` | [{case.what}]({case.url}) | {expected} |"


def rewritten(page: str) -> str:
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{made()}\n\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text()))
