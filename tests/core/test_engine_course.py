"""Which step comes next: dependencies, conditions, skipping, going back, accepting, amending."""

from pathlib import Path

import pytest

from core.domain import effects as fx
from tests.support.fakes import ALEX, DEV, MAYA, OWNER
from tests.support.harness import Harness, small_table
from tests.support.step_trees import AGENT, Tree

A, B, C = "01-requirements/01-a.md", "01-requirements/02-b.md", "01-requirements/03-c.md"


def grown(folder: Path) -> Tree:
    tree = Tree(folder / "steps")
    tree.agent(AGENT)
    return tree


def started(folder: Path, tree: Tree, **options: object) -> Harness:
    table = small_table(folder, tree=tree, **options)
    table.start()
    return table


# ── dependencies and conditions ──


def test_a_step_whose_dependency_is_done_runs(tmp_path: Path) -> None:
    tree = grown(tmp_path)
    tree.step(A)
    tree.step(B, depends_on='["01-01"]')
    table = started(tmp_path, tree)
    table.answer()
    assert table.prompts == ["01-01", "01-02"]
    assert table.messages == []


def test_a_step_whose_dependency_was_skipped_is_skipped_and_that_is_said(tmp_path: Path) -> None:
    tree = grown(tmp_path)
    tree.step(A)
    tree.step(B, depends_on='["01-01"]')
    tree.step(C)
    table = started(tmp_path, tree)
    table.click("skip-step")
    assert table.prompts == ["01-01", "01-03"]
    assert table.messages == [
        "Warning: Step 01-02 depends on 01-01 which is not complete. Skipping for now."
    ]
    assert table.statuses["01-02"] == "skipped"
    assert "01-02" not in table.session.course.done


CONDITIONS = {
    "depth == 'standard'": "skipped",
    "depth !== 'deep' && !(depth == 'brief')": "skipped",
    "!(scope == 'small')": "pending",  # false as a whole, not only in part
    "depth == 'deep'": "pending",
    "scope == 'large'": "pending",  # nobody has said: no value is false
    "file_count > 5 or depth in ['deep']": "pending",
}


@pytest.mark.parametrize(("condition", "status"), CONDITIONS.items())
def test_a_condition_decides_in_silence(tmp_path: Path, condition: str, status: str) -> None:
    tree = grown(tmp_path)
    tree.step(A, skip_if=f'"{condition}"')
    tree.step(B)
    table = started(tmp_path, tree)
    assert table.statuses["01-01"] == status
    assert table.prompts == (["01-02"] if status == "skipped" else ["01-01"])
    assert table.messages == []
    assert "01-01" not in table.session.course.done


@pytest.mark.parametrize("condition", ["size > 3", "depth >", "scope.upper()", "depth < 3"])
def test_a_broken_condition_is_said_and_the_step_runs(tmp_path: Path, condition: str) -> None:
    tree = grown(tmp_path)
    tree.step(A, skip_if=f'"{condition}"')
    table = started(tmp_path, tree)
    assert table.messages == [
        f"Warning: Step 01-01 has an invalid skip_if condition: '{condition}'. "
        "Executing step normally."
    ]
    assert table.prompts == ["01-01"]


def test_a_skipped_condition_is_looked_at_again_at_resume(tmp_path: Path) -> None:
    tree = grown(tmp_path)
    tree.step(A, skip_if="\"depth == 'brief'\"")
    tree.step(B)
    table = small_table(tmp_path, tree=tree)
    table.start(depth="brief")
    assert table.prompts == ["01-02"]
    table.say("more detail")
    assert table.prompts == ["01-02"]
    table.resume()
    assert table.prompts == ["01-02", "01-01"]


def test_who_goes_back_to_a_step_is_asked_it_whatever_its_condition_says_now(
    tmp_path: Path,
) -> None:
    tree = grown(tmp_path)
    tree.step(A, skip_if="\"depth == 'brief'\"")
    tree.step(B)
    table = started(tmp_path, tree)
    table.answer("Because.")
    table.say("faster")
    table.click("back")
    assert (table.session.course.step, table.statuses["01-01"]) == ("01-01", "completed")


def test_the_last_step_is_the_last_one_that_will_run(tmp_path: Path) -> None:
    tree = grown(tmp_path)
    tree.step(A)
    tree.step(B, skip_if="\"depth == 'standard'\"")
    table = started(tmp_path, tree)
    table.say("Because.")
    assert table.menu.choices == ("accept", "amend", "elaborate")
    assert (table.menu.kind, table.session.menus.on_summary) == ("phase", False)


def test_a_step_whose_files_came_to_nothing_ends_the_phase_by_its_summary(tmp_path: Path) -> None:
    """What follows falls away only when it is opened: the summary is posted by itself."""
    tree = grown(tmp_path)
    tree.step(A)
    path = tree.step(B)
    table = started(tmp_path, tree)
    table.say("Because.")
    path.write_text("no front matter")
    table.click("continue")
    assert table.shown(fx.ShowPhase)[0] == fx.ShowPhase(table.session.course.phases[0].key, MAYA)
    assert (table.menu.choices, table.session.menus.on_summary) == (
        ("accept", "amend", "elaborate"),
        True,
    )
    assert table.messages == ["Warning: Step file 02-b.md has invalid frontmatter. Skipping."]


# ── skipping ──


def test_one_step_is_skipped_and_the_next_is_asked(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.click("skip-step", DEV)
    assert table.statuses == {"01-01": "skipped", "01-02": "pending"}
    assert table.prompts == ["01-01", "01-02"]
    assert table.session.course.steps[0].skipped_by == DEV


def test_skip_rest_posts_the_summary_by_itself(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.say("Because.")
    assert table.menu.choices == ("continue", "elaborate", "skip")
    table.click("skip")
    assert table.statuses == {"01-01": "completed", "01-02": "skipped"}
    summary = fx.ShowPhase(table.session.course.phases[0].key, MAYA)
    assert set(table.shown(fx.ShowPhase)) == {summary}
    assert [post.target for post in table.stage.posts].count("phase:01-requirements:1") == 1
    table.click("accept", DEV)
    assert table.session.course.phases[0].accepted_by == DEV
    assert table.prompts == ["01-01", "02-01"]


def test_nobody_skips_a_mandatory_step(tmp_path: Path) -> None:
    tree = grown(tmp_path)
    tree.step(A, mandatory="true")
    tree.step(B)
    tree.step(C, mandatory="true")
    table = started(tmp_path, tree)
    table.click("skip-step", DEV)
    assert table.statuses["01-01"] == "pending"
    table.say("Because.")
    assert table.menu.choices == ("continue", "elaborate")
    table.say("skip rest")
    assert table.statuses["01-03"] == "pending"
    table.click("continue")
    table.click("skip-step")
    assert table.prompts == ["01-01", "01-02", "01-03"]


def test_a_phase_without_one_answer_is_closed_without_a_summary(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.click("skip-step")
    table.click("skip-step")
    assert table.shown(fx.ShowPhase) == []
    assert table.prompts == ["01-01", "01-02", "02-01"]


def test_what_was_said_before_skipping_is_kept_and_read(tmp_path: Path) -> None:
    table = small_table(tmp_path, quiet_s=5)
    table.start()
    table.say("Because of the auditors.")
    table.click("skip-step")
    table.pass_time(60)
    assert "auditors" in (table.folder() / "requirements-spec.md").read_text()
    assert table.statuses["01-01"] == "skipped"


# ── going back ──


def test_back_asks_the_step_before_again_and_keeps_its_answers(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.answer("Because.")
    assert table.statuses["01-01"] == "completed"
    table.click("back", DEV)
    assert table.prompts == ["01-01", "01-02", "01-01"]
    assert table.session.course.step == "01-01"
    assert table.said == ["Because."]
    assert table.session.status == "choosing"  # it has its answers: they are shown at once
    table.forward()
    assert table.prompts[-1] == "01-02"


def test_back_on_the_first_step_has_nowhere_to_go(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    before = table.session
    table.click("back")
    assert (table.reply, table.session) == ("nothing-before", before)


def test_back_leads_into_the_phase_before(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.answer()
    table.answer()
    assert (table.session.course.step, table.session.course.thread) == ("02-01", ALEX)
    table.click("back")
    assert (table.session.course.step, table.session.course.thread) == ("01-02", MAYA)
    assert table.phases == {"01-requirements": "open", "02-impact": "open"}
    assert table.session.course.done == ("01-01", "01-02")  # it is read and written again already
    table.click("accept")
    assert table.session.course.step == "02-01"
    assert table.phases["01-requirements"] == "completed"


def test_amend_opens_the_last_step_again(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.answer()
    table.say("Because.")
    table.click("amend")
    assert table.prompts == ["01-01", "01-02", "01-02"]
    assert table.session.course.step == "01-02"
    table.say("And because of that.")
    table.click("accept")
    assert table.session.course.step == "02-01"


def test_amend_on_the_summary_opens_the_last_answered_step(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.say("Because.")
    table.click("skip")
    table.click("amend")
    assert table.prompts == ["01-01", "01-01"]
    assert table.session.menus.on_summary is False


def test_the_whole_of_it_is_done_by_one_decision_a_step(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.finish()
    assert table.session.status == "completed"
    assert table.phases == {"01-requirements": "completed", "02-impact": "completed"}
    assert table.session.course.done == ("01-01", "01-02", "02-01")
    assert '"analysis_status": "analyzed"' in (table.folder() / "meta.json").read_text()


# ── files that come and go ──


def test_a_step_dropped_in_between_phases_runs_without_a_restart(tmp_path: Path) -> None:
    tree = grown(tmp_path)
    tree.step(A)
    table = started(tmp_path, tree)
    tree.step("02-impact/01-c.md", persona="solutions-architect")
    table.answer()
    assert table.prompts == ["01-01", "02-01"]


def test_the_list_of_a_phase_is_pinned_until_it_is_opened_again(tmp_path: Path) -> None:
    tree = grown(tmp_path)
    tree.step(A)
    tree.step(C)
    table = started(tmp_path, tree)
    tree.step(B)
    table.answer()
    assert table.prompts == ["01-01", "01-03"]
    table.resume()
    assert table.prompts == ["01-01", "01-03", "01-02"]
    assert list(table.statuses) == ["01-01", "01-02", "01-03"]


def test_a_file_that_was_taken_away_is_no_step_any_more(tmp_path: Path) -> None:
    tree = grown(tmp_path)
    tree.step(A)
    tree.step(B).unlink()
    path = tree.step(C)
    table = started(tmp_path, tree)
    path.unlink()
    table.resume()
    assert table.statuses == {"01-01": "pending"}
    table.say("Because.")
    assert table.menu.choices == ("accept", "amend", "elaborate")
    assert table.messages == []


def test_a_file_that_comes_back_is_where_it_was(tmp_path: Path) -> None:
    tree = grown(tmp_path)
    tree.step(A)
    path = tree.step(B)
    tree.step(C)
    table = started(tmp_path, tree)
    table.answer()
    text = path.read_text()
    path.unlink()
    table.resume()
    assert table.session.course.step == "01-03"
    path.write_text(text)
    table.resume()
    assert table.session.course.step == "01-02"
    assert list(table.statuses) == ["01-01", "01-02", "01-03"]


def test_a_step_that_names_another_persona_is_asked_in_the_current_thread(tmp_path: Path) -> None:
    tree = grown(tmp_path)
    tree.step(A, persona="solutions-architect")
    table = started(tmp_path, tree)
    assert table.shown(fx.PostPrompt)[0].thread == MAYA
    assert table.session.course.steps[0].prompt.persona == ALEX
    assert "ERR-PERSONA-002" in table.codes
    assert table.messages == []
    table.say("Because.", OWNER)
    assert table.shown(fx.ShowStep)[0].thread == MAYA


# ── files of earlier steps ──


def test_a_decision_that_is_questioned_at_a_later_step_gets_its_record(tmp_path: Path) -> None:
    tree = grown(tmp_path)
    tree.step(A, outputs="[tech-stack-decision.md, adr-*.md]", topic="decisions")
    tree.step(B, outputs="[architecture-overview.md]", topic="decisions")
    table = started(tmp_path, tree)
    table.say("We use Postgres for the bookings.")
    table.click("continue")
    record = table.folder() / "adr-001.md"
    assert not record.exists()
    table.say("Not Postgres for the bookings.", DEV)
    assert "[ADR-001](adr-001.md)" in (table.folder() / "tech-stack-decision.md").read_text()
    assert "We use Postgres for the bookings." in record.read_text()
