"""Keeps installations: takes a token away where the app was uninstalled, all the rest after days.

A thread of its own looks once a minute which workspaces are over, takes up what waits in one that
can be served again, and says which keys this process has, so that none is taken away that it needs.
"""

import os
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import structlog

from core.artifacts.files.folder import Folder, WriteFailed
from core.artifacts.files.state import TeamError, Teams
from core.domain.ids import SessionId, TeamId
from core.ports import Clock
from core.store.repository.installations import Installations

DAY_S: Final = 86_400.0
LOOK_EVERY_S: Final = 60.0
STOP_S_MAX: Final = 5.0  # for a question to Slack that is under way

log = structlog.get_logger(__name__)


def process_name() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


@dataclass(slots=True)
class InstallationKeeper:
    """`kept_s`: how long all that belongs to a workspace outlasts its token.

    `is_served` asks Slack, where a key of this process opens its token. `wake`: for what waited.
    """

    installations: Installations
    folder: Folder
    teams: Teams
    clock: Clock
    kept_s: float
    key_names: tuple[str, ...]
    is_served: Callable[[TeamId], bool] = lambda _team: False
    wake: Callable[[SessionId], None] = lambda _session: None
    process: str = field(default_factory=process_name)
    _wanted: threading.Event = field(default_factory=threading.Event)
    _stopped: bool = False
    _thread: threading.Thread | None = None

    def uninstalled(self, team: TeamId, happened_at: int) -> None:
        """Slack says that the app was uninstalled at that second, as Slack's clock has it.

        Raises what was not committed.
        """
        if self.installations.remove(team, happened_at=happened_at, at=self.clock.now()):
            log.warning("workspace.uninstalled", team=team)
            self._wanted.set()

    def start(self) -> None:
        self.look()
        self._thread = threading.Thread(target=self._run, name="installations", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopped = True
        self._wanted.set()
        if self._thread is not None:
            self._thread.join(STOP_S_MAX)
        self.installations.let_go_of_keys(self.process)

    def _run(self) -> None:
        while not self._stopped:
            try:
                self.look()
                self.take_up()
            except Exception:  # the database may be busy: it is looked at again
                log.error("installations.unkept", exc_info=True)
            self._wanted.wait(LOOK_EVERY_S)
            self._wanted.clear()

    def look(self) -> None:
        """Say which keys are here; delete what is kept of workspaces that are over.

        One whose files cannot be removed is logged, and tried again at the next look.
        """
        now = self.clock.now()
        self.installations.hold_keys(self.process, self.key_names, at=now)
        for installation in self.installations.all():
            gone_at = installation.uninstalled_at
            if gone_at is not None and now - gone_at >= self.kept_s:
                try:
                    self.erase(installation.team)
                except (WriteFailed, TeamError):
                    log.error("workspace.not-erased", team=installation.team, exc_info=True)

    def take_up(self) -> None:
        """Give what was parked another try in workspaces that can be served again. Calls Slack."""
        for installation in self.installations.all():
            team = installation.team
            if installation.sealed is None or installation.unserved_at is None or self._stopped:
                continue
            if self.is_served(team):
                log.info("workspace.served-again", team=team)
                for session in self.installations.take_up(team, at=self.clock.now()):
                    self.wake(session)

    def erase(self, team: TeamId) -> None:
        """Delete every file and row of a workspace. Files go first: it can be done again.

        Raises `core.artifacts.files.folder.WriteFailed` and
        `core.artifacts.files.state.TeamError`; then no row is gone.
        """
        for session in self.installations.sessions_of(team):
            self.teams.delete(session)
        self.folder.of(team).delete_all()
        self.installations.erase(team)
        log.warning("workspace.erased", team=team)
