"""Reminders through the real bot: who is pinged, what they read, and what their click does."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from slack_sdk import WebClient

from bot.devtools.workspace import WorkspaceMessage
from tests.support.harness import small_tree
from tests.support.party_trouble import Hastened
from tests.support.served_bot import CHANNEL, ServedBot, controls, served_bot

DAY_S = 86_400.0


@dataclass(slots=True)
class Quiet:
    """A table at which time can pass."""

    served: ServedBot
    clock: Hastened

    def pass_time(self, seconds: float) -> None:
        self.clock.forward(seconds)
        self.served.settle()

    @property
    def reminders(self) -> list[WorkspaceMessage]:
        every = self.served.slack.messages(CHANNEL)
        return [each for each in every if "has been waiting for you" in each.plain]

    def press(self, message: WorkspaceMessage, choice: str, by: str) -> list[str]:
        before = len(self.served.slack.ephemerals)
        self.served.slack.click(by, CHANNEL, message.ts, f"menu:{choice}")
        self.served.settle()
        return [each.text for each in self.served.slack.ephemerals[before:] if each.to == by]

    def read(self, ts: str) -> str:
        return self.served.message(ts).plain


@pytest.fixture
def quiet(tmp_path: Path) -> Iterator[Quiet]:
    clock = Hastened()
    tree = small_tree(tmp_path / "steps")
    tree.step("01-requirements/01-a.md", title='"*First* <!channel> @dev"')
    with served_bot(tmp_path, steps=tree.root, clock=clock) as found:
        yield Quiet(found, clock)


def pings(table: ServedBot, since: int) -> list[Any]:
    return [each.what for each in table.slack.pings[since:]]


def test_only_the_awaited_are_pinged_and_see_what_it_is_about(quiet: Quiet) -> None:
    table = quiet.served
    table.start("Tests in Markdown")
    table.say("Because of the bank.", by="dev")
    before = len(table.slack.pings)
    quiet.pass_time(DAY_S + 1)
    (reminder,) = quiet.reminders
    assert pings(table, before) == ["@pm"]
    root = table.table.runtime.reader.thread(table.session().id, table.session().course.thread)
    assert root is not None
    assert (reminder.thread_ts, reminder.author) == (root.ts, "Maya Chen")
    first = reminder.plain.splitlines()[0]
    assert first.startswith("@pm: “*First* <!channel> @dev” has been waiting for you for 24 hours,")
    assert first.endswith(" UTC.")
    prompt = table.table.runtime.reader.post(table.session().id, "prompt:01-01:1")
    assert prompt is not None
    assert f"p{prompt.ts.replace('.', '')}" in str(reminder.blocks)
    labels = [each["text"]["text"] for each in controls(reminder)]  # type: ignore[index]
    assert labels == ["Tomorrow", "In three days", "Not again for this step"]


def test_a_click_puts_it_off_and_says_who_did(quiet: Quiet) -> None:
    table = quiet.served
    table.start("Tests in Markdown")
    quiet.pass_time(DAY_S + 1)
    (reminder,) = quiet.reminders
    told = quiet.press(reminder, "tomorrow", "dev")
    assert told == [
        "Only those who are asked here, or pm, who started this, can put a reminder off."
    ] or told == [
        "Only those who are asked here, or the person who started this, can put a reminder off."
    ]
    assert quiet.press(reminder, "three-days", "pm") == []
    assert quiet.read(reminder.ts) == (
        "I reminded you of “*First* <!channel> @dev” here. pm put it off for three days."
    )
    quiet.pass_time(2 * DAY_S)
    assert quiet.reminders == []
    quiet.pass_time(DAY_S)
    assert len(quiet.reminders) == 1


def test_an_answer_takes_its_buttons_away(quiet: Quiet) -> None:
    table = quiet.served
    table.start("Tests in Markdown")
    quiet.pass_time(DAY_S + 1)
    (reminder,) = quiet.reminders
    table.say("Because of the bank.")
    assert controls(table.message(reminder.ts)) == []
    assert quiet.read(reminder.ts) == "I reminded you of “*First* <!channel> @dev” here."


def test_a_thread_that_was_deleted_gets_no_reminder_and_no_noise(quiet: Quiet) -> None:
    table = quiet.served
    table.start("Tests in Markdown")
    reader, session = table.table.runtime.reader, table.session()
    root = reader.thread(session.id, session.course.thread)
    assert root is not None
    client = WebClient(table.slack.bot_token, base_url=table.slack.api_url)
    client.chat_delete(channel=table.slack.channel_id(CHANNEL), ts=root.ts)
    stood = [each.ts for each in table.slack.messages(CHANNEL)]
    for _ in range(3):
        quiet.pass_time(DAY_S + 1)
    assert [each.ts for each in table.slack.messages(CHANNEL)] == stood
    codes = [fault.code for fault in reader.faults(session.id)]
    assert codes.count("ERR-SLACK-002") == 1
    assert table.session().status == "asking"


def test_it_is_sent_once_though_the_bot_was_away_for_days(quiet: Quiet) -> None:
    table = quiet.served
    table.start("Tests in Markdown")
    table.running.stop()
    quiet.clock.forward(4 * DAY_S)
    table.running = table.start_again()
    table.settle()
    assert len(quiet.reminders) == 1
