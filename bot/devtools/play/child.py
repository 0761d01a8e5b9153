"""The bot's process in a play: the real bot, whose clock, brains and folder a play can trouble.

It ends when its standard input does, so that it never outlives the player. A crash is a SIGKILL of
its whole process group: nothing gets a chance to tidy up.
"""

import contextlib
import errno
import os
import signal
import sys
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NoReturn, cast

from bot.devtools.play.controls import CLEANUP, KINDS, LOOPBACK, TEAM, Config, Controls, CrashPoints
from bot.server import settings as settings_of
from bot.server.composition import NotConnectedError, Roundtable, build
from bot.server.settings import Settings
from bot.server.socket_mode import serve_socket
from core import logs
from core.artifacts.files.folder import Folder, WriteFailed
from core.artifacts.files.state import TeamError, Teams
from core.brains.tasks import Brain, Cancelled, Contribute, ReadStep, Result, Task
from core.clock import ShiftedClock
from core.domain.ids import PersonaKey, SessionId, Slug, TaskId
from core.domain.party.contributions import Contribution
from core.ports import LaunchError
from core.runtime.commit import Checkpoint, no_checkpoint


@dataclass(frozen=True, slots=True)
class TroubledBrains:
    brain: Brain
    controls: Controls

    def perform(self, task: Task[Result], cancelled: Cancelled) -> Result:
        """Run the task. Raises `LaunchError` or `RuntimeError` where the play says so."""
        match task:
            case ReadStep(request):
                fault = self.controls.take_brain_fault(request.persona.key, request.step.id)
            case Contribute(request):
                fault = self.controls.take_brain_fault(
                    request.member.key, request.phase.key, KINDS.values()
                )
            case _:
                return self.brain.perform(task, cancelled)
        match fault:
            case None:
                return self.brain.perform(task, cancelled)
            case "chatty":
                contribution = cast("Contribution", self.brain.perform(task, cancelled))
                return cast("Result", replace(contribution, more=True))
            case "refuse":
                raise LaunchError("the play has this persona stay away")
            case "crash":
                raise RuntimeError("the play has this brain crash")
            case "silent":
                _say_nothing(self.controls, request.task)
        return cast("Result", NONSENSE)


NONSENSE = {"not": "what was asked for"}


def _say_nothing(controls: Controls, task: TaskId) -> NoReturn:
    controls.hang(task)
    while True:
        threading.Event().wait()


class RunningTeams(Teams):
    def __init__(self, root: Path, controls: Controls) -> None:
        super().__init__(root)
        self._controls = controls

    def create(self, session: SessionId, members: Collection[PersonaKey]) -> None:
        """Make a team. Raises `TeamError` where the play says so."""
        if self._controls.take_folder_fault(TEAM):
            raise TeamError("the play has no team be made")
        super().create(session, members)

    def delete(self, session: SessionId) -> None:
        """Remove a team. Raises `TeamError` where the play says so."""
        if self._controls.take_folder_fault(CLEANUP):
            raise TeamError("the play has no team be removed")
        super().delete(session)


class FolderOnDisk(Folder):
    def __init__(self, root: Path, controls: Controls) -> None:
        super().__init__(root)
        self._controls = controls

    def write(self, slug: Slug, name: str, text: str) -> None:
        """Write a file. Raises `WriteFailed` where the play says so."""
        if self._controls.take_folder_fault(name):
            raise WriteFailed(slug, name) from OSError(errno.EIO, os.strerror(errno.EIO))
        super().write(slug, name, text)


RETRY_S: Final = 0.2  # nobody watches a play: it does not wait as long as the bot does


def main(path: str) -> None:
    config = Config.read(Path(path))
    logs.configure("json")
    settings = settings_of.load_or_exit(config.transport)
    sys.stdin.buffer.readline()  # the player says when its side is ready
    stop = threading.Event()
    _when_left_alone(stop.set)
    try:
        serve(config, settings, stop)
    except NotConnectedError as error:
        raise SystemExit(f"the bot could not connect: {error}") from error


def serve(config: Config, settings: Settings, stop: threading.Event) -> None:
    """Serve until `stop` is set. Raises `NotConnectedError`."""
    with contextlib.closing(_Running(_composed(config, settings))) as running:
        returned = _reading(running.roundtable, config)
        if config.transport == "socket":
            serve_socket(running.roundtable.bolt, settings, stop=stop, returned=returned)
        else:
            returned()
            _serve_http(running.roundtable, settings.port, stop)


def _serve_http(roundtable: Roundtable, port: int, stop: threading.Event) -> None:
    from bot.server.http_server import (  # a tenth of a second, for this transport alone
        listen,
        serve_http,
    )

    with listen(LOOPBACK, port) as listener:
        serve_http(roundtable.http_app(), listener, stop=stop)


class _Running:
    def __init__(self, roundtable: Roundtable) -> None:
        self.roundtable = roundtable
        roundtable.start()

    def close(self) -> None:
        self.roundtable.stop()


def _composed(config: Config, settings: Settings) -> Roundtable:
    controls, place = Controls(Path(config.controls)), Path(settings.artifacts_dir)
    controls.begin_anew()
    roundtable = build(
        settings,
        clock=ShiftedClock(controls.clock),
        brain=lambda brain: TroubledBrains(brain, controls),
        teams=lambda _: RunningTeams(place, controls),
        folder=lambda _: FolderOnDisk(place, controls),
        back_off=lambda _attempts: RETRY_S,
        settle_s=0.0,  # the local workspace shows a message at once
        checkpoint=_checkpoint(config, controls),
    )
    logs.configure("json", on_secret=roundtable.secret_logged)
    return roundtable


def _reading(roundtable: Roundtable, config: Config) -> Callable[[], None]:
    """Has threads read back, and tells the player once that is over."""

    def wait() -> None:
        roundtable.read_back.wait_idle()
        Controls(Path(config.controls)).note_read_back()

    def begin() -> None:
        roundtable.read_back.request()
        threading.Thread(target=wait, name="read-back-over", daemon=True).start()

    return begin


def _checkpoint(config: Config, controls: Controls) -> Checkpoint:
    if not config.counts:
        return no_checkpoint
    return CrashPoints(controls, config.crash_at, lambda: os.killpg(os.getpgrp(), signal.SIGKILL))


def _when_left_alone(end: Callable[[], object]) -> None:
    def wait() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 1024):
                pass
        end()

    threading.Thread(target=wait, name="left-alone", daemon=True).start()


if __name__ == "__main__":
    main(sys.argv[1])
