"""Has threads read by one of several processes, and only after none took what Slack delivers.

For an app that Slack lets read next to nothing. A thread of its own says every few seconds that
this process is up. Whoever dies while it reads is followed by another, which begins anew.
"""

import threading
from dataclasses import dataclass, field
from typing import Final

import structlog

from core.ports import Clock
from core.runtime.read_back import ReadBack
from core.store.repository.presence import Presence

BEAT_S: Final = 15.0

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class ReadTurns:
    """`process`: the name of this one."""

    presence: Presence
    read_back: ReadBack
    clock: Clock
    process: str
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _thread: threading.Thread | None = None
    _missed: bool = False
    _stopped: bool = False

    def request(self) -> None:
        """Take turns from the first call on; at a later one, something was missed. Never blocks."""
        with self._changed:
            if self._thread is None:
                self.read_back.ended = self._ended
                self._thread = threading.Thread(target=self._run, name="read-turns", daemon=True)
                self._thread.start()
            else:
                self._missed = True
            self._changed.notify_all()

    def stop(self) -> None:
        """What is not read to the end is another's, or is read after the start."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stopped:
            try:
                self.look()
            except Exception:  # the database may be busy: it is looked at again
                log.warning("presence.unsaid", exc_info=True)
            until = self.clock.now() + BEAT_S
            with self._changed:
                while not (self._stopped or self._missed) and self.clock.now() < until:
                    self.clock.wait(self._changed, until)

    def look(self) -> None:
        """Say that this process is up, and have threads read if it is the one to do so."""
        missed, self._missed = self._missed, False
        is_ours = self.presence.note_up(self.process, self.clock.now(), missed=missed)
        if is_ours and (missed or self.read_back.is_idle):
            self.read_back.request()

    def _ended(self) -> None:
        self.presence.end(self.process)
