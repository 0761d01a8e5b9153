"""Answers made to be slow to read: what they cost, and that the bot goes on serving meanwhile."""

import string
import time
from pathlib import Path

import pytest

from tests.e2e.desk import CHANNEL, Desk, desk
from tests.table import small_tree

ANSWER_CHARS_MAX = 40_000  # as long as Slack lets a message be
ANSWERS = 40
PROCESSOR_S_MAX = 3.0
ACKNOWLEDGED = "ack"
# Each mark of ASCII, and what else people type: one answer of each is 40,000 times the same.
SIGNS = [*string.punctuation, " ", "0", "a", "…", "。", "“", "’", "•"][:ANSWERS]


def click_catch_up(table: Desk) -> None:
    """A click that changes nothing of the session."""
    card = table.slack.messages(CHANNEL)[0]
    table.slack.click("pm", CHANNEL, card.ts, "card:catchup")


@pytest.mark.slow
def test_forty_answers_of_one_sign_cost_little_and_clicks_are_acknowledged_meanwhile(
    tmp_path: Path,
) -> None:
    assert len(SIGNS) == ANSWERS
    tree = small_tree(tmp_path / "steps")
    with desk(tmp_path, steps=tree.root) as table:
        table.start("Exports")
        session = table.session()
        root = table.table.runtime.reader.thread(session.id, session.voice)
        assert root is not None
        begun = time.process_time()
        for number, sign in enumerate(SIGNS):
            table.slack.say("pm", CHANNEL, sign * ANSWER_CHARS_MAX, thread_ts=root.ts)
            if number % 8 == 7:
                click_catch_up(table)
        table.settle()
        spent = time.process_time() - begun
        assert {each.status for each in table.slack.deliveries} == {ACKNOWLEDGED}
        assert spent < PROCESSOR_S_MAX, f"{spent:.1f} s of processor time"
