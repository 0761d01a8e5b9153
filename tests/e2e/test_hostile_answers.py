"""Answers made to be slow to read: what they cost the bot, and that it serves meanwhile.

The bot is a process of its own: its processor time is counted, the local workspace's is not.
"""

import os
import signal
import string
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.devtools.workspace import LocalWorkspace
from core.domain.ids import ChannelId, TeamId
from core.domain.session.session import Session
from core.store.connection.sqlite import SqliteDatabase
from core.store.queries.reader import Reader
from core.store.repository.outbox import Outbox
from tests.support.harness import small_tree
from tests.support.served_bot import CHANNEL
from tests.support.serving import database_in, environment
from tests.support.waiting import wait_until
from tests.test_package import ROOT, bare

ANSWER_CHARS_MAX = 40_000  # as long as Slack lets a message be
ANSWERS = 40
ANSWERS_PER_CLICK = 8
PROCESSOR_S_MAX = 3.0
ACKNOWLEDGED = "ack"
ACKNOWLEDGED_S_MAX = 3.0  # Slack's own: later, it says that the app did not respond
STOPPED_S_MAX = 20.0
CALM_LOOKS = 3
# Each mark of ASCII, and what else people type: one answer of each is 40,000 times the same.
SIGNS = [*string.punctuation, " ", "0", "a", "…", "。", "“", "’", "•"][:ANSWERS]
NO_ANSWERS = {"/", " "}  # an aside, and nothing


@dataclass(frozen=True, slots=True)
class Bot:
    slack: LocalWorkspace
    process: subprocess.Popen[bytes]
    database: SqliteDatabase

    @property
    def reader(self) -> Reader:
        return Reader(self.database)

    def start_session(self, title: str) -> Session:
        self.slack.command("pm", CHANNEL, f"/roundtable analyze {title}")
        self.settle()
        channel = ChannelId(self.slack.channel_id(CHANNEL))
        found = self.reader.channel_sessions(TeamId(self.slack.team_id), channel)
        return self.reader.load(found[0].id)

    def is_busy(self) -> bool:
        return not self.slack.idle() or Outbox(self.database).pending(time.time()) > 0

    def settle(self) -> None:
        """Until nothing is under way on either side, some looks in a row."""
        calm = 0

        def is_calm() -> bool:
            nonlocal calm
            calm = 0 if self.is_busy() else calm + 1
            return calm >= CALM_LOOKS

        wait_until(is_calm, "the bot does not come to rest")

    def processor_s(self) -> float:
        """User and system time of the bot's process so far, by proc_pid_stat(5)."""
        behind_name = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2]
        user, system = map(int, behind_name.split()[11:13])
        return (user + system) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(folder: Path, steps: Path) -> Iterator[Bot]:
    url = database_in(folder)
    with LocalWorkspace(people=["pm"], channels=[CHANNEL], retry_delays=()) as slack:
        env = bare(
            **environment(slack, folder, ROUNDTABLE_STEPS_DIR=str(steps)), PYTHONPATH=str(ROOT)
        )
        serve = [sys.executable, "-P", "-m", "bot", "serve", "--socket"]
        with subprocess.Popen(serve, env=env, cwd=folder) as process:
            try:
                assert slack.wait_connected(STOPPED_S_MAX)
                with closing(SqliteDatabase(url)) as database:
                    yield Bot(slack, process, database)
            finally:
                process.send_signal(signal.SIGTERM)
            assert process.wait(STOPPED_S_MAX) == 0


@pytest.mark.slow
def test_forty_answers_of_one_sign_cost_little_and_clicks_are_acknowledged_meanwhile(
    tmp_path: Path,
) -> None:
    assert len(SIGNS) == ANSWERS
    with serving(tmp_path, small_tree(tmp_path / "steps").root) as bot:
        session = bot.start_session("Exports")
        root = bot.reader.thread(session.id, session.course.thread)
        assert root is not None
        card = bot.slack.messages(CHANNEL)[0]
        before = bot.processor_s()
        busy: list[bool] = []
        for number, sign in enumerate(SIGNS, start=1):
            bot.slack.say("pm", CHANNEL, sign * ANSWER_CHARS_MAX, thread_ts=root.ts)
            if number % ANSWERS_PER_CLICK == 0:
                busy.append(bot.is_busy())
                bot.slack.click("pm", CHANNEL, card.ts, "card:catchup")
        bot.settle()
        spent = bot.processor_s() - before
        assert {answer.text[0] for answer in bot.reader.answers(session.id)} == {
            *SIGNS
        } - NO_ANSWERS
    deliveries = bot.slack.deliveries
    clicks = [delivery for delivery in deliveries if delivery.kind == "interactive"]
    assert any(busy)  # the clicks came meanwhile
    assert len(clicks) == ANSWERS // ANSWERS_PER_CLICK
    assert {delivery.status for delivery in deliveries} == {ACKNOWLEDGED}
    assert max(click.seconds for click in clicks) < ACKNOWLEDGED_S_MAX
    assert spent < PROCESSOR_S_MAX, f"{spent:.1f} s of processor time"
