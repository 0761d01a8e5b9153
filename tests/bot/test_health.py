"""What is told to whoever routes to the bot: that it lives, that it is ready, that it is ending."""

import threading
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bot.server.http_app import HealthApp, HttpApp
from bot.server.http_server import Limits
from core.domain.session.session import Session
from core.ports import Order, Outcome, Prepared
from core.runtime.dispatcher.local import LocalDispatcher
from tests.support.bolt_front import SECRET, Front, signed
from tests.support.fakes import FakeStage
from tests.support.harness import small_table
from tests.support.http import request, serving
from tests.support.waiting import WAIT_S_MAX, wait_until

READY = ("/readyz", "/healthz")


def status(port: int, path: str) -> int:
    return request(port, "GET", path)[0]


def test_a_process_whose_database_does_not_respond_lives_and_is_not_ready() -> None:
    responds = threading.Event()
    app = HealthApp(lambda: responds.wait(WAIT_S_MAX))
    with serving(app) as port:
        for path in READY:
            began = time.monotonic()
            assert status(port, path) == 503
            assert time.monotonic() - began < WAIT_S_MAX / 2
        assert status(port, "/livez") == 200
        responds.set()
        wait_until(lambda: status(port, "/readyz") == 200)


def test_health_alone_is_served_without_slack() -> None:
    with serving(HealthApp(lambda: True)) as port:
        assert [status(port, path) for path in (*READY, "/livez")] == [200, 200, 200]
        assert request(port, "POST", "/slack/events")[0] == 404
        assert status(port, "/metrics") == 404


def test_while_it_ends_nothing_new_is_taken_and_it_says_so(bot: Front) -> None:
    app = HttpApp(bot.app, signing_secret=SECRET, is_healthy=lambda: True, threads=2)
    stop, ended = threading.Event(), threading.Event()
    with serving(app, stop=stop, drain=lambda: ended.wait(WAIT_S_MAX)) as port:
        assert status(port, "/readyz") == 200
        stop.set()
        wait_until(lambda: status(port, "/readyz") == 503)
        assert status(port, "/livez") == 200
        body = '{"type": "event_callback", "event": {"type": "message"}}'
        headers = {**signed(body, time.time()), "Content-Type": "application/json"}
        assert request(port, body=body.encode(), headers=headers)[0] == 503
        ended.set()
    assert bot.runtime.calls == []
    with pytest.raises(OSError, match="refused"):
        status(port, "/livez")


def test_what_does_not_end_is_left_when_the_time_is_over() -> None:
    app, never = HealthApp(lambda: True), threading.Event()
    began = time.monotonic()
    with serving(app, Limits(grace_s=0.3), drain=lambda: never.wait(WAIT_S_MAX)):
        pass
    assert 0.3 <= time.monotonic() - began < WAIT_S_MAX
    never.set()


@dataclass(frozen=True, slots=True)
class SlowStage:
    """Slack that answers nothing before it `may_end`."""

    stage: FakeStage
    sending: threading.Event = field(default_factory=threading.Event)
    may_end: threading.Event = field(default_factory=threading.Event)

    def prepare(self, order: Order, session: Session, pace_s: float) -> Prepared:
        prepared = self.stage.prepare(order, session, pace_s)

        def send() -> Outcome:
            self.sending.set()
            assert self.may_end.wait(WAIT_S_MAX)
            return prepared.send()

        return replace(prepared, send=send)

    def find(self, order: Order, session: Session) -> Outcome:
        return self.stage.find(order, session)


def test_what_is_being_sent_ends_and_the_rest_is_left_to_the_next(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.settle = lambda: None  # type: ignore[method-assign]
    stage = SlowStage(table.stage)
    table.outbox_worker.stage = stage
    first = LocalDispatcher(table.outbox_worker)
    table.runtime.set_dispatcher(first)
    first.start()
    table.start()
    assert stage.sending.wait(WAIT_S_MAX)
    first.end()
    threading.Timer(0.2, stage.may_end.set).start()
    first.stop()
    assert table.stage.tried == ["PostCard"]
    assert table.runtime.outbox.pending(table.clock.now()) > 0
    second = LocalDispatcher(table.outbox_worker)
    table.runtime.set_dispatcher(second)
    second.start()
    wait_until(lambda: table.prompts == ["01-01"])
    second.stop()
    assert table.stage.tried.count("PostCard") == 1
    table.close()
