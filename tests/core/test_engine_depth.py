"""At which depth a step is asked: override, quick scan, the step's own in phase 00, standard."""

from pathlib import Path

import pytest

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import DEPTHS, Depth
from tests.support.fakes import DEV, OWNER
from tests.support.harness import Harness, small_table
from tests.support.step_trees import AGENT, Tree

SCAN = AGENT.replace(
    "phases:", "phases:\n  00-quick-scan: {persona: business-analyst, label: Scan}"
)


def scanned(folder: Path) -> Harness:
    """A quick scan of one step (deep by itself), then a phase of two."""
    tree = Tree(folder / "steps")
    tree.agent(SCAN)
    tree.step("00-quick-scan/01-scope.md", title="Scope", depth="deep", outputs="[quick-scan.md]")
    tree.step("01-requirements/01-a.md", depth="brief")
    tree.step("01-requirements/02-b.md", depth="brief")
    return small_table(folder, tree=tree)


def depths(table: Harness) -> dict[str, Depth | None]:
    return {state.id: state.prompt.depth for state in table.runtime.reader.all_steps(table.id)}


def test_in_phase_00_a_step_has_its_own_depth(tmp_path: Path) -> None:
    table = scanned(tmp_path)
    table.start()
    assert depths(table) == {"00-01": "deep"}


@pytest.mark.parametrize(
    ("said", "scope", "depth"),
    [
        ("It is a small change.", "small", "brief"),
        ("It is a medium change.", "medium", "standard"),
        ("It is a large change.", "large", "deep"),
    ],
)
def test_the_finished_scan_decides_and_is_said_once(
    tmp_path: Path, said: str, scope: str, depth: str
) -> None:
    table = scanned(tmp_path)
    table.start()
    table.answer(said)
    assert depths(table)["01-01"] == depth
    table.answer()
    assert [line.args for line in table.lines("scan-size")] == [{"scope": scope, "depth": depth}]
    assert "ERR-DEPTH-001" not in table.codes


def test_an_unknown_size_is_silent_recorded_and_standard(tmp_path: Path) -> None:
    table = scanned(tmp_path)
    table.start()
    table.answer("Hard to say.")
    assert depths(table)["01-01"] == "standard"
    assert table.codes == ["ERR-DEPTH-001"]
    assert (table.lines("scan-size"), table.messages) == ([], [])


def test_without_a_phase_00_the_own_depth_of_a_step_does_not_count(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "steps")
    tree.agent(AGENT)
    tree.step("01-requirements/01-a.md", depth="deep")
    table = small_table(tmp_path, tree=tree)
    table.start()
    assert depths(table) == {"01-01": "standard"}
    assert table.codes == ["ERR-DEPTH-001"]


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_depth_at_the_start_holds_for_every_phase(tmp_path: Path, depth: Depth) -> None:
    table = scanned(tmp_path)
    table.start(depth=depth)
    table.answer("It is a large change.")
    table.answer()
    assert depths(table) == dict.fromkeys(("00-01", "01-01", "01-02"), depth)


@pytest.mark.parametrize(
    ("words", "depth"),
    [
        ("deep", "deep"),
        ("More detail", "deep"),
        ("Let’s dig in!", "deep"),
        ("let's dig in", "deep"),
        ("brief.", "brief"),
        (" Faster ", "brief"),
        ("Keep it  short", "brief"),
    ],
)
def test_a_word_for_a_depth_holds_for_this_and_later_steps_of_the_phase(
    tmp_path: Path, words: str, depth: str
) -> None:
    table = small_table(tmp_path)
    table.start()
    table.say(words, DEV)
    assert table.handled.reply == fx.Reply("depth-set", {"depth": depth, "phase": "Requirements"})
    assert (table.said, depths(table)["01-01"]) == ([], depth)
    table.answer()
    assert depths(table)["01-02"] == depth
    table.finish()
    assert depths(table)["02-01"] == "standard"


@pytest.mark.parametrize("text", ["deep water", "be brief please", "It should be faster"])
def test_such_a_word_within_a_sentence_is_an_answer(tmp_path: Path, text: str) -> None:
    table = small_table(tmp_path)
    table.start()
    table.say(text)
    assert (table.said, table.session.course.depths) == ([text], ())


@pytest.mark.parametrize("depth", DEPTHS)
def test_the_overflow_changes_the_depth_and_stays_open(tmp_path: Path, depth: Depth) -> None:
    table = small_table(tmp_path)
    table.start()
    table.click(f"depth:{depth}", DEV)
    assert table.reply == "depth-set"
    assert depths(table)["01-01"] == depth
    assert fx.PaintPrompt(table.session.course.steps[0].id) in table.stage.shown
    other: Depth = "brief" if depth != "brief" else "deep"
    table.click(f"depth:{other}")
    assert depths(table)["01-01"] == other
    assert table.prompts == ["01-01"]


def test_the_command_changes_the_depth_and_is_written_down(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.take(on.DepthChosen(DEV, table.clock.now(), "deep"))
    assert table.reply == "depth-set"
    table.answer()
    assert depths(table) == {"01-01": "deep", "01-02": "deep"}
    assert '"01-requirements": "deep"' in (table.folder() / "meta.json").read_text()


@pytest.mark.parametrize("way", ["command", "overflow"])
def test_a_depth_by_command_or_overflow_holds_in_every_later_phase(
    tmp_path: Path, way: str
) -> None:
    table = small_table(tmp_path)
    table.start()
    if way == "command":
        table.take(on.DepthChosen(DEV, table.clock.now(), "deep"))
    else:
        table.click("depth:deep", DEV)
    args = {"depth": "deep", "first": "Requirements"}
    assert table.handled.reply == fx.Reply("depth-set", args)
    table.go_to("02-01")
    assert depths(table) == dict.fromkeys(("01-01", "01-02", "02-01"), "deep")
    table.click("depth:brief")
    assert dict(table.session.course.depths) == {"01-requirements": "deep", "02-impact": "brief"}
    table.finish()
    assert '"02-impact": "brief"' in (table.folder() / "meta.json").read_text()


def test_a_depth_by_a_word_holds_in_its_phase_alone(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.say("deep")
    table.go_to("02-01")
    assert depths(table)["02-01"] == "standard"


def test_the_command_tells_a_paused_session_to_be_resumed_first(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.click("pause")
    before = table.session
    table.take(on.DepthChosen(OWNER, table.clock.now(), "deep"))
    assert table.reply == "is-paused"
    assert table.session == before


def test_a_depth_without_a_section_of_its_own_falls_back_in_silence(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "steps")
    tree.agent(AGENT)
    tree.step("01-requirements/01-a.md", "\n## Standard Mode\n\nWhy?\n")
    table = small_table(tmp_path, tree=tree)
    table.start(depth="deep")
    assert "ERR-STEP-007" in table.codes
    assert table.messages == []
    assert table.session.status == "asking"


TITLED = "\n## Brief Mode\n\nIt is as the title says. (rests on: title)\n\nWhy?\n"


def test_in_brief_depth_a_supported_draft_is_assumed_and_confirmed_by_the_clicker(
    tmp_path: Path,
) -> None:
    tree = Tree(tmp_path / "steps")
    tree.agent(AGENT)
    tree.step("01-requirements/01-a.md", TITLED, step_id='"01-01"')
    tree.step("01-requirements/02-b.md", step_id='"01-02"')
    table = small_table(tmp_path, tree=tree)
    table.start(depth="brief")
    table.click("confirm", DEV)
    (answer,) = table.runtime.reader.answers(table.id)
    text = "It is as the title says."
    assert (answer.by, answer.text, answer.source) == (DEV, text, "draft")
    (claim,) = table.runtime.reader.claims(table.id)
    assert (claim.text, claim.confidence) == (text, "assumed")
    assert table.statuses["01-01"] == "completed"
    assert table.menu.choices == ("continue", "elaborate", "skip")


def test_a_draft_that_nothing_supports_is_not_confirmed_by_any_click(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start(depth="brief")
    table.click("confirm", DEV)
    assert table.reply == "draft-unsupported"
    assert table.runtime.reader.answers(table.id) == ()
    assert table.session.status == "asking"


def test_a_step_without_a_draft_offers_nothing_to_confirm(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "steps")
    tree.agent(AGENT)
    tree.step("01-requirements/01-a.md", "\n## Standard Mode\n\nWhy?\n")
    table = small_table(tmp_path, tree=tree)
    table.start(depth="brief")
    assert all("confirm" not in menu.choices for menu in table.menus)
