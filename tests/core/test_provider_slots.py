"""What several processes on one PostgreSQL know together of a provider of language models."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from core.brains.model.providers.exchange import ProviderError, WireReply
from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import SessionId, StepId, TaskId, TeamId
from core.domain.model_calls import NOTHING_USED, Usage
from core.domain.session.model_reading import ModelUse
from core.domain.steps.playbook import FACILITATOR
from core.runtime.brains.provider_rests import ProviderRests, ProviderSlots
from core.runtime.dispatcher.engine import EngineDispatcher
from core.store.connection.opening import open_database
from core.store.repository.lanes import ASKED_S, PACE_KEPT_S, LaneQueue, ProviderSlot
from tests.support.databases import DATABASES
from tests.support.postgres import Server
from tests.support.rows import run_query
from tests.support.serving import database_in
from tests.support.spoken_by_model import Spoken, provider, spoken
from tests.support.waiting import WAIT_S_MAX, wait_until

NOW: Final = 1_000_000.0
HELD_S: Final = 65.0
HOST: Final = "http://127.0.0.1:9/v1"
MOST: Final = 4


@pytest.fixture
def queue(postgres_server: Server) -> Iterator[LaneQueue]:
    url = postgres_server.database()
    database = open_database(url)
    yield LaneQueue(database)
    database.close()
    postgres_server.drop(url)


def request_of(team: str, number: int) -> ProviderSlot:
    return ProviderSlot(HOST, TeamId(team), SessionId(f"{team}-{number}"), TaskId("t"))


def take(queue: LaneQueue, team: str, number: int, at: float = NOW) -> bool:
    return queue.take_slot(request_of(team, number), at, at + HELD_S, MOST)


def give_back(queue: LaneQueue, team: str, number: int) -> None:
    queue.give_back_slot(SessionId(f"{team}-{number}"), TaskId("t"))


# ── places at a provider ───────────────────────────────────────────────────────────────────────


def test_all_processes_together_have_so_many_requests_at_a_provider(queue: LaneQueue) -> None:
    other, taken = LaneQueue(queue.database), list[int]()

    def ask(number: int) -> None:
        if take((queue, other)[number % 2], "A", number):
            taken.append(number)

    asking = [threading.Thread(target=ask, args=(number,)) for number in range(3 * MOST)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert len(taken) == MOST
    give_back(other, "A", taken[0])
    waiting = [number for number in range(3 * MOST) if number not in taken]
    assert sum(take(queue, "A", number, NOW + 1) for number in waiting) == 1


def test_another_provider_has_places_of_its_own(queue: LaneQueue) -> None:
    for number in range(MOST):
        assert take(queue, "A", number)
    elsewhere = request_of("A", MOST)._replace(provider="https://other.example/v1")
    assert queue.take_slot(elsewhere, NOW, NOW + HELD_S, MOST)


def test_a_workspace_that_has_none_is_before_one_that_waits_for_more(queue: LaneQueue) -> None:
    for number in range(3 * MOST):
        assert take(queue, "A", number, NOW + number / 100) == (number < MOST)
    assert not take(queue, "B", 0, NOW + 1)
    give_back(queue, "A", 0)
    assert not any(take(queue, "A", number, NOW + 2) for number in range(MOST, 3 * MOST))
    assert take(queue, "B", 0, NOW + 2)
    give_back(queue, "A", 1)
    assert take(queue, "A", MOST, NOW + 3)  # the one that has waited longest


def test_a_request_whose_process_no_longer_asks_holds_nobody_up(queue: LaneQueue) -> None:
    for number in range(MOST):
        assert take(queue, "A", number)
    assert not take(queue, "B", 0)
    give_back(queue, "A", 0)
    assert not take(queue, "A", MOST, NOW + 1)  # it is the turn of B
    assert take(queue, "A", MOST, NOW + ASKED_S)


def test_a_place_whose_process_died_is_free_after_the_calls_time_limit(queue: LaneQueue) -> None:
    for number in range(MOST):
        assert take(queue, "A", number)
    assert not take(queue, "A", 0, NOW + HELD_S - 1)  # its own request, by another process
    assert not take(queue, "B", 0, NOW + HELD_S - 1)
    assert take(queue, "B", 0, NOW + HELD_S)


def test_places_that_nobody_asks_for_are_forgotten(queue: LaneQueue) -> None:
    take(queue, "A", 0)
    queue.prune(NOW + PACE_KEPT_S + HELD_S + 1)
    assert run_query(queue.database, "SELECT * FROM model_slots") == []


# ── rests ──────────────────────────────────────────────────────────────────────────────────────


def failed(retry_after: float | None = None) -> on.ModelFailed:
    failure = on.ModelFailed(NOW, TaskId("t"), StepId("00-01"), "", "transient")
    return replace(failure, retry_after=retry_after)


def test_what_one_process_found_out_of_a_model_holds_for_the_others(queue: LaneQueue) -> None:
    one, other = ProviderRests(queue), ProviderRests(LaneQueue(queue.database))
    model = provider(HOST)
    one.failed(model, failed(), ModelUse().rested(model.name, NOW))
    assert other.is_used_up(model, NOW + 59)
    assert not other.is_used_up(provider(HOST, "another"), NOW)
    assert not other.is_used_up(model, NOW + 61)
    other.replied(model)
    assert not one.is_used_up(model, NOW)


def test_a_wait_that_a_provider_asked_one_process_for_holds_for_the_others(
    queue: LaneQueue,
) -> None:
    one, other = ProviderRests(queue), ProviderRests(LaneQueue(queue.database))
    one.failed(provider(HOST), failed(retry_after=30.0), ModelUse())
    assert other.free_at(provider(HOST, "its second model")) == NOW + 30.0
    assert other.free_at(provider("https://other.example/v1")) == 0.0
    one.failed(provider(HOST, "c"), failed(retry_after=3_600.0), ModelUse())
    assert other.free_at(provider(HOST)) == NOW + 30.0  # for so long nobody waits


# ── two processes at work ──────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Busy:
    """A wire over which nothing useful comes; how many requests were under way at once.

    Nothing comes before `together` requests have been under way at once.
    """

    together: int = 1
    under_way: int = 0
    most: int = 0
    sent: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    are_together: threading.Event = field(default_factory=threading.Event)

    def send(self, _provider: Any, _request: Any) -> "Future[WireReply]":
        future: Future[WireReply] = Future()
        with self.lock:
            self.sent += 1
            self.under_way += 1
            self.most = max(self.most, self.under_way)
            if self.under_way >= self.together:
                self.are_together.set()
        threading.Thread(target=partial(self._answer, future)).start()
        return future

    def _answer(self, future: "Future[WireReply]") -> None:
        self.are_together.wait(WAIT_S_MAX)
        time.sleep(0.3)  # so that one too many would be sent meanwhile
        with self.lock:
            self.under_way -= 1
        future.set_exception(ProviderError("permanent", "it does not want to"))

    def estimate(self, _provider: Any, _request: Any) -> Usage:
        return NOTHING_USED


def worker_of(folder: Path, wire: Busy, stage: Any = None, **options: Any) -> Spoken:
    """A process that knows the others by the rows of its database alone."""
    table = spoken(folder, wire, [HOST], again=stage, **options)  # type: ignore[arg-type]
    queue = LaneQueue(table.runtime.database)
    table.runner.rests = ProviderRests(queue)
    table.runner.slots = ProviderSlots(queue, 2, HELD_S)
    table.outbox_worker.is_shared = True
    table.runtime.use_engine()
    return table


def test_two_processes_keep_to_the_places_of_one_and_every_request_is_sent(
    postgres_server: Server, tmp_path: Path
) -> None:
    wire, sessions = Busy(together=2), [SessionId(f"s{number}") for number in range(5)]
    with DATABASES.on(postgres_server):
        one = worker_of(tmp_path, wire)
        other = worker_of(tmp_path, wire, one)
        for session in sessions:
            one.id = session
            one.start(f"Show the total of {session}")
        for session in sessions:
            one.id = session
            one.runtime.handle(one.message("The page must show the total."), team=one.cast.team)
        url = database_in(tmp_path, "table.db")
        dispatchers = [
            EngineDispatcher(table.outbox_worker, LaneQueue(table.runtime.database), url)
            for table in (one, other)
        ]
        for dispatcher in dispatchers:
            dispatcher.start()
        try:
            statuses = partial(run_query, one.runtime.database, "SELECT status FROM sessions")
            wait_until(lambda: {status for (status,) in statuses()} == {"choosing"})
            assert wire.sent >= len(sessions)
            assert wire.most == 2
            slots = "SELECT * FROM model_slots"
            wait_until(lambda: not run_query(one.runtime.database, slots))
        finally:
            for dispatcher in dispatchers:
                dispatcher.stop()
        one.close()
        other.close()


def test_todays_tokens_of_a_workspace_count_over_all_processes(
    postgres_server: Server, tmp_path: Path
) -> None:
    wire = Busy()
    with DATABASES.on(postgres_server):
        one = worker_of(tmp_path, wire, tokens_a_day=10)
        other = worker_of(tmp_path, wire, one, tokens_a_day=10)
        one.start("Show the total")
        step, persona = StepId("00-01"), FACILITATOR.key
        task = fx.AskModel(TaskId("t"), step, persona, "read_answers", "fast", "m")
        assert not other.runner._is_over_day(one.cast.team)
        one.runner.calls.sent(one.id, one.cast.team, task, "p", one.clock.now(), 10)
        assert other.runner._is_over_day(one.cast.team)
        assert not other.runner._is_over_day(TeamId("T2"))
        other.say("The page must show the total.")
        other.wait()
        assert wire.sent == 0
        assert other.step("00-01").model.why_script == "budget"
        one.close()
        other.close()
