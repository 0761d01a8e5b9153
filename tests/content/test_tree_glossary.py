"""A step tree may explain words of its own; the check tells everything that is wrong with them."""

import json

import pytest
from typer.testing import CliRunner

from bot.cli.steps.command import app
from core.content.check import check
from core.content.library import Library
from core.content.models.glossary import MEANS_CHARS_MAX
from core.domain.steps.glossary import Term
from tests.support.step_trees import Tree

GOOD = """terms:
  slot: {also: [time slot], means: "A quarter of an hour in somebody's day."}
  practice: {means: "One place with its own calendar."}
"""
BAD = f"""terms:
  slot: {{also: [Time  Slot], means: ""}}
  time slot: {{means: "Twice."}}
  practice:
  move: {{also: [slot]}}
  list: {{also: word, means: "A."}}
  long: {{means: "{"a" * (MEANS_CHARS_MAX + 1)}"}}
  good: {{means: "This one can be used."}}
"""


@pytest.fixture
def whole(tree: Tree) -> Tree:
    tree.agent()
    tree.step("01-requirements/01-a.md")
    tree.step("02-impact/01-a.md", persona="solutions-architect")
    return tree


def write(tree: Tree, text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    (tree.root / "glossary.yaml").write_bytes(data)


def found(tree: Tree) -> list[tuple[str, str, int | None, str | None]]:
    return [(one.code, one.file, one.line, one.field) for one in check(tree.root).faults]


def test_a_good_glossary_has_no_fault_and_is_read_with_its_tree(whole: Tree) -> None:
    before = check(whole.root).files
    write(whole, GOOD)
    report = check(whole.root)
    assert (report.faults, report.notes, report.files) == ((), (), before + 1)
    assert Library(whole.root).terms() == (
        Term("slot", "A quarter of an hour in somebody's day.", ("time slot",)),
        Term("practice", "One place with its own calendar."),
    )


def test_a_tree_without_a_glossary_has_no_words_of_its_own(whole: Tree) -> None:
    assert Library(whole.root).terms() == ()


def test_all_that_is_wrong_with_it_is_told_at_once_each_with_its_line(whole: Tree) -> None:
    write(whole, BAD)
    file = "glossary.yaml"
    assert found(whole) == [
        ("ERR-STEP-006", file, 2, "terms.slot.means"),
        ("ERR-STEP-006", file, 3, "terms"),
        ("ERR-STEP-006", file, 4, "terms.practice"),
        ("ERR-STEP-005", file, 5, "terms.move.means"),
        ("ERR-STEP-006", file, 5, "terms.move.also"),
        ("ERR-STEP-006", file, 6, "terms.list.also"),
        ("ERR-STEP-006", file, 7, "terms.long.means"),
    ]
    assert [term.name for term in Library(whole.root).terms()] == ["good"]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("terms:\n  slot: [\n", "ERR-STEP-004", 3),
        ("- slot\n", "ERR-STEP-004", 1),
        ("", "ERR-STEP-004", 1),
        ("words: {}\n", "ERR-STEP-005", 1),
        ("# words\nterms: [slot]\n", "ERR-STEP-006", 2),
        (b"\xff", "ERR-STEP-003", 1),
        ("a: &a [*a]\n", "ERR-STEP-004", 1),
    ],
)
def test_a_file_that_is_no_glossary_is_a_fault_and_explains_nothing(
    whole: Tree, text: str | bytes, code: str, line: int
) -> None:
    write(whole, text)
    assert [(one[0], one[2]) for one in found(whole)] == [(code, line)]
    assert Library(whole.root).terms() == ()


def test_it_is_checked_with_a_flow_alone_too(whole: Tree) -> None:
    write(whole, "- slot\n")
    assert [one.file for one in check(whole.flow).faults] == ["../glossary.yaml"]


def test_the_command_says_file_and_line_in_every_form(whole: Tree) -> None:
    write(whole, BAD)
    human = CliRunner().invoke(app, ["check", str(whole.root)])
    assert human.exit_code == 1
    assert human.stdout.splitlines()[0] == "glossary.yaml"
    assert "      line 3: a name of its own: line 2 has it already" in human.stdout.splitlines()
    data = CliRunner().invoke(app, ["check", "--format", "json", str(whole.root)])
    assert [one["line"] for one in json.loads(data.stdout)["faults"]] == [2, 3, 4, 5, 5, 6, 7]
    marks = CliRunner().invoke(app, ["check", "--format", "github", str(whole.root)])
    assert "glossary.yaml,line=7,title=ERR-STEP-006::" in marks.stdout
