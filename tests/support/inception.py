"""The classic mode of an inception for tests: its steps, answers to them, and whole sessions.

A session runs over a copy of the step tree that is laid out as an analysis led by one persona.
"""

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import yaml

from core.artifacts.compose.layouts import sections
from core.brains.script.reading import read
from core.content.library import Library, default_steps_dir
from core.domain.answers import Answer, Claim, Draft, ReadRequest, Section
from core.domain.ids import PersonaKey, UserId
from core.domain.steps.playbook import Step
from tests.core.test_scripted import NAMES, SAM, answer, request
from tests.support.composing import compose
from tests.support.fakes import DEV, OPS, OWNER
from tests.support.harness import Harness

ROOT: Final = Path(__file__).parents[2]
CLASSIC: Final = default_steps_dir() / "inception" / "classic"
PLAY: Final = ROOT / "docs" / "examples" / "classic.yaml"
TITLE: Final = "A plugin that retries failed payments"
SLUG: Final = "a-plugin-that-retries-failed-payments"
LEAD: Final = PersonaKey("lead")
PEOPLE: Final[Mapping[str, UserId]] = {"pm": OWNER, "dev": DEV, "ops": OPS}
LABELS: Final = {
    "01-vision": "Vision",
    "02-domain": "Domain",
    "03-stack": "Tech Stack",
    "04-architecture": "Architecture",
    "05-data-model": "Data Model",
    "06-test-strategy": "Test Strategy",
    "07-constitution": "Constitution",
    "08-walkthrough": "Walkthrough",
}
_AGENT: Final = {
    "name": "roundtable",
    "description": "One facilitator leads a new project from its purpose to its first steps.",
    "personas": [
        {
            "key": LEAD,
            "name": "Robin Vale",
            "role": "Facilitator",
            "icon": ":compass:",
            "identity": "Has seen projects begin well and badly.",
            "style": "Plain and warm.",
            "principles": ["One thing at a time.", "Write down who said it.", "Leave gaps open."],
        }
    ],
    "phases": {phase: {"persona": LEAD, "label": label} for phase, label in LABELS.items()},
}


def laid_out(place: Path) -> Path:
    """A step tree in which the analysis is the classic mode."""
    flow = place / "steps" / "analysis"
    shutil.copytree(CLASSIC, flow)
    (flow / "roundtable.md").write_text(f"---\n{yaml.safe_dump(_AGENT)}---\n# About\n")
    return place / "steps"


def _steps() -> dict[str, Step]:
    library = Library(default_steps_dir())
    opened = (
        library.open_phase("inception", phase.key, {LEAD}) for phase in library.phases("inception")
    )
    found = [file.step for phase in opened for file in phase.pinned]
    return {step.id: step for step in found if step}


STEPS: Final = _steps()
FILES: Final = tuple(dict.fromkeys(file for step in STEPS.values() for file in step.outputs))


def asked(step: str, *said: str | tuple[UserId, str], **more: Any) -> ReadRequest:
    """People's answers to a step of the classic mode, by Priya unless a pair says otherwise."""
    made = request("01-01", title=TITLE, steps=tuple(STEPS.values()), **more)
    pairs = [one if isinstance(one, tuple) else (UserId("U1"), one) for one in said]
    answers = tuple(answer(step, n, text, by) for n, (by, text) in enumerate(pairs, start=1))
    found = STEPS[step]
    return replace(made, step=found, phase=found.phase, answers=answers)


def claims_of(step: str, *said: str | tuple[UserId, str]) -> list[tuple[str, dict[str, str]]]:
    """What each line was read as: its kind, and what its words name."""
    return [
        (claim.kind, {key: text for key, text in claim.data.items() if key != "question"})
        for claim in read(asked(step, *said)).claims
    ]


def whole(said: Mapping[str, Iterable[str]]) -> tuple[dict[str, str], list[Claim]]:
    """All files that come of answers to some steps, by two people in turn; and the claims."""
    answers: list[Answer] = []
    claims: list[Claim] = []
    requests: dict[str, ReadRequest] = {}
    for step in STEPS:
        pairs = [
            (SAM if n % 2 else UserId("U1"), text) for n, text in enumerate(said.get(step, ()))
        ]
        made = asked(step, *pairs, claims=tuple(claims), other_answers=tuple(answers))
        claims += read(made).claims
        answers += made.answers
        requests[step] = made
    parts: list[Section] = []
    for step, made in requests.items():
        others = tuple(one for one in claims if one.step != step)
        mine = tuple(one for one in claims if one.step == step)
        around = replace(made, claims=others, other_answers=tuple(answers), names=NAMES)
        parts += sections(around, Draft("", mine))
    files = dict.fromkeys(part.file for part in parts)
    return {file: compose(file, TITLE, SLUG, tuple(parts), None) for file in files}, claims


def played(table: Harness, play: Path = PLAY) -> list[str]:
    """Perform the replies and clicks of a play on a table that has started; what was said.

    Its lists are those of steps, else of whole phases.
    """
    acts = {key: list(told) for key, told in yaml.safe_load(play.read_text())["steps"].items()}
    said: list[str] = []
    while table.session.status in ("asking", "choosing"):
        step, phase = table.session.course.step, table.session.course.phase
        told = acts.get(step) or acts[phase]
        act = told.pop(0)
        if "reply" in act:
            said.append(act["reply"])
            table.say(act["reply"], PEOPLE[act["by"]])
        else:
            table.forward(PEOPLE[act["by"]])
    assert not any(acts.values()), "something of the play was not performed"
    return said
