"""While a step's message waits for a model, its thread says who reads; nothing waits for that."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.web_api.client import SlackClient
from tests.support.fakes import DEV, DrivenClock
from tests.support.harness_over_http import HttpStage, SlackTable, slack_table, slack_workspace
from tests.support.model_calls import TWO, ListedModels, hangs, read
from tests.support.rows import write
from tests.support.waiting import WAIT_S_MAX, wait_until

STATUS_METHOD = "assistant.threads.setStatus"


@dataclass
class Read:
    """A session in the local workspace whose models are played by hand."""

    laid: SlackTable
    models: ListedModels

    @property
    def status(self) -> str:
        session = self.laid.table.session
        root = self.laid.table.runtime.reader.post(session.id, f"thread:{session.course.thread}")
        assert root is not None
        return self.laid.slack.status("general", root.ts)

    @property
    def statuses(self) -> list[str]:
        """Those that Slack was asked to set, also where it refused."""
        calls = self.laid.calls
        return [call.args["status"] for call in calls if call.method == STATUS_METHOD]

    @property
    def is_shown(self) -> bool:
        return (
            self.laid.table.runtime.reader.last_post(self.laid.table.id, "step:01-01:") is not None
        )

    def hold(self) -> None:
        """Somebody answers, and the model's reply is not there yet."""
        self.models.says.append(hangs)
        self.laid.table.say("The page must show the total, and please no ads.")


@pytest.fixture
def read_table(tmp_path: Path) -> Iterator[Read]:
    with slack_workspace() as slack:
        clock = DrivenClock(time.time())
        models = ListedModels(clock)
        laid = slack_table(slack, tmp_path, clock=clock, offer=TWO, models=models)
        laid.table.start()
        yield Read(laid, models)


def test_the_thread_says_who_reads_how_much_until_the_message_comes(read_table: Read) -> None:
    read_table.hold()
    wait_until(lambda: read_table.status == "Maya Chen is reading 1 answer")
    assert not read_table.is_shown
    read_table.models.answer(read())
    read_table.laid.table.settle()
    wait_until(lambda: read_table.is_shown and not read_table.status)


def test_it_is_taken_away_where_the_message_is_edited_and_nothing_is_posted(
    read_table: Read,
) -> None:
    read_table.laid.table.say("The page must show the total.")
    wait_until(lambda: read_table.is_shown and not read_table.status)
    read_table.models.says.append(hangs)
    read_table.laid.table.say("It must be fast.", DEV)
    wait_until(lambda: read_table.status == "Maya Chen is reading 2 answers")
    posts = read_table.laid.asked("chat.postMessage")
    read_table.models.answer(read())
    read_table.laid.table.settle()
    wait_until(lambda: not read_table.status)
    assert read_table.laid.asked("chat.postMessage") == posts


def test_a_pause_takes_it_away(read_table: Read) -> None:
    read_table.hold()
    wait_until(lambda: read_table.status)
    table = read_table.laid.table
    table.click("pause", menu=table.session.menus.prompt)
    wait_until(lambda: not read_table.status)


def test_no_message_waits_for_a_status_that_slack_does_not_answer(
    read_table: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, answered = threading.Event(), threading.Event()

    def hangs_at_slack(*args: object, **more: object) -> None:
        begun.set()
        assert answered.wait(60)

    monkeypatch.setattr(SlackClient, "set_status", hangs_at_slack)
    read_table.hold()
    assert begun.wait(60)
    read_table.models.answer(read())
    read_table.laid.table.settle()
    assert read_table.is_shown
    answered.set()


def test_a_status_that_cannot_be_worked_out_is_logged(
    read_table: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, answered = threading.Event(), threading.Event()

    def hangs_at_slack(*args: object, **more: object) -> None:
        begun.set()
        assert answered.wait(WAIT_S_MAX)

    monkeypatch.setattr(SlackClient, "set_status", hangs_at_slack)
    with capture_logs() as logs:
        read_table.hold()
        assert begun.wait(WAIT_S_MAX)
        read_table.models.answer(read())
        read_table.laid.table.settle()
        database = read_table.laid.table.runtime.database
        assert write(database, "UPDATE steps SET doc = '[]' WHERE id = '01-01'")
        answered.set()
        wait_until(lambda: "reading-status.failed" in {line["event"] for line in logs})


def test_a_stop_waits_for_the_status_under_way(
    read_table: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, answered, statuses = threading.Event(), threading.Event(), list[str]()

    def hangs_at_slack(_client: object, _channel: str, _ts: str, status: str, **_: object) -> None:
        begun.set()
        assert answered.wait(WAIT_S_MAX)
        statuses.append(status)

    monkeypatch.setattr(SlackClient, "set_status", hangs_at_slack)
    read_table.hold()
    assert begun.wait(WAIT_S_MAX)
    stage = read_table.laid.table.stage
    assert isinstance(stage, HttpStage)
    stopping = threading.Thread(target=stage.stage.stop)
    stopping.start()
    answered.set()
    stopping.join(WAIT_S_MAX)
    assert statuses == ["is reading 1 answer"]


def test_a_refused_status_is_no_fault_and_is_not_tried_again(read_table: Read) -> None:
    read_table.laid.slack.refuse(STATUS_METHOD, "missing_scope")
    read_table.hold()
    wait_until(lambda: read_table.statuses)
    read_table.laid.table.pass_time(5.0)
    read_table.models.answer(read())
    read_table.laid.table.settle()
    # They are set one by one: what takes the line away comes behind whatever was tried again.
    wait_until(lambda: read_table.statuses[-1] == "")
    assert read_table.statuses == ["is reading 1 answer", ""]
    faults = read_table.laid.table.runtime.reader.faults(read_table.laid.table.id)
    assert [fault.code for fault in faults if fault.code.startswith("ERR-SLACK")] == []
