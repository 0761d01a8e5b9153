"""Pause, cancel, resume, export: leaving the table and coming back to it."""

from dataclasses import replace
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from core.artifacts.files.exported import HeldBack
from core.artifacts.files.folder import Folder
from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import PhaseKey, Slug
from core.engine.flow.cancel import TAKE_BACK_S
from core.runtime.commit import Handled
from core.store.connection.database import DatabaseError
from tests.core.test_engine_folder import bytes_below
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import ALEX, DEV, MAYA, OWNER, TEAM, Thinking
from tests.support.harness import Harness, small_table
from tests.support.rows import refuse
from tests.support.step_trees import AGENT, Tree

pytestmark = EACH_DATABASE

NO_LINK = "Cannot call rmtree on a symbolic link"  # as Python says it


# ── pause ──


def test_a_pause_keeps_everything_and_asks_nothing_more(table: Harness) -> None:
    table.say("Because.")
    table.click("pause", DEV)
    about = {"slug": table.session.slug, "by": DEV, "session": table.session.id}
    assert table.handled.reply == fx.Reply("paused", about)
    assert table.session.status == "paused"
    table.click("continue", menu=table.menu.id)
    assert (table.reply, table.session.course.step) == ("is-paused", "01-01")


def test_what_is_said_during_a_pause_is_kept_and_read_at_resume(table: Harness) -> None:
    table.click("pause")
    table.say("Because of the auditors.")
    assert table.said == ["Because of the auditors."]
    assert table.session.status == "paused"
    table.resume()
    assert table.session.status == "choosing"
    assert "auditors" in (table.folder() / "requirements-spec.md").read_text()


def test_what_is_said_under_an_open_menu_during_a_pause_is_read_at_resume(table: Harness) -> None:
    table.say("Because of the bank.")
    table.click("pause")
    table.say("And of the auditors.")
    table.resume()
    assert "auditors" in (table.folder() / "requirements-spec.md").read_text()
    assert table.session.status == "choosing"


def test_a_pause_stops_the_quiet_time(tmp_path: Path) -> None:
    table = small_table(tmp_path, quiet_s=5)
    table.start()
    table.say("Because.")
    table.click("pause")
    table.pass_time(60)
    assert (table.session.status, table.session.course.done) == ("paused", ())
    table.resume()
    assert table.session.course.done == ("01-01",)


def test_a_pause_between_reading_and_writing_does_not_swallow_the_menu(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    table.runtime.handle(table.message("Because."), team=TEAM)
    (row,) = table.runtime.outbox.brains(table.id)
    table.outbox_worker.read(row)
    table.runtime.handle(table.choice("pause"), team=TEAM)
    table.settle()
    assert table.session.status == "paused"
    table.resume()
    assert (table.session.status, table.session.course.step) == ("choosing", "01-01")


# ── resume ──


def test_resuming_a_step_that_was_asked_asks_it_again(table: Harness) -> None:
    table.click("pause")
    table.resume(DEV)
    assert table.handled.reply == fx.Reply(
        "resuming", {"title": table.session.title, "slug": table.session.slug}
    )
    assert table.prompts == ["01-01", "01-01"]
    assert [line.args for line in table.lines("resumed")] == [
        {"done": "0", "total": "3", "phase": "Requirements", "step": "First"}
    ]
    table.answer()
    assert table.session.course.step == "01-02"


def test_resuming_an_open_menu_posts_it_again(table: Harness) -> None:
    table.say("Because.")
    old = table.menu.id
    table.resume()
    assert table.shown(fx.ShowStep)[-1].anew
    assert table.menu.id != old
    assert table.prompts == ["01-01"]
    table.click("continue")
    assert table.session.course.step == "01-02"


def test_resuming_an_open_summary_posts_it_again(table: Harness) -> None:
    table.say("Because.")
    table.click("skip")
    table.click("pause")
    table.resume()
    assert table.shown(fx.ShowPhase)[-1].anew
    table.click("accept")
    assert table.session.course.step == "02-01"


def test_resuming_twice_at_once_asks_once(table: Harness) -> None:
    table.click("pause")
    event = on.SessionResumed(OWNER, table.clock.now())
    for _ in range(2):
        table.runtime.handle(event, team=TEAM, session=table.id)
    table.settle()
    assert table.prompts == ["01-01", "01-01"]
    assert table.session.status == "asking"


def test_a_start_that_is_under_way_is_not_resumed(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.stage.outcomes.append(later())
    table.start()
    assert table.session.status == "starting"
    table.resume()
    assert table.reply == "already-going"


def later():  # type: ignore[no-untyped-def]
    from core.ports import Later

    return Later("ratelimited", 3600.0)


def test_a_completed_session_with_nothing_skipped_has_nothing_to_resume(table: Harness) -> None:
    table.finish()
    before = table.snapshot()
    table.resume()
    assert (table.reply, table.snapshot()) == ("nothing-to-resume", before)


def test_a_completed_session_reopens_what_a_fault_skipped(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "steps")
    tree.agent(AGENT)
    tree.step("01-requirements/01-a.md")
    broken = tree.file("01-requirements/02-b.md", b"no front matter")
    tree.step("02-impact/01-c.md", persona="solutions-architect")
    table = small_table(tmp_path, tree=tree)
    table.start()
    table.finish()
    assert table.session.status == "completed"
    tree.step("01-requirements/02-b.md")
    assert broken.exists()
    table.resume()
    assert table.reply == "resuming"
    assert table.prompts == ["01-01", "02-01", "01-02"]
    assert table.shown(fx.HandOver)[-1] == fx.HandOver(ALEX, MAYA)
    table.finish()
    assert table.session.status == "completed"
    assert table.statuses == dict.fromkeys(("01-01", "01-02", "02-01"), "completed")


def test_what_a_person_skipped_is_not_reopened(table: Harness) -> None:
    table.click("skip-step")
    table.finish()
    table.resume()
    assert table.reply == "nothing-to-resume"


def test_a_session_that_was_cancelled_a_while_ago_is_not_resumed(table: Harness) -> None:
    table.cancel()
    table.clock.forward(TAKE_BACK_S + 1)
    table.settle()
    before = table.snapshot()
    table.resume()
    assert (table.reply, table.snapshot()) == ("not-taken-back", before)


# ── cancel ──


@pytest.mark.parametrize("admin", [None, False, True])
def test_its_owner_may_cancel(table: Harness, admin: bool | None) -> None:
    table.cancel(OWNER, admin)
    assert table.reply == "cancelled"
    assert table.session.status == "cancelled"


def test_an_admin_may_cancel(table: Harness) -> None:
    table.cancel(DEV, admin=True)
    assert (table.reply, table.session.status) == ("cancelled", "cancelled")


@pytest.mark.parametrize("admin", [None, False])
@pytest.mark.parametrize("way", ["command", "click"])
def test_nobody_else_may(table: Harness, admin: bool | None, way: str) -> None:
    before = table.snapshot()
    table.cancel(DEV, admin) if way == "command" else table.click("cancel", DEV, admin=admin)
    assert table.handled.reply == fx.Reply("not-yours", {"owner": OWNER})
    assert table.snapshot() == before


def test_a_cancelled_session_keeps_its_files_and_does_nothing_more(table: Harness) -> None:
    table.say("Because.")
    menu = table.menu.id
    table.click("cancel")
    assert "Because" in (table.folder() / "requirements-spec.md").read_text()
    before = table.snapshot()
    table.click("continue", menu=menu)
    assert table.snapshot() == before
    assert table.shown(fx.PaintPrompt)[-1] == fx.PaintPrompt(table.session.course.steps[0].id)


def test_a_paused_session_can_be_cancelled_by_its_own_menu(table: Harness) -> None:
    table.click("pause")
    table.click("cancel")
    assert table.session.status == "cancelled"


def test_cancelling_while_a_brain_reads_ignores_what_it_says(tmp_path: Path) -> None:
    brain = Thinking()
    table = small_table(tmp_path, brains={None: brain})
    table.start()

    def meanwhile(_: object) -> None:
        cancelled = on.SessionCancelled(OWNER, table.clock.now(), sure=True)
        table.runtime.handle(cancelled, team=TEAM, session=table.id)

    brain.turns.append(meanwhile)
    table.say("Because.")
    assert table.session.status == "cancelled"
    assert table.session.course.done == ()


def test_cancelling_what_has_ended_is_told_so(table: Harness) -> None:
    table.finish()
    before = table.snapshot()
    table.cancel()
    assert (table.reply, table.snapshot()) == ("gone", before)


# ── export ──


def test_an_export_goes_to_the_current_thread(table: Harness) -> None:
    table.say("Because.")
    table.take(on.ExportRequested(DEV, table.clock.now()))
    assert table.reply == "exporting"
    assert table.shown(fx.UploadExport) == [fx.UploadExport(MAYA)]
    ((name, content),) = table.job_runner.export_of(table.id, "zip").files
    assert (name, content[:2]) == (f"{table.session.slug}.zip", b"PK")


def test_an_export_is_of_the_form_that_was_asked_for(table: Harness) -> None:
    table.take(on.ExportRequested(DEV, table.clock.now(), "all"))
    assert table.shown(fx.UploadExport) == [fx.UploadExport(MAYA, "all")]
    names = [name for name, _ in table.job_runner.export_of(table.id, "all").files]
    assert names == [f"{table.session.slug}.{end}" for end in ("zip", "md", "html")]


def test_a_session_that_is_over_can_be_exported_still(table: Harness) -> None:
    table.finish()
    table.take(on.ExportRequested(DEV, table.clock.now()))
    assert table.reply == "exporting"


def test_an_export_that_was_asked_for_before_the_halt_is_held_back(table: Harness) -> None:
    table.take(on.ExportRequested(DEV, table.clock.now()))
    table.say("The token is " + "-".join(("xoxb", "2345678901", "Zq8Lw3Rt5Yu7Io9Pa1Sd3Fg5")))
    with pytest.raises(HeldBack):
        table.job_runner.export_of(table.id, "zip")
    table.take(on.ExportRequested(DEV, table.clock.now()))
    assert table.reply == "export-held-back"
    table.click("redact")
    assert table.job_runner.export_of(table.id, "zip").files


def test_a_session_halted_for_something_else_can_be_exported(table: Harness) -> None:
    table.take(on.DamageFound(table.clock.now(), "ERR-DATA-002", "the menus", "two are open"))
    assert table.session.status == "halted"
    table.take(on.ExportRequested(DEV, table.clock.now()))
    assert table.reply == "exporting"
    table.say("The token is " + "-".join(("xoxb", "2345678901", "Zq8Lw3Rt5Yu7Io9Pa1Sd3Fg5")))
    table.take(on.ExportRequested(DEV, table.clock.now()))
    assert table.reply == "export-held-back"


def test_deleting_a_session_leaves_neither_rows_nor_files(table: Harness) -> None:
    table.say("A sentence found nowhere else.")
    slug = table.session.slug
    table.erase()
    assert not table.folder(slug).exists()
    rows = [row for row in table.snapshot() if "found nowhere else" in row or "'s1'" in row]
    assert rows == []


def test_a_delete_whose_folder_cannot_be_removed_leaves_all_rows_and_says_so(
    table: Harness, tmp_path: Path
) -> None:
    table.say("Because.")
    before, slug, title = table.snapshot(), table.session.slug, table.session.title
    table.folder().rename(tmp_path / "elsewhere")
    table.folder().symlink_to(tmp_path / "elsewhere")  # no link is removed, not for root either
    refused = fx.Reply("not-deleted", {"title": title, "reason": NO_LINK})
    for _ in range(2):
        assert table.erase() == Handled(table.id, refused)
        assert table.snapshot() == before
    table.folder().unlink()
    assert table.erase().reply == fx.Reply("deleted", {"slug": slug, "title": title})
    assert table.runtime.reader.all_sessions() == ()


def test_a_delete_that_the_database_refuses_leaves_all_files(table: Harness) -> None:
    table.answer()
    files = bytes_below(table.folder())
    refuse(table.runtime.database, "DELETE ON sessions")
    with pytest.raises(DatabaseError, match="no room"):
        table.erase()
    assert bytes_below(table.folder()) == files


def test_a_delete_that_is_killed_between_files_and_rows_can_be_repeated(
    table: Harness, mocker: MockerFixture
) -> None:
    table.answer()
    slug, before = table.session.slug, table.snapshot()
    remove = Folder.delete

    def killed(folder: Folder, slug: Slug) -> None:
        remove(folder, slug)
        raise KeyboardInterrupt

    mocker.patch.object(Folder, "delete", killed)
    with pytest.raises(KeyboardInterrupt):
        table.erase()
    mocker.stopall()
    again = table.again()
    assert (again.snapshot(), again.folder(slug).exists()) == (before, False)
    again.answer()  # what is written next makes the folder again
    assert again.folder(slug).exists()
    assert again.erase().reply is not None
    assert not again.folder(slug).exists()


def test_deleting_is_asked_first_and_for_the_owner_alone(table: Harness) -> None:
    table.say("Because.")
    before, about = table.snapshot(), {"slug": table.session.slug, "title": table.session.title}
    assert table.erase(DEV).reply == fx.Reply("delete-not-yours")
    table.take(on.DeletionRequested(DEV, table.clock.now()))
    assert table.reply == "delete-not-yours"
    table.take(on.DeletionRequested(OWNER, table.clock.now()))
    asked = fx.Reply("delete-question", about | {"session": table.id})
    assert (table.handled.reply, table.snapshot()) == (asked, before)
    assert table.erase().reply == fx.Reply("deleted", about)


# ── the card's buttons ──


def test_the_card_pauses_what_waits_and_says_so_where_it_is_paused_already(table: Harness) -> None:
    table.take(on.PauseRequested(DEV, table.clock.now()))
    assert (table.session.status, table.reply) == ("paused", "paused")
    table.take(on.PauseRequested(DEV, table.clock.now()))
    assert (table.session.status, table.reply) == ("paused", "is-paused")


def test_a_session_that_has_ended_is_not_paused(table: Harness) -> None:
    table.cancel()
    before = table.snapshot()
    table.take(on.PauseRequested(DEV, table.clock.now()))
    assert (table.reply, table.snapshot()) == ("busy", before)


def test_the_card_resumes_what_stopped_and_leaves_alone_what_is_under_way(table: Harness) -> None:
    before = table.snapshot()
    table.take(on.SessionResumed(DEV, table.clock.now(), if_stopped=True))
    assert (table.reply, table.snapshot()) == ("already-going", before)
    table.click("pause")
    table.take(on.SessionResumed(DEV, table.clock.now(), if_stopped=True))
    assert (table.reply, table.session.status) == ("resuming", "asking")
    table.cancel()
    table.take(on.SessionResumed(OWNER, table.clock.now(), if_stopped=True))
    assert (table.reply, table.session.status) == ("resuming", "asking")


# ── who may ──


def test_nothing_is_decided_before_it_is_known_who_is_an_admin(table: Harness) -> None:
    before, event = table.snapshot(), on.SessionCancelled(DEV, table.clock.now(), sure=True)
    asked = table.runtime.handle(event, team=TEAM, keys=["act:U2:1"], session=table.id)
    assert (asked.needs_admin, asked.reply, table.snapshot()) == (True, None, before)
    known = replace(event, admin=True)
    done = table.runtime.handle(known, team=TEAM, keys=["act:U2:1"], session=table.id)
    assert (done.needs_admin, done.reply and done.reply.kind) == (False, "cancelled")
    again = table.runtime.handle(known, team=TEAM, keys=["act:U2:1"], session=table.id)
    assert again.repeated


def test_phases_are_opened_in_number_order_whatever_was_reopened(table: Harness) -> None:
    table.answer()
    table.answer()
    table.click("back")
    table.finish()
    assert table.session.status == "completed"
    assert [phase.key for phase in table.session.course.phases if phase.status == "completed"] == [
        PhaseKey("01-requirements"),
        PhaseKey("02-impact"),
    ]
