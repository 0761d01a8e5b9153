"""A team of one's own: the docs show the files as they lie there, and they play."""

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

import core
from bot.cli.steps.command import app
from bot.devtools.play.play import play
from bot.devtools.play.script.file import read
from core.content import front_matter
from core.content.check import check
from core.content.inventory import inventory
from core.content.library import Library, default_steps_dir
from core.content.models.step import STEP_FIELDS
from core.domain.ids import PhaseKey
from core.domain.steps.playbook import BUILT_IN
from tests.support.bot_in_process import BotInProcess
from tests.support.step_trees import REQUIRED_FIELDS, Tree

TOP = Path(core.__file__).parent.parent
DOCS = TOP / "docs"
STEPS = DOCS / "examples" / "security-review" / "steps"
TEAM_PAGE = (DOCS / "how-to" / "custom-team.md").read_text(encoding="utf-8")
GUIDE = (DOCS / "how-to" / "write-steps.md").read_text(encoding="utf-8")
COMMAND = re.compile(r"^    roundtable (.+)$", re.MULTILINE)
MARKDOWN = re.compile(r"^```markdown\n(.*?)^```$", re.DOTALL | re.MULTILINE)
STEP_COMMANDS = sorted(
    {one for one in COMMAND.findall(TEAM_PAGE + GUIDE) if one.startswith("steps ")}
)


def test_the_example_is_without_a_fault_and_reads_well() -> None:
    report = check(STEPS, strict=True)
    assert (report.faults, report.notes) == ((), ())
    assert (report.files, report.steps) == (7, 6)


def test_the_example_has_a_team_and_phases_that_are_not_the_shipped_ones() -> None:
    library = Library(STEPS)
    team = library.personas("analysis")
    assert [one.name for one in team] == ["Noor Haddad", "Ruben Vega"]
    assert not {one.key for one in team} & {one.key for one in BUILT_IN}
    assert [(phase.key, phase.persona) for phase in library.phases("analysis")] == [
        ("01-threats", "security-reviewer"),
        ("02-safeguards", "operations-engineer"),
    ]
    opened = library.open_phase("analysis", PhaseKey("02-safeguards"), {one.key for one in team})
    assert [one.step.skip_if for one in opened.pinned if one.step] == [
        None,
        "depth == 'brief'",
        None,
    ]


def test_the_page_shows_the_files_as_they_lie_there() -> None:
    flow = STEPS / "analysis"
    shown = MARKDOWN.findall(TEAM_PAGE)
    assert shown == [
        (flow / place).read_text(encoding="utf-8")
        for place in ("roundtable.md", "01-threats/03-attacks.md", "02-safeguards/02-detection.md")
    ]
    for file in flow.rglob("*.md"):
        assert file.name in TEAM_PAGE


@pytest.mark.parametrize("command", STEP_COMMANDS)
def test_the_commands_of_the_pages_work(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TOP)
    result = CliRunner().invoke(app, shlex.split(command)[1:], env={"ROUNDTABLE_STEPS_DIR": ""})
    assert result.exit_code == 0, result.output


def test_the_variable_of_the_page_names_the_folder_above_the_flow() -> None:
    (where,) = re.findall(r"export ROUNDTABLE_STEPS_DIR=(\S+)", TEAM_PAGE)
    assert (TOP / where).samefile(STEPS)
    result = CliRunner().invoke(
        app, ["list", "--format", "json"], env={"ROUNDTABLE_STEPS_DIR": str(TOP / where)}
    )
    assert [line["step_id"] for line in json.loads(result.output)] == [
        line.id for line in inventory(STEPS)
    ]


def test_the_play_of_the_page_runs_to_its_artifacts(tmp_path: Path) -> None:
    (command,) = [one for one in COMMAND.findall(TEAM_PAGE) if one.startswith("demo ")]
    _, _, script, _, steps = shlex.split(command)
    result = play(
        read(TOP / script),
        artifacts=tmp_path / "artifacts",
        database=f"sqlite:///{tmp_path}/roundtable.db",
        steps=TOP / steps,
        bot=BotInProcess,
    )
    assert result.exit_code == 0
    summary = result.summary
    assert [step["status"] for step in summary["steps"]] == ["completed"] * 6
    assert {thread["persona"] for thread in summary["threads"]} >= {"Noor Haddad", "Ruben Vega"}
    made = {one["name"]: Path(one["path"]).read_text() for one in summary["artifacts"]}
    assert set(made) == {
        "meta.json", "response-plan.md", "safeguards.csv", "security-review.md", "threat-model.md",
    }  # fmt: skip
    for title in ("What We Protect", "Ways In", "What Somebody Would Try"):
        assert f"## {title}\n" in made["threat-model.md"]
    assert "place in the file" in made["threat-model.md"]
    assert "Nobody would find the import" not in "".join(made.values())


def test_the_guide_describes_every_field_in_order() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", GUIDE, re.MULTILINE)
    assert tuple(rows) == STEP_FIELDS
    assert f"The first {('', 'one', 'two', 'three', 'four', 'five')[len(REQUIRED_FIELDS)]}" in GUIDE


def test_the_step_of_the_guide_fits_into_the_shipped_flow(tree: Tree) -> None:
    (text,) = MARKDOWN.findall(GUIDE)
    for file in sorted((default_steps_dir() / "analysis").rglob("*.md")):
        copy = tree.flow / file.relative_to(default_steps_dir() / "analysis")
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(file.read_bytes())
    (place,) = re.findall(r"`steps/analysis/([^`]+)`", GUIDE)
    (tree.flow / place).write_text(text)
    report = check(tree.root, strict=True)
    assert [(one.message, one.hint) for one in report.faults] == []
    assert report.notes == ()
    assert report.steps == 25


def test_the_guide_names_no_field_that_there_is_not() -> None:
    (text,) = MARKDOWN.findall(GUIDE)
    front, _ = front_matter.split(text)
    assert set(front_matter.load(front)) <= set(STEP_FIELDS)
