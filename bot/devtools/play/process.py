"""The bot's process as the player sees it: started, watched, killed, started again."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

import bot
from bot.devtools.play.controls import LOOPBACK, Config
from bot.devtools.workspace import LocalWorkspace

START_S_MAX: Final = 60.0
GONE_S_MAX: Final = 5.0
POLL_S: Final = 0.005
LOG_LINE_CHARS_MAX: Final = 300
_NOT_OURS: Final = ("SLACK_", "ROUNDTABLE_", "GUNICORN_")


class StoppedError(Exception):
    """The play cannot go on. Its text is one honest line."""


class PlayedBot(Protocol):
    """The bot of a play, in whatever it runs."""

    def launch(self) -> None:
        """Begin to load it; it waits for `begin`."""

    def begin(self) -> None:
        """Let it serve, and wait until it does. Raises `StoppedError`."""

    def start(self) -> None:
        """Launch it and let it serve. Raises `StoppedError`."""

    def exit_code(self) -> int | None:
        """None while it runs."""

    def kill(self) -> None:
        """End it."""

    def last_words(self) -> str:
        """Why it ended, in one line."""


BotFactory = Callable[[Config, LocalWorkspace, dict[str, str], Path], PlayedBot]
"""Makes the bot of a play from its config, workspace, environment and folder."""


@dataclass(slots=True)
class BotProcess:
    config: Config
    workspace: LocalWorkspace
    environment: dict[str, str]
    folder: Path
    lives: int = 0
    _child: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _port: int = field(default=0, init=False)

    @property
    def log(self) -> Path:
        return self.folder / "bot.log"

    def launch(self) -> None:
        """Start the process; it waits for `begin` once it is loaded."""
        assert self._child is None
        port = free_port()
        path = self.folder / "bot.json"
        self.config.write(path)
        self.lives += 1
        self._child = self._begun(path, _environment() | self.environment | {"PORT": str(port)})
        if self.config.transport == "http":
            self.workspace.events_url = events_url(port)
        self._port = port

    def _begun(self, config: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            return subprocess.Popen(  # noqa: S603 - ourselves
                [sys.executable, "-P", "-m", "bot.devtools.play.child", str(config)],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=environment,
                start_new_session=True,  # Ctrl-C is the player's, and a kill takes all of it
            )

    def begin(self) -> None:
        """Let it serve, and wait until it does. Raises `StoppedError` if it takes too long."""
        child = self._running()
        assert child.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            child.stdin.write(b"go\n")
            child.stdin.flush()
        until = time.monotonic() + START_S_MAX
        while not self._serves():
            if child.poll() is not None:
                return  # whoever waits for calm finds out why
            if time.monotonic() > until:
                raise StoppedError(f"the bot did not start within {START_S_MAX:g} s")
            time.sleep(POLL_S)

    def start(self) -> None:
        self.launch()
        self.begin()

    def exit_code(self) -> int | None:
        """None while it runs."""
        return self._running().poll()

    def kill(self) -> None:
        """SIGKILL, to all of it: what counts is in the database, and takes no leave-taking."""
        child = self._child
        if child is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        self._child = None
        if child.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                child.stdin.close()
        # A connection of the dead must not be taken for one of the living.
        until = time.monotonic() + GONE_S_MAX
        while self.workspace.connections and time.monotonic() < until:
            time.sleep(POLL_S)

    def last_words(self) -> str:
        """The end of its log, which holds none of people's words."""
        lines = (
            self.log.read_text(errors="replace").strip().splitlines() if self.log.exists() else []
        )
        return lines[-1][:LOG_LINE_CHARS_MAX] if lines else "it said nothing"

    def _running(self) -> subprocess.Popen[bytes]:
        assert self._child is not None, "the bot is not started"
        return self._child

    def _serves(self) -> bool:
        return is_serving(self.config, self.workspace, self._port)


def is_serving(config: Config, workspace: LocalWorkspace, port: int) -> bool:
    """True if the bot is connected, or answers on its port."""
    if config.transport == "socket":
        return workspace.connections > 0
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=1)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _environment() -> dict[str, str]:
    """Ours without anything that belongs to another bot; our own package is found first."""
    variables = {key: value for key, value in os.environ.items() if not key.startswith(_NOT_OURS)}
    home = str(Path(bot.__file__).parents[1])
    path = os.pathsep.join(part for part in (home, variables.get("PYTHONPATH")) if part)
    return variables | {"PYTHONPATH": path}


def events_url(port: int) -> str:
    """Where the bot takes events in HTTP mode."""
    return f"http://{LOOPBACK}:{port}/slack/events"


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port
