"""What concerns one person: which sessions, in which order, in how many statements."""

from pathlib import Path

import pytest

from core.domain import events as on
from core.domain.ids import RunId, SessionId, UserId
from core.domain.session.start import Origin
from core.ports import ThreadSaid
from tests.core.test_proposing import ROOT, THREAD, Threads
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import DEV, ELSEWHERE, OPS, OWNER, TEAM
from tests.support.harness import Harness, small_table
from tests.support.rows import traced

pytestmark = EACH_DATABASE

NOBODY = UserId("UNEW")


@pytest.fixture
def table(tmp_path: Path) -> Harness:
    return small_table(tmp_path)


def start(table: Harness, name: str, *, by: UserId = OWNER, **more: object) -> None:
    table.id = SessionId(name)
    table.start(f"Item {name}", by=by, run=RunId(f"r-{name}"), **more)
    table.clock.forward(60)


def listed(table: Harness, user: UserId) -> list[tuple[str, bool]]:
    """Session and whether it waits for them."""
    found = table.runtime.reader.sessions_involving(TEAM, user)
    return [(each.id, each.waiting_since is not None) for each in found]


def test_mine_is_what_i_started_or_answered_in_and_nothing_else(table: Harness) -> None:
    start(table, "a")
    start(table, "b", by=DEV)
    table.say("Because.", OPS)
    start(table, "c", by=DEV, channel=ELSEWHERE)
    assert [name for name, _ in listed(table, OWNER)] == ["a"]
    assert sorted(name for name, _ in listed(table, DEV)) == ["b", "c"]
    assert [name for name, _ in listed(table, OPS)] == ["b"]
    assert listed(table, NOBODY) == []
    assert table.runtime.reader.sessions_involving("T9", OWNER) == ()  # type: ignore[arg-type]


def test_what_waits_longest_for_me_comes_first_then_what_moved_last(table: Harness) -> None:
    start(table, "a")
    start(table, "b")
    start(table, "c")
    table.say("Because.", OWNER)  # heard: it waits for a choice, not for me
    start(table, "d")
    table.cancel()
    assert listed(table, OWNER) == [("a", True), ("b", True), ("c", False), ("d", False)]
    first, *_ = table.runtime.reader.sessions_involving(TEAM, OWNER)
    assert first.waiting_since == pytest.approx(table.clock.now() - 4 * 60, abs=60)


def test_somebody_who_only_clicked_is_not_concerned(table: Harness) -> None:
    start(table, "a")
    table.say("Because.")
    table.forward(by=OPS)
    assert listed(table, OPS) == []


def test_words_of_mine_that_wait_to_be_confirmed_concern_me(table: Harness) -> None:
    table.outbox_worker.threads = Threads([ThreadSaid(THREAD)])
    start(table, "a", origin=Origin(ROOT, ROOT))
    assert listed(table, DEV) == [("a", True)]
    proposal = next(each for each in table.session.proposals if each.by == DEV)
    table.click("leave-out", DEV, menu=proposal.menu)
    assert listed(table, DEV) == []


def test_a_menu_that_only_the_owner_can_use_waits_for_them(table: Harness) -> None:
    start(table, "a")
    table.say("Because.", DEV)
    table.take(on.DamageFound(table.clock.now(), "ERR-DATA-002", "a rule"))
    assert listed(table, OWNER) == [("a", True)]
    assert listed(table, DEV) == [("a", False)]


def test_an_entry_brings_what_is_shown_of_it(table: Harness) -> None:
    start(table, "a")
    start(table, "b", by=DEV)
    entry, other = table.runtime.reader.entries([SessionId("a"), SessionId("b")])
    assert (entry.session.title, entry.step) == ("Item a", "First")
    assert entry.card is not None
    assert entry.thread is not None
    assert other.session.owner == DEV
    assert entry.thread.ts != other.thread.ts  # type: ignore[union-attr]
    assert table.runtime.reader.entries([SessionId("gone")]) == ()
    assert table.runtime.reader.entries([]) == ()


def test_a_session_that_cannot_be_read_spoils_nobody_elses_list(table: Harness) -> None:
    start(table, "a")
    start(table, "b")
    with table.runtime.database.write() as db:
        db.execute("UPDATE sessions SET doc = '{half a do' WHERE id = 'b'")
    assert sorted(listed(table, OWNER)) == [("a", True), ("b", False)]
    broken = table.runtime.reader.entries([SessionId("b")])[0].session
    assert (broken.title, bool(broken.damage)) == ("Item b", True)


@pytest.mark.one_database("sqlite", "its driver alone tells of every statement")
def test_three_hundred_sessions_take_three_statements(table: Harness) -> None:
    start(table, "a")
    with table.runtime.database.write() as db:
        for number in range(299):
            db.execute(
                """INSERT INTO sessions SELECT ?, team, channel, ?, title, owner, status,
                   json_set(doc, '$.id', ?), version, updated_at, step, people, is_seated
                   FROM sessions WHERE id = 'a'""",
                (f"x{number}", f"slug-{number}", f"x{number}"),
            )
    reader = table.runtime.reader
    with traced(table.runtime.database) as seen:
        every = reader.sessions_involving(TEAM, OWNER)
        shown = reader.entries([each.id for each in every[:12]])
    assert (len(every), len(shown)) == (300, 12)
    assert len([query for query in seen if query.startswith("SELECT")]) == 3, seen
