"""What Slack refuses: the session waits where a human must act, and nothing is lost or doubled."""

from pathlib import Path

import pytest

from core.domain import effects as fx
from core.taxonomy.post_refusals import paused_words
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import ALEX, MAYA, OWNER, TEAM
from tests.support.harness import Harness, small_table

pytestmark = EACH_DATABASE


# ── a revoked token ──


def test_a_revoked_token_pauses_and_keeps_what_was_to_be_said(table: Harness) -> None:
    table.stage.refuse = dict.fromkeys(("ShowStep", "PaintCard", "Mark"), "token_revoked")
    table.say("Because.")
    assert table.session.status == "paused"
    assert "ERR-SLACK-003" in table.codes
    assert table.shown(fx.ShowStep) == []
    assert table.said == ["Because."]


def test_resuming_sends_what_was_kept_once(table: Harness) -> None:
    table.say("Because.")
    table.stage.refuse = dict.fromkeys(("PostPrompt", "PaintCard"), "token_revoked")
    table.click("continue")
    assert table.session.status == "paused"
    table.stage.refuse.clear()
    table.resume()
    assert table.prompts == ["01-01", "01-02"]
    assert table.session.status == "asking"
    table.answer()
    assert table.session.course.step == "02-01"


def test_a_thread_that_could_not_be_opened_by_a_revoked_token_is_opened_once(
    tmp_path: Path,
) -> None:
    table = small_table(tmp_path)
    table.stage.refuse = dict.fromkeys(
        ("OpenThread", "Greet", "PostPrompt", "PaintCard"), "token_revoked"
    )
    table.start()
    assert table.session.status == "paused"
    table.stage.refuse.clear()
    table.resume()
    targets = [post.target for post in table.stage.posts]
    assert targets.count(f"thread:{MAYA}") == 1
    assert len(table.shown(fx.Greet)) == 1
    assert table.prompts == ["01-01"]


def test_a_restart_tries_what_was_kept(table: Harness) -> None:
    table.stage.refuse = {"ShowStep": "token_revoked"}
    table.say("Because.")
    table.stage.refuse.clear()
    table.runtime.outbox.unpark(TEAM, table.clock.now())
    table.settle()
    assert len(table.shown(fx.ShowStep)) == 1
    assert table.session.status == "paused"


# ── a channel or a thread that is no more ──


def test_an_archived_channel_pauses_and_resume_asks_again(table: Harness) -> None:
    table.stage.refuse = dict.fromkeys(
        ("PostPrompt", "PaintCard", "PaintPrompt", "ShowStep", "ShowFault"), "archived"
    )
    table.say("Because.")
    assert table.session.status == "paused"
    assert "ERR-SLACK-001" in table.codes
    table.stage.refuse.clear()
    table.resume()
    assert table.messages == [paused_words("archived")]
    assert table.session.status == "choosing"
    assert len(table.shown(fx.ShowStep)) == 1
    table.forward()
    assert table.prompts == ["01-01", "01-02"]


def test_a_thread_that_is_gone_is_opened_anew_by_resume(table: Harness) -> None:
    old = table.thread(MAYA)
    table.stage.refuse = {"ShowStep": "thread_gone"}
    table.say("Because.")
    assert table.session.status == "paused"
    assert table.messages == [
        "A thread of this session is gone. Use /roundtable resume to go on in a new one."
    ]
    assert table.shown(fx.ShowFault)[0].thread is None
    table.stage.refuse.clear()
    table.resume()
    assert table.thread(MAYA) != old
    assert (table.session.status, table.session.course.step) == ("choosing", "01-01")
    table.forward()
    assert table.stage.posts[-1].thread_ts == table.thread(MAYA)


def test_a_root_that_is_refused_takes_its_dependents_along(table: Harness) -> None:
    table.answer()
    table.stage.refuse = {"OpenThread": "posting_restricted"}
    table.answer()
    assert table.session.status == "paused"
    assert ALEX not in table.session.course.threads
    assert "Greet" not in table.stage.tried[-3:]
    table.stage.refuse.clear()
    table.resume()
    assert table.prompts == ["01-01", "01-02", "02-01"]
    assert table.stage.posts[-1].thread_ts == table.thread(ALEX)


@pytest.mark.parametrize("what", ["Mark", "PaintCard", "PaintPrompt", "HandOver", "UploadExport"])
def test_what_nobody_needs_may_be_refused_and_the_session_goes_on(
    tmp_path: Path, what: str
) -> None:
    from core.domain.events import ExportRequested

    table = small_table(tmp_path)
    table.stage.refuse = {what: "permission_missing"}
    table.start()
    table.say("Because.")
    table.take(ExportRequested(OWNER, table.clock.now()))
    table.forward()
    table.finish()
    assert table.session.status == "completed"
    assert "ERR-SLACK-001" in table.codes
    assert table.messages == []


def test_a_warning_that_cannot_be_shown_is_not_shown_for_ever(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    (table.folder() / "requirements-spec.md").mkdir()
    table.stage.refuse = {"ShowFault": "thread_gone"}
    table.say("Because.")
    assert table.session.status == "choosing"
    assert table.codes.count("ERR-SLACK-002") == 1
