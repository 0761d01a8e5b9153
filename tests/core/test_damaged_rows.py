"""Rows that somebody or something damaged: each is found, and halts its own session alone."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.domain.ids import SessionId, Ts
from core.domain.session.session import Session
from core.ports import Later, Order, Prepared
from tests.core.test_halting import LEAK, forensics
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import ALEX, CHANNEL, TEAM, FakeStage
from tests.support.harness import Harness, small_table
from tests.support.rows import run_query, write

pytestmark = EACH_DATABASE


def damage(table: Harness, statement: str, *args: object) -> None:
    """Change a stored row by hand, as a broken disk or a careless person would."""
    assert write(table.runtime.database, statement, args) > 0


def stored(table: Harness) -> dict[str, object]:
    (doc,) = run_query(
        table.runtime.database, "SELECT doc FROM sessions WHERE id = ?", (table.id,)
    ).fetchone()
    found: dict[str, object] = json.loads(doc)
    return found


def is_halted(table: Harness) -> bool:
    return (table.session.status, table.codes[-1]) == ("halted", "ERR-DATA-001")


def test_a_session_that_cannot_be_read_is_listed_by_what_is_left_of_it(table: Harness) -> None:
    other = table.again()
    other.id = SessionId("s2")
    other.start(title="Another item")
    damage(other, "UPDATE sessions SET doc = '{broken' WHERE id = 's1'")
    listed = other.runtime.reader.channel_sessions(TEAM, CHANNEL)
    assert {each.title for each in listed} == {"Export dashboard as PDF", "Another item"}
    assert {each.id for each in other.runtime.reader.all_sessions()} == {"s1", "s2"}


@pytest.mark.parametrize("doc", ["{broken", "[]", ""])
def test_a_menu_that_cannot_be_read_halts_at_its_click(table: Harness, doc: str) -> None:
    table.say("Because of the bank.")
    menu = table.session.menus.current
    damage(table, "UPDATE menus SET doc = ? WHERE id = ?", doc, menu)
    table.click("continue", menu=menu)
    assert is_halted(table)
    table.click("check", menu=table.session.menus.recovery)
    assert table.session.status == "choosing"
    table.finish()
    assert table.session.status == "completed"


def test_an_answer_that_cannot_be_read_halts_when_it_is_edited(table: Harness) -> None:
    ts = table.say("Because of the bank.")
    damage(table, "UPDATE answers SET doc = '{}'")
    table.edit(ts, "Because of the auditors.")
    assert is_halted(table)


def test_what_waits_to_be_shown_and_cannot_be_read_halts(table: Harness) -> None:
    table.stage.outcomes = [Later("ratelimited", 30.0)]
    table.resume()
    damage(table, "UPDATE outbox SET doc = '{}' WHERE kind = 'PostPrompt'")
    table.pass_time(30)
    assert is_halted(table)
    assert table.runtime.outbox.pending(table.clock.now()) == 0


def test_an_effect_that_no_version_knows_halts(table: Harness) -> None:
    table.stage.outcomes = [Later("ratelimited", 30.0)]
    table.resume()
    damage(table, "UPDATE outbox SET kind = 'Sing' WHERE kind = 'PostPrompt'")
    table.pass_time(30)
    assert is_halted(table)


def test_a_request_to_a_brain_that_cannot_be_read_halts(tmp_path: Path) -> None:
    table = small_table(tmp_path, quiet_s=5.0)
    table.start()
    table.say("Because of the bank.")
    table.clock.forward(6)
    table._run_timers()
    damage(table, "UPDATE outbox SET doc = '[]' WHERE kind = 'ReadAnswers'")
    table.settle()
    assert is_halted(table)


class Looks(FakeStage):
    """As the real one, it looks up where a message goes before it is sent."""

    def prepare(self, order: Order, session: Session, pace_s: float) -> Prepared:
        assert self.runtime is not None
        self.runtime.reader.all_steps(order.session)
        return super().prepare(order, session, pace_s)


def test_a_step_that_breaks_while_a_message_waits_halts(tmp_path: Path) -> None:
    table = small_table(tmp_path, pace_s=1.0)
    table.start()
    table.pass_time(5)
    table.outbox_worker.stage = Looks(table.clock, runtime=table.runtime)
    damage(table, "UPDATE steps SET doc = '[]' WHERE id = '01-02'")
    table.outbox_worker.show(table.id)
    table.resume()
    assert is_halted(table)


def test_a_session_that_breaks_before_its_folder_is_written_leaves_the_folder_as_it_is(
    table: Harness,
) -> None:
    """What the folder says is what the session is taken up from."""
    table.answer("Because of the bank.")
    meta = (table.folder() / "meta.json").read_text()
    table.runtime.handle(table.message("And the auditors."), team=TEAM, session=table.id)
    (row,) = table.outbox_worker.brains_due(table.id)[0]
    table.outbox_worker.read(row)
    damage(table, "UPDATE sessions SET doc = '{broken' WHERE id = 's1'")
    table.settle()
    assert is_halted(table)
    assert (table.folder() / "meta.json").read_text() == meta
    table.click("check", menu=table.session.menus.recovery)
    table.finish()
    assert table.session.course.done[:2] == ("01-01", "01-02")


def test_a_step_whose_text_is_gone_halts(table: Harness) -> None:
    damage(table, "DELETE FROM contents WHERE kind = 'step'")
    again = table.again()
    again.say("Because of the bank.")
    assert is_halted(again)


def test_a_completed_session_that_cannot_be_read_is_not_written_over(table: Harness) -> None:
    table.finish()
    thread = table.thread()
    damage(table, "UPDATE sessions SET doc = '{broken' WHERE id = 's1'")
    table.say("One more thing.", thread=thread)
    assert table.reply == "damaged"
    table.resume()
    (doc,) = run_query(table.runtime.database, "SELECT doc FROM sessions").fetchone()
    assert doc == "{broken"
    assert table.codes[-1] == "ERR-DATA-001"
    assert table.runtime.reader.load(table.id).status == "completed"


# ── what the session says of itself ─────────────────────────────────────────────────────────────


def test_a_session_row_that_cannot_be_read_halts_with_what_is_left_of_it(table: Harness) -> None:
    table.answer("Because of the bank.")
    damage(table, "UPDATE sessions SET doc = '{broken'")
    table.say("And the auditors.")
    assert table.session.status == "halted"
    assert table.codes[-1] == "ERR-DATA-001"
    assert (forensics(table) / "state.json").read_text() == "Session: {broken"
    table.click("check", menu=table.session.menus.recovery)
    table.finish()
    assert table.session.status == "completed"


def test_a_damaged_step_is_found_by_whoever_comes_next(table: Harness) -> None:
    table.answer("Because of the bank.")
    damage(table, "UPDATE steps SET doc = '[]' WHERE id = '01-01'")
    table.say("And the auditors.")
    assert table.session.status == "halted"
    assert table.codes[-1] == "ERR-DATA-001"


def test_a_damaged_answer_halts_when_it_is_read(table: Harness) -> None:
    table.say("Because of the bank.")
    damage(table, "UPDATE answers SET doc = '{}'")
    table.say("And the auditors.")
    assert table.session.status == "halted"
    assert table.codes[-1] == "ERR-DATA-001"


def test_a_session_that_contradicts_itself_halts(table: Harness) -> None:
    damage(table, "UPDATE sessions SET doc = json_set(doc, '$.course.phase', '99-nowhere')")
    table.say("Because of the bank.")
    assert table.session.status == "halted"
    assert table.codes[-1] == "ERR-DATA-002"
    fault = table.runtime.reader.faults(table.id)[-1]
    assert fault.detail.startswith("the current phase is one of the session's")


def test_a_link_in_the_place_of_the_folder_is_not_followed(table: Harness, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    table.folder().rename(tmp_path / "kept")
    table.folder().symlink_to(elsewhere)
    table.say("Because of the bank.")
    assert table.session.status == "halted"
    assert table.codes[-1] == "ERR-SEC-002"
    assert list(elsewhere.iterdir()) == []
    table.folder().unlink()
    (tmp_path / "kept").rename(table.folder())
    table.click("check")
    assert table.session.status == "choosing"
    assert ALEX not in table.session.course.threads


def test_a_link_that_is_still_there_halts_again_before_anything_is_asked(
    table: Harness, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    table.folder().rename(tmp_path / "kept")
    table.folder().symlink_to(tmp_path / "elsewhere")
    table.say("Because of the bank.")
    first = table.session.menus.recovery
    table.click("check")
    assert table.session.status == "halted"
    assert table.session.menus.recovery != first
    assert table.codes.count("ERR-SEC-002") == 2
    table.folder().unlink()
    (tmp_path / "kept").rename(table.folder())
    table.click("check")
    assert table.session.status == "choosing"
    assert "Because of the bank." in (table.folder() / "requirements-spec.md").read_text()


def test_a_rule_that_is_broken_again_halts_again(table: Harness) -> None:
    for halts in (1, 2):
        damage(table, "UPDATE sessions SET doc = json_set(doc, '$.course.phase', '99-nowhere')")
        table.say("Because of the bank.")
        assert (table.session.status, table.session.halt.count) == ("halted", halts)
        table.click("check")
        assert table.session.status == "asking"


def test_what_was_said_to_a_step_whose_row_is_lost_is_kept(table: Harness) -> None:
    first, asked = table.thread(), next(p for p in table.stage.posts if p.step == "01-01")
    table.answer("Because of the bank.")
    table.answer("Because of the auditors.")
    table.say(LEAK, thread=first, ts=Ts(f"{asked.ts}5"))
    assert table.session.halt.held[0].step == "01-01"
    damage(table, "DELETE FROM steps WHERE id = '01-01'")
    table.click("redact")
    assert "The token is [redacted: Slack bot token], please use it." in table.said
    assert table.session.status == "asking"


# ── the log of the database ──


@pytest.mark.one_database("sqlite", "PostgreSQL has no log beside a file")
def test_a_log_deleted_under_a_running_bot_halts_the_session_of_the_next_commit(
    table: Harness,
) -> None:
    table.say("Because of the bank.")
    for suffix in ("-wal", "-shm"):
        (table.place / f"table.db{suffix}").unlink()
    table.say("And because of the shop.")
    assert is_halted(table)
    fault = table.runtime.reader.faults(table.id)[-1]
    assert fault.detail == (
        "the log of the database: it was deleted while the bot ran; what it held was saved"
    )
    with closing(sqlite3.connect(table.place / "table.db")) as other:  # as after a restart
        assert other.execute("SELECT count(*) FROM answers").fetchone() == (1,)
        assert other.execute("SELECT status FROM sessions").fetchone() == ("halted",)
    assert not table.runtime.database.log_was_deleted  # it is said once, in one session


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sessions SET doc = '{broken' WHERE id = 's1'",
        "UPDATE steps SET doc = '[]' WHERE id = '01-02'",
    ],
)
def test_a_session_that_cannot_be_read_can_be_deleted(table: Harness, statement: str) -> None:
    damage(table, statement)
    reply = table.erase().reply
    assert reply is not None
    assert reply.kind == "deleted"
    assert table.runtime.reader.all_sessions() == ()
