"""Several processes of the bot on one PostgreSQL, as in service: two that accept, two that perform.

A router is in front: see `tests.support.fleet_router`.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from bot.devtools.workspace import LocalWorkspace
from bot.devtools.workspace.blocks.table import controls
from core.domain.ids import ChannelId, SessionId, TeamId
from core.domain.session.session import Session
from core.store.connection.database import DatabaseError, StoreError
from core.store.connection.opening import open_database
from core.store.queries.reader import Reader
from core.store.repository.outbox import Outbox
from tests.chaos.skeleton import grow
from tests.support.crash_points import CrashPlan
from tests.support.fleet_member import Member
from tests.support.fleet_router import CALL_S_MAX, Router
from tests.support.ports import free_port
from tests.support.postgres import Server
from tests.support.serving import bare_environment, environment
from tests.support.waiting import wait_until as wait_closely

LOOK_S: Final = 0.03  # what many look for at once would keep the server busy
Looked = TypeVar("Looked")
wait_until = partial(wait_closely, poll_s=LOOK_S)


@dataclass(slots=True)
class Fleet:
    slack: LocalWorkspace
    router: Router
    webs: list[Member]
    workers: list[Member]
    reader: Reader
    outbox: Outbox
    team: TeamId

    @property
    def members(self) -> list[Member]:
        """Each kind in turn."""
        return [one for pair in zip(self.webs, self.workers, strict=True) for one in pair]

    def sessions(self, channel: str) -> list[SessionId]:
        listed = self.reader.channel_sessions(self.team, ChannelId(self.slack.channel_id(channel)))
        return [one.id for one in listed]

    def session(self, channel: str) -> Session:
        """The channel's session, as soon as the server responds."""
        return wait_until(responding(lambda: self.reader.load(self.sessions(channel)[0])))

    def start(self, channel: str, title: str = "Export dashboard") -> None:
        """Begin a session there, and ask again where the process died with the command."""

        def begun() -> bool:
            if not self.sessions(channel):
                self.slack.command("pm", channel, f"/roundtable analyze {title}")
                self.slack.wait_idle(CALL_S_MAX)
            return bool(self.sessions(channel))

        wait_until(responding(begun))

    def say(self, channel: str, text: str, by: str = "pm") -> None:
        """Answer the question that is open in that channel's session."""
        self.slack.say(by, channel, text, thread_ts=self.thread(channel))

    def thread(self, channel: str) -> str:
        """Where the open question is answered, once it stands there."""
        session = self.session(channel)
        prompt = f"prompt:{session.course.step}"
        wait_until(responding(lambda: self.reader.last_post(session.id, prompt)))
        find = responding(lambda: self.reader.thread(session.id, session.course.thread))
        return wait_until(find).ts

    def wait_for(self, channel: str, status: str) -> None:
        wait_until(
            lambda: self.session(channel).status == status,
            f"{channel} never came to {status}",
        )

    def go_on(self, channel: str) -> None:
        """Press the first button of the open menu until the session has moved."""
        menu = wait_until(lambda: self.session(channel).menus.current)

        def moved() -> bool:
            self.press(channel, menu)
            self.slack.wait_idle(CALL_S_MAX)
            return self.session(channel).menus.current != menu

        wait_until(responding(moved))

    def press(self, channel: str, menu: str) -> None:
        """Press the first button of that menu, if it stands there."""
        if button := self.button(channel, menu):
            self.slack.click("pm", channel, *button)

    def button(self, channel: str, menu: str) -> tuple[str, str] | None:
        """The first button of that menu: its message, and which it is."""
        opened = self.reader.menu(menu)  # type: ignore[arg-type]
        assert opened is not None
        for message in reversed(self.slack.messages(channel)):
            if any(menu == one.get("value") for _, one in controls(message.blocks)):
                return message.ts, f"menu:{opened.choices[0]}"
        return None

    def is_calm(self) -> bool:
        """True if nothing is on its way, and nothing is to be done within a minute."""
        return self.slack.idle() and not self.outbox.pending(time.time() + 60.0)

    def doubled_posts(self, channel: str) -> list[str]:
        """Messages of ours that stand there twice, by the ids that each carries."""
        marks = [str(one.metadata) for one in self.slack.messages(channel) if one.metadata]
        return [mark for mark in marks if marks.count(mark) > 1]


def responding(look: Callable[[], Looked]) -> Callable[[], Looked | None]:
    """None where the server does not respond: somebody else may have stopped it."""

    def looked() -> Looked | None:
        try:
            return look()
        except (DatabaseError, StoreError):
            return None

    return looked


@contextmanager
def fleet(
    server: Server,
    folder: Path,
    *,
    channels: tuple[str, ...] = ("general",),
    webs: int = 2,
    workers: int = 2,
    ack_s: float = CALL_S_MAX,
    plan: CrashPlan | None = None,
    web_options: tuple[str, ...] = (),
    **settings: str,
) -> Iterator[Fleet]:
    """Processes that serve until the end of the block. Each writes what it logs into `folder`."""
    url, router = server.database(), Router()
    with LocalWorkspace(
        people=["pm", "dev"],
        channels=channels,
        events_url=router.url,
        ack_seconds=ack_s,
        retry_delays=(0.2,) * 400,  # for longer than anything is away
    ) as slack:
        ours = environment(
            slack,
            folder,
            ROUNDTABLE_DATABASE_URL=url,
            ROUNDTABLE_STEPS_DIR=str(grow(folder / "steps")),
            **{"ROUNDTABLE_LOG_LEVEL": "warning", **settings},
        )
        process = {**bare_environment(), **ours}

        def made(number: int, *arguments: str) -> Member:
            log = folder / f"{arguments[0]}-{number}.log"
            return Member(arguments, free_port(), process, log, plan)

        database = open_database(url)
        members = Fleet(
            slack,
            router,
            [made(number, "serve", "--http", *web_options) for number in range(webs)],
            [made(number, "worker") for number in range(workers)],
            Reader(database),
            Outbox(database),
            TeamId(slack.team_id),
        )
        router.ports = [web.port for web in members.webs]
        everybody = [*members.webs, *members.workers]
        try:
            for one in everybody:
                one.start()
            for one in everybody:
                one.wait_ready()
            yield members
        finally:
            for one in everybody:
                with suppress(ProcessLookupError):
                    one.kill()
            database.close()
            router.close()
