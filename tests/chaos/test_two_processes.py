"""Several processes on one database: nothing is lost or counted twice.

On a SQLite file one bot is what is supported: two would send the same post. But a second one that
was started by mistake, and an operator's commands beside the bot, must not cost anybody an answer.
"""

import multiprocessing
from collections import Counter, deque
from collections.abc import Callable, Sequence
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import pytest

from core.domain import events as on
from core.domain.ids import RunId, SessionId
from core.runtime.commit import Runtime
from core.store.connection.database import DatabaseError
from core.store.connection.opening import open_database
from core.store.journal.replay import replayed
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import OWNER, TEAM, DrivenClock
from tests.support.harness import Harness, small_table
from tests.support.serving import database_in

pytestmark = EACH_DATABASE

EACH = 40  # messages that a process takes
PROCESSES = multiprocessing.get_context("spawn")
PATIENCE_S = 120.0


@pytest.fixture
def table(tmp_path: Path) -> Harness:
    found = small_table(tmp_path)
    found.start()
    return found


def opened(url: str) -> Runtime:
    return Runtime(open_database(url), DrivenClock(), quiet_s=0.0)


def take(url: str, ready: Barrier, events: Sequence[on.MessagePosted]) -> None:
    """The bot: it alone writes for long, so it is never refused."""
    runtime = opened(url)
    ready.wait(PATIENCE_S)
    for event in events:
        runtime.handle(event, team=TEAM, keys=[f"msg:{event.ts}"])
    runtime.database.close()


def take_or_refuse(url: str, ready: Barrier, events: Sequence[on.MessagePosted]) -> None:
    """One of two bots. Where the other one writes for too long, Slack delivers again."""
    runtime = opened(url)
    ready.wait(PATIENCE_S)
    waiting = deque(events)
    while waiting:
        event = waiting.popleft()
        try:
            runtime.handle(event, team=TEAM, keys=[f"msg:{event.ts}"])
        except DatabaseError:
            waiting.append(event)
    runtime.database.close()


def keep_house(url: str, ready: Barrier, sessions: Sequence[SessionId]) -> None:
    """An operator, whose commands look at what is there and remove what is over."""
    runtime = opened(url)
    ready.wait(PATIENCE_S)
    for session in sessions:
        runtime.prune()
        found = replayed(runtime.database, SessionId("s1")).differences
        assert found == (), found
        gone = on.DeletionRequested(OWNER, 0.0, sure=True)
        runtime.handle(gone, team=TEAM, session=session)
    runtime.database.close()


Job = tuple[Callable[..., None], Sequence[Any]]


def side_by_side(table: Harness, *jobs: Job) -> None:
    """All at once; each of them comes to its end by itself."""
    url, ready = database_in(table.place, "table.db"), PROCESSES.Barrier(len(jobs))
    started = [PROCESSES.Process(target=job, args=(url, ready, given)) for job, given in jobs]
    for process in started:
        process.start()
    for process in started:
        process.join(PATIENCE_S)
    assert [process.exitcode for process in started] == [0] * len(jobs)


def messages(table: Harness, name: str) -> list[on.MessagePosted]:
    return [table.message(f"Remark {name}-{number}.") for number in range(EACH)]


def assert_all_are_there(table: Harness, events: Sequence[on.MessagePosted]) -> None:
    assert Counter(table.said) == Counter(event.text for event in events)
    table.settle()
    assert table.session.status == "choosing"
    assert replayed(table.runtime.database, table.id).differences == ()


def test_two_bots_take_the_same_answers_and_each_counts_once(table: Harness) -> None:
    one, other = messages(table, "one"), messages(table, "other")
    first, second = [*one, *other[::2]], [*other, *one[::2]]  # some are delivered to both
    side_by_side(table, (take_or_refuse, first), (take_or_refuse, second))
    assert_all_are_there(table, [*one, *other])


def test_a_bot_and_an_operators_commands_do_not_disturb_each_other(table: Harness) -> None:
    others = [SessionId(f"old-{number}") for number in range(8)]
    for session in others:
        mine = {"session": session, "run": RunId(f"r-{session}"), "seed": session}
        table.start(f"Something {session}", **mine)
    events = messages(table, "said")
    side_by_side(table, (take, events), (keep_house, others))
    assert_all_are_there(table, events)
    assert [each.id for each in table.runtime.reader.all_sessions()] == [table.id]
