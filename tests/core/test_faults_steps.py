"""Faults of the step tree: said in the catalogue's words, and the session goes on."""

from pathlib import Path

import pytest

from core.domain import effects as fx
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import MAYA
from tests.support.harness import Harness, small_table
from tests.support.step_trees import AGENT, Tree, text_of

pytestmark = EACH_DATABASE

FIRST, SECOND = "01-requirements/01-a.md", "01-requirements/02-b.md"


def planted(folder: Path) -> Tree:
    tree = Tree(folder / "steps")
    tree.agent(AGENT)
    return tree


def started(folder: Path, tree: Tree) -> Harness:
    table = small_table(folder, tree=tree)
    table.start()
    return table


FAULTY: dict[str, tuple[bytes, str, str]] = {
    "not text": (
        b"\xff\xfe\x00",
        "ERR-STEP-003",
        "Warning: Step file 01-a.md could not be read. Skipping.",
    ),
    "no front matter": (
        b"# Nothing",
        "ERR-STEP-004",
        "Warning: Step file 01-a.md has invalid frontmatter. Skipping.",
    ),
    "malformed": (
        b"---\ntitle: [\n---\n",
        "ERR-STEP-004",
        "Warning: Step file 01-a.md has invalid frontmatter. Skipping.",
    ),
    "a field missing": (
        text_of(title=None).encode(),
        "ERR-STEP-005",
        "Warning: Step file 01-a.md is missing required field 'title'. Skipping.",
    ),
    "a bad value": (
        text_of(depth="bottomless").encode(),
        "ERR-STEP-006",
        "Warning: Step file 01-a.md has invalid value for 'depth': 'bottomless'. Skipping.",
    ),
}


@pytest.mark.parametrize(("content", "code", "message"), FAULTY.values(), ids=FAULTY)
def test_a_faulty_file_is_said_once_and_skipped(
    tmp_path: Path, content: bytes, code: str, message: str
) -> None:
    tree = planted(tmp_path)
    tree.file(FIRST, content)
    tree.step(SECOND)
    table = started(tmp_path, tree)
    assert (table.prompts, table.messages) == (["01-02"], [message])
    assert code in table.codes
    assert table.statuses["01-01"] == "skipped"
    table.answer()
    assert table.session.course.done == ("01-02",)
    assert table.session.status == "completed"
    assert '"steps_completed": [\n    "01-02"\n  ]' in (table.folder() / "meta.json").read_text()


def test_before_a_personas_thread_is_open_a_fault_is_said_under_the_card(tmp_path: Path) -> None:
    tree = planted(tmp_path)
    tree.file(FIRST, b"")
    tree.step(SECOND)
    tree.file("01-requirements/03-c.md", b"")
    table = started(tmp_path, tree)
    assert [effect.thread for effect in table.shown(fx.ShowFault)] == [None]
    table.say("Because.")
    assert [effect.thread for effect in table.shown(fx.ShowFault)] == [None, MAYA]


def test_a_fault_is_said_again_after_a_resume_and_not_before(tmp_path: Path) -> None:
    tree = planted(tmp_path)
    tree.file(FIRST, b"")
    tree.step(SECOND)
    table = started(tmp_path, tree)
    assert len(table.messages) == 1
    table.resume()
    assert len(table.messages) == 2
    tree.step(FIRST)
    table.resume()
    assert len(table.messages) == 2
    assert table.session.course.step == "01-01"


def test_a_fault_mended_before_the_step_is_opened_is_found_at_resume(tmp_path: Path) -> None:
    tree = planted(tmp_path)
    tree.step(FIRST)
    tree.file(SECOND, b"")
    table = started(tmp_path, tree)
    tree.step(SECOND)
    table.answer()
    assert table.session.status == "completed"
    table.resume()
    assert table.prompts == ["01-01", "01-02"]


def test_a_file_that_breaks_after_it_was_listed_is_skipped_when_it_is_opened(
    tmp_path: Path,
) -> None:
    tree = planted(tmp_path)
    tree.step(FIRST)
    tree.step(SECOND).write_text("broken")
    path = tree.step(SECOND)
    table = started(tmp_path, tree)
    path.unlink()
    table.answer()
    assert table.messages == ["Warning: Step file 02-b.md could not be read. Skipping."]


def test_a_missing_directory_completes_the_phase(tmp_path: Path) -> None:
    tree = planted(tmp_path)
    tree.step("02-impact/01-c.md", persona="solutions-architect")
    table = started(tmp_path, tree)
    assert table.messages == [
        "No step files found for phase 01-requirements. Completing phase without interactive steps."
    ]
    assert "ERR-STEP-001" in table.codes
    assert table.phases["01-requirements"] == "completed"
    assert table.prompts == ["02-01"]


def test_an_empty_directory_completes_the_phase(tmp_path: Path) -> None:
    tree = planted(tmp_path)
    tree.phase("01-requirements")
    tree.step("02-impact/01-c.md", persona="solutions-architect")
    table = started(tmp_path, tree)
    assert "ERR-STEP-002" in table.codes
    assert len(table.messages) == 1
    assert table.prompts == ["02-01"]


def test_a_phase_in_which_no_step_can_run_is_completed_at_once(tmp_path: Path) -> None:
    tree = planted(tmp_path)
    tree.file(FIRST, b"")
    tree.file(SECOND, b"")
    tree.step("02-impact/01-c.md", persona="solutions-architect")
    table = started(tmp_path, tree)
    assert len(table.messages) == 2
    assert table.phases["01-requirements"] == "completed"
    assert table.prompts == ["02-01"]


def test_a_directory_nobody_maps_is_led_by_maya_who_says_so_once_for_each(tmp_path: Path) -> None:
    tree = planted(tmp_path)
    for number in (5, 6):
        tree.step(f"0{number}-extra/01-x.md")
        tree.step(f"0{number}-extra/02-y.md")
    for phase in ("01-requirements", "02-impact"):
        tree.phase(phase)
    table = started(tmp_path, tree)
    table.finish()
    assert [line for line in table.messages if "Unknown" in line] == [
        f"Note: Unknown phase key '0{number}-extra'. "
        "I'll lead this phase as Maya Chen (Business Analyst)."
        for number in (5, 6)
    ]
    assert table.codes.count("ERR-PERSONA-001") == 2


def test_without_an_agent_file_the_three_built_in_personas_lead(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "steps")
    tree.step(FIRST)
    table = started(tmp_path, tree)
    assert table.codes[0] == "ERR-RT-001"
    assert table.messages == []
    assert table.prompts == ["01-01"]
    assert table.session.course.thread == MAYA


def test_a_corrupt_agent_file_is_said_under_the_card(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "steps")
    tree.agent("---\nname: [\n---\n")
    tree.step(FIRST)
    table = started(tmp_path, tree)
    assert table.messages == [
        "Warning: Roundtable agent file has invalid format. "
        "Falling back to standard analysis agents."
    ]
    assert table.shown(fx.ShowFault)[0].thread is None
    assert table.prompts == ["01-01"]


def test_every_fault_of_a_phase_is_recorded_with_its_step(tmp_path: Path) -> None:
    tree = planted(tmp_path)
    for number, (content, _, _) in enumerate(FAULTY.values(), start=1):
        tree.file(f"01-requirements/{number:02d}-x.md", content)
    table = started(tmp_path, tree)
    faults = table.runtime.reader.faults(table.id)
    steps = [fault.step for fault in faults if fault.code.startswith("ERR-STEP")]
    assert len(set(steps[: len(FAULTY)])) == len(FAULTY)
    assert all(fault.phase for fault in faults)


def test_a_file_that_takes_another_id_after_it_was_listed_is_skipped_until_resume(
    tmp_path: Path,
) -> None:
    tree = planted(tmp_path)
    tree.step(FIRST)
    tree.step(SECOND)
    table = started(tmp_path, tree)
    tree.step(SECOND, step_id='"01-09"')
    table.answer()
    assert table.messages == ["Warning: Step file 02-b.md could not be read. Skipping."]
    assert table.session.menus.on_summary
    table.resume()
    assert table.menu.choices == ("continue", "elaborate", "skip")
    table.forward()
    assert table.session.course.step == "01-09"
