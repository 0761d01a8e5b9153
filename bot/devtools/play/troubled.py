"""What of a bot a play can trouble: it fails when the play says so, and else is the real one."""

import errno
import os
import threading
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn, cast

from bot.devtools.play.controls import CLEANUP, KINDS, TEAM, Controls
from bot.server.composition import Council
from core.artifacts.folder import Folder, WriteFailed
from core.artifacts.state import TeamError, Teams
from core.domain.answers import Draft, ReadRequest, TurnRequest
from core.domain.council import ConsultRequest, Contribution
from core.domain.ids import PersonaKey, SessionId, Slug, TaskId
from core.ports import Brain, LaunchError


@dataclass(frozen=True, slots=True)
class Brains:
    brain: Brain
    controls: Controls

    def read(self, request: ReadRequest) -> Draft:
        match self.controls.take_brain_fault(request.persona.key, request.step.id):
            case None:
                return self.brain.read(request)
            case "crash":
                raise RuntimeError("the play has this brain crash")
            case "silent":
                _say_nothing(self.controls, request.task)
        return cast("Draft", NONSENSE)

    def speak(self, request: TurnRequest) -> str | None:
        return self.brain.speak(request)


@dataclass(frozen=True, slots=True)
class Table:
    """Whoever speaks for a council's members."""

    council: Council
    controls: Controls

    def __call__(self, request: ConsultRequest) -> Contribution:
        fault = self.controls.take_brain_fault(
            request.member.key, request.phase.key, KINDS.values()
        )
        match fault:
            case None:
                return self.council(request)
            case "chatty":
                return replace(self.council(request), more=True)
            case "refuse":
                raise LaunchError("the play has this persona stay away")
            case "crash":
                raise RuntimeError("the play has this brain crash")
            case "silent":
                _say_nothing(self.controls, request.task)
        return cast("Contribution", NONSENSE)


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
        if self._controls.take_folder_fault(TEAM):
            raise TeamError("the play has no team be made")
        super().create(session, members)

    def delete(self, session: SessionId) -> None:
        if self._controls.take_folder_fault(CLEANUP):
            raise TeamError("the play has no team be removed")
        super().delete(session)


class FolderOnDisk(Folder):
    def __init__(self, root: Path, controls: Controls) -> None:
        super().__init__(root)
        self._controls = controls

    def write(self, slug: Slug, name: str, text: str) -> None:
        if self._controls.take_folder_fault(name):
            raise WriteFailed(slug, name) from OSError(errno.EIO, os.strerror(errno.EIO))
        super().write(slug, name, text)
