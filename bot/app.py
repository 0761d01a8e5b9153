"""The composition root: everything that is made once is made here, and handed on by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from slack_bolt import App

from bot.bolt import build_bolt, slack_client
from bot.directory import SlackDirectory
from bot.settings import Settings
from bot.slack import Identity, SlackClient
from bot.stage import SlackStage
from bot.whisper import KnownNames
from bot.wsgi import Application, wsgi_app
from core.artifacts.folder import Folder
from core.brains.scripted import Scripted
from core.clock import SystemClock
from core.content.library import Library, default_steps_dir
from core.dispatch.local import LocalDispatcher
from core.domain.ids import PersonaKey, TeamId
from core.domain.playbook import FACILITATOR
from core.lanes import Lanes
from core.ports import Brain, Clock, Refused, Workspace
from core.reading import ReadingRoom
from core.runtime import Checkpoint, Runtime, no_checkpoint
from core.store.database import Database
from core.work import Worker

DOUBT_S: Final = 3.0  # Slack may need a moment until a message can be found


@dataclass(frozen=True, slots=True)
class Roundtable:
    """A bot, put together. `start` begins to perform what commits leave behind."""

    settings: Settings
    workspace: Workspace
    runtime: Runtime
    dispatcher: LocalDispatcher
    bolt: App

    def start(self) -> None:
        self.runtime.prune()
        self.dispatcher.start()

    def stop(self) -> None:
        self.dispatcher.stop()
        self.runtime.database.close()

    def wsgi(self) -> Application:
        secret = self.settings.signing_secret
        assert secret is not None
        return wsgi_app(
            self.bolt, signing_secret=secret.get_secret_value(), healthy=self.runtime.answers
        )


def build(
    settings: Settings,
    *,
    clock: Clock | None = None,
    brain: Callable[[Brain], Brain] = lambda scripted: scripted,
    doubt_s: float = DOUBT_S,
    checkpoint: Checkpoint = no_checkpoint,
) -> Roundtable:
    """Put a bot together. Asks Slack once who we are, before anything is served.

    Raises `NotConnectedError` when Slack does not know the token or is not there, and
    `core.store.database.StoreError` when the database cannot be used.
    """
    now = clock or SystemClock()
    slack = slack_client(settings)
    workspace = who_we_are(slack)
    runtime = Runtime(
        Database(settings.database_url), now, quiet_s=settings.quiet_seconds, checkpoint=checkpoint
    )
    runtime.know(workspace)
    directory = SlackDirectory(_only(slack, workspace.team))
    folder = Folder(Path(settings.artifacts_dir))
    worker = Worker(
        runtime, Library(settings.steps_dir or default_steps_dir()), folder, now, directory
    )
    runtime.keeps(folder)
    stage = SlackStage(
        runtime.reader, _only(slack, workspace.team), directory, zip_of=worker.zip_of
    )
    brains: Mapping[PersonaKey | None, Brain] = {
        None: brain(Scripted()),
        FACILITATOR.key: brain(Scripted()),
    }
    dispatcher = LocalDispatcher(
        Lanes(
            runtime=runtime,
            worker=worker,
            stage=stage,
            room=ReadingRoom(runtime.reader, directory, brains, now, settings.brain_seconds),
            clock=now,
            pace_s=settings.pace_seconds,
            doubt_s=doubt_s,
        )
    )
    runtime.wakes(dispatcher)
    bolt = build_bolt(
        settings, runtime, workspace, slack=slack, names=KnownNames(directory), now=now.now
    )
    return Roundtable(settings, workspace, runtime, dispatcher, bolt)


class NotConnectedError(Exception):
    """Slack did not say who we are. Its text says why, and never holds a token."""


def who_we_are(slack: SlackClient) -> Workspace:
    """Ask Slack once, before anything is served."""
    known = slack.auth_test()
    if not isinstance(known, Identity):
        raise NotConnectedError(known.error if isinstance(known, Refused) else known.why)
    return Workspace(TeamId(known.team), known.url, known.bot_user, known.bot_id, known.name)


def _only(slack: SlackClient, team: TeamId) -> Callable[[TeamId], SlackClient]:
    def client(asked: TeamId) -> SlackClient:
        assert asked == team, "one workspace is installed"
        return slack

    return client
