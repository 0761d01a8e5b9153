"""Two processes of one database at the same moment, and a server that goes and comes back."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import psycopg
import pytest

from core.artifacts.files.folder import WriteFailed
from core.domain import events as on
from core.domain.ids import RunId, SessionId, StepId
from core.runtime.commit import Handled, Runtime
from core.store.connection.database import WAIT_S_MAX, ConflictError, DatabaseError, StoreError
from core.store.connection.opening import open_database
from core.store.journal.replay import replayed
from core.store.maintenance.upgrade import standing
from core.store.statements import sessions
from core.store.statements.statement import Connection, Value
from tests.support.databases import DATABASES
from tests.support.fakes import CHANNEL, OWNER, TEAM
from tests.support.harness import Harness, small_table
from tests.support.postgres import Server, need, served
from tests.support.rows import run_query, write
from tests.support.serving import database_in
from tests.support.waiting import wait_until

TURNS = 12
SUSPENDED_S = 1.0
LONG = "Because of the bank and of all that follows from it. " * 400


@pytest.fixture
def other(table: Harness) -> Iterator[Runtime]:
    """Another process's runtime on the same database."""
    runtime = Runtime(open_database(database_in(table.place, "table.db")), table.clock, quiet_s=0.0)
    yield runtime
    runtime.database.close()


def at_once(*acts: Callable[[], Handled]) -> list[Handled]:
    """All begin together; what each returns."""
    ready, results = threading.Barrier(len(acts)), dict[int, Handled]()

    def act(number: int) -> None:
        ready.wait()
        results[number] = acts[number]()

    threads = [threading.Thread(target=act, args=(number,)) for number in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [results[number] for number in range(len(acts))]


@pytest.mark.usefixtures("each_database")
class TestTwoProcesses:
    def test_one_event_delivered_to_both_acts_once(self, table: Harness, other: Runtime) -> None:
        for turn in range(TURNS):
            event = table.message(f"Remark {turn}.")
            keys = [f"Ev{turn}", f"msg:{TEAM}:{CHANNEL}:{event.ts}"]
            both = at_once(
                partial(table.runtime.handle, event, team=TEAM, keys=keys),
                partial(other.handle, event, team=TEAM, keys=keys),
            )
            assert sorted(handled.repeated for handled in both) == [False, True]
        assert table.said == [f"Remark {turn}." for turn in range(TURNS)]
        assert replayed(table.runtime.database, table.id).differences == ()

    def test_different_answers_of_one_session_all_count(
        self, table: Harness, other: Runtime
    ) -> None:
        for turn in range(TURNS):
            events = [table.message(f"Remark {turn} {side}.") for side in "ab"]
            at_once(
                partial(table.runtime.handle, events[0], team=TEAM, keys=[events[0].ts]),
                partial(other.handle, events[1], team=TEAM, keys=[events[1].ts]),
            )
        assert sorted(table.said) == sorted(
            f"Remark {turn} {side}." for turn in range(TURNS) for side in "ab"
        )
        assert replayed(table.runtime.database, table.id).differences == ()

    def test_a_button_pressed_in_both_is_taken_once(self, table: Harness, other: Runtime) -> None:
        table.say("Because of the bank.")
        click = table.choice(table.menu.choices[0])
        both = at_once(
            lambda: table.runtime.handle(click, team=TEAM, keys=["act:1"]),
            lambda: other.handle(click, team=TEAM, keys=["act:2"]),
        )
        table.settle()
        assert sorted(handled.reply is None for handled in both) == [False, True]
        kinds = run_query(table.runtime.database, "SELECT count(*) FROM journal WHERE kind = ?",
                          ("ChoiceMade",))  # fmt: skip
        assert kinds == [(1,)]

    def test_of_two_starts_of_one_title_the_later_is_told_of_the_first(
        self, table: Harness, other: Runtime
    ) -> None:
        def start(runtime: Runtime, title: str, session: str) -> Handled:
            event = on.SessionRequested(
                by=OWNER, at=table.clock.now(), session=SessionId(session), run=RunId(session),
                seed=session, team=TEAM, channel=CHANNEL, title=title, text=title,
            )  # fmt: skip
            return runtime.handle(event, team=TEAM)

        for turn in range(TURNS):
            both = at_once(
                partial(start, table.runtime, f"Title {turn}", f"a{turn}"),
                partial(start, other, f"Title {turn}", f"b{turn}"),
            )
            kinds = sorted(handled.reply.kind for handled in both if handled.reply)
            assert kinds == ["already-open", "starting"]

    def test_a_message_and_its_deletion_at_once_leave_no_answer(
        self, table: Harness, other: Runtime
    ) -> None:
        for turn in range(TURNS):
            event = table.message(f"Remark {turn}.")
            gone = on.MessageDeleted(event.by, table.clock.now(), CHANNEL, event.ts)
            at_once(
                partial(
                    table.runtime.handle,
                    event,
                    team=TEAM,
                    keys=[f"msg:{TEAM}:{CHANNEL}:{event.ts}"],
                ),
                partial(other.handle, gone, team=TEAM, keys=[f"Ev{turn}"]),
            )
            assert table.said == []


def waits_for_a_lock(url: str) -> bool:
    """True if a transaction of that database waits for what another one holds."""
    waiting = (
        "SELECT 1 FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    with psycopg.connect(url) as connection:
        return connection.execute(waiting).fetchone() is not None


class TestLostRaces:
    """Two real transactions, of which the server ends ours: it is tried again and counts once."""

    def test_a_deadlock_is_tried_again(self, server_table: Harness) -> None:
        table, tries = server_table, list[str]()
        holds, wanted = threading.Event(), threading.Event()
        url = database_in(table.place, "table.db")

        def somebody_else() -> None:
            with psycopg.connect(url) as connection:
                connection.execute("SET deadlock_timeout = '30s'")
                connection.execute("SELECT * FROM workspaces FOR UPDATE")
                holds.set()
                wanted.wait()
                connection.execute("SELECT * FROM sessions FOR UPDATE")

        def take_workspace(db: Connection) -> None:
            tries.append("try")
            # Ours is ended, long before it has waited for a lock as long as it may.
            db.execute("SET LOCAL deadlock_timeout = '20ms'", {})
            db.execute("SELECT 1", {}).fetchall()  # what was sent has arrived: ours has the session
            if len(tries) == 1:
                wanted.set()
                wait_until(lambda: waits_for_a_lock(url))
            db.execute("SELECT * FROM workspaces FOR UPDATE", {}).fetchall()

        other = threading.Thread(target=somebody_else)
        other.start()
        holds.wait()
        reminded = on.ReminderDue(table.clock.now(), step_of(table))
        table.runtime.apply(table.id, reminded, in_commit=take_workspace)
        other.join()
        assert tries == ["try", "try"]
        assert deadlocks(table) == 1
        assert replayed(table.runtime.database, table.id).differences == ()

    def test_a_serialization_failure_is_tried_again(self, server_table: Harness) -> None:
        table, tries = server_table, list[str]()
        database, url = table.runtime.database, database_in(table.place, "table.db")
        name = url.partition("@/")[2].partition("?")[0]
        run_alone = f"ALTER DATABASE {name} SET default_transaction_isolation = 'repeatable read'"
        write(database, run_alone)
        again = open_database(url)
        runtime = Runtime(again, table.clock, quiet_s=0.0)

        def save_meanwhile(db: Connection) -> None:
            tries.append("try")
            db.execute("SELECT 1", {}).fetchall()
            if len(tries) == 1:
                write(database, "UPDATE workspaces SET bot_name = 'another'")
            db.execute("UPDATE workspaces SET url = 'https://new.example'", {})

        reminded = on.ReminderDue(table.clock.now(), step_of(table))
        runtime.apply(table.id, reminded, in_commit=save_meanwhile)
        assert tries == ["try", "try"]
        rows = run_query(database, "SELECT bot_name, url FROM workspaces")
        assert rows == [("another", "https://new.example")]
        again.close()


@pytest.fixture
def server_table(tmp_path: Path, postgres_server: Server) -> Iterator[Harness]:
    with DATABASES.on(postgres_server):
        table = small_table(tmp_path)
        table.start()
        yield table
        table.close()


def step_of(table: Harness) -> StepId:
    step = table.session.course.step
    assert step is not None
    return step


def deadlocks(table: Harness) -> int:
    """How many the server has counted, once it says so."""
    query = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
    return wait_until(lambda: run_query(table.runtime.database, query).fetchone()[0])


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server]:
    """A server that may be stopped: nobody else's."""
    need()
    with served() as server:
        yield server


class TestServer:
    def test_a_restart_costs_the_transaction_under_way_and_no_later_one(
        self, own_server: Server
    ) -> None:
        database = open_database(own_server.database())

        def write_over_the_end() -> None:
            with database.write() as db:
                sessions.SAVE_DELIVERY(db, key="lost", at=1.0)
                own_server.stop("fast")
                sessions.SAVE_DELIVERY(db, key="lost, too", at=1.0)

        with pytest.raises(DatabaseError):
            write_over_the_end()
        with pytest.raises(DatabaseError, match="cannot be reached"), database.write():
            pass
        own_server.start()
        with database.write() as db:
            sessions.SAVE_DELIVERY(db, key="saved", at=1.0)
        assert run_query(database, "SELECT key FROM deliveries") == [("saved",)]
        database.close()

    def test_idle_connections_of_before_a_restart_are_not_used(self, own_server: Server) -> None:
        database = open_database(own_server.database())
        with database.reading(), database.write() as db:
            sessions.SAVE_DELIVERY(db, key="a", at=1.0)
        own_server.stop("fast")
        own_server.start()
        assert run_query(database, "SELECT key FROM deliveries") == [("a",)]
        assert database.trouble() == ""
        database.close()

    def test_a_server_that_is_suspended_is_waited_for_and_the_answer_counts_once(
        self, own_server: Server, tmp_path: Path
    ) -> None:
        with DATABASES.on(own_server):
            table = small_table(tmp_path)
            table.start()
            event = table.message("Because of the bank.")
            handle = partial(table.runtime.handle, event, team=TEAM, keys=[event.ts])
            answering = threading.Thread(target=handle)
            with own_server.suspended():
                answering.start()
                answering.join(SUSPENDED_S)
                assert answering.is_alive()
            answering.join()
            assert handle().repeated
            assert table.said == ["Because of the bank."]
            table.close()

    def test_whoever_waits_too_long_for_a_session_is_told_so(
        self, table: Harness, postgres_server: Server
    ) -> None:
        database = open_database(postgres_server.database())
        other = open_database(database.url)  # type: ignore[attr-defined]
        with database.write() as db:
            columns = ("id", "team", "channel", "slug", "title", "owner", "status", "doc", "people")
            row: dict[str, Value] = dict.fromkeys(columns, "s")
            sessions.INSERT_SESSION(db, **row, updated_at=1.0, step=None, is_seated=0)
        with database.write(SessionId("s")) as db:
            # of a pipeline the server may have nothing yet: asking for rows waits for the lock
            assert sessions.VERSION_LOCKED(db, id="s").fetchall()
            with (
                pytest.raises(DatabaseError, match="lock timeout"),
                other.write(SessionId("s")),
            ):
                pass
        assert WAIT_S_MAX < 3
        other.close()
        database.close()

    def test_a_row_that_another_inserted_first_is_a_lost_race(
        self, postgres_server: Server
    ) -> None:
        database = open_database(postgres_server.database())
        with database.write() as db:
            sessions.INSERT_RUN(db, id="r", session="s", started_at=1.0)
        with pytest.raises(ConflictError), database.write() as db:
            sessions.INSERT_RUN(db, id="r", session="s", started_at=1.0)
        database.close()

    def test_a_server_without_a_place_left_is_said(self, postgres_server: Server) -> None:
        url = postgres_server.database()
        name = url.partition("@/")[2].partition("?")[0]
        database = open_database(url)
        postgres_server.execute(f"ALTER DATABASE {name} CONNECTION LIMIT 0")
        postgres_server.execute("CREATE ROLE limited LOGIN")
        with pytest.raises(StoreError, match="too many connections"):
            open_database(url.replace("postgres@", "limited@"))
        database.close()

    def test_rights_that_are_missing_are_said(self, postgres_server: Server) -> None:
        url = postgres_server.database()
        postgres_server.execute("CREATE ROLE reader LOGIN")
        database = open_database(url.replace("postgres@", "reader@"))
        assert "permission denied" in database.trouble()
        database.close()

    def test_a_database_that_is_not_there_is_said_without_its_password(
        self, postgres_server: Server
    ) -> None:
        url = postgres_server.url("nowhere").replace("postgres@", "postgres:verysecret@")
        with pytest.raises(StoreError, match='"nowhere" does not exist') as refused:
            standing(url)
        assert "verysecret" not in str(refused.value)


def test_a_server_whose_disk_is_full_takes_nothing_and_goes_on_once_there_is_room(
    tmp_path: Path,
) -> None:
    need()
    with served() as server, server.small_disk() as disk, DATABASES.on(server):
        name = database_in(tmp_path, "table.db").partition("@/")[2].partition("?")[0]
        server.execute(f"ALTER DATABASE {name} SET TABLESPACE small")
        table = small_table(tmp_path, rows=True)
        table.start()
        ballast = disk / "ballast"
        fill(ballast)
        offered: list[on.MessagePosted] = []

        def answer_on() -> None:
            while True:
                offered.append(table.message(f"{len(offered)}: {LONG}"))
                table.runtime.handle(offered[-1], team=TEAM, keys=[offered[-1].ts])

        with pytest.raises(DatabaseError, match="No space left on device"):
            answer_on()
        with pytest.raises(WriteFailed):
            table.artifacts.of(TEAM).put(table.session.slug, "large.bin", os.urandom(1 << 20))
        assert len(table.said) == len(offered) - 1
        ballast.unlink()
        refused = offered[-1]
        assert table.runtime.handle(refused, team=TEAM, keys=[refused.ts]).session == table.id
        assert len(table.said) == len(offered)
        assert replayed(table.runtime.database, table.id).differences == ()
        table.close()


def fill(ballast: Path) -> None:
    """Write until nothing more fits."""
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4096)):
            pass
