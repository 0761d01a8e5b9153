"""A database that a newer version has upgraded, and a process of this one that goes on with it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.server.http_app import HealthApp
from core.domain.ids import SessionId
from core.ports import Later
from core.runtime.decision import LeftToNewerError
from core.runtime.dispatcher.engine import EngineDispatcher
from core.store.connection.database import DatabaseError, StoreError
from core.store.connection.opening import open_database
from core.store.maintenance import upgrade
from core.store.repository.lanes import LaneQueue
from core.store.repository.outbox import Due
from core.store.schema.revisions import NUMBERS
from tests.support.databases import DATABASES, EACH_DATABASE
from tests.support.fakes import TEAM
from tests.support.harness import Harness, small_table
from tests.support.http import request, serving
from tests.support.postgres import Server
from tests.support.rows import run_query, write
from tests.support.serving import database_in
from tests.support.waiting import wait_until

OURS = max(NUMBERS)
ADDED, CLEANED_UP = f"9001-{OURS}", "9001-9001"


@pytest.fixture
def table(tmp_path: Path, postgres_server: Server) -> Iterator[Harness]:
    """One of several processes on a server."""
    with DATABASES.on(postgres_server):
        table = small_table(tmp_path)
        table.runtime.use_engine()
        table.start()
        yield table
        table.close()


def stored(table: Harness, revision: str) -> None:
    assert write(table.runtime.database, "UPDATE alembic_version SET version_num = ?", (revision,))


def is_untouched(table: Harness) -> bool:
    return table.session.status == "asking" and "ERR-DATA-001" not in table.codes


def kinds(table: Harness) -> list[str]:
    return [kind for (kind,) in run_query(table.runtime.database, "SELECT kind FROM outbox")]


@EACH_DATABASE
@pytest.mark.parametrize(
    ("revision", "kind"),
    [
        (ADDED, "extended"),
        (f"9002-{OURS}", "extended"),
        (CLEANED_UP, "newer"),
        ("9002-9001", "newer"),
        ("9001", "newer"),
        ("ae10f2", "newer"),
    ],
)
def test_a_newer_schema_is_usable_as_long_as_no_clean_up_came(
    tmp_path: Path, revision: str, kind: str
) -> None:
    url = database_in(tmp_path)
    database = open_database(url)
    write(database, "UPDATE alembic_version SET version_num = ?", (revision,))
    place = upgrade.standing(url)
    assert (place.kind, place.is_usable) == (kind, kind == "extended")
    if place.is_usable:
        assert upgrade.upgrade(url) == revision
    else:
        with pytest.raises(StoreError, match="newer than this version"):
            upgrade.upgrade(url)
    assert upgrade.standing(url).stored == revision
    database.close()


def test_a_process_is_not_ready_once_a_clean_up_came(table: Harness) -> None:
    with serving(HealthApp(table.runtime.is_healthy)) as port:
        for revision, ready in ((ADDED, 200), (CLEANED_UP, 503), ("0000", 503), (OURS, 200)):
            stored(table, revision)
            assert request(port, "GET", "/readyz")[0] == ready


def test_every_revision_names_the_last_clean_up() -> None:
    last = first = "0001"
    for script in reversed([*upgrade._scripts(upgrade._config()).walk_revisions()]):
        number, _, clean_up = script.revision.partition("-")
        assert Path(script.path).name.startswith(f"{number}_")
        assert number == first or clean_up in (last, number)
        last = clean_up or last


def test_an_effect_that_a_newer_version_left_is_left_to_it(table: Harness) -> None:
    table.stage.outcomes = [Later("ratelimited", 30.0)]
    table.resume()
    write(table.runtime.database, "UPDATE outbox SET kind = 'Sing' WHERE kind = 'PostPrompt'")
    stored(table, ADDED)
    table.clock.forward(30)
    with pytest.raises(LeftToNewerError):
        table.outbox_worker.show(table.id, "1:1")
    assert is_untouched(table)
    assert run_query(
        table.runtime.database, "SELECT kind FROM outbox WHERE due IS NOT NULL AND kind = 'Sing'"
    )
    write(table.runtime.database, "UPDATE outbox SET kind = 'PostPrompt' WHERE kind = 'Sing'")
    table.pass_time(30)  # of one that knows it
    assert kinds(table) == []


def test_in_a_database_of_this_version_it_is_damage(table: Harness) -> None:
    table.stage.outcomes = [Later("ratelimited", 30.0)]
    table.resume()
    write(table.runtime.database, "UPDATE outbox SET kind = 'Sing' WHERE kind = 'PostPrompt'")
    table.clock.forward(30)
    table.outbox_worker.show(table.id, "1:1")
    assert (table.session.status, table.codes[-1]) == ("halted", "ERR-DATA-001")


def test_a_timer_that_a_newer_version_set_is_left_to_it(table: Harness) -> None:
    timer = Due(SessionId(table.id), "moonrise", "", table.clock.now())
    insert = "INSERT INTO timers (session, kind, step, due) VALUES (?, ?, ?, ?)"
    write(table.runtime.database, insert, (timer.session, timer.kind, timer.step, timer.due))
    stored(table, ADDED)
    with pytest.raises(LeftToNewerError):
        table.outbox_worker.run_out(timer)
    assert table.runtime.outbox.timers_due(table.clock.now()) == (timer,)
    assert is_untouched(table)


def test_an_answer_to_a_session_that_a_newer_version_wrote_is_not_committed(
    table: Harness,
) -> None:
    database, event = table.runtime.database, table.message("Because of the bank.")
    ((doc,),) = run_query(database, "SELECT doc FROM sessions")
    newer = doc.replace('"status":"asking"', '"status":"dreaming"')
    write(database, "UPDATE sessions SET doc = ?", (newer,))
    stored(table, ADDED)
    with pytest.raises(DatabaseError):
        table.runtime.handle(event, team=TEAM, keys=["Ev1"])
    assert run_query(database, "SELECT doc FROM sessions") == [(newer,)]
    assert "ERR-DATA-001" not in table.codes
    write(database, "UPDATE sessions SET doc = ?", (doc,))
    assert not table.runtime.handle(event, team=TEAM, keys=["Ev1"]).repeated
    assert table.said == ["Because of the bank."]


def test_a_lane_that_is_left_is_looked_at_again_and_nothing_fails(table: Harness) -> None:
    database = table.runtime.database
    write(
        database,
        "INSERT INTO outbox (session, id, lane, kind, rank, doc, since, due, attempts) "
        "VALUES (?, 900000, 'work', 'Sing', 0, '{}', 0, 1, 0)",
        (table.id,),
    )
    stored(table, ADDED)
    url = database_in(table.place, "table.db")
    dispatcher = EngineDispatcher(table.outbox_worker, LaneQueue(database), url)
    dispatcher.start()
    try:
        wait_until(lambda: not run_query(database, "SELECT 1 FROM procrastinate_jobs"))
        assert is_untouched(table)
        assert kinds(table) == ["Sing"]
    finally:
        dispatcher.stop()
