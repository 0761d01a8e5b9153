"""What a party writes: the claims of its three councils make whole files, checked word by word."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from core.artifacts.compose.layouts import sections
from core.brains.bookkeeping.agreement import consensus, with_agreement
from core.brains.script.council.brief import read_request
from core.brains.script.council.transcript import step_of
from core.domain.answers import Answer, Claim, Draft
from tests.support.artifact_checker import check
from tests.support.composing import compose
from tests.support.council_requests import (
    ANSWERED,
    BLUEPRINT,
    NAMES,
    STACK,
    VISION,
    Held,
    hold,
    request,
    said,
)

CHANGED = (
    "SQLite for the database instead, because it is one file.\nTake Keycloak for the login.",
    "Price: one more thing to run.",
)
DRAWN = (
    "Reader: turns a photo into text.\nReader -> Store: receipts\nReceipt: date, sum",
    "A supplier has many receipts.\nUnit: the reader\nPrinting is not tested.",
)


def party(first: Iterable[str], second: Iterable[str], third: Iterable[str]) -> list[Held]:
    told, changed, drawn = said(VISION, *first), said(STACK, *second), said(BLUEPRINT, *third)
    vision = hold(VISION, told)
    stack = hold(STACK, told, vision.claims, changes=changed)
    known = (*vision.claims, *stack.claims)
    return [vision, stack, hold(BLUEPRINT, (*told, *changed), known, changes=drawn)]


def written(folder: Path, phases: list[Held], answers: tuple[Answer, ...]) -> dict[str, str]:
    """All files of a party, in a folder."""
    every: list[Claim] = []
    for held in phases:
        votes = held.of("vote")
        every += with_agreement(held.claims, consensus(votes)) if votes else held.claims
    for held in phases:
        for file in held.phase.outputs:
            asked = request(held.phase.members[0], "position", *answers, questions=held.asked)
            made = read_request(asked, [file], answers)
            mine = tuple(one for one in every if one.step == step_of(held.phase, file))
            others = tuple(one for one in every if one not in mine)
            made = replace(made, claims=others, names=NAMES)
            parts = sections(made, Draft("", mine))
            (folder / file).write_text(compose(file, "Receipts", "receipts", parts, None))
    return {path.name: path.read_text() for path in folder.iterdir()}


def spoken(phases: list[Held], answers: tuple[Answer, ...]) -> list[str]:
    """What may stand in the files: the answers, and what the party's file says of its phases."""
    labels = [held.phase.label for held in phases]
    questions = [question.text for held in phases for _, _, question in held.asked]
    return [*(one.text for one in answers), *labels, *questions]


@pytest.mark.parametrize(
    ("first", "second", "third"),
    [
        (ANSWERED, CHANGED, DRAWN),
        (ANSWERED, (), ()),
        ((), CHANGED, DRAWN),
        ((), (), ()),
        (
            ("会計士が使います。", "1: يستخدمه المحاسبون"),
            ("SQLite を使います",),
            ("Reader -> 倉庫",),
        ),
    ],
)
def test_the_files_of_a_party_are_whole_and_invent_nothing(
    tmp_path: Path, first: tuple[str, ...], second: tuple[str, ...], third: tuple[str, ...]
) -> None:
    folder = tmp_path / "receipts"
    folder.mkdir()
    answers = (*said(VISION, *first), *said(STACK, *second), *said(BLUEPRINT, *third))
    phases = party(first, second, third)
    written(folder, phases, answers)
    assert check(folder, spoken(phases, answers), "Receipts") == []


def test_each_file_holds_what_belongs_to_it(tmp_path: Path) -> None:
    answers = (*said(VISION, *ANSWERED), *said(STACK, *CHANGED), *said(BLUEPRINT, *DRAWN))
    files = written(tmp_path, party(ANSWERED, CHANGED, DRAWN), answers)
    assert "accountants in small firms — said by Priya" in files["project-brief.md"]
    assert "| database | SQLite | it is one file | Postgres |" in files["tech-stack.md"]
    assert "All personas agree." in files["tech-stack.md"]
    assert "| Reader | turns a photo into text. |" in files["architecture-overview.md"]
    assert "| Receipt | date, sum | for ten years |" in files["data-model.md"]
    assert "| Unit | the reader |" in files["test-strategy-outline.md"]
    assert "Receipt:" not in files["architecture-overview.md"]
