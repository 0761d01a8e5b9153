"""The page about step files says what the code does."""

import re
from pathlib import Path

import pytest
import yaml

import core
from core.content import files, front_matter, questions, step_style, style
from core.content.check import FURTHER_SECTIONS, check
from core.content.models.prompt import HOLDERS, PLACEHOLDERS, SECTIONS, TASKS, parse_prompt
from core.content.models.step import STEP_FIELDS
from core.content.models.values import (
    OUTPUT_CHARS_MAX,
    RESERVED_NAMES,
    SHORT_CHARS_MAX,
    TITLE_CHARS_MAX,
)
from core.domain.ids import Digest
from core.domain.model_calls import TIERS
from core.domain.steps import condition
from core.domain.steps.playbook import SECTION_OF_DEPTH
from core.taxonomy.catalogue import CATALOGUE
from tests.support.step_trees import REQUIRED_FIELDS, Tree

TOP = Path(core.__file__).parent.parent
PAGE = (TOP / "docs" / "reference" / "steps.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
EXAMPLE = next(text for kind, text in BLOCKS if kind == "markdown")
CONDITIONS = next(text for kind, text in BLOCKS if text.startswith("scope ")).splitlines()


def test_the_example_has_no_fault_and_no_missing_section(tree: Tree) -> None:
    tree.agent()
    tree.step("01-requirements/01-a.md")
    tree.file("01-requirements/02-user-needs.md", EXAMPLE.encode())
    tree.step("02-impact/01-a.md", persona="solutions-architect")
    report = check(tree.root)
    assert report.faults == ()
    assert report.notes == ()


@pytest.mark.parametrize("expression", CONDITIONS)
def test_the_conditions_are_understood(expression: str) -> None:
    assert condition.parse(expression).variables


def test_every_field_is_described_in_order() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (yes|no) \|", PAGE, re.MULTILINE)
    assert rows == [(name, "yes" if name in REQUIRED_FIELDS else "no") for name in STEP_FIELDS]


def test_every_section_is_described() -> None:
    rows = re.findall(r"^\| `## ([\w ]+)` \|", PAGE, re.MULTILINE)
    assert rows == [*SECTION_OF_DEPTH.values(), *FURTHER_SECTIONS, *SECTIONS]


def test_the_example_of_a_prompt_has_no_fault() -> None:
    text = next(text for kind, text in BLOCKS if kind == "markdown" and "tier:" in text)
    assert parse_prompt(text, "take_turn.md", Digest("")).faults == ()


def test_every_task_holder_and_placeholder_of_a_prompt_is_described() -> None:
    page = PAGE.partition("## The prompts of language models")[2].partition("\n## Faults")[0]
    names = re.findall(r"`([a-z_]+)`", page)
    assert {*TASKS, *TIERS, *HOLDERS} <= set(names)
    described = re.findall(r"`\{([a-z]+)\}`", page)
    assert set(described) == {name for task in TASKS for name in PLACEHOLDERS[task]}


def test_every_variable_is_described() -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith("| Variables"))
    assert [name for name in re.findall(r"`(\w+)`", row) if name in condition.VARIABLES] == list(
        condition.VARIABLES
    )


def test_every_code_of_the_step_tree_is_described() -> None:
    rows = re.findall(r"^\| `(ERR-[A-Z]+-\d+)` \|.*\| (said|silent)", PAGE, re.MULTILINE)
    expected = [
        (code, "said" if entry.user_visible else "silent")
        for code, entry in CATALOGUE.items()
        if code.startswith(("ERR-RT", "ERR-STEP", "ERR-PERSONA"))
    ]
    assert rows == expected


def test_the_limits_are_the_ones_of_the_code() -> None:
    for words in (
        f"1 to {TITLE_CHARS_MAX} characters",
        f"at most {OUTPUT_CHARS_MAX} characters",
        f"larger than {files.FILE_BYTES_MAX // 1024} KiB",
        f"longer than {front_matter.FRONT_CHARS_MAX} characters",
        f"nested more than {front_matter.NESTING_LEVELS_MAX} levels",
        f"more than {front_matter.ALIASES_MAX} aliases",
        f"at most {condition.EXPRESSION_CHARS_MAX} characters, "
        f"{condition.NESTING_LEVELS_MAX} levels of brackets, {condition.NODES_MAX} parts, "
        f"and numbers of at most {condition.NUMBER_DIGITS_MAX} digits",
        *(f"`{name}`" for name in RESERVED_NAMES),
    ):
        assert words in PAGE


def test_the_limits_of_a_strict_check_are_the_ones_of_the_code() -> None:
    words = [f"{name} {low} to {high}" for name, (low, high) in step_style.WORDS.items()]
    asked = [f"{name} {low} to {high}" for name, (low, high) in step_style.QUESTIONS.items()]
    for text in (
        ", ".join(words),
        f"{', '.join(asked)}, each of at most {step_style.QUESTION_WORDS_MAX} words",
        f"a likeness of less than {questions.ALIKE_FROM:.2f}",
        f"At least {step_style.EASE_MIN:.0f} in each depth",
        f"At most {style.STANDARD_QUESTIONS_MAX} in a flow",
        f"one line of at most {SHORT_CHARS_MAX} characters",
    ):
        assert text in PAGE


def test_the_example_reads_well(tree: Tree) -> None:
    tree.agent()
    tree.file("01-requirements/02-user-needs.md", EXAMPLE.encode())
    faults = check(tree.root, strict=True).faults
    assert [one.message for one in faults if one.code == "STYLE" and one.field != "short"] == []


def test_the_hook_runs_the_check() -> None:
    (hook,) = yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["entry"] == "roundtable steps check"
    assert f"id: {hook['id']}" in PAGE
    assert hook["pass_filenames"] is False
    wanted = re.compile(hook["files"])
    for path in ("steps/analysis/01-requirements/02-a.md", "a/roundtable.md", "x/party.yaml"):
        assert wanted.search(path)
    assert not wanted.search("README.md")
