"""A whole inception in its classic mode, through the engine: the play, the drafts, what changes."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.domain import effects as fx
from core.domain.ids import Depth
from tests.support.artifact_checker_inception import CONTEXT, check
from tests.support.fakes import DEV, OWNER
from tests.support.harness import Harness, close_all
from tests.support.inception import FILES, STEPS, TITLE, laid_out, played


@pytest.fixture(autouse=True)
def _closed() -> Any:
    yield
    close_all()


def table(place: Path, depth: Depth = "standard") -> Harness:
    made = Harness(place, steps=laid_out(place))
    made.start(TITLE, depth=depth)
    return made


def context(made: Harness) -> Any:
    return json.loads((made.folder() / CONTEXT).read_text())


def test_the_play_leads_through_every_step_and_leaves_every_artifact_whole(tmp_path: Path) -> None:
    made = table(tmp_path)
    said = played(made)
    assert made.session.status == "completed"
    assert made.prompts == list(STEPS)
    assert set(made.statuses.values()) == {"completed"}
    assert {path.name for path in made.folder().iterdir()} == {*FILES, "meta.json"}
    assert check(made.folder(), said, TITLE) == []
    found = context(made)
    assert found["artifacts"] == [*FILES]
    assert found["walkthrough"]["constitution_reviewed"] is True
    assert [each["number"] for each in found["constitution"]] == [1, 2, 3, 4]
    assert len({effect.thread for effect in made.shown(fx.PostPrompt)}) == 1


def test_at_brief_depth_no_click_confirms_what_nobody_said(tmp_path: Path) -> None:
    made = table(tmp_path, "brief")
    while made.session.status == "asking":
        made.click("confirm")
        assert made.session.status == "asking"
        made.answer("Nothing to add.")
    assert made.session.status == "completed"
    assert check(made.folder(), made.said, TITLE) == []
    assert {answer.source for answer in made.runtime.reader.answers(made.id)} == {"said"}


def test_people_who_have_nothing_to_say_leave_valid_files(tmp_path: Path) -> None:
    made = table(tmp_path)
    made.finish()
    assert made.session.status == "completed"
    assert check(made.folder(), made.said, TITLE) == []
    found = context(made)
    assert (found["stack"], found["constitution"], found["skills"]) == ([], [], [])
    assert found["walkthrough"]["constitution_reviewed"] is False


def test_an_answer_changed_late_reaches_the_context(tmp_path: Path) -> None:
    made = table(tmp_path)
    made.go_to("03-01")
    said = made.say("Database: Postgres, because we know it.", DEV)
    made.forward()
    made.go_to("08-02")
    assert context(made)["stack"][0]["choice"] == "Postgres"
    made.edit(said, "Database: SQLite, because we know it.", DEV)
    assert context(made)["stack"] == [
        {"area": "Database", "choice": "SQLite", "reason": "we know it", "consensus": "no vote"}
    ]
    assert "SQLite" in (made.folder() / "skills-report.md").read_text()


def test_without_the_constitution_the_walkthrough_does_not_go_on(tmp_path: Path) -> None:
    made = table(tmp_path)
    made.go_to("08-01")
    made.click("skip-step", OWNER)
    assert made.statuses["08-02"] != "completed"
    assert "08-02" not in made.prompts


def test_a_question_left_open_stands_as_asked_and_not_answered_everywhere(tmp_path: Path) -> None:
    made = table(tmp_path)
    made.say("We do not say what for. It will be used by clerks.")
    made.forward()
    made.go_to("02-01")
    made.say("1. A dunning letter means a reminder.")
    made.forward()
    made.finish()
    assumed = context(made)["assumptions"]
    assert "Asked, not answered: Which law, contract or house rule applies?" in assumed
    brief = (made.folder() / "project-brief.md").read_text()
    left = brief.partition("## Open Questions\n")[2]
    assert "** Asked, not answered: Which law, contract or house rule applies?\n" in left
