"""Faults of the artifact folder: what is said stands in the database and is written again."""

import json
import shutil
from datetime import UTC, datetime

import pytest

from core.domain import effects as fx
from core.domain.ids import Slug
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import MAYA, TEAM
from tests.support.harness import Harness

pytestmark = EACH_DATABASE

SPEC = "requirements-spec.md"
NOT_SAVED = (
    "Warning: Failed to save progress to meta.json. Your artifacts were updated, "
    "but the session may not resume correctly from this point."
)


def meta_of(table: Harness) -> dict[str, object]:
    found: dict[str, object] = json.loads((table.folder() / "meta.json").read_text())
    return found


@pytest.mark.parametrize("text", ["{broken", "[]", ""])
def test_a_meta_that_breaks_while_running_is_kept_and_progress_is_safe(
    table: Harness, text: str
) -> None:
    table.answer("Because.")
    (table.folder() / "meta.json").write_text(text)
    table.answer("And because.")
    kept = [path for path in table.folder().iterdir() if "corrupt" in path.name]
    assert [path.read_text() for path in kept] == [text]
    assert table.messages == [
        "Warning: meta.json is corrupt. Your progress is safe; "
        f"the old file was kept as {kept[0].name}."
    ]
    assert meta_of(table)["steps_completed"] == ["01-01", "01-02"]


def test_a_meta_found_broken_at_resume_is_said_in_the_same_words(table: Harness) -> None:
    table.answer("Because.")
    (table.folder() / "meta.json").write_text("{broken")
    table.resume()
    assert len(table.messages) == 1
    assert "Your progress is safe" in table.messages[0]
    assert table.session.course.step == "01-02"
    assert table.session.course.done == ("01-01",)


def test_a_meta_that_was_removed_is_written_again_in_silence(table: Harness) -> None:
    (table.folder() / "meta.json").unlink()
    table.say("Because.")
    assert "ERR-META-001" in table.codes
    assert table.messages == []
    assert meta_of(table)["steps_completed"] == ["01-01"]


def test_a_folder_that_was_removed_is_made_again_with_every_artifact(table: Harness) -> None:
    table.finish()
    table.resume()
    before = {path.name for path in table.folder().iterdir()}
    shutil.rmtree(table.folder())
    table.say("One thing more.")
    assert "ERR-ART-001" in table.codes
    assert table.messages == []
    assert {path.name for path in table.folder().iterdir()} == before
    assert "One thing more" in (table.folder() / "impact.md").read_text()


def test_a_directory_in_an_artifacts_place_is_said_above_the_menu(table: Harness) -> None:
    (table.folder() / SPEC).mkdir()
    table.say("Because of the bank.")
    assert table.messages == [
        f"Warning: Could not read existing {SPEC}. Creating a fresh version.",
        f"Warning: Failed to write {SPEC}. The analysis will continue, "
        "but this artifact may be incomplete.",
    ]
    kinds = [type(effect) for effect in table.stage.shown]
    assert kinds.index(fx.ShowFault) < kinds.index(fx.ShowStep)
    assert {effect.thread for effect in table.shown(fx.ShowFault)} == {MAYA}
    assert table.session.status == "choosing"


def test_what_could_not_be_written_is_written_with_the_next_step(table: Harness) -> None:
    (table.folder() / SPEC).mkdir()
    table.answer("Because of the bank.")
    (table.folder() / SPEC).rmdir()
    table.say("And the auditors.")
    text = (table.folder() / SPEC).read_text()
    assert "bank" in text
    assert "auditors" in text


def test_an_artifact_that_is_no_text_is_made_afresh(table: Harness) -> None:
    table.answer("Because of the bank.")
    (table.folder() / SPEC).write_bytes(b"\xff\xfe\x00")
    table.say("And the auditors.")
    assert table.messages == [f"Warning: Could not read existing {SPEC}. Creating a fresh version."]
    assert "bank" in (table.folder() / SPEC).read_text()


def test_one_step_says_the_same_words_once_until_it_is_resumed(table: Harness) -> None:
    (table.folder() / SPEC).mkdir()
    table.say("Because of the bank.")
    table.say("And the auditors.")
    assert len(table.messages) == 2
    assert table.codes.count("ERR-ART-002") == 2
    table.resume()
    table.say("And the users.")
    assert len(table.messages) == 4


def test_a_meta_that_cannot_be_written_is_said_once_a_session(table: Harness) -> None:
    (table.folder() / "meta.json").unlink()
    (table.folder() / "meta.json").mkdir()
    (table.folder() / "meta.json" / "inside").write_text("x")
    renamed = table.artifacts.of(TEAM).read_meta(
        Slug(table.session.slug), datetime.fromtimestamp(table.clock.now(), UTC)
    )
    assert renamed.kept_as  # even that is set aside
    block(table)
    table.answer("Because.")
    table.answer("Because.")
    assert table.messages.count(NOT_SAVED) == 1
    assert table.codes.count("ERR-META-003") >= 2
    assert table.session.course.step == "02-01"


def block(table: Harness) -> None:
    """A file where the folder was: nothing below it can be read or written."""
    shutil.rmtree(table.folder())
    table.folder().write_text("in the way")


def test_when_there_can_be_no_folder_every_artifact_is_named(table: Harness) -> None:
    block(table)
    table.say("Because.")
    assert table.messages == [
        f"Warning: Failed to write {SPEC}. The analysis will continue, "
        "but this artifact may be incomplete.",
        NOT_SAVED,
    ]
    assert table.session.status == "choosing"
    table.folder().unlink()
    table.forward()
    table.say("And because.")
    assert SPEC in {path.name for path in table.folder().iterdir()}
    assert meta_of(table)["steps_completed"] == ["01-01", "01-02"]


def test_what_people_wrote_into_a_file_stays(table: Harness) -> None:
    table.answer("Because of the bank.")
    path = table.folder() / SPEC
    path.write_text(path.read_text() + "\n## Ours\n\nMy own words.\n")
    table.say("And the auditors.")
    text = path.read_text()
    assert "My own words." in text
    assert "auditors" in text
    assert table.messages == []
