"""The bot of a play in this process: as it serves, in a thread. It cannot be killed, only ended."""

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bot.devtools.play import child
from bot.devtools.play.controls import Config
from bot.devtools.play.process import events_url, free_port, is_serving
from bot.devtools.workspace import LocalWorkspace
from bot.server.settings import Settings

START_S_MAX: Final = 60.0
POLL_S: Final = 0.005
EXIT_FAILED: Final = 1


@dataclass(slots=True)
class BotInProcess:
    """A `PlayedBot` for plays in which no kill matters: nothing is imported anew for it."""

    config: Config
    workspace: LocalWorkspace
    environment: dict[str, str]
    folder: Path
    _port: int = field(default=0, init=False)
    _stop: threading.Event = field(default_factory=threading.Event, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)
    _failure: BaseException | None = field(default=None, init=False)

    def launch(self) -> None:
        assert not self.config.counts, "a bot that may crash has a process of its own"
        assert self._thread is None
        self._port = free_port()
        if self.config.transport == "http":
            self.workspace.events_url = events_url(self._port)
        self._stop, self._failure = threading.Event(), None
        self._thread = threading.Thread(target=self._serve, name="bot")

    def begin(self) -> None:
        assert self._thread is not None
        self._thread.start()
        until = time.monotonic() + START_S_MAX
        while not is_serving(self.config, self.workspace, self._port):
            if not self._thread.is_alive():
                return
            assert time.monotonic() < until, "the bot does not start"
            time.sleep(POLL_S)

    def start(self) -> None:
        self.launch()
        self.begin()

    def exit_code(self) -> int | None:
        return None if self._thread is not None and self._thread.is_alive() else EXIT_FAILED

    def kill(self) -> None:
        if self._thread is not None and self._thread.ident is not None:
            self._stop.set()
            self._thread.join()
        self._thread = None

    def last_words(self) -> str:
        return str(self._failure)

    def _serve(self) -> None:
        given = self.environment | {"PORT": str(self._port)}
        try:
            child.serve(self.config, Settings.model_validate(given), self._stop)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the player is told why
            self._failure = error
