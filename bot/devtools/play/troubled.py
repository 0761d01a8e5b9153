"""What of a bot a play can trouble: it fails when the play says so, and else is the real one."""

import errno
import os
import threading
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn, cast

from bot.devtools.play.controls import CLEANUP, KINDS, TEAM, Controls
from core.artifacts.files.folder import Folder, WriteFailed
from core.artifacts.files.state import TeamError, Teams
from core.brains.tasks import Brain, Cancelled, Contribute, ReadStep, Result, Task
from core.domain.ids import PersonaKey, SessionId, Slug, TaskId
from core.domain.party.contributions import Contribution
from core.ports import LaunchError


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
