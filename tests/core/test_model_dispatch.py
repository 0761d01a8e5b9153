"""Requests to language models on the dispatchers' threads, while the database cannot be written."""

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from structlog.testing import capture_logs

from bot.devtools.provider.exchange import ProviderRequest, StandInAnswer, data_of
from bot.devtools.provider.personalities.table import PERSONALITIES
from core.brains.model.providers.exchange import Provider, ProviderError, WireReply, WireRequest
from core.domain.model_calls import NOTHING_USED, Usage
from core.runtime.dispatcher.engine import EngineDispatcher
from core.runtime.dispatcher.local import LocalDispatcher
from core.runtime.outbox_worker import MARGIN_S
from core.store.connection.opening import open_database
from core.store.repository.lanes import LaneQueue
from tests.support.databases import DATABASES, EACH_DATABASE
from tests.support.postgres import Server
from tests.support.rows import run_query
from tests.support.serving import database_in
from tests.support.spoken_by_model import Spoken, spoken
from tests.support.waiting import WAIT_S_MAX, wait_until

PROVIDER_URL: Final = "http://127.0.0.1:9/v1"


@dataclass(slots=True)
class HeldWire:
    """A wire that holds the first request until the test answers it, and refuses all others."""

    requests: list[WireRequest] = field(default_factory=list)
    first: "Future[WireReply]" = field(default_factory=Future)

    def send(self, _provider: Provider, request: WireRequest) -> "Future[WireReply]":
        self.requests.append(request)
        if len(self.requests) == 1:
            return self.first
        refused: Future[WireReply] = Future()
        refused.set_exception(ProviderError("permanent", "it does not want to"))
        return refused

    def reply(self) -> None:
        """Answer the first request as a good model would."""
        request = self.requests[0]
        asked = ProviderRequest(
            "chat", "model", request.system, request.user, request.tool,
            request.schema, request.max_tokens, data_of(request.user),
        )  # fmt: skip
        answer = PERSONALITIES["thoughtful"](asked, 1)
        assert isinstance(answer, StandInAnswer)
        self.first.set_result(WireReply(answer.arguments or {}, Usage(900, 10, 0.001)))

    def estimate(self, _provider: Any, _request: Any) -> Usage:
        return NOTHING_USED


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Another connection holds the database's write lock inside."""
    with closing(open_database(database_in(folder, "table.db"))) as other, other.write() as db:
        if DATABASES.is_postgres:
            db.execute("LOCK TABLE calls IN EXCLUSIVE MODE", {})
            db.execute("SELECT 1", {}).fetchone()  # statements are sent with the next that is read
        yield


def start_asked(table: Spoken, wire: HeldWire) -> None:
    """A session whose first answer is at the provider. What is due is the dispatcher's."""
    table.settle = lambda: None  # type: ignore[method-assign]
    table.start("Show the total")
    wait_until(lambda: table.runtime.reader.post(table.id, "prompt:00-01:1"))
    table.say("The page must show the total.")
    wait_until(lambda: wire.requests)


@contextmanager
def local(table: Spoken) -> Iterator[None]:
    dispatcher = LocalDispatcher(table.outbox_worker, threads=3)
    table.runtime.set_dispatcher(dispatcher)
    dispatcher.start()
    try:
        yield
    finally:
        dispatcher.stop()


def wait_for_log(logs: list[Any], event: str) -> dict[str, Any]:
    return wait_until(lambda: next((line for line in logs if line["event"] == event), None), event)


def pass_time_until_choosing(table: Spoken) -> None:
    def is_choosing() -> bool:
        table.clock.forward(0.05)
        return table.session.status == "choosing"

    wait_until(is_choosing)


@EACH_DATABASE
def test_a_request_whose_reply_cannot_be_stored_is_made_again(tmp_path: Path) -> None:
    wire = HeldWire()
    table = spoken(tmp_path, wire, [PROVIDER_URL])  # type: ignore[arg-type]
    with local(table), capture_logs() as logs:
        start_asked(table, wire)
        with locked(tmp_path):
            wire.reply()
            assert wait_for_log(logs, "brain.failed")["session"] == table.id
            assert len(wire.requests) == 1
        pass_time_until_choosing(table)
        assert len(wire.requests) > 1


@EACH_DATABASE
def test_a_stored_reply_that_cannot_be_taken_in_is_taken_in_later(tmp_path: Path) -> None:
    wire, is_stored, is_locked = HeldWire(), threading.Event(), threading.Event()
    table = spoken(tmp_path, wire, [PROVIDER_URL])  # type: ignore[arg-type]

    def wait_for_lock(point: str) -> None:
        if point == "model-replied" and not is_stored.is_set():
            is_stored.set()
            assert is_locked.wait(WAIT_S_MAX)

    table.runner.checkpoint = wait_for_lock
    with local(table), capture_logs() as logs:
        start_asked(table, wire)
        wire.reply()
        assert is_stored.wait(WAIT_S_MAX)
        with locked(tmp_path):
            is_locked.set()
            wait_for_log(logs, "brain.failed")
            assert table.calls("state") == [("replied",)]
        pass_time_until_choosing(table)
        asked = [asks for (asks,) in table.calls("asks")]
        assert asked.count("read_answers") == 1
        assert len(wire.requests) == len(asked)


def test_on_postgresql_a_request_whose_reply_cannot_be_stored_gives_up_its_lane(
    postgres_server: Server, tmp_path: Path
) -> None:
    wire = HeldWire()
    with DATABASES.on(postgres_server):
        table = spoken(tmp_path, wire, [PROVIDER_URL])  # type: ignore[arg-type]
        table.runtime.use_engine()
        table.outbox_worker.is_shared = True
        queue, url = LaneQueue(table.runtime.database), database_in(tmp_path, "table.db")
        dispatcher = EngineDispatcher(table.outbox_worker, queue, url)
        dispatcher.start()
        jobs = "SELECT 1 FROM procrastinate_jobs WHERE lock LIKE 'brain:%'"
        query = partial(run_query, table.runtime.database, jobs)
        try:
            with capture_logs() as logs:
                start_asked(table, wire)
                with locked(tmp_path):
                    wire.reply()
                    wait_for_log(logs, "lane.failed")
                wait_until(lambda: not query(), "the lane is held")
                table.clock.forward(table.runner.deadline_s + MARGIN_S)
                wait_until(lambda: table.session.status == "choosing")
        finally:
            dispatcher.stop()
        table.close()
