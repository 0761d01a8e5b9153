"""A journal decided once more comes to what is stored, or it is said what differs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.brains.facilitator import Facilitator
from core.brains.tasks import BrainError
from core.domain.ids import SessionId
from core.ports import Gone
from core.store.journal.differences import TABLES, ReplayDifference
from core.store.journal.replay import Replayed, replayed
from core.store.repository.erase import tables_of_a_session
from tests.core.test_damaged_rows import damage
from tests.core.test_halting import LEAK
from tests.core.test_proposing import taken
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import DEV, ELSEWHERE, FACILITATOR, Thinking
from tests.support.harness import Harness, small_table
from tests.support.rows import run_query

pytestmark = EACH_DATABASE


def again(table: Harness) -> Replayed:
    return replayed(table.runtime.database, table.id)


def assert_same(table: Harness, session: str = "s1") -> None:
    came = replayed(table.runtime.database, SessionId(session))
    assert came.differences == ()
    journal = run_query(
        table.runtime.database, "SELECT count(*) FROM journal WHERE session = ?", (session,)
    ).fetchone()
    assert came.events == came.compared == journal[0] > 0


# ── the same ───────────────────────────────────────────────────────────────────────────────────


def test_a_session_in_which_much_was_changed_is_decided_the_same(table: Harness) -> None:
    first = table.say("Because of the bank.")
    second = table.say("And the auditors ask for it.", DEV)
    table.edit(first, "Because of the bank's auditors.")
    table.say("// not for the record")
    table.forward()
    table.say("Half of our customers.", thread=table.thread())
    table.edit(first, "Because of the auditors alone.")  # late: the first step is passed
    table.delete(second, DEV)
    table.forward()
    table.click("back")
    table.finish()
    assert table.session.status == "completed"
    assert_same(table)


def test_words_for_a_menu_are_decided_the_same(table: Harness) -> None:
    table.say("deep")
    table.say("Because of the bank.")
    table.say("c")
    assert table.session.course.step == "01-02"
    table.say("Nothing more.")
    table.say("amend")
    assert_same(table)


def test_a_reply_in_another_thread_is_decided_the_same(table: Harness) -> None:
    table.finish()
    table.say("One more thing.", thread=table.thread(table.session.course.threads[0]))
    assert "One more thing." in table.said
    assert_same(table)


def test_settings_that_change_on_the_way_are_kept(tmp_path: Path) -> None:
    table = small_table(tmp_path, quiet_s=5.0)
    table.start()
    table.say("Because of the bank.")
    table.pass_time(10)
    table.forward()
    table.runtime.set_quiet_s(0.0)
    table.answer()
    assert_same(table)


def test_a_slug_that_was_taken_is_taken_again(table: Harness) -> None:
    table.finish()
    table.id = SessionId("s2")
    table.start(channel=ELSEWHERE)
    assert table.session.slug.endswith("-2")
    assert_same(table, "s2")


def test_a_session_that_was_halted_by_a_secret_is_decided_the_same(table: Harness) -> None:
    table.say(f"The bank asks. {LEAK}")
    assert table.session.status == "halted"
    table.click("redact")
    table.finish()
    assert_same(table)


def test_failures_of_a_brain_are_decided_the_same(tmp_path: Path) -> None:
    brain = Thinking([None, BrainError("invalid"), BrainError("invalid")])
    table = small_table(tmp_path, brains={None: brain, FACILITATOR: Facilitator()})
    table.start()
    table.say("Because of the bank.")
    table.forward()
    table.say("Half of the customers.")
    table.pass_time(60)
    assert "ERR-INT-001" in table.codes or table.session.status == "choosing"
    assert_same(table)


@pytest.mark.parametrize("mode", ["party", "classic"])
def test_an_inception_is_decided_the_same(tmp_path: Path, mode: str) -> None:
    table = Harness(tmp_path)
    table.start("Dashboards as PDF", flow="inception", mode=mode)
    for _ in range(12):
        if table.session.status in ("asking", "choosing"):
            table.answer("Because the team runs it.") if table.session.status == "asking" else (
                table.forward()
            )
    assert len(table.said) > 1
    assert_same(table)


def test_damage_is_decided_from_what_was_found(table: Harness) -> None:
    """The row that broke then is whole in the copy: what was decided is in the journal."""
    table.say("Because of the bank.")
    damage(
        table, "UPDATE sessions SET doc = json_set(doc, '$.course.step', '09-09') WHERE id = 's1'"
    )
    table.say("And the auditors.")
    assert table.session.status == "halted"
    kinds = [kind for (kind,) in rows(table, "SELECT kind FROM journal ORDER BY place")]
    assert kinds[-2:] == ["DamageFound", "StatePreserved"]
    (extra,) = next(rows(table, "SELECT doc FROM journal_extras ORDER BY place DESC"))
    assert '"instead":"MessagePosted"' in extra


def test_a_session_that_was_taken_from_a_thread_is_decided_the_same(tmp_path: Path) -> None:
    table = taken(tmp_path)
    menu = next(each.menu for each in table.session.proposals if each.by == DEV)
    table.click("confirm-mine", DEV, menu=menu)
    table.answer("And the auditors ask for it.")
    assert_same(table)


def test_what_people_say_anew_makes_a_version_and_what_others_say_elsewhere_does_not(
    table: Harness,
) -> None:
    versions = "SELECT version, current, body FROM sections WHERE step = '01-01' ORDER BY version"
    first = table.say("Because of the bank.")
    table.edit(first, "Because of the auditors.")
    table.forward()
    table.say("Half of our customers.")
    bank, auditors = rows(table, versions)
    assert (bank[:2], auditors[:2]) == ((1, 0), (2, 1))
    assert "bank" in bank[2]
    assert "auditors" in auditors[2]
    table.forward()
    table.edit(first, "Because of the lawyers.")
    assert [row[:2] for row in rows(table, versions)] == [(1, 0), (2, 0), (3, 1)]
    assert_same(table)


# ── what differs ───────────────────────────────────────────────────────────────────────────────


def rows(table: Harness, query: str, *args: object) -> Iterator[tuple[Any, ...]]:
    yield from run_query(table.runtime.database, query, args)


CHANGES = {
    "UPDATE sessions SET doc = json_set(doc, '$.counter', 99)": "session, counter: 99; now ",
    "UPDATE sessions SET status = 'cancelled'": "session, status: cancelled; now choosing",
    "UPDATE menus SET state = 'used' WHERE state = 'open'": "used; now open",
    "DELETE FROM sections": "cannot be: a row that it refers to is not there",
    "UPDATE steps SET doc = json_set(doc, '$.recorded', 'No')": "recorded: No; now ",
    "UPDATE steps SET doc = json_set(doc, '$.recorded', 'No') WHERE id = '01-01'": (
        "BrainReplied: made another session of it; now makes the one below"
    ),
    "UPDATE answers SET doc = json_set(doc, '$.by', 'UOTHER')": ", by: UOTHER; now UPM",
    "UPDATE journal SET effects = 'Greet' WHERE place = 5": (
        "event 5, StepOpened: led to Greet; now leads to OpenThread, Greet, PostPrompt, PaintCard"
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_differs_is_said_in_words(table: Harness, change: str) -> None:
    table.say("Because of the bank.")
    assert_same(table)
    damage(table, change)
    found = [str(each) for each in again(table).differences]
    assert any(CHANGES[change] in line for line in found), found


def test_the_first_event_that_went_another_way_is_named(table: Harness) -> None:
    table.say("Because of the bank.")
    damage(table, "UPDATE journal SET checksum = '00000000' WHERE place >= 3")
    (only,) = again(table).differences
    assert only == ReplayDifference(
        "event 3, CardPosted", "made another session of it", "makes the one below"
    )


def test_a_journal_that_refers_to_what_is_gone_is_said_to(table: Harness) -> None:
    table.say("Because of the bank.")
    damage(table, "DELETE FROM answers")
    first = again(table).differences[0]
    assert first.where == "event 6, MessagePosted"
    assert first.now.startswith("cannot be: a row that it refers to is not there (")


def test_every_table_of_a_session_is_compared_or_has_its_reason(table: Harness) -> None:
    of_slack = {"threads", "posts"}
    under_way = {"outbox", "timers", "model_slots"}  # ends when it is done, and leaves nothing
    of_providers = {"calls"}  # what requests took: events say it too, and nobody is asked again
    compared = {row.__tablename__ for row, *_ in TABLES}
    every = set(tables_of_a_session())
    journal = {"journal", "journal_extras"}
    assert compared | of_slack | under_way | of_providers | journal == every


def test_nothing_is_written_and_nothing_is_performed(table: Harness) -> None:
    table.say("Because of the bank.")
    before, shown = table.snapshot(), len(table.stage.tried)
    again(table)
    assert table.snapshot() == before
    assert len(table.stage.tried) == shown


def test_a_session_without_a_journal_is_gone(table: Harness) -> None:
    with pytest.raises(Gone):
        replayed(table.runtime.database, SessionId("none"))
    assert run_query(table.runtime.database, "SELECT count(*) FROM journal") == [(5,)]
