"""The bot of a play in this process: as it serves, in a thread. It cannot be killed, only ended."""

import threading
from dataclasses import dataclass, field
from typing import Final

from bot.devtools.play import child
from bot.devtools.play.process import BotProcess
from bot.devtools.waiting import wait_until
from bot.server.configuration.settings import Settings

START_S_MAX: Final = 60.0
EXIT_FAILED: Final = 1


@dataclass(slots=True)
class BotInProcess(BotProcess):
    """For plays in which no kill matters: nothing is imported anew for it."""

    _stop: threading.Event = field(default_factory=threading.Event, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)
    _failure: BaseException | None = field(default=None, init=False)

    def launch(self) -> None:
        assert self._thread is None
        self.controls.forget_port()
        self._stop, self._failure = threading.Event(), None
        self._thread = threading.Thread(target=self._serve, name="bot")

    def begin(self) -> None:
        assert self._thread is not None
        self._thread.start()
        assert wait_until(self._serves_or_ended, START_S_MAX), "the bot does not start"
        self._send_events()

    def _serves_or_ended(self) -> bool:
        return self._serves() or self.exit_code() is not None

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
        settings = Settings.model_validate(self.environment)
        try:
            child.serve(self.controls, self.transport, settings, self._stop)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the player is told why
            self._failure = error
