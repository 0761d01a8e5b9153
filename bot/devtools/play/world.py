"""The world of a play: a workspace in memory, a copy of the step tree, and the bot's process.

Everything temporary lies in one folder that goes with it; the database and the artifacts are the
bot's own and stay.
"""

import contextlib
import math
import shutil
import tempfile
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self, assert_never

from bot.devtools.play import repositories
from bot.devtools.play.controls import Controls, Transport
from bot.devtools.play.places import copy_tree
from bot.devtools.play.process import BotFactory, BotProcess, StoppedError
from bot.devtools.play.script.entries import (
    BrainFails,
    CleanupFails,
    ClockMoves,
    Mishap,
    ProviderFails,
    Removes,
    Restarts,
    SlackFails,
    TeamRefuses,
    WriteFails,
    Writes,
)
from bot.devtools.play.script.script import Script
from bot.devtools.provider.readers import RunningReaders
from bot.devtools.waiting import wait_until
from bot.devtools.workspace import LocalWorkspace
from bot.devtools.workspace.state import TEAM_ID
from core.content.library import Library
from core.domain.effects import Consult
from core.domain.ids import Slug, StepId, TaskId
from core.store.connection.opening import open_database
from core.store.maintenance.upgrade import upgrade
from core.store.queries.reader import Reader
from core.store.repository.outbox import Outbox, WaitingRow

CHANNEL: Final = "general"
ACT_S_MAX: Final = 60.0
CALM_LOOKS: Final = 2
BRAIN_S: Final = 30.0
# Nobody watches: a script's reading is shown earlier than to people.
MODEL_TIMES: Final = {"ROUNDTABLE_MODEL_PATIENCE": "2", "ROUNDTABLE_MODEL_DEADLINE": "5"}
# Slack waits a minute and five before it tries again; a bot that is killed here is back sooner.
RETRY_DELAYS_S: Final = (0.0, 0.2, 0.5, 1.0, 2.0, 4.0)


@dataclass(frozen=True, slots=True)
class PlayWorkspace:
    """Where a play takes place."""

    database: str
    artifacts: Path
    steps: Path
    transport: Transport = "socket"
    retry_delays: tuple[float, ...] = RETRY_DELAYS_S
    bot: BotFactory = BotProcess
    unknown_blocks: Collection[str] = ()  # types that its Slack refuses
    readers: RunningReaders = field(default_factory=RunningReaders)


class World:
    def __init__(self, script: Script, setting: PlayWorkspace) -> None:
        self.setting = setting
        self._repositories = script.repositories
        self.workspace = LocalWorkspace(
            people=script.people,
            channels=(CHANNEL,),
            retry_delays=setting.retry_delays,
            unknown_blocks=setting.unknown_blocks,
        )
        self._patience_s = ACT_S_MAX
        self._given_up: set[TaskId] = set()  # readings whose deadline was let pass

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack:
            self._open(stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _open(self, stack: contextlib.ExitStack) -> None:
        temporary = tempfile.TemporaryDirectory(
            prefix="roundtable-play-", ignore_cleanup_errors=True
        )
        folder = Path(stack.enter_context(temporary))
        self.controls = Controls(folder / "control")
        self.controls.prepare()
        self.steps = folder / "steps"
        copy_tree(self.setting.steps, self.steps)
        self.library = Library(self.steps)
        self.artifacts = self.setting.artifacts.resolve()
        self.artifacts.mkdir(parents=True, exist_ok=True)
        # Closed after the bot is gone: the last connection folds SQLite's log into the database.
        databases = stack.enter_context(contextlib.ExitStack())
        stack.callback(self.workspace.stop)
        self.workspace.start()
        channel = f"{TEAM_ID}/{self.workspace.channel_id(CHANNEL)}"
        linked = repositories.environment(self._repositories, folder / "repositories", channel)
        self.bot = self.setting.bot(
            self.controls,
            self.setting.transport,
            self.workspace,
            self._environment() | linked,
            folder,
        )
        stack.callback(self.bot.kill)
        self.bot.launch()  # it loads while the database is made
        upgrade(self.setting.database)
        self._database = open_database(self.setting.database)
        databases.callback(self._database.close)
        self._outbox = Outbox(self._database)
        self.reader = Reader(self._database)

    def _environment(self) -> dict[str, str]:
        return {
            "SLACK_API_URL": self.workspace.api_url,
            "SLACK_BOT_TOKEN": self.workspace.bot_token,
            "SLACK_APP_TOKEN": self.workspace.app_token,
            "SLACK_SIGNING_SECRET": self.workspace.signing_secret,
            "ROUNDTABLE_DATABASE_URL": self.setting.database,
            "ROUNDTABLE_ARTIFACTS_DIR": str(self.artifacts),
            "ROUNDTABLE_STEPS_DIR": str(self.steps),
            "ROUNDTABLE_PACE_SECONDS": "0",
            "ROUNDTABLE_QUIET_SECONDS": "0",
            "ROUNDTABLE_BRAIN_SECONDS": f"{BRAIN_S:g}",
            **self.setting.readers.settings,
            **(MODEL_TIMES if self.setting.readers.settings else {}),
        }

    # ── waiting ──

    def begin(self) -> None:
        self.bot.begin()
        self.settle()

    def settle(self) -> None:
        """Wait until nothing is left to do.

        Raises `StoppedError` if that takes too long, or the bot ended by itself.
        """
        if not wait_until(self._is_calm, self._patience_s, looks=CALM_LOOKS):
            raise StoppedError(f"the bot was not done within {self._patience_s:g} s")

    def _is_calm(self) -> bool:
        if (code := self.bot.exit_code()) is not None:
            words = self.bot.last_words()
            raise StoppedError(f"the bot's process ended by itself ({code}): {words}")
        if not self.workspace.idle() or self.controls.is_reading_back() or self.controls.is_busy():
            return False
        hanging = self._hanging()
        if self._outbox.pending(self._now()) > len(hanging):
            return False
        return not self._waits_for(hanging)

    def _now(self) -> float:
        """What the bot's clock shows."""
        return time.time() + self.controls.shift()

    def _hanging(self) -> tuple[WaitingRow, ...]:
        """What is asked of brains that will not answer."""
        tasks = self.controls.hanging()
        sessions = self._outbox.sessions_with_work() if tasks else ()
        rows = (row for session in sessions for row in self._outbox.brains(session))
        return tuple(row for row in rows if _task_of(row) in tasks)

    def _waits_for(self, hanging: Collection[WaitingRow]) -> bool:
        """True if the bot waits for one of them. Nobody else has anything to do: time passes.

        A member of a council has a timer for its deadline; nobody waits for one without. A reader
        is waited for until its deadline, and then its row is gone.
        """
        due = {timer.step: timer.due for timer in self._outbox.timers_due(math.inf)}
        waits = False
        for row in hanging:
            task = _task_of(row)
            if not isinstance(row.effect, Consult):
                waits = True
                if task not in self._given_up:
                    self._given_up.add(task)
                    self.controls.move_clock(BRAIN_S)
            elif task in due:
                waits = True
                self.controls.move_clock(max(0.0, due[task] - self._now()))
        return waits

    # ── mishaps ──

    def meet(self, mishap: Mishap, step: StepId, slug: Slug) -> bool:
        """Let it happen. False: there was nothing for it to happen to."""
        match mishap:
            case SlackFails():
                self._trouble_slack(mishap)
            case BrainFails():
                self.controls.fail_brain(mishap, step)
            case ProviderFails():
                return self._trouble_provider(mishap)
            case TeamRefuses() | CleanupFails() | WriteFails():
                self.controls.fail_folder(mishap)
            case Writes(path, text):
                target = self._target(path, slug)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
            case Removes(path):
                return _removed(self._target(path, slug))
            case Restarts():
                self.bot.kill()
                self.bot.start()
            case ClockMoves(seconds):
                self.controls.move_clock(seconds)
            case _:
                assert_never(mishap)
        return True

    def _trouble_slack(self, mishap: SlackFails) -> None:
        if mishap.kind == "unrevoke":
            self.workspace.unrevoke()
            return
        if mishap.kind == "429":
            self._patience_s += mishap.retry_after_s * mishap.times
        self.workspace.inject(
            mishap.kind,
            method=mishap.method,
            retry_after=mishap.retry_after_s,
            times=mishap.times,
        )

    def _trouble_provider(self, mishap: ProviderFails) -> bool:
        provider = self.setting.readers.provider
        if provider is None:
            return False
        if fault := mishap.fault():
            provider.faults.add(fault)
        else:
            provider.faults.clear()
        return True

    def _target(self, path: str, slug: Slug) -> Path:
        inside = path.removeprefix("steps/")
        root = self.steps if inside != path else self.artifacts / TEAM_ID / slug
        target = root / inside
        if not target.resolve().is_relative_to(root.resolve()):
            raise StoppedError(f"{path} leads out of its folder")
        return target


def _task_of(row: WaitingRow) -> TaskId:
    return TaskId(getattr(row.effect, "task", ""))


def _removed(target: Path) -> bool:
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    elif target.exists() or target.is_symlink():
        target.unlink()
    else:
        return False
    return True
