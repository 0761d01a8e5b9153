"""The bot's process as the player sees it: started, watched, killed, started again."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import bot
from bot.devtools.play.config import LOOPBACK, Config
from bot.devtools.workspace import LocalWorkspace

START_S_MAX: Final = 60.0
GONE_S_MAX: Final = 5.0
POLL_S: Final = 0.005
LOG_LINE_CHARS_MAX: Final = 300
_NOT_OURS: Final = ("SLACK_", "ROUNDTABLE_", "GUNICORN_")


class StoppedError(Exception):
    """The play cannot go on. Its text is one honest line."""


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
        port = _free_port()
        path = self.folder / "bot.json"
        self.config.write(path)
        self.lives += 1
        with self.log.open("ab") as log:
            self._child = subprocess.Popen(  # noqa: S603 - ourselves
                [sys.executable, "-P", "-m", "bot.devtools.play.child", str(path)],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=_environment() | self.environment | {"PORT": str(port)},
                start_new_session=True,  # Ctrl-C is the player's, and a kill takes all of it
            )
        if self.config.transport == "http":
            self.workspace.events_url = f"http://{LOOPBACK}:{port}/slack/events"
        self._port = port

    def begin(self) -> None:
        """Let it serve, and wait until it does."""
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
        if self.config.transport == "socket":
            return self.workspace.connections > 0
        connection = http.client.HTTPConnection(LOOPBACK, self._port, timeout=1)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == http.client.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


def _environment() -> dict[str, str]:
    """Ours without anything that belongs to another bot; our own package is found first."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(_NOT_OURS)}
    home = str(Path(bot.__file__).parents[1])
    path = os.pathsep.join(part for part in (home, kept.get("PYTHONPATH")) if part)
    return kept | {"PYTHONPATH": path}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port
