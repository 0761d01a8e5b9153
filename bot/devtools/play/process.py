"""The bot's process as the player sees it: started, watched, killed, started again."""

import contextlib
import http.client
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import bot
from bot.devtools.play.controls import LOOPBACK, Controls, Transport
from bot.devtools.waiting import wait_until
from bot.devtools.workspace import LocalWorkspace

START_S_MAX: Final = 60.0
GONE_S_MAX: Final = 5.0
LOG_LINE_CHARS_MAX: Final = 300
_NOT_OURS: Final = ("SLACK_", "ROUNDTABLE_", "GUNICORN_", "OPENAI_", "ANTHROPIC_")


class StoppedError(Exception):
    """The play cannot go on. Its text is one honest line."""


@dataclass(slots=True)
class BotProcess:
    """The bot of a play: loaded, let serve, killed. Tests have it in other things than this."""

    controls: Controls
    transport: Transport
    workspace: LocalWorkspace
    environment: dict[str, str]
    folder: Path
    _child: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def log(self) -> Path:
        return self.folder / "bot.log"

    def launch(self) -> None:
        """Start the process; it waits for `begin` once it is loaded."""
        assert self._child is None
        self.controls.forget_port()
        self._child = self._begun(_environment() | self.environment)

    def _begun(self, environment: dict[str, str]) -> subprocess.Popen[bytes]:
        child = [sys.executable, "-P", "-m", "bot.devtools.play.child"]
        with self.log.open("ab") as log:
            return subprocess.Popen(  # noqa: S603 - ourselves
                [*child, str(self.controls.root), self.transport],
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
        # Whoever waits for calm finds out why it ended.
        if not wait_until(lambda: self._serves() or child.poll() is not None, START_S_MAX):
            raise StoppedError(f"the bot did not start within {START_S_MAX:g} s")
        self._send_events()

    def start(self) -> None:
        """Launch it and let it serve. Raises `StoppedError` if it takes too long."""
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
        wait_until(lambda: not self.workspace.connections, GONE_S_MAX)

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
        """True if the bot is connected, or answers on the port that it has named."""
        if self.transport == "socket":
            return self.workspace.connections > 0
        port = self.controls.port()
        return port is not None and _is_healthy(port)

    def _send_events(self) -> None:
        """In HTTP mode, have events sent to the port that the bot has named."""
        if self.transport == "http" and (port := self.controls.port()) is not None:
            self.workspace.events_url = f"http://{LOOPBACK}:{port}/slack/events"


def _is_healthy(port: int) -> bool:
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


BotFactory = Callable[[Controls, Transport, LocalWorkspace, dict[str, str], Path], BotProcess]
"""Makes the bot of a play from its controls, transport, workspace, environment and folder."""
