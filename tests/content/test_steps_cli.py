"""`roundtable steps` as it is typed: what it prints, and what it exits with."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli.steps.command import app
from tests.support.step_trees import Tree


def run(*arguments: object, env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(app, [str(one) for one in arguments], env=env or {})


@pytest.fixture
def whole(tree: Tree) -> Tree:
    tree.agent()
    tree.step("01-requirements/01-a.md")
    tree.step("02-impact/01-b.md", persona="solutions-architect")
    return tree


def test_a_whole_tree_is_one_line_and_success(whole: Tree) -> None:
    result = run("check", whole.root)
    assert result.exit_code == 0
    assert result.output == "3 files, 2 steps: all is well.\n"


def test_people_read_faults_by_file_and_a_summary_last(whole: Tree) -> None:
    whole.step("01-requirements/01-a.md", title=None, depth="deeper")
    whole.step("02-impact/01-b.md", persona="solutions-architect", step_id='"02-09"')
    result = run("check", whole.root)
    assert result.exit_code == 1
    assert (
        result.output
        == """\
analysis/01-requirements/01-a.md
  ERR-STEP-005  Warning: Step file 01-a.md is missing required field 'title'. Skipping.
  ERR-STEP-006  Warning: Step file 01-a.md has invalid value for 'depth': 'deeper'. Skipping.
      one of brief, standard, deep

analysis/02-impact/01-b.md
  note  Its step_id is '02-09', its place asks for '02-01'. The step runs.

3 files, 1 step: 2 faults, 1 note.
"""
    )


def test_notes_alone_are_a_success(whole: Tree) -> None:
    whole.phase("03-empty")
    result = run("check", whole.root)
    assert result.exit_code == 0
    assert result.output.endswith("3 files, 2 steps: all is well, 2 notes.\n")


def test_a_strict_check_measures_every_step_in_a_table(whole: Tree) -> None:
    result = run("check", whole.root, "--strict")
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert "  STYLE  '## Standard Mode' has 1 numbered questions." in lines
    top = next(number for number, line in enumerate(lines) if line.startswith("analysis  "))
    assert lines[top : top + 5] == [
        "analysis                 Brief             Standard          Deep              Short",
        "                         words  ask  ease  words  ask  ease  words  ask  ease",
        "01-01  Business Context      2    –   120      1    1   121      2    1   120",
        "02-01  Business Context      2    –   120      1    1   121      2    1   120",
        "2 standard questions of at most 60; 0 for the short path; "
        "nearest likeness 0.00 of less than 0.50.",
    ]
    assert lines[-1].startswith("3 files, 2 steps: ")


def test_a_strict_check_keeps_the_keys_of_json_and_is_a_warning_on_github(whole: Tree) -> None:
    found = json.loads(run("check", whole.root, "--strict", "--format", "json").output)
    assert list(found)[:3] == ["files", "steps", "faults"]
    assert {one["code"] for one in found["faults"]} == {"STYLE"}
    assert {one["severity"] for one in found["faults"]} == {"WARNING"}
    assert list(found["faults"][0]) == ["code", "severity", "file", "field", "value", "message"]
    github = run("check", whole.root, "--strict", "--format", "github").output.splitlines()
    assert all(line.startswith("::warning ") for line in github[:-1])


def test_the_shipped_steps_pass_a_strict_check() -> None:
    result = run("check", "--strict", env={"ROUNDTABLE_STEPS_DIR": ""})
    assert result.exit_code == 0
    assert "\n58 standard questions of at most 60; 8 for the short path; " in result.output
    assert result.output.endswith(" steps: all is well.\n")


def test_json_has_exactly_its_keys(whole: Tree) -> None:
    whole.step("01-requirements/01-a.md", title="''")
    whole.step("02-impact/01-b.md", persona="solutions-architect", step_id='"02-09"')
    result = run("check", whole.root, "--format", "json")
    assert result.exit_code == 1
    assert json.loads(result.output) == {
        "files": 3,
        "steps": 1,
        "faults": [
            {
                "code": "ERR-STEP-006",
                "severity": "WARNING",
                "file": "analysis/01-requirements/01-a.md",
                "field": "title",
                "value": "",
                "message": (
                    "Warning: Step file 01-a.md has invalid value for 'title': ''. Skipping."
                ),
            }
        ],
        "notes": [
            {
                "code": "NOTE",
                "severity": "INFO",
                "file": "analysis/02-impact/01-b.md",
                "field": "step_id",
                "value": "02-09",
                "message": "Its step_id is '02-09', its place asks for '02-01'. The step runs.",
            }
        ],
    }


def test_json_of_a_whole_tree_is_a_success(whole: Tree) -> None:
    result = run("check", whole.flow, "--format=json")
    assert result.exit_code == 0
    assert json.loads(result.output) == {"files": 3, "steps": 2, "faults": []}


def test_github_gets_annotations_from_the_top_of_the_checkout(
    whole: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole.step("01-requirements/01,a:100%.md", title=None)
    whole.step("02-impact/01-b.md", persona="solutions-architect", depth='"50%\\n"')
    whole.step("02-impact/02-c.md", persona="solutions-architect", step_id='"02-09"')
    (whole.flow / "roundtable.md").write_text("---\nname: [\n---\n")
    monkeypatch.chdir(whole.root.parent)
    result = run("check", "steps", "--format", "github")
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0].startswith(
        "::error file=steps/analysis/roundtable.md,title=ERR-RT-002"
        "::Warning: Roundtable agent file has invalid format."
    )
    assert (
        "::warning file=steps/analysis/01-requirements/01%2Ca%3A100%25.md,title=ERR-STEP-005"
        "::Warning: Step file 01,a:100%25.md is missing required field 'title'. Skipping."
    ) in lines
    assert (
        "::warning file=steps/analysis/02-impact/01-b.md,title=ERR-STEP-006"
        "::Warning: Step file 01-b.md has invalid value for 'depth': '50%25 '. Skipping. "
        "(one of brief, standard, deep)"
    ) in lines
    assert (
        "::notice file=steps/analysis/02-impact/02-c.md,title=NOTE"
        "::Its step_id is '02-09', its place asks for '02-02'. The step runs."
    ) in lines
    assert lines[-1].startswith("5 files, ")


def test_github_gets_a_whole_path_from_elsewhere(
    whole: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole.step("01-requirements/01-a.md", title=None)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    result = run("check", whole.flow, "--format", "github")
    path = (whole.flow / "01-requirements" / "01-a.md").resolve()
    assert f"::warning file={path},title=ERR-STEP-005::" in result.output


def test_the_directory_comes_from_the_environment_or_is_our_own(whole: Tree) -> None:
    result = run("check", env={"ROUNDTABLE_STEPS_DIR": str(whole.root)})
    assert result.output == "3 files, 2 steps: all is well.\n"
    own = run("check", "--format", "json", env={"ROUNDTABLE_STEPS_DIR": ""})
    assert own.exit_code == 0
    assert json.loads(own.output)["steps"] >= 24


@pytest.mark.parametrize("command", ["check", "list"])
def test_a_place_without_steps_is_told_and_exits_with_two(command: str, tmp_path: Path) -> None:
    gone = run(command, tmp_path / "gone")
    assert gone.exit_code == 2
    assert gone.stderr == f"{tmp_path / 'gone'} is not a directory.\n"
    assert gone.stdout == ""
    assert run(command, tmp_path).exit_code == 2
    assert run(command, tmp_path, "--format", "xml").exit_code == 2


def test_nothing_of_a_file_reaches_the_terminal_raw(whole: Tree) -> None:
    whole.step("01-requirements/01-a.md", depth='"\\e[31mred"')
    whole.file("01-requirements/02-\x1b[31m.md", b"")
    for form in ("human", "github"):
        assert "\x1b" not in run("check", whole.root, "--format", form).output
    assert "\x1b" not in run("list", whole.root).output


def test_the_list_is_the_inventory(whole: Tree) -> None:
    whole.file("01-requirements/02-b.md", b"")
    result = run("list", whole.root)
    assert result.exit_code == 0
    assert (
        result.output
        == """\
analysis/01-requirements
  01-01  Business Context  (business-analyst, standard)  requirements-spec.md
  01-02  02-b.md  ERR-STEP-004

analysis/02-impact
  02-01  Business Context  (solutions-architect, standard)  requirements-spec.md

3 files.
"""
    )


def test_the_list_as_json(whole: Tree) -> None:
    whole.file("01-requirements/02-b.md", b"")
    first, second, _ = json.loads(run("list", whole.root, "--format", "json").output)
    assert first == {
        "flow": "analysis",
        "phase": "01-requirements",
        "file": "01-a.md",
        "step_id": "01-01",
        "title": "Business Context",
        "persona": "business-analyst",
        "depth": "standard",
        "outputs": ["requirements-spec.md"],
        "fault": None,
    }
    assert (second["title"], second["outputs"], second["fault"]) == (None, [], "ERR-STEP-004")


def test_the_list_says_what_a_step_reads_and_needs(whole: Tree) -> None:
    whole.step("01-requirements/01-a.md", reads="[]", needs="[risk, data]")
    whole.step("02-impact/01-a.md", persona="solutions-architect", reads='["01-01"]')
    lines = run("list", whole.root).output.splitlines()
    assert [line.partition(")  ")[2] for line in lines if "needs" in line or "reads" in line] == [
        "requirements-spec.md  reads nothing  needs risk, data",
        "requirements-spec.md  reads 01-01",
    ]
    first, second, third = json.loads(run("list", whole.root, "--format", "json").output)
    assert (first["reads"], first["needs"]) == ([], ["risk", "data"])
    assert second["reads"] == ["01-01"]
    assert "needs" not in second
    assert not {"reads", "needs"} & set(third)


def test_a_copy_is_the_whole_tree_and_can_be_used(tmp_path: Path) -> None:
    mine = tmp_path / "of" / "mine"
    result = run("copy", mine)
    assert result.exit_code == 0, result.output
    assert f"44 files copied to {mine}." in result.output
    assert f"export ROUNDTABLE_STEPS_DIR={mine}" in result.output
    assert "42 steps: all is well." in run("check", mine).output
    assert [each.name for each in mine.parent.iterdir()] == ["mine"]


def test_a_copy_leaves_out_what_is_hidden_and_follows_no_link(tmp_path: Path) -> None:
    theirs, mine = tmp_path / "theirs", tmp_path / "mine"
    run("copy", theirs)
    (theirs / "analysis" / ".draft.md").write_text("Not yet.")
    (theirs / "analysis" / "secret.md").symlink_to("/etc/hostname")
    result = run("copy", mine, "--from", theirs)
    assert result.exit_code == 0, result.output
    assert not (mine / "analysis" / ".draft.md").exists()
    assert (mine / "analysis" / "secret.md").is_symlink()


def test_a_copy_overwrites_nothing_and_never_lands_in_its_own_source(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    (there / "mine.md").write_text("Mine.")
    taken = run("copy", there)
    assert (taken.exit_code, (there / "mine.md").read_text()) == (2, "Mine.")
    assert f"{there} is there already. Name a folder that is not." in taken.output
    source = tmp_path / "source"
    assert run("copy", source).exit_code == 0
    within = run("copy", source / "again", "--from", source)
    assert within.exit_code == 2
    assert "lies within the steps themselves" in within.output


def test_a_copy_that_cannot_be_written_says_why_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = run("copy", tmp_path / "file" / "mine")
    assert result.exit_code == 2
    assert f"cannot be written: file exists ({tmp_path / 'file'})." in result.output
    assert run("copy", tmp_path / "mine", "--from", tmp_path / "none").exit_code == 2
    assert not (tmp_path / "mine").exists()
