"""A table of one's own whose file is missing or broken: who leads is asked before the start."""

from pathlib import Path

import pytest

from core.domain import effects as fx
from core.domain.session.menu import Menu
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import DEV, MAYA, OWNER
from tests.support.harness import Harness, small_table, small_tree
from tests.support.step_trees import AGENT, Tree

pytestmark = EACH_DATABASE

TEAM = AGENT.replace("key: business-analyst", "key: security-reviewer").replace(
    "persona: business-analyst", "persona: security-reviewer"
)
FALLBACK = (
    "Warning: Roundtable agent file has invalid format. Falling back to standard analysis agents."
)


def team(folder: Path, agent: str | None) -> Tree:
    """Two steps of a persona that only the roster knows, and one of Alex's."""
    tree = small_tree(folder / "steps")
    for place in ("01-a", "02-b"):
        tree.step(f"01-requirements/{place}.md", title=place, persona="security-reviewer")
    if agent is None:
        (tree.flow / "roundtable.md").unlink()
    else:
        tree.agent(agent)
    return tree


def started(folder: Path, agent: str | None) -> Harness:
    table = small_table(folder, tree=team(folder, agent))
    table.start()
    return table


def menu_of(table: Harness) -> Menu:
    assert table.session.menus.recovery is not None
    menu = table.runtime.reader.menu(table.session.menus.recovery)
    assert menu is not None
    return menu


LEFT_OUT = TEAM.replace("name: Maya Chen", "name:")  # of two personas one cannot be used
BROKEN = {"missing": (None, "ERR-RT-001"), "malformed": ("---\n[\n---\n", "ERR-RT-002"),
          "a persona left out": (LEFT_OUT, "ERR-RT-002")}  # fmt: skip


@pytest.mark.parametrize(("agent", "code"), BROKEN.values(), ids=BROKEN)
def test_steps_that_nobody_may_lead_are_asked_about_before_the_start(
    tmp_path: Path, agent: str | None, code: str
) -> None:
    table = started(tmp_path, agent)
    assert (table.session.status, table.prompts, table.messages) == ("starting", [], [])
    menu = menu_of(table)
    assert (menu.kind, menu.choices) == ("no-roster", ("stand-in", "cancel"))
    fault = table.runtime.reader.fault(menu.fault)  # type: ignore[arg-type]
    assert fault.code == code
    assert table.codes.count(code) == 1
    assert [effect.menu for effect in table.shown(fx.ShowRecovery)] == [menu.id]


@pytest.mark.parametrize(("agent", "code"), BROKEN.values(), ids=BROKEN)
def test_maya_leads_them_to_the_end_where_somebody_says_so(
    tmp_path: Path, agent: str | None, code: str
) -> None:
    table = started(tmp_path, agent)
    table.click("stand-in", by=DEV, menu=menu_of(table).id)
    assert (table.session.status, table.prompts) == ("asking", ["01-01"])
    assert table.session.course.steps[0].prompt.persona == MAYA
    table.finish()
    assert table.session.status == "completed"
    assert table.session.course.done == ("01-01", "01-02", "02-01")
    assert "ERR-STEP-006" not in table.codes
    assert code in table.codes
    assert not [words for words in table.messages if "Skipping" in words]


def test_the_choice_holds_after_a_crash_and_a_resume(tmp_path: Path) -> None:
    table = started(tmp_path, None).again()
    table.click("stand-in", menu=menu_of(table).id)
    table.answer("Because of the bank.")
    table.click("pause")
    table.resume()
    assert table.session.course.step == "01-02"
    assert table.session.course.steps[1].fault is None


def test_cancelling_is_for_the_owner_alone_and_leaves_nothing_begun(tmp_path: Path) -> None:
    table = started(tmp_path, None)
    menu = menu_of(table).id
    table.click("cancel", by=DEV, menu=menu)
    assert table.reply == "not-yours"
    table.click("cancel", by=OWNER, menu=menu)
    assert (table.session.status, table.prompts) == ("cancelled", [])


def test_a_second_click_is_told_that_it_was_chosen(tmp_path: Path) -> None:
    table = started(tmp_path, None)
    menu = menu_of(table).id
    table.click("stand-in", menu=menu)
    table.click("cancel", menu=menu)
    assert table.reply == "used-by-you"
    assert table.session.status == "asking"


def test_the_fallback_is_automatic_where_it_leaves_nobody_out(tmp_path: Path) -> None:
    """Seed 000: nobody is asked where the standard people can lead every step."""
    tree = small_tree(tmp_path / "steps")
    tree.agent("---\n[\n---\n")
    table = small_table(tmp_path, tree=tree)
    table.start()
    assert table.messages == [FALLBACK]
    assert table.prompts == ["01-01"]


def test_a_whole_roster_leaves_a_wrong_name_in_a_step_a_fault_of_that_step(tmp_path: Path) -> None:
    tree = small_tree(tmp_path / "steps")
    tree.step("01-requirements/01-a.md", persona="security-reviewer")
    table = small_table(tmp_path, tree=tree)
    table.start()
    assert "ERR-STEP-006" in table.codes
    assert table.prompts == ["01-02"]


# ── a phase that the roster does not name ──────────────────────────────────────────────────────


def test_a_phase_that_a_custom_team_does_not_name_is_led_by_its_first_persona_who_says_so(
    tmp_path: Path,
) -> None:
    agent = TEAM.replace("Maya Chen", "Noor Haddad").replace("Business Analyst", "Reviewer")
    tree = team(tmp_path, agent.replace("  01-requirements: {", "  07-other: {"))
    table = small_table(tmp_path, tree=tree)
    table.start()
    assert table.messages == [
        "Note: Unknown phase key '01-requirements'. I'll lead this phase as Noor Haddad (Reviewer)."
    ]
    assert table.session.course.phases[0].persona == "security-reviewer"


def test_where_maya_sits_at_the_table_she_leads_it_in_the_seeds_words(tmp_path: Path) -> None:
    tree = small_tree(tmp_path / "steps")
    tree.agent(AGENT.replace("  01-requirements: {", "  07-other: {"))
    table = small_table(tmp_path, tree=tree)
    table.start()
    assert table.messages == [
        "Note: Unknown phase key '01-requirements'. "
        "I'll lead this phase as Maya Chen (Business Analyst)."
    ]


# ── no step could be asked ─────────────────────────────────────────────────────────────────────


def faulty(folder: Path) -> Tree:
    tree = Tree(folder / "steps")
    tree.agent()
    tree.file("01-requirements/01-a.md", b"# Nothing")
    return tree


def test_an_analysis_of_which_no_step_could_be_asked_is_completed_and_says_so(
    tmp_path: Path,
) -> None:
    table = small_table(tmp_path, tree=faulty(tmp_path))
    table.start()
    assert table.session.status == "completed"
    assert table.session.asked_nothing
    assert table.prompts == []


def test_resume_tries_again_with_everything_read_anew(tmp_path: Path) -> None:
    tree = faulty(tmp_path)
    table = small_table(tmp_path, tree=tree)
    table.start()
    table.resume()
    assert table.session.asked_nothing
    tree.step("01-requirements/01-a.md", persona="security-reviewer")
    tree.agent(TEAM)
    table.resume()
    assert table.prompts == ["01-01"]
    assert table.session.course.steps[0].prompt.persona == "security-reviewer"
    assert len([post for post in table.stage.posts if post.target == "card"]) == 1
    table.finish()
    assert table.session.status == "completed"
    assert not table.session.asked_nothing


def test_resume_tries_again_where_there_was_no_tree_at_all(tmp_path: Path) -> None:
    tree = small_tree(tmp_path / "steps")
    tree.root.rename(tmp_path / "away")
    table = small_table(tmp_path, tree=tree)
    table.start()
    assert table.session.asked_nothing
    (tmp_path / "away").rename(tree.root)
    table.resume()
    assert table.prompts == ["01-01"]


def test_one_whose_steps_were_all_skipped_by_people_asked_something(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "steps")
    tree.agent()
    tree.step("01-requirements/01-a.md")
    table = small_table(tmp_path, tree=tree)
    table.start()
    table.click("skip-step")
    assert table.session.status == "completed"
    assert not table.session.asked_nothing


def test_a_cancel_that_is_taken_back_asks_again_who_leads(tmp_path: Path) -> None:
    table = started(tmp_path, None)
    table.click("cancel", menu=menu_of(table).id)
    table.resume()
    assert (table.session.status, table.prompts) == ("starting", [])
    table.click("stand-in", menu=menu_of(table).id)
    assert table.prompts == ["01-01"]
