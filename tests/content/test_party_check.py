"""`roundtable steps` knows the party: its file, the steps of its classic mode, and its phases."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bot.cli.steps.command import app
from core.content.check import CheckReport, Finding, check
from core.content.inventory import inventory, party_phases
from tests.content.parties import (
    classic_step,
    party_step,
    party_tree,
    put,
    question,
    whole,
)
from tests.support.step_trees import Tree

NEEDS = "a phase of party.yaml needs a step file"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(one) for one in arguments], env={})


def with_three(front: dict[str, Any] | None = None) -> dict[str, Any]:
    """The party without the phase of two, which the check makes a note of."""
    front = front or whole()
    del front["personas"][3:5], front["phases"][1], front["classic"]["phases"]["02-plan"]
    return front


@pytest.fixture
def party(tmp_path: Path) -> Tree:
    return party_tree(tmp_path / "steps", with_three())


def broken(tree: Tree, **changes: Any) -> None:
    """Break one persona's fields."""
    front = with_three()
    front["personas"][0] |= changes
    put(tree, front)


# The check


def test_a_whole_party_has_no_fault_and_no_note(party: Tree) -> None:
    assert check(party.root) == CheckReport(4, 3, (), ())
    assert check(party.flow) == CheckReport(4, 3, (), ())


def test_every_fault_of_the_party_file_is_found_with_its_place(party: Tree) -> None:
    broken(party, icon="gear", questions=[])
    report = check(party.root)
    assert report.faults == (
        Finding(
            "ERR-RT-002",
            "ERROR",
            "inception/party.yaml",
            "personas[1].icon",
            "gear",
            "Warning: Roundtable agent file has invalid format. "
            "Falling back to standard analysis agents.",
            "a Slack emoji with its colons, in quotes",
        ),
        Finding(
            "ERR-RT-002",
            "ERROR",
            "inception/party.yaml",
            "personas[1].questions",
            None,
            "Warning: Roundtable agent file has invalid format. "
            "Falling back to standard analysis agents.",
            "at least one: the protocol question-broadcast-debate needs it",
        ),
    )
    assert report.steps == 3  # the steps' personas are known all the same


def test_a_file_that_is_no_yaml_is_one_fault(party: Tree) -> None:
    (party.flow / "party.yaml").write_text("[")
    first, *_ = check(party.flow).faults
    assert (first.code, first.file) == ("ERR-RT-002", "party.yaml")


def test_without_any_persona_the_built_in_ones_may_lead(party: Tree) -> None:
    classic_step(party, "01-vision/01-a.md", persona="business-analyst")
    for text in ("[", "personas: 3", "personas: [{key: Not a key}, 3]"):
        (party.flow / "party.yaml").write_text(text)
        assert {one.code for one in check(party.flow).faults} == {"ERR-RT-002"}


def test_a_missing_party_file_is_a_note(tmp_path: Path) -> None:
    tree = Tree(tmp_path, "inception")
    classic_step(tree, "01-vision/01-a.md", persona="lead")
    report = check(tmp_path)
    assert report.faults == ()
    assert [(one.code, one.file) for one in report.notes] == [
        ("ERR-RT-001", "inception/party.yaml")
    ]
    assert (report.files, report.steps) == (1, 1)


def test_a_parallel_phase_of_two_is_a_note(tmp_path: Path) -> None:
    tree = party_tree(tmp_path)
    classic_step(tree, "02-plan/01-a.md")
    report = check(tree.flow)
    assert report.faults == ()
    assert [(one.file, one.field, one.message) for one in report.notes] == [
        (
            "party.yaml",
            "phases.02-plan.personas",
            "Phase 02-plan has 2 members, and no third voice.",
        )
    ]


def test_steps_of_the_classic_mode_are_checked_at_their_place(party: Tree) -> None:
    classic_step(party, "01-vision/02-b.md", title=None, persona="maya", depends_on='["09-09"]')
    classic_step(party, "01-vision/03-c.md", persona="ann")
    report = check(party.root)
    assert [(one.code, one.file, one.field) for one in report.faults] == [
        ("ERR-STEP-005", "inception/classic/01-vision/02-b.md", "title"),
        ("ERR-STEP-006", "inception/classic/01-vision/02-b.md", "persona"),
        ("ERR-STEP-008", "inception/classic/01-vision/02-b.md", "depends_on"),
    ]
    assert [(one.code, one.file) for one in report.notes] == [
        ("ERR-PERSONA-002", "inception/classic/01-vision/02-b.md"),
        ("ERR-PERSONA-002", "inception/classic/01-vision/03-c.md"),
    ]


def test_a_label_without_a_directory_is_a_note(party: Tree) -> None:
    front = with_three()
    front["classic"]["phases"]["05-gone"] = "Gone"
    put(party, front)
    (party.flow / "classic" / "06-empty").mkdir()
    report = check(party.flow)
    assert report.faults == ()
    assert [(one.code, one.file) for one in report.notes] == [
        ("ERR-STEP-001", "classic/05-gone"),
        ("ERR-STEP-002", "classic/06-empty"),
    ]


# The steps of its phases


def test_a_phase_without_a_step_is_a_fault(party: Tree) -> None:
    shutil.rmtree(party.flow / "party" / "01-vision")
    (party.flow / "party" / "03-walk" / "01-a.md").unlink()
    report = check(party.root)
    assert [(one.code, one.severity, one.file, one.hint) for one in report.faults] == [
        ("ERR-STEP-001", "WARNING", "inception/party/01-vision", NEEDS),
        ("ERR-STEP-002", "WARNING", "inception/party/03-walk", NEEDS),
    ]
    assert report.notes == ()
    assert run("check", party.root).exit_code == 1


def test_what_is_never_asked_and_what_nobody_writes_are_notes(party: Tree) -> None:
    vision, walk = with_three()["phases"]
    party_step(party, "01-vision/02-b.md", vision)
    party_step(party, "03-walk/01-a.md", walk, outputs="[other.json]")
    party_step(party, "03-walk/02-b.md", walk, outputs="[other.json]")  # a walk has many steps
    party_step(party, "04-more/01-a.md", walk, outputs="[more.md]")
    report = check(party.flow)
    assert report.faults == ()
    assert [(one.file, one.message) for one in report.notes] == [
        ("party/04-more", "No phase of party.yaml is called so: its steps are never asked."),
        (
            "party/01-vision/02-b.md",
            "The council asks its first step alone: this one is never asked.",
        ),
        ("party/03-walk", "No step of the phase writes `end.json`, which party.yaml promises."),
    ]


def test_a_step_may_be_led_by_any_member_of_its_phase_and_by_nobody_else(party: Tree) -> None:
    vision, walk = with_three()["phases"]
    party_step(party, "01-vision/01-a.md", vision, persona="bob")
    party_step(party, "03-walk/01-a.md", walk, persona="cat")
    report = check(party.root)
    assert report.faults == ()
    assert [(one.code, one.file) for one in report.notes] == [
        ("ERR-PERSONA-002", "inception/party/03-walk/01-a.md")
    ]


def test_the_steps_of_the_party_are_checked_as_all_steps_are(party: Tree) -> None:
    vision, walk = with_three()["phases"]
    party_step(party, "01-vision/01-a.md", vision, title=None)
    party_step(party, "03-walk/01-a.md", walk, persona="maya", depends_on='["09-09"]')
    report = check(party.root)
    assert [(one.code, one.file, one.field) for one in report.faults] == [
        ("ERR-STEP-005", "inception/party/01-vision/01-a.md", "title"),
        ("ERR-STEP-006", "inception/party/03-walk/01-a.md", "persona"),
        ("ERR-STEP-008", "inception/party/03-walk/01-a.md", "depends_on"),
    ]


def test_only_the_flow_that_people_start_has_steps_for_a_party(tmp_path: Path) -> None:
    tree = party_tree(tmp_path, with_three(), flow="second")
    assert check(tree.flow) == CheckReport(2, 1, (), ())
    assert [one.mode for one in inventory(tree.flow)] == ["classic"]


def test_a_strict_check_asks_a_council_for_a_plain_question(party: Tree) -> None:
    place = party.flow / "party" / "01-vision" / "01-a.md"
    good = place.read_text()
    assert _style_of(party, "01-vision") == []
    place.write_text(good.replace("What should be different, and in which way?", "1. Who?"))
    assert _style_of(party, "01-vision") == [
        "'## Standard Mode' has numbers, and only the council's own questions have.",
    ]
    place.write_text(good.replace("What should be different, and in which way?", "Go on."))
    assert _style_of(party, "01-vision") == [
        "This asks nothing, and people are there to answer.",
    ]
    place.write_text(good.replace("What should be different", "Is it {name}"))
    assert _style_of(party, "01-vision") == [
        "'## Standard Mode' holds a placeholder: {name}",
        "Yes or no would answer this question.",
    ]
    place.write_text(good.replace("brief.md` ·", "other.md` ·").replace("Tell us", "us " * 60))
    assert _style_of(party, "01-vision") == [
        "'## Standard Mode' has 75 words.",
        "`other.md` is none of the step's outputs.",
        "Nothing is said about the output `brief.md`.",
    ]
    place.write_text(good.partition("## Standard Mode")[0])
    assert _style_of(party, "01-vision") == [
        "There is no text under '## Standard Mode'.",
        "There is no text under '## Artifacts'.",
    ]


def _style_of(tree: Tree, phase: str) -> list[str]:
    found = check(tree.flow, strict=True).faults
    return [one.message for one in found if one.file.startswith(f"party/{phase}/")]


# The strict check


def test_a_strict_check_reads_what_the_personas_ask(party: Tree) -> None:
    front = with_three()
    front["personas"][0]["questions"] = [
        question("a", text="Is it fast?"),
        question("b", text="Which of your customers would pay for a faster export?"),
        question("c", text="Which customers would pay for a fast export of theirs?"),
        question("d", text="Who, " + "and who, " * 15 + "and why?"),
        question("e", text="What does {name} want?"),
    ]
    put(party, front)
    found = [one for one in check(party.flow, strict=True).faults if one.file == "party.yaml"]
    assert {(one.code, one.severity) for one in found} == {("STYLE", "WARNING")}
    assert [(one.field, one.message) for one in found] == [
        ("personas[1].questions[1].text", "Yes or no would answer this question."),
        ("personas[1].questions[4].text", "A question has 33 words, and 30 are enough."),
        ("personas[1].questions[5].text", "There is a placeholder: {name}"),
        ("personas[1].questions", "Ann asks the same twice."),
    ]
    assert check(party.flow).faults == ()


def test_a_strict_check_measures_the_steps_of_both_modes(party: Tree) -> None:
    report = check(party.root, strict=True)
    assert [(flow.flow, [step.id for step in flow.steps]) for flow in report.measures] == [
        ("inception/party", ["01-01", "03-01"]),
        ("inception/classic", ["01-01"]),
    ]
    assert {one.file for one in report.faults} == {
        "inception/party/03-walk/01-a.md",
        "inception/classic/01-vision/01-a.md",
    }


def test_a_broken_party_is_not_read_for_its_style(party: Tree) -> None:
    broken(party, icon="gear", questions=[question("a", text="Is it?")])
    found = [one for one in check(party.flow, strict=True).faults if one.file == "party.yaml"]
    assert [one.code for one in found] == ["ERR-RT-002"]


# What is printed


def test_people_read_where_in_the_file_it_is(party: Tree) -> None:
    broken(party, icon="gear", style=None)
    result = run("check", party.root)
    assert result.exit_code == 1
    assert (
        result.output
        == """\
inception/party.yaml
  ERR-RT-002  Warning: Roundtable agent file has invalid format. Falling back to standard analysis agents.
      personas[1].icon is 'gear': a Slack emoji with its colons, in quotes
  ERR-RT-002  Warning: Roundtable agent file has invalid format. Falling back to standard analysis agents.
      personas[1].style is missing: a line that says how this persona speaks

4 files, 3 steps: 2 faults.
"""  # noqa: E501
    )


def test_json_keeps_its_keys(party: Tree) -> None:
    broken(party, icon="gear")
    result = run("check", party.root, "--format", "json")
    assert result.exit_code == 1
    assert json.loads(result.output) == {
        "files": 4,
        "steps": 3,
        "faults": [
            {
                "code": "ERR-RT-002",
                "severity": "ERROR",
                "file": "inception/party.yaml",
                "field": "personas[1].icon",
                "value": "gear",
                "message": "Warning: Roundtable agent file has invalid format. "
                "Falling back to standard analysis agents.",
            }
        ],
    }


def test_github_gets_the_place_in_the_file(party: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(party, icon="gear")
    monkeypatch.chdir(party.root.parent)
    first = run("check", "steps", "--format", "github").output.splitlines()[0]
    assert first.startswith("::error file=steps/inception/party.yaml,title=ERR-RT-002::Warning: ")
    assert first.endswith("(personas[1].icon is 'gear': a Slack emoji with its colons, in quotes)")


def test_the_list_shows_the_party_and_then_its_classic_steps(tmp_path: Path) -> None:
    tree = party_tree(tmp_path / "steps")
    analysis = Tree(tree.root)
    analysis.agent()
    analysis.step("01-requirements/01-a.md")
    result = run("list", tree.root)
    assert result.exit_code == 0
    assert (
        result.output
        == """\
analysis/01-requirements
  01-01  Business Context  (business-analyst, standard)  requirements-spec.md

inception/01-vision  (parallel, question-broadcast-debate, at most 10 messages)  brief.md
  Ann  (ann)  2 questions
  Bob  (bob)  2 questions
  Cat  (cat)  2 questions

inception/02-plan  (parallel, produce-cross-review-finalize, at most 10 messages)  plan.md, tests.md
  Dan  (dan)  1 check, plan.md
  Eve  (eve)  1 check, tests.md

inception/03-walk  (sequential, walkthrough)  end.json
  Lead  (lead)  end.json

inception/party/01-vision
  01-01  Business Context  (ann, standard)  brief.md

inception/party/02-plan
  02-01  Business Context  (dan, standard)  plan.md, tests.md

inception/party/03-walk
  03-01  Business Context  (lead, standard)  end.json

inception/classic/01-vision
  01-01  Business Context  (lead, standard)  requirements-spec.md

5 files.
"""
    )


def test_the_list_as_json_has_the_keys_of_a_step_on_every_line(party: Tree) -> None:
    lines = json.loads(run("list", party.root, "--format", "json").output)
    keys = ["flow", "phase", "file", "step_id", "title", "persona", "depth", "outputs", "fault"]
    assert all(list(line)[:9] == keys for line in lines)
    assert [(line["phase"], line["mode"], line["step_id"]) for line in lines] == [
        ("01-vision", "party", None),
        ("03-walk", "party", None),
        ("01-vision", "party", "01-01"),
        ("03-walk", "party", "03-01"),
        ("01-vision", "classic", "01-01"),
    ]
    council = lines[0]
    assert council["title"] == "Phase 01-vision"
    assert (council["type"], council["max_messages"]) == ("parallel", 10)
    assert council["members"][0] == {
        "key": "ann",
        "name": "Ann",
        "role": "Expert",
        "questions": [question("who"), question("why", "goals")],
        "produces": [],
    }


def test_the_list_names_a_party_file_that_is_no_use(party: Tree) -> None:
    broken(party, icon="gear")
    assert "inception/party.yaml  ERR-RT-002\n" in run("list", party.root).output
    first, *_ = json.loads(run("list", party.root, "--format", "json").output)
    assert (first["file"], first["fault"], first["phase"]) == ("party.yaml", "ERR-RT-002", None)
    assert [one.fault for one in party_phases(party.root)] == ["ERR-RT-002"]
    modes = [(one.mode, one.fault) for one in inventory(party.root)]
    assert modes == [("party", None), ("party", None), ("classic", None)]


def test_nothing_of_a_party_file_reaches_the_terminal_raw(party: Tree) -> None:
    broken(party, name="\x1b[31mred", produces=["\x1b[31m"], phase="\x1b")
    for form in ("human", "github"):
        assert "\x1b" not in run("check", party.root, "--format", form).output
