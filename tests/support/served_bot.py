"""The real bot on real Socket Mode against the local workspace, in one process, for single acts."""

import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.devtools.counted_pools import CountedPools
from bot.devtools.workspace import SCOPES_ALL, LocalWorkspace, WorkspaceMessage
from bot.devtools.workspace.blocks.table import controls as controls_in
from bot.server.composition import build
from bot.server.configuration.settings import Settings
from bot.server.roundtable import Roundtable
from bot.server.socket_mode import serve_socket
from core.domain.session.session import Session
from tests.support.serving import database_in, environment
from tests.support.waiting import WAIT_S_MAX, wait_until

ACK_S_MAX = 10.0  # Slack waits three seconds, which a busy machine may take
CHANNEL = "general"
ELSEWHERE = "elsewhere"
OUTSIDE = "outside"  # the bot was never invited


class Running:
    """The bot as it serves, until it is stopped."""

    def __init__(
        self, slack: LocalWorkspace, settings: Settings, *, away_s: float = 60.0, **parts: Any
    ) -> None:
        self.pools = CountedPools()
        self.table = build(settings, pool=self.pools, **parts)
        self._stop = threading.Event()
        self.table.start()
        self._serving = threading.Thread(
            target=serve_socket,
            args=(self.table.bolt, settings),
            kwargs={"stop": self._stop, "returned": self._read_back, "away_s": away_s},
        )
        self._returned = threading.Event()
        self._serving.start()
        assert slack.wait_connected(WAIT_S_MAX)
        assert self._returned.wait(WAIT_S_MAX)

    def _read_back(self) -> None:
        self.table.read_again()
        self._returned.set()

    def stop(self) -> None:
        self._stop.set()
        self._serving.join()
        self.table.stop()


@dataclass(slots=True)
class ServedBot:
    slack: LocalWorkspace
    running: Running
    start_again: Callable[[], Running]

    @property
    def table(self) -> Roundtable:
        return self.running.table

    def restart(self, *, hanging: int = 0) -> None:
        """Another process over the same database and folder, once this one has stopped."""
        self.running.stop()
        self.running = self.start_again()
        self.settle(hanging=hanging)

    def settle(self, *, hanging: int = 0) -> None:
        """Wait until nothing is under way on either side.

        `hanging`: how many brains say nothing and are not waited for.
        """
        wait_until(lambda: self._is_calm(hanging), "the bot does not come to rest")

    def _is_calm(self, hanging: int) -> bool:
        """True if between two looks nothing was under way, nothing began, and no row waited."""
        before = self._begun()
        if self._is_busy():
            return False
        pending = self.table.runtime.outbox.pending(self.table.clock.now())
        return pending <= hanging and not self._is_busy() and self._begun() == before

    def _is_busy(self) -> bool:
        is_idle = self.slack.idle() and self.running.pools.is_idle and self.table.read_back.is_idle
        return not is_idle

    def _begun(self) -> tuple[int, int, int]:
        """Counts that grow with whatever Slack and the bot do."""
        slack = self.slack
        return len(slack.deliveries), len(slack.calls), self.running.pools.submitted

    def settle_until(self, there: Callable[[], object]) -> None:
        """Wait until that is so, and nothing is under way any more."""
        self.wait_until(there)
        self.settle()

    @staticmethod
    def wait_until(there: Callable[[], object]) -> None:
        wait_until(there)

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

    @property
    def folder(self) -> Path:
        """Where the newest session of the channel keeps its files."""
        session = self.session()
        return self.table.settings.artifacts_dir / session.team / session.slug

    def say(
        self, text: str, *, by: str = "pm", thread: str | None = None, files: tuple[str, ...] = ()
    ) -> str:
        session = self.session()
        root = self.table.runtime.reader.thread(session.id, session.course.thread)
        assert root is not None
        ts = self.slack.say(by, CHANNEL, text, thread_ts=thread or root.ts, files=files)
        self.settle()
        return ts

    def message(self, ts: str) -> WorkspaceMessage:
        return next(each for each in self.slack.messages(CHANNEL) if each.ts == ts)

    def forward(self) -> None:
        session = self.session()
        menu = self.table.runtime.reader.menu(session.menus.current)  # type: ignore[arg-type]
        assert menu is not None
        for message in reversed(self.slack.messages(CHANNEL)):
            if any(menu.id == each.get("value") for each in controls(message)):
                self.slack.click("pm", CHANNEL, message.ts, f"menu:{menu.choices[0]}")
                self.settle()
                return
        raise AssertionError("no message shows the menu")


def controls(message: WorkspaceMessage) -> list[dict[str, str]]:
    """Everything in it that can be pressed."""
    return [element for _, element in controls_in(message.blocks)]


@contextmanager
def served_bot(
    folder: Path,
    *,
    operators: str | None = None,
    admins: Collection[str] = (),
    people: Sequence[str] = ("pm", "dev"),
    steps: Path | None = None,
    scopes: Collection[str] = SCOPES_ALL,
    page_token: str | None = None,
    distributed: bool = False,
    kind: str = "internal",
    **parts: Any,
) -> Iterator[ServedBot]:
    """`operators`: the channel that hears of what is fatal; `parts`: doubles, handed to `build`.

    `distributed`: what Slack lets the app read; `kind`: what the bot is told of that.
    """
    database_in(folder)
    channels = (CHANNEL, ELSEWHERE, OUTSIDE)
    with LocalWorkspace(
        people=people,
        channels=channels,
        bot_in=channels[:2],
        admins=tuple(admins),
        scopes=tuple(scopes),
        page_token=page_token,
        distributed=distributed,
        ack_seconds=ACK_S_MAX,
    ) as slack:
        settings = Settings.model_validate(
            environment(
                slack,
                folder,
                ROUNDTABLE_STEPS_DIR=str(steps) if steps else None,
                ROUNDTABLE_SLACK_APP=kind,
                ROUNDTABLE_OPERATORS_CHANNEL=slack.channel_id(operators) if operators else None,
            )
        )

        def start() -> Running:
            return Running(slack, settings, **parts)

        found = ServedBot(slack, start(), start)
        try:
            yield found
        finally:
            found.running.stop()
