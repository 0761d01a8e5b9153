"""Prompts are data: five files of a step tree, each rule with what holds it, checked before use."""

import hashlib
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.steps.command import app
from core.brains.model.prompts import load, system_message
from core.content.check import check
from core.content.library import Library, default_steps_dir
from core.content.models.prompt import HOLDERS, TASKS
from core.domain.model_calls import TIERS
from tests.support.step_trees import Tree

GOOD = """---
task: take_turn
tier: strong
---

## Rules

- Say one
  thing. (held by: schema, judgement)
- ReplyQuote it. (held by: quotes)

## Ask

You are {persona}.
Style: {style}
Data between {boundary}.

## Repair

Again.
"""
BAD = """---
task: take_turns
tier: fastest
---

## Rules

Speak well. (held by: judgement)
- Say two things. Or three. (held by: schema)
- Nobody holds this.
- Somebody does. (held by: hope)

## Ask

You are {persona} with {lens} of {nobody}.

## Mend

Again.
"""


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    made = Tree(tmp_path)
    made.agent()
    made.step("01-requirements/01-a.md")
    made.step("02-impact/01-a.md", persona="solutions-architect")
    return made


def write(tree: Tree, text: str | bytes, name: str = "take_turn.md") -> Path:
    path = tree.root / "brains" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def faults(tree: Tree) -> list[tuple[str, str, int | None, str | None, str | None]]:
    return [(one.code, one.file, one.line, one.field, one.value) for one in check(tree.root).faults]


# ── the shipped ones ───────────────────────────────────────────────────────────────────────────


def test_each_task_has_a_shipped_prompt_without_a_fault() -> None:
    library = Library(default_steps_dir())
    assert sorted(library.prompt_files()) == sorted(f"{task}.md" for task in TASKS)
    read = [library.inspect_prompt(name) for name in library.prompt_files()]
    assert [one.faults for one in read] == [()] * len(TASKS)
    assert {one.prompt.tier for one in read if one.prompt} <= set(TIERS)


def test_each_rule_names_what_holds_it_and_every_holder_holds_some() -> None:
    prompts = load(default_steps_dir()).values()
    tags = [held for prompt in prompts for held in prompt.held]
    assert all(tags)
    assert {name for held in tags for name in held} == set(HOLDERS)


def test_no_model_is_shown_a_tag_or_a_placeholder() -> None:
    for prompt in load(default_steps_dir()).values():
        text = system_message(prompt, {}, is_repair=True)
        assert "held by" not in text
        assert "{" not in text
        assert prompt.rules[0] in text


# ── of a tree ──────────────────────────────────────────────────────────────────────────────────


def test_a_tree_without_prompts_uses_the_shipped_ones(tree: Tree) -> None:
    assert load(tree.root) == load(default_steps_dir())


def test_a_prompt_of_the_tree_stands_in_place_of_the_shipped_one_alone(tree: Tree) -> None:
    before = check(tree.root).files
    path = write(tree, GOOD)
    assert (faults(tree), check(tree.root).files) == ([], before + 1)
    own, shipped = load(tree.root), load(default_steps_dir())
    assert own["take_turn"].rules == ("Say one thing.", "ReplyQuote it.")
    assert own["take_turn"].held == (("schema", "judgement"), ("quotes",))
    assert own["take_turn"].tier == "strong"
    assert {task for task in TASKS if own[task] != shipped[task]} == {"take_turn"}
    assert own["take_turn"].digest == hashlib.sha256(path.read_bytes()).hexdigest()[:32]


def test_a_prompt_is_pinned_by_every_byte_of_its_file(tree: Tree) -> None:
    write(tree, GOOD)
    before = load(tree.root)["take_turn"].digest
    write(tree, GOOD + "\n")
    assert load(tree.root)["take_turn"].digest != before


def test_a_faulty_prompt_leaves_the_shipped_one_in_force(tree: Tree) -> None:
    write(tree, BAD)
    assert load(tree.root)["take_turn"] == load(default_steps_dir())["take_turn"]


# ── what goes into the placeholders ────────────────────────────────────────────────────────────


def test_a_value_is_put_in_as_it_is_and_a_line_without_any_value_goes(tree: Tree) -> None:
    write(tree, GOOD)
    prompt = load(tree.root)["take_turn"]
    text = system_message(prompt, {"persona": "{boundary} {style}", "boundary": "B", "style": ""})
    assert text == (
        "Rules:\n- Say one thing.\n- ReplyQuote it.\n\nYou are {boundary} {style}.\nData between B."
    )


def test_a_repair_is_asked_for_behind_everything_else(tree: Tree) -> None:
    write(tree, GOOD)
    text = system_message(load(tree.root)["take_turn"], {"boundary": "B"}, is_repair=True)
    assert text.endswith("Data between B.\n\nAgain.")


# ── the check ──────────────────────────────────────────────────────────────────────────────────


def test_all_that_is_wrong_with_a_prompt_is_told_at_once_each_with_its_line(tree: Tree) -> None:
    write(tree, BAD)
    file = "brains/take_turn.md"
    assert faults(tree) == [
        ("ERR-STEP-005", file, 1, "## Repair", None),
        ("ERR-STEP-006", file, 2, "task", "take_turns"),
        ("ERR-STEP-006", file, 3, "tier", "fastest"),
        ("ERR-STEP-006", file, 8, "## Rules", "Speak well. (held by: judgement)"),
        ("ERR-STEP-006", file, 9, "## Rules", "- Say two things. Or three."),
        ("ERR-STEP-006", file, 10, "held by", "- Nobody holds this."),
        ("ERR-STEP-006", file, 11, "held by", "hope"),
        ("ERR-STEP-005", file, 13, "{boundary}", None),
        ("ERR-STEP-006", file, 15, "placeholder", "{lens}"),
        ("ERR-STEP-006", file, 15, "placeholder", "{nobody}"),
        ("ERR-STEP-006", file, 17, "section", "Mend"),
    ]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        (b"\xff", "take_turn.md", ("ERR-STEP-003", 1)),
        ("Speak.", "take_turn.md", ("ERR-STEP-004", 1)),
        ("---\ntask: [\n---\n", "take_turn.md", ("ERR-STEP-004", 1)),
        (GOOD, "read_answers.md", ("ERR-STEP-006", 2)),
        (GOOD, "speak.md", ("ERR-STEP-006", 1)),
        (GOOD.replace("tier: strong\n", ""), "take_turn.md", ("ERR-STEP-005", 1)),
        (GOOD.replace("{boundary}", "lines"), "take_turn.md", ("ERR-STEP-005", 12)),
        (GOOD.replace("Again.", "{flaws}"), "take_turn.md", ("ERR-STEP-006", 20)),
    ],
)
def test_a_file_that_is_no_prompt_is_a_fault(
    tree: Tree, text: str | bytes, name: str, expected: tuple[str, int]
) -> None:
    write(tree, text, name)
    assert expected in [(code, line) for code, _, line, _, _ in faults(tree)]


def test_a_prompt_is_checked_with_a_flow_alone_too(tree: Tree) -> None:
    write(tree, "Speak.")
    assert [one.file for one in check(tree.flow).faults] == ["../brains/take_turn.md"]


def test_a_link_out_of_the_tree_is_not_read(
    tree: Tree, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "take_turn.md"
    outside.write_text(GOOD)
    (tree.root / "brains").mkdir()
    (tree.root / "brains" / "take_turn.md").symlink_to(outside)
    assert [code for code, *_ in faults(tree)] == ["ERR-STEP-003"]
    assert load(tree.root)["take_turn"].tier != "strong"


def test_the_command_says_file_and_line_in_every_form(tree: Tree) -> None:
    write(tree, BAD)
    human = CliRunner().invoke(app, ["check", str(tree.root)])
    assert human.exit_code == 1
    assert human.stdout.splitlines()[0] == "brains/take_turn.md"
    assert any("line 15: one of persona, role," in line for line in human.stdout.splitlines())
    data = CliRunner().invoke(app, ["check", "--format", "json", str(tree.root)])
    assert [one["line"] for one in json.loads(data.stdout)["faults"]] == [
        1, 2, 3, 8, 9, 10, 11, 13, 15, 15, 17,
    ]  # fmt: skip
    marks = CliRunner().invoke(app, ["check", "--format", "github", str(tree.root)])
    assert "brains/take_turn.md,line=17,title=ERR-STEP-006::" in marks.stdout
