"""The bot's process in a play: the real bot, whose clock, brains and folder a play can trouble.

It ends when its standard input does, so that it never outlives the player.
"""

import contextlib
import errno
import os
import sys
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, NoReturn, cast

from bot.devtools.counted_pools import CountedPools
from bot.devtools.play.controls import KINDS, LOOPBACK, Controls, Transport
from bot.devtools.play.script.entries import CleanupFails, TeamRefuses
from bot.server.composition import build
from bot.server.configuration import settings as settings_of
from bot.server.configuration.settings import Settings
from bot.server.one_workspace import NotConnectedError
from bot.server.roundtable import Roundtable
from bot.server.socket_mode import serve_socket
from core import logs
from core.artifacts.files.folder import Folder, WriteFailed
from core.artifacts.files.state import TeamError, Teams
from core.brains.tasks import Brain, Cancelled, Contribute, LaunchError, ReadStep, Result, Task
from core.clock import ShiftedClock
from core.domain.ids import PersonaKey, SessionId, Slug, TaskId
from core.domain.party.contributions import Contribution
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


class TroubledTeams(Teams):
    def __init__(self, root: Path, controls: Controls) -> None:
        super().__init__(root)
        self._controls = controls

    def create(self, session: SessionId, members: Collection[PersonaKey]) -> None:
        """Make a team. Raises `TeamError` where the play says so."""
        if self._controls.take_folder_fault(TeamRefuses.failing):
            raise TeamError("the play has no team be made")
        super().create(session, members)

    def delete(self, session: SessionId) -> None:
        """Remove a team. Raises `TeamError` where the play says so."""
        if self._controls.take_folder_fault(CleanupFails.failing):
            raise TeamError("the play has no team be removed")
        super().delete(session)


class TroubledFolder(Folder):
    def __init__(self, root: Path, controls: Controls) -> None:
        super().__init__(root)
        self._controls = controls

    def write(self, slug: Slug, name: str, text: str) -> None:
        """Write a file. Raises `WriteFailed` where the play says so."""
        if self._controls.take_folder_fault(name):
            raise WriteFailed(slug, name) from OSError(errno.EIO, os.strerror(errno.EIO))
        super().write(slug, name, text)


RETRY_S: Final = 0.2  # nobody watches a play: it does not wait as long as the bot does


def main(folder: str, transport: Transport, checkpoint: Checkpoint = no_checkpoint) -> None:
    """Serve as the play in `folder` has it, until the player is gone."""
    logs.configure("json")
    settings = settings_of.load_or_exit(transport)
    sys.stdin.buffer.readline()  # the player says when its side is ready
    stop = threading.Event()
    _when_left_alone(stop.set)
    try:
        serve(Controls(Path(folder)), transport, settings, stop, checkpoint)
    except NotConnectedError as error:
        raise SystemExit(f"the bot could not connect: {error}") from error


def serve(
    controls: Controls,
    transport: Transport,
    settings: Settings,
    stop: threading.Event,
    checkpoint: Checkpoint = no_checkpoint,
) -> None:
    """Serve until `stop` is set. Raises `NotConnectedError`."""
    with _composed(controls, settings, checkpoint) as roundtable:
        read_back = partial(_read_back, roundtable, controls)
        if transport == "socket":
            serve_socket(roundtable.bolt, settings, stop=stop, returned=read_back)
        else:
            read_back()
            _serve_http(roundtable, controls, stop)


def _serve_http(roundtable: Roundtable, controls: Controls, stop: threading.Event) -> None:
    from bot.server.http_server import (  # a tenth of a second, for this transport alone
        listen,
        serve_http,
    )

    with listen(LOOPBACK, 0) as listener:
        controls.note_port(listener.getsockname()[1])
        serve_http(roundtable.http_app(), listener, stop=stop)


def _composed(controls: Controls, settings: Settings, checkpoint: Checkpoint) -> Roundtable:
    place = Path(settings.artifacts_dir)
    controls.begin_anew()
    roundtable = build(
        settings,
        clock=ShiftedClock(controls.clock),
        brain=lambda brain: TroubledBrains(brain, controls),
        teams=lambda _: TroubledTeams(place, controls),
        folder=lambda _: TroubledFolder(place, controls),
        back_off=lambda _attempts: RETRY_S,
        settle_s=0.0,  # the local workspace shows a message at once
        checkpoint=checkpoint,
        pool=CountedPools(controls.note_busy),
    )
    logs.configure("json", on_secret=roundtable.secret_logged)
    return roundtable


def _read_back(roundtable: Roundtable, controls: Controls) -> None:
    """Have threads read back, and tell the player once that is over."""

    def wait() -> None:
        roundtable.read_back.wait_idle()
        controls.note_read_back()

    roundtable.read_back.request()
    threading.Thread(target=wait, name="read-back-over", daemon=True).start()


def _when_left_alone(end: Callable[[], object]) -> None:
    def wait() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 1024):
                pass
        end()

    threading.Thread(target=wait, name="left-alone", daemon=True).start()


if __name__ == "__main__":
    main(sys.argv[1], cast("Transport", sys.argv[2]))
