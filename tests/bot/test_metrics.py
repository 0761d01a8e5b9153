"""The figures for Prometheus: of what happened, of what is stored, and of nobody."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.devtools.workspace import LocalWorkspace
from bot.server.configuration.settings import Settings, SettingsError, load
from bot.server.http_server import listen
from bot.server.metrics import Metrics, kind_of
from core.ports import Refused
from core.store.queries.figures import Figures
from tests.support.http import LOOPBACK
from tests.support.served_bot import Running
from tests.support.serving import database_in, environment
from tests.support.waiting import wait_until

NOTHING = Figures({}, {}, 0, 0.0, {})


@pytest.fixture
def port() -> int:
    with listen(LOOPBACK, 0) as free:
        return int(free.getsockname()[1])


@pytest.fixture
def page(tmp_path: Path, port: int) -> Iterator[str]:
    """What is told after a session began, with a person, channel and workspace of its own."""
    database_in(tmp_path)
    with LocalWorkspace(people=["Ada Lovelace"], channels=("general",)) as slack:
        settings = environment(slack, tmp_path, ROUNDTABLE_METRICS_PORT=str(port))
        running = Running(slack, Settings.model_validate(settings))
        try:
            assert running.table.metrics is not None
            end = running.table.metrics.serve(LOOPBACK, port)
            slack.command("Ada Lovelace", "general", "/roundtable analyze Opening hours")
            runtime = running.table.runtime
            wait_until(lambda: [one.status for one in runtime.reader.all_sessions()] == ["asking"])
            wait_until(lambda: runtime.outbox.pending(runtime.clock.now()) == 0)
            yield read(port)
            end()
        finally:
            running.stop()


def read(port: int, path: str = "/metrics") -> str:
    with urlopen(f"http://{LOOPBACK}:{port}{path}") as answer:
        return str(answer.read().decode())


def values(page: str, name: str) -> dict[tuple[str, ...], float]:
    """The samples of that name, by the values of their labels."""
    samples = (one for family in text_string_to_metric_families(page) for one in family.samples)
    return {tuple(one.labels.values()): one.value for one in samples if one.name == name}


def test_requests_calls_and_rows_are_counted_and_nobody_is_named(page: str) -> None:
    assert values(page, "roundtable_requests_total")["command", "200"] == 1
    assert values(page, "roundtable_ack_seconds_count")[()] >= 1
    calls = values(page, "roundtable_slack_calls_total")
    assert calls["chat.postMessage", "ok"] >= 2
    assert sum(values(page, "roundtable_sessions").values()) == 1
    assert values(page, "roundtable_outbox_parked_rows") == {(): 0.0}
    assert values(page, "roundtable_outbox_oldest_due_seconds") == {(): 0.0}
    assert values(page, "roundtable_worker_threads")[()] >= 1
    assert "roundtable_worker_lanes_busy" in page
    assert values(page, "roundtable_database_connections_lent")[()] >= 0
    labels = {
        value
        for family in text_string_to_metric_families(page)
        for one in family.samples
        for value in one.labels.values()
    }
    assert not [value for value in labels if value[:1] in "TCUW" and value[1:2].isdigit()]
    for name in ("Ada", "Lovelace", "general", "Opening"):
        assert name not in page


def test_what_is_stored_is_counted_as_it_is_now(tmp_path: Path, port: int) -> None:
    database_in(tmp_path)
    with LocalWorkspace(people=["Ada"]) as slack:
        running = Running(
            slack,
            Settings.model_validate(
                environment(slack, tmp_path, ROUNDTABLE_METRICS_PORT=str(port))
            ),
        )
        try:
            with closing(sqlite3.connect(tmp_path / "roundtable.db")) as db, db:
                for number, due in enumerate((None, None, 1.0)):
                    db.execute(
                        "INSERT INTO outbox (session, id, lane, kind, rank, doc, since, due, "
                        "attempts) VALUES ('s', ?, 'visible', 'Note', 0, '{}', 1, ?, 0)",
                        (number, due),
                    )
                doc = json.dumps({})
                db.execute("INSERT INTO faults VALUES ('f', '', 1, 'E-007', 1.0, ?)", (doc,))
            assert running.table.metrics is not None
            end = running.table.metrics.serve(LOOPBACK, port)
            told = read(port)
            end()
        finally:
            running.stop()
    assert values(told, "roundtable_outbox_rows") == {("visible",): 3.0}
    assert values(told, "roundtable_outbox_parked_rows") == {(): 2.0}
    assert values(told, "roundtable_outbox_oldest_due_seconds")[()] > 1e9
    assert values(told, "roundtable_faults") == {("E-007",): 1.0}


def test_a_database_that_does_not_respond_leaves_the_other_figures(port: int) -> None:
    def failing() -> Figures:
        raise sqlite3.OperationalError("disk I/O error")

    metrics = Metrics(failing, lambda: {"worker_threads": 6})
    metrics.called("chat.update", Refused("channel_not_found"))
    end = metrics.serve(LOOPBACK, port)
    told = read(port)
    end()
    assert values(told, "roundtable_worker_threads") == {(): 6.0}
    assert values(told, "roundtable_slack_calls_total") == {("chat.update", "refused"): 1.0}
    assert "roundtable_sessions" not in told


def test_a_kind_is_a_name_that_slack_gives_and_no_text_of_anybodys() -> None:
    assert kind_of({"type": "event_callback", "event": {"type": "app_mention"}}) == "app_mention"
    assert kind_of({"command": "/roundtable", "text": "list"}) == "command"
    assert kind_of({"type": "block_actions"}) == "block_actions"
    for odd in ({}, {"type": "two words"}, {"type": "x" * 50}, {"event": {"type": 3}}):
        assert kind_of(odd) == "other"


def test_the_port_is_asked_for_nothing_else(port: int) -> None:
    end = Metrics(lambda: NOTHING, dict).serve(LOOPBACK, port)
    with pytest.raises(HTTPError, match="405"):
        urlopen(f"http://{LOOPBACK}:{port}/metrics", data=b"x")
    end()


def test_a_port_without_the_extra_is_said_before_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ROUNDTABLE_METRICS_PORT", "9464")
    monkeypatch.setattr("bot.server.configuration.settings.find_spec", lambda _name: None)
    with pytest.raises(SettingsError) as wrong:
        load()
    assert str(wrong.value) == (
        "ROUNDTABLE_METRICS_PORT: what tells figures to Prometheus is not installed. "
        "Run: pip install 'roundtable[metrics]'."
    )
