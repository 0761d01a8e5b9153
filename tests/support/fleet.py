"""Several processes of the bot on one PostgreSQL, as in service: two that accept, two that perform.

A router in front hands each request to the next process that accepts, and on to another one where
nobody listens, as routers do.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Final, TypeVar

from bot.devtools.workspace import LocalWorkspace
from bot.devtools.workspace.blocks.table import controls
from bot.server.http_server import listen
from core.domain.ids import ChannelId, SessionId, TeamId
from core.domain.session.session import Session
from core.store.connection.database import DatabaseError, StoreError
from core.store.connection.opening import open_database
from core.store.queries.reader import Reader
from core.store.repository.outbox import Outbox
from tests.chaos.skeleton import grow
from tests.support.postgres import Server
from tests.support.serving import bare_environment, environment
from tests.support.waiting import wait_until

LOOPBACK: Final = "127.0.0.1"
ROOT: Final = Path(__file__).parents[2]
CALL_S_MAX: Final = 20.0
Looked = TypeVar("Looked")


class Router(ThreadingHTTPServer):
    """Slack's side of it. `ports` are those of processes that accept."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__((LOOPBACK, 0), _Forwarding)
        self.ports: list[int] = []
        self.twice = False  # every event goes to two processes at once
        self._turns = count()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.server_address[1]}/slack/events"

    def in_turn(self) -> list[int]:
        """The ports, another one first each time."""
        first = next(self._turns) % len(self.ports)
        return self.ports[first:] + self.ports[:first]

    def close(self) -> None:
        self.shutdown()
        self.server_close()
        self._thread.join()


class _Forwarding(BaseHTTPRequestHandler):
    server: Router

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        ports = self.server.in_turn()
        if self.server.twice and body.startswith(b"{"):
            second = threading.Thread(target=self._forward, args=(ports[-1:], body))
            second.start()
            status, answer, kind = self._forward(ports[:1], body)
            second.join()
        else:
            status, answer, kind = self._forward(ports, body)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def _forward(self, ports: list[int], body: bytes) -> tuple[int, bytes, str]:
        for port in ports:
            connection = HTTPConnection(LOOPBACK, port, timeout=CALL_S_MAX)
            with suppress(ConnectionRefusedError):
                connection.connect()
                return self._asked(connection, body)
        return 502, b"", "text/plain"

    def _asked(self, connection: HTTPConnection, body: bytes) -> tuple[int, bytes, str]:
        try:
            connection.request("POST", "/slack/events", body, dict(self.headers.items()))
            response = connection.getresponse()
            return (
                response.status,
                response.read(),
                response.headers.get("Content-Type", "text/plain"),
            )
        except (OSError, HTTPException):  # it was killed meanwhile
            return 502, b"", "text/plain"
        finally:
            connection.close()

    def log_message(self, *_: object) -> None:
        """Nothing."""


@dataclass(slots=True)
class Member:
    """One process: started, killed, suspended, started again."""

    arguments: tuple[str, ...]
    port: int
    environment: Mapping[str, str]
    log: Path
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "bot", *self.arguments, "--port", str(self.port)],
                env=dict(self.environment),
                stdout=log,
                stderr=log,
            )

    def is_ready(self) -> bool:
        connection = HTTPConnection(LOOPBACK, self.port, timeout=CALL_S_MAX)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def wait_ready(self) -> None:
        wait_until(self.is_ready, f"{self.arguments} is not ready: {self.log}")

    def send(self, number: signal.Signals) -> None:
        assert self.process is not None
        os.kill(self.process.pid, number)

    def kill(self) -> None:
        self.send(signal.SIGKILL)
        self.wait()

    def wait(self) -> int:
        assert self.process is not None
        return self.process.wait(CALL_S_MAX)


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
        session = self.session(channel)
        prompt = f"prompt:{session.course.step}"
        wait_until(responding(lambda: self.reader.last_post(session.id, prompt)))
        find = responding(lambda: self.reader.thread(session.id, session.course.thread))
        self.slack.say(by, channel, text, thread_ts=wait_until(find).ts)

    def wait_for(self, channel: str, status: str) -> None:
        wait_until(
            lambda: self.session(channel).status == status,
            f"{channel} never came to {status}",
        )

    def go_on(self, channel: str) -> None:
        """Press the first button of the open menu until the session has moved."""
        menu = wait_until(lambda: self.session(channel).menus.current)

        def moved() -> bool:
            self._press(channel, menu)
            self.slack.wait_idle(CALL_S_MAX)
            return self.session(channel).menus.current != menu

        wait_until(responding(moved))

    def _press(self, channel: str, menu: str) -> None:
        opened = self.reader.menu(menu)  # type: ignore[arg-type]
        assert opened is not None
        for message in reversed(self.slack.messages(channel)):
            if any(menu == one.get("value") for _, one in controls(message.blocks)):
                self.slack.click("pm", channel, message.ts, f"menu:{opened.choices[0]}")
                return

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


def free_port() -> int:
    with listen(LOOPBACK, 0) as free:
        return int(free.getsockname()[1])


@contextmanager
def fleet(
    server: Server,
    folder: Path,
    *,
    channels: tuple[str, ...] = ("general",),
    webs: int = 2,
    workers: int = 2,
    **settings: str,
) -> Iterator[Fleet]:
    """Processes that serve until the end of the block. Each writes what it logs into `folder`."""
    url, router = server.database(), Router()
    with LocalWorkspace(
        people=["pm", "dev"],
        channels=channels,
        events_url=router.url,
        ack_seconds=CALL_S_MAX,
        retry_delays=(0.2,) * 50,
    ) as slack:
        ours = environment(
            slack,
            folder,
            ROUNDTABLE_DATABASE_URL=url,
            ROUNDTABLE_STEPS_DIR=str(grow(folder / "steps")),
            **{"ROUNDTABLE_LOG_LEVEL": "warning", **settings},
        )
        process = {**bare_environment(), "PYTHONPATH": str(ROOT), **ours}

        def member(number: int, *arguments: str) -> Member:
            return Member(arguments, free_port(), process, folder / f"{arguments[0]}-{number}.log")

        database = open_database(url)
        members = Fleet(
            slack,
            router,
            [member(number, "serve", "--http") for number in range(webs)],
            [member(number, "worker") for number in range(workers)],
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
