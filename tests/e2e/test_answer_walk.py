"""What one answer costs on its way through the real bot, counted by a profile of all its threads.

The bot runs as it serves: Socket Mode, its own threads, a real database; Slack is the local
workspace. Counted is what belongs to the product; the workspace does not.
"""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

import pytest

from bot.publish.render.messages import locate
from bot.publish.stage import SlackStage
from bot.web_api.client import SlackClient
from core.engine.decide import decide
from core.runtime.artifact_writer import ArtifactWriter
from core.runtime.brains.brain_runner import BrainRunner
from core.runtime.commit import Runtime
from core.runtime.intake_scan import scan_event
from core.store.connection.sqlite import SqliteDatabase
from core.store.repository.outbox import mark_attempt
from core.store.repository.transaction import Transaction
from tests.support.served_bot import CHANNEL, served_bot

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "explanation" / "architecture.md"
ANSWER: Final = (
    "Product managers print the dashboard every Monday for the board, and want charts and figures"
    " in one file."
)
COMMITS_MAX: Final = 6
LOADS_MAX: Final = 8
FILES_MAX: Final = 60  # on the way from the listener to the commit and to the post
BESIDE_THE_WAY: Final = (
    "core/artifacts/", "core/brains/", "core/characters.py", "core/clock.py", "core/domain/",
    "core/english.py", "core/logs.py", "core/patterns/", "core/secrets/", "core/taxonomy/",
    "bot/views/", "bot/server/outage.py", "bot/server/socket_mode.py",
)  # fmt: skip
"""What is asked on the way: values, the scripted brain, contents of files, looks of messages. And
the watch over the connection, which looks once in a while, and on a busy machine meanwhile."""
DECISIONS: Final = 3  # the answer, what the brain read, the files written


class Walk:
    """The calls made while it is `on`, by code."""

    def __init__(self) -> None:
        self.on = False
        self.calls: Counter[CodeType] = Counter()
        self.order: list[CodeType] = []

    def count(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and self.on:
            self.calls[frame.f_code] += 1
            self.order.append(frame.f_code)

    def of(self, function: Any) -> int:
        """How often a function was called."""
        return self.calls[function.__code__]

    def of_context(self, manager: Any) -> int:
        """How often a context manager was entered: its generator runs again to leave it."""
        return self.calls[manager.__wrapped__.__code__] // 2

    def order_of(self, *functions: Any) -> list[str]:
        """The names of these functions, in the order in which they were called."""
        codes = {function.__code__ for function in functions}
        return [code.co_name for code in self.order if code in codes]

    @property
    def files(self) -> set[str]:
        """The files of the product through which it went."""
        paths = (Path(code.co_filename) for code in self.calls)
        inside = {path.relative_to(ROOT).as_posix() for path in paths if path.is_relative_to(ROOT)}
        return {
            path for path in inside if path.startswith(("core/", "bot/")) and "devtools" not in path
        }


@contextmanager
def profiled() -> Iterator[Walk]:
    """The threads that begin inside are counted: all of the bot's, and not the test's own."""
    walk = Walk()
    threading.setprofile(walk.count)
    try:
        yield walk
    finally:
        threading.setprofile(None)  # type: ignore[arg-type]


@pytest.fixture
def walk(tmp_path: Path) -> Iterator[Walk]:
    """One answer, from its delivery to the menu and the painted card."""
    with profiled() as walk, served_bot(tmp_path) as table:
        session = table.start("Export dashboard as PDF")
        root = table.table.runtime.reader.thread(session.id, session.course.thread)
        assert root is not None
        walk.on = True
        table.slack.say("pm", CHANNEL, ANSWER, thread_ts=root.ts)
        table.settle()
        walk.on = False
        assert table.session().status == "choosing"
        yield walk


def test_an_answer_costs_three_decisions_and_few_commits_and_loads(walk: Walk) -> None:
    assert walk.of(decide) == DECISIONS
    assert walk.of_context(SqliteDatabase.write) <= COMMITS_MAX
    assert walk.of(Transaction._load) <= LOADS_MAX


def test_the_calls_come_in_the_order_that_the_page_draws(walk: Walk) -> None:
    order = walk.order_of(
        Runtime.handle, scan_event, decide, BrainRunner.read, Runtime.apply, ArtifactWriter.write,
        SlackStage.prepare, mark_attempt, SlackClient.post, SlackClient.update, SlackClient.react,
    )  # fmt: skip
    assert without_edits(order) == drawn_calls(PAGE.read_text())


def without_edits(order: list[str]) -> list[str]:
    """The calls without reactions and edits of the card, which may come at any moment."""
    prepared = iter([name for name in order if name in ("post", "react", "update")])
    sent = (name if name != "prepare" else f"prepare {next(prepared)}" for name in order)
    return [name.removesuffix(" post") for name in sent if not name.endswith(("update", "react"))]


def drawn_calls(page: str) -> list[str]:
    """The functions that the walk's diagram names, from top to bottom."""
    diagram = page.partition("sequenceDiagram")[2].partition("```")[0]
    return [word.removesuffix("()") for word in diagram.split() if word.endswith("()")]


def test_every_message_is_planned_once_and_every_post_marked_before_it_is_sent(walk: Walk) -> None:
    assert walk.of(locate) == walk.of(SlackClient.post) + walk.of(SlackClient.update)
    assert walk.order_of(mark_attempt, SlackClient.post) == ["mark_attempt", "post"]


def test_the_way_of_an_answer_leads_through_few_files(walk: Walk) -> None:
    way = sorted(path for path in walk.files if not path.startswith(BESIDE_THE_WAY))
    assert len(way) <= FILES_MAX, way
