"""Bad input: whatever people write, the artifacts stay valid, lose nothing and invent nothing."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.artifacts.compose.layouts import rests_on, sections
from core.brains.script.reading import read
from core.content.library import Library
from core.domain.answers import Answer, Claim, Draft, ReadRequest, Section
from core.domain.ids import PersonaKey
from core.domain.steps.playbook import BUILT_IN, Step
from tests.core.test_scripted import SAM, answer, request
from tests.support.artifact_checker import check
from tests.support.artifact_checker_formats import outside_code
from tests.support.artifact_checker_words import ROOT, plain, visible, words_of
from tests.support.composing import compose

TITLE, SLUG = "Export dashboard as PDF", "export-dashboard-as-pdf"
KINDS = {
    "one word": ["Yes"],
    "numbers alone": ["1. 12\n2. 90 %\n3. 4711"],
    "an essay": [
        "As a reader, I want one PDF, so that I can share it. It must be made within 20 seconds. "
        "Out of scope: any other format. We use Postgres, because it is there. The queue sends due "
        "mails to Anna Schmidt. GET /pdf/:id gives it. If the drawing fails, the reader is told. "
        "Who pays? FR-001 must, FR-002 should. The risk is high that fonts break, impact low."
    ],
    "a contradiction": ["It must be blue.", "It must not be blue. It must never be blue."],
    "other languages": [
        "Die Größe ist mäßig, 3 Dateien.", "これは大きい。三つの画面です。", "مرحبا بالعالم",
    ],
    "a table": ["| Field | Type |\n|---|---|\n| id | int |\n| total | 12,50 € |"],
    "code": ["```\nGET /a/<id>\n# not a heading\n```", "`x = 1` and ~~~ and ``` alone"],
    "only links": ["https://acme.example/a_b?c=(d)|e", "<https://acme.example/x>"],
    "markup": [
        "# Heading\n<!-- /roundtable:section 01-06 -->\n- [x](javascript:y) | z",
        "**FR-900** *(assumed)*",
        "— said by Maya ([message](https://evil.example))",
        "---\nscope: large\n---",
        "a --> b[\"c\"] %% d; end",
    ],
    "placeholders of their own": ["Fill in {name} later, TODO, TBD."],
}  # fmt: skip


def shipped() -> list[Step]:
    library = Library(ROOT / "steps")
    personas = frozenset(PersonaKey(who.key) for who in BUILT_IN)
    opened = (
        library.open_phase("analysis", phase.key, personas) for phase in library.phases("analysis")
    )
    return [file.step for phase in opened for file in phase.pinned if file.step]


STEPS = shipped()


def analysis(texts: list[str]) -> tuple[dict[str, str], list[Claim]]:
    """The same answers to every step, by two people in turn, and all files that come of it."""
    answers: list[Answer] = []
    claims: list[Claim] = []
    requests: dict[str, ReadRequest] = {}
    made: dict[tuple[str, str], Section] = {}
    for step in STEPS:
        said = [answer(step.id, n, text) for n, text in enumerate(texts, start=1)]
        said = [replace(one, by=SAM) if n % 2 else one for n, one in enumerate(said)]
        asked = request(step.id, title=TITLE, claims=tuple(claims), other_answers=tuple(answers))
        asked = replace(asked, step=step, phase=step.phase, answers=tuple(said))
        draft = read(asked)
        answers += said
        claims += draft.claims
        requests[step.id] = asked
        made |= {(one.file, step.id): one for one in sections(asked, draft)}
        made |= _again(made, requests, claims, answers)
    parts = tuple(made.values())
    return {file: compose(file, TITLE, SLUG, parts, None) for file, _ in made}, claims


def _again(
    made: dict[tuple[str, str], Section],
    requests: dict[str, ReadRequest],
    claims: list[Claim],
    answers: list[Answer],
) -> dict[tuple[str, str], Section]:
    """Sections that show claims of other steps, made anew as the reading room does it."""
    found: dict[tuple[str, str], Section] = {}
    for step in {step for file, step in made if rests_on(file)}:
        own = tuple(one for one in claims if one.step == step)
        others = tuple(one for one in claims if one.step != step)
        asked = replace(requests[step], claims=others, other_answers=tuple(answers))
        found |= {(one.file, step): one for one in sections(asked, Draft("", own))}
    return found


@cache
def analysis_of(kind: str) -> tuple[dict[str, str], list[Claim]]:
    return analysis(KINDS[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_the_artifacts_stay_valid_and_invent_nothing(kind: str, tmp_path: Path) -> None:
    files, _ = analysis_of(kind)
    for file, text in files.items():
        (tmp_path / file).write_text(text)
    assert check(tmp_path, KINDS[kind], TITLE) == []


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_that_was_said_is_lost(kind: str) -> None:
    files, claims = analysis_of(kind)
    shown = plain("\n".join(re.sub(r"\\(.)", r"\1", visible(text)) for text in files.values()))
    for claim in claims:
        missing = words_of(claim.text) - words_of(shown)
        assert not missing, (claim.step, claim.text, missing)


@settings(max_examples=15)
@given(st.lists(st.text(), min_size=1, max_size=2))
def test_no_text_breaks_a_mark_a_table_or_a_chart(texts: list[str]) -> None:
    files, _ = analysis(texts)
    for file, text in files.items():
        if file.endswith(".md"):
            marks = re.findall(r"<!-- (/?)roundtable:section [\w-]+ -->", text)
            assert marks == ["", "/"] * (len(marks) // 2)
            assert "<!--" not in re.sub(
                r"<!-- /?roundtable:section [\w-]+ -->", "", outside_code(text)
            )
