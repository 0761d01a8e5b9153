"""The real bot on real Socket Mode against the local workspace, in one process, for single acts."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.app import Roundtable, build
from bot.local import LocalWorkspace, Message
from bot.serve import serve_socket
from bot.settings import Settings
from core.domain.session import Session
from core.store.migrate import upgrade

IDLE_S_MAX = 20.0
CHANNEL = "general"
ELSEWHERE = "elsewhere"
OUTSIDE = "outside"  # the bot was never invited


@dataclass(slots=True)
class Desk:
    slack: LocalWorkspace
    table: Roundtable

    def settle(self) -> None:
        """Until nothing is under way on either side, twice in a row."""
        until, calm = time.monotonic() + IDLE_S_MAX, 0
        while time.monotonic() < until:
            busy = not self.slack.idle() or self.table.runtime.outbox.pending(time.time())
            calm = 0 if busy else calm + 1
            if calm == 3:
                return
            threading.Event().wait(0.01)
        raise AssertionError("the bot does not come to rest")

    def command(self, line: str, *, by: str = "pm", channel: str = CHANNEL) -> list[str]:
        """Type a command; what that person alone was told since."""
        before = len(self.slack.ephemerals)
        self.slack.command(by, channel, line)
        self.settle()
        return [each.text for each in self.slack.ephemerals[before:] if each.to == by]

    def start(self, title: str, channel: str = CHANNEL) -> Session:
        self.command(f"/roundtable analyze {title}", channel=channel)
        return self.session(channel)

    def session(self, channel: str = CHANNEL) -> Session:
        reader = self.table.runtime.reader
        found = reader.channel_sessions(
            self.table.workspace.team,
            self.slack.channel_id(channel),  # type: ignore[arg-type]
        )
        return reader.load(found[0].id)

    def say(
        self, text: str, *, by: str = "pm", thread: str | None = None, files: tuple[str, ...] = ()
    ) -> str:
        session = self.session()
        root = self.table.runtime.reader.thread(session.id, session.voice)
        assert root is not None
        ts = self.slack.say(by, CHANNEL, text, thread_ts=thread or root.ts, files=files)
        self.settle()
        return ts

    def message(self, ts: str) -> Message:
        return next(each for each in self.slack.messages(CHANNEL) if each.ts == ts)

    def forward(self) -> None:
        session = self.session()
        menu = self.table.runtime.reader.menu(session.menu)  # type: ignore[arg-type]
        assert menu is not None
        for message in reversed(self.slack.messages(CHANNEL)):
            if any(menu.id == each.get("value") for each in controls(message)):
                self.slack.click("pm", CHANNEL, message.ts, f"menu:{menu.choices[0]}")
                self.settle()
                return
        raise AssertionError("no message shows the menu")


def controls(message: Message) -> list[dict[str, str]]:
    """Everything in its rows that can be pressed."""
    rows = [block["elements"] for block in message.blocks if block["type"] == "actions"]
    return [element for row in rows for element in row]


@contextmanager
def desk(folder: Path) -> Iterator[Desk]:
    url = f"sqlite:///{folder}/roundtable.db"
    upgrade(url)
    channels = (CHANNEL, ELSEWHERE, OUTSIDE)
    with LocalWorkspace(people=["pm", "dev"], channels=channels, bot_in=channels[:2]) as slack:
        settings = Settings.model_validate(
            {
                "SLACK_BOT_TOKEN": slack.bot_token,
                "SLACK_APP_TOKEN": slack.app_token,
                "SLACK_API_URL": slack.api_url,
                "ROUNDTABLE_DATABASE_URL": url,
                "ROUNDTABLE_ARTIFACTS_DIR": str(folder / "artifacts"),
                "ROUNDTABLE_PACE_SECONDS": "0",
                "ROUNDTABLE_QUIET_SECONDS": "0",
            }
        )
        table, stop = build(settings), threading.Event()
        table.start()
        serving = threading.Thread(
            target=serve_socket, args=(table.bolt, settings), kwargs={"stop": stop}
        )
        serving.start()
        try:
            assert slack.wait_connected(10)
            yield Desk(slack, table)
        finally:
            stop.set()
            serving.join()
            table.stop()
