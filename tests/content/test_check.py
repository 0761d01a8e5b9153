"""The check finds every fault of every file at once, and nothing that is none."""

from pathlib import Path

import pytest

from core.content.check import CheckReport, Finding, NoStepsError, check
from core.content.inventory import inventory
from core.content.library import default_steps_dir
from tests.support.step_trees import AGENT, Tree

EMPTY = "---\n---\n"


def codes(report: CheckReport) -> list[tuple[str, str, str | None, str | None]]:
    return [(one.code, one.file, one.field, one.value) for one in report.faults]


def notes(report: CheckReport) -> list[tuple[str, str, str | None]]:
    return [(one.code, one.file, one.field) for one in report.notes]


@pytest.fixture
def whole(tree: Tree) -> Tree:
    """A tree with nothing wrong in it."""
    tree.agent()
    tree.step("01-requirements/01-a.md")
    tree.step("01-requirements/02-b.md", depends_on='["01-01"]')
    tree.step("02-impact/01-a.md", persona="solutions-architect", skip_if="scope == 'small'")
    return tree


def test_a_whole_tree_has_no_fault_and_no_note(whole: Tree) -> None:
    assert check(whole.root) == CheckReport(4, 3, (), ())
    assert check(whole.flow) == CheckReport(4, 3, (), ())


def test_the_steps_that_come_with_roundtable_have_no_fault() -> None:
    report = check(default_steps_dir() / "analysis")
    assert report.faults == ()
    assert report.notes == ()
    assert report.steps == 24


def test_every_fault_of_every_file_is_found_at_once(whole: Tree) -> None:
    whole.step("01-requirements/01-a.md", title=None, depth="x", outputs="[a/b, c.md, .d]")
    whole.file("01-requirements/02-b.md", b"\xff")
    whole.file("01-requirements/03-c.md", EMPTY.encode())
    whole.step("02-impact/01-a.md", persona="system-designer")
    report = check(whole.flow)
    assert codes(report) == [
        ("ERR-STEP-005", "01-requirements/01-a.md", "title", None),
        ("ERR-STEP-006", "01-requirements/01-a.md", "depth", "x"),
        ("ERR-STEP-006", "01-requirements/01-a.md", "outputs", "a/b"),
        ("ERR-STEP-006", "01-requirements/01-a.md", "outputs", ".d"),
        ("ERR-STEP-003", "01-requirements/02-b.md", None, None),
        ("ERR-STEP-004", "01-requirements/03-c.md", None, None),
        ("ERR-STEP-006", "02-impact/01-a.md", "persona", "system-designer"),
    ]
    assert (report.files, report.steps) == (5, 0)
    assert {one.severity for one in report.faults} == {"WARNING"}


def test_a_finding_carries_the_words_of_the_catalogue(whole: Tree) -> None:
    whole.step("01-requirements/01-a.md", depth="deeper")
    assert check(whole.root).faults == (
        Finding(
            "ERR-STEP-006",
            "WARNING",
            "analysis/01-requirements/01-a.md",
            "depth",
            "deeper",
            "Warning: Step file 01-a.md has invalid value for 'depth': 'deeper'. Skipping.",
            "one of brief, standard, deep",
        ),
    )


def test_an_id_that_stands_twice_is_a_fault_of_the_later_file(whole: Tree) -> None:
    whole.step("02-impact/01-a.md", step_id='"01-02"', persona="solutions-architect", title=None)
    assert codes(check(whole.flow)) == [
        ("ERR-STEP-006", "02-impact/01-a.md", "step_id", "01-02"),
        ("ERR-STEP-005", "02-impact/01-a.md", "title", None),
    ]


def test_an_id_that_does_not_match_its_place_is_a_note(whole: Tree) -> None:
    whole.step("01-requirements/03-c.md", step_id='"01-09"')
    report = check(whole.flow)
    assert report.faults == ()
    assert report.notes == (
        Finding(
            "NOTE",
            "INFO",
            "01-requirements/03-c.md",
            "step_id",
            "01-09",
            "Its step_id is '01-09', its place asks for '01-03'. The step runs.",
        ),
    )
    assert report.steps == 4


def test_a_file_without_a_number_has_no_place_to_match(whole: Tree) -> None:
    whole.step("01-requirements/notes.md", step_id='"01-09"')
    assert check(whole.flow).notes == ()


def test_an_invalid_skip_if_is_a_fault(whole: Tree) -> None:
    whole.step("01-requirements/02-b.md", skip_if="\"size == 'small'\"")
    (fault,) = check(whole.flow).faults
    assert fault == Finding(
        "ERR-STEP-009",
        "WARNING",
        "01-requirements/02-b.md",
        "skip_if",
        "size == 'small'",
        "Warning: Step 01-02 has an invalid skip_if condition: 'size == 'small''. "
        "Executing step normally.",
        "'size' is not known; known are scope, complexity, file_count, depth",
    )
    assert check(whole.flow).steps == 3  # the step runs


def test_an_invalid_skip_if_of_a_faulty_file_is_found_too(whole: Tree) -> None:
    whole.step("01-requirements/01-a.md", title=None, skip_if="scope ==")
    assert [fault.code for fault in check(whole.flow).faults] == ["ERR-STEP-005", "ERR-STEP-009"]


@pytest.mark.parametrize(
    ("heading", "code"),
    [
        ("Brief Mode", "ERR-STEP-007"),
        ("Standard Mode", "ERR-STEP-007"),
        ("Deep Mode", "ERR-STEP-007"),
        ("Validation", "NOTE"),
        ("Artifacts", "NOTE"),
    ],
)
def test_a_missing_section_is_a_note(whole: Tree, heading: str, code: str) -> None:
    path = whole.flow / "01-requirements" / "01-a.md"
    path.write_text(path.read_text().replace(f"## {heading}", "### Else"))
    report = check(whole.flow)
    assert report.faults == ()
    (note,) = report.notes
    assert (note.code, note.severity, note.field) == (code, "INFO", heading)
    assert note.message == f"There is no text under '## {heading}'."


def test_sections_of_a_faulty_file_are_looked_at_too(whole: Tree) -> None:
    whole.step("01-requirements/01-a.md", "", title=None)
    report = check(whole.flow)
    assert [fault.code for fault in report.faults] == ["ERR-STEP-005"]
    assert len(report.notes) == 5


# Dependencies


def test_a_dependency_on_an_unknown_id_is_a_fault(whole: Tree) -> None:
    whole.step("01-requirements/02-b.md", depends_on='["01-01", "09-09"]')
    (fault,) = check(whole.flow).faults
    assert (fault.code, fault.field, fault.value) == ("ERR-STEP-008", "depends_on", "09-09")
    assert fault.message == (
        "Warning: Step 01-02 depends on 09-09 which is not complete. Skipping for now."
    )
    assert fault.hint == "no step has this id"


def test_a_dependency_that_can_be_skipped_is_a_fault(whole: Tree) -> None:
    whole.step("01-requirements/01-a.md", skip_if="scope == 'small'")
    (fault,) = check(whole.flow).faults
    assert (fault.code, fault.value) == ("ERR-STEP-008", "01-01")
    assert fault.hint == "its skip_if can skip that step, and then this one never runs"


def test_an_invalid_skip_if_can_skip_nothing(whole: Tree) -> None:
    whole.step("01-requirements/01-a.md", skip_if="scope ==")
    assert [fault.code for fault in check(whole.flow).faults] == ["ERR-STEP-009"]


def test_steps_that_wait_for_each_other_are_faults_and_their_neighbours_are_not(
    whole: Tree,
) -> None:
    place = "01-requirements/0{}.md"
    for number, needs in ((3, "01-04"), (4, "01-05"), (5, "01-03"), (6, "01-05"), (7, "01-06")):
        whole.step(place.format(f"{number}-x"), depends_on=f'["{needs}"]')
    whole.step(place.format("4-x"), depends_on='["01-05", "01-01"]')
    report = check(whole.flow)
    assert codes(report) == [
        ("ERR-STEP-008", "01-requirements/03-x.md", "depends_on", "01-04"),
        ("ERR-STEP-008", "01-requirements/04-x.md", "depends_on", "01-05"),
        ("ERR-STEP-008", "01-requirements/05-x.md", "depends_on", "01-03"),
    ]
    assert {fault.hint for fault in report.faults} == {"they wait for each other"}


def test_a_step_that_waits_for_itself_is_a_fault(whole: Tree) -> None:
    whole.step("01-requirements/01-a.md", depends_on='["01-01"]')
    (fault,) = check(whole.flow).faults
    assert (fault.value, fault.hint) == ("01-01", "it waits for itself")


def test_a_long_chain_of_dependencies_is_no_circle(whole: Tree) -> None:
    for number in range(3, 100):
        needs = f'["01-{number - 1:02d}", "01-01"]'
        whole.step(f"01-requirements/{number:02d}-x.md", depends_on=needs)
    assert check(whole.flow) == CheckReport(101, 100, (), ())


def test_a_dependency_on_a_faulty_step_is_that_steps_fault_alone(whole: Tree) -> None:
    whole.step("01-requirements/01-a.md", title=None)
    assert [fault.code for fault in check(whole.flow).faults] == ["ERR-STEP-005"]


# Agent file and phases


def test_a_missing_agent_file_is_a_note(tree: Tree) -> None:
    tree.step("01-requirements/01-a.md")
    report = check(tree.flow)
    assert report.faults == ()
    assert notes(report) == [("ERR-RT-001", "roundtable.md", None)]
    assert (report.files, report.steps) == (1, 1)


def test_every_fault_of_the_agent_file_is_found(whole: Tree) -> None:
    whole.agent(AGENT.replace("icon: ", "emoji: ").replace("name: roundtable\n", ""))
    report = check(whole.flow)
    assert codes(report)[:3] == [
        ("ERR-RT-002", "roundtable.md", "name", None),
        ("ERR-RT-002", "roundtable.md", "personas[1].icon", None),
        ("ERR-RT-002", "roundtable.md", "personas[2].icon", None),
    ]
    assert {fault.severity for fault in report.faults[:3]} == {"ERROR"}


def test_a_flawed_part_of_a_usable_agent_file_is_a_fault(whole: Tree) -> None:
    whole.agent(AGENT.replace("persona: solutions-architect", "persona: nobody"))
    report = check(whole.flow)
    assert codes(report) == [("ERR-RT-002", "roundtable.md", "phases.02-impact.persona", "nobody")]
    assert notes(report) == [("ERR-PERSONA-001", "02-impact", None)]


def test_a_corrupt_agent_file_is_a_fault(whole: Tree) -> None:
    whole.agent("no front matter")
    (fault,) = check(whole.flow).faults
    assert (fault.code, fault.severity) == ("ERR-RT-002", "ERROR")
    assert fault.hint == "it does not begin with a line of ---"


def test_a_phase_without_files_is_a_note(whole: Tree) -> None:
    whole.agent(AGENT.replace("phases:\n", "phases:\n  03-none: {persona: business-analyst}\n"))
    whole.phase("04-empty")
    report = check(whole.flow)
    assert report.faults == ()
    assert notes(report) == [
        ("ERR-STEP-001", "03-none", None),
        ("ERR-STEP-002", "04-empty", None),
        ("ERR-PERSONA-001", "04-empty", None),
    ]


def test_a_step_led_by_another_persona_is_a_note(whole: Tree) -> None:
    whole.step("01-requirements/01-a.md", persona="solutions-architect")
    report = check(whole.flow)
    assert report.faults == ()
    assert notes(report) == [("ERR-PERSONA-002", "01-requirements/01-a.md", "persona")]


# Places


def test_all_flows_below_a_folder_are_checked(whole: Tree) -> None:
    other = Tree(whole.root, "second")
    other.step("01-x/01-a.md", title=None)
    (whole.root / "notes").mkdir()
    report = check(whole.root)
    assert codes(report) == [("ERR-STEP-005", "second/01-x/01-a.md", "title", None)]
    assert (report.files, report.steps) == (5, 3)


def test_the_same_id_in_two_flows_is_no_fault(whole: Tree) -> None:
    Tree(whole.root, "second").step("01-x/01-a.md")
    assert check(whole.root).faults == ()


def test_a_relative_directory_is_checked_as_well(
    whole: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole.step("01-requirements/01-a.md", title=None)
    monkeypatch.chdir(whole.flow)
    assert [one.file for one in check(Path()).faults] == ["01-requirements/01-a.md"]
    monkeypatch.chdir(whole.root)
    assert [one.file for one in check(Path()).faults] == ["analysis/01-requirements/01-a.md"]
    assert [one.file for one in check(Path("analysis")).faults] == ["01-requirements/01-a.md"]


def test_a_linked_directory_is_checked_as_well(whole: Tree, tmp_path: Path) -> None:
    whole.step("01-requirements/01-a.md", title=None)
    link = tmp_path / "link"
    link.symlink_to(whole.root)
    assert [one.file for one in check(link).faults] == ["analysis/01-requirements/01-a.md"]


def test_a_place_without_steps_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoStepsError, match="is not a directory"):
        check(tmp_path / "gone")
    with pytest.raises(NoStepsError, match=r"no roundtable\.md and no NN-name folder"):
        check(tmp_path)


# Inventory


def test_the_inventory_lists_good_and_bad(whole: Tree) -> None:
    whole.file("01-requirements/02-b.md", b"")
    lines = inventory(whole.root)
    assert [(one.flow, one.phase, one.file, one.id, one.fault) for one in lines] == [
        ("analysis", "01-requirements", "01-a.md", "01-01", None),
        ("analysis", "01-requirements", "02-b.md", "01-02", "ERR-STEP-004"),
        ("analysis", "02-impact", "01-a.md", "02-01", None),
    ]
    assert [one.step is not None for one in lines] == [True, False, True]


def test_a_copy_of_a_step_is_one_finding_that_says_what_its_place_asks_for(tree: Tree) -> None:
    tree.agent()
    tree.step("01-requirements/01-a.md")
    tree.step("01-requirements/09-b.md", step_id='"01-01"')
    report = check(tree.root)
    mine = [one for one in (*report.faults, *report.notes) if one.file.endswith("09-b.md")]
    assert [(one.code, one.hint) for one in mine] == [
        ("ERR-STEP-006", "it is the id of 01-requirements/01-a.md; its place asks for '01-09'")
    ]
