"""A bot that was put together: started, served, drained and stopped."""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import structlog
from slack_bolt import App

from bot.publish.background import StoppablePools
from bot.publish.stage import SlackStage
from bot.server.bolt_app import InteractionContexts, Workspaces
from bot.server.configuration.settings import Settings
from bot.server.http_app import NO_PAGE, HttpApp
from bot.server.one_workspace import OneWorkspace
from bot.server.outage import LateDeliveries
from core.artifacts.files.state import Teams
from core.brains.model.providers.wire import Wire
from core.domain.events import DamageFound
from core.domain.ids import SessionId
from core.domain.session.halt import CREDENTIAL
from core.engine.faults.remedies import LOG_LINE
from core.ports import Clock, Workspace
from core.repositories.keeper import MirrorKeeper
from core.runtime.commit import Runtime
from core.runtime.dispatcher.accepting import ProcessDispatcher
from core.runtime.outbox_worker import OutboxWorker
from core.runtime.read_back import ReadBack
from core.runtime.read_turns import ReadTurns
from core.secrets import LABELS

if TYPE_CHECKING:
    from bot.server.installed import InstalledApp
    from bot.server.metrics import Metrics

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Roundtable:
    """A bot, put together. `start` begins to perform what commits leave behind.

    As a context it is started, and stopped in the end.
    """

    settings: Settings
    workspaces: Workspaces
    runtime: Runtime
    outbox_worker: OutboxWorker
    stage: SlackStage
    dispatcher: ProcessDispatcher
    performs: bool  # False: other processes do what the commits of this one leave
    bolt: App
    clock: Clock
    teams: Teams
    contexts: InteractionContexts
    read_back: ReadBack
    read_turns: ReadTurns | None  # None: Slack lets this app read plenty, each process by itself
    pools: StoppablePools  # of what is done beside listeners, and may commit
    halts: Executor
    mirrors: MirrorKeeper
    load_brains: Callable[[], None]
    wire: Wire | None  # None: no language model is set
    installed: "InstalledApp | None"  # None: it is of the one workspace whose token it has
    metrics: "Metrics | None"  # None: no port is set for them

    @property
    def workspace(self) -> Workspace:
        """The one whose token the bot has."""
        assert isinstance(self.workspaces, OneWorkspace), "workspaces install it"
        return self.workspaces.only

    def start(self) -> None:
        """Load what answers need, clear what is over, and take up what was left undone."""
        self.load_brains()
        # no answer is to wait for them
        import core.artifacts.compose.sections_elsewhere
        import core.artifacts.compose.stance_files  # noqa: F401

        self.runtime.prune()
        if self.performs:
            self.teams.sweep(self.runtime.reader.seated())
            if self.wire is not None:
                self.wire.start()
            self.mirrors.start()
        if self.installed is not None:
            self.installed.start()
        elif self.performs:  # its token may be a new one
            self.runtime.outbox.unpark(self.workspace.team, self.clock.now())
        self.dispatcher.start()

    def drain(self) -> None:
        """Take nothing new and end what is under way. What is left is done after a start."""
        self.dispatcher.end()
        if self.read_turns is not None:
            self.read_turns.stop()
        self.read_back.stop()
        self.mirrors.stop()
        if self.installed is not None:
            self.installed.keeper.stop()
        if self.wire is not None and self.outbox_worker.model_runner is not None:
            self.outbox_worker.model_runner.stop()
            self.wire.close()
        self.dispatcher.stop()

    def stop(self) -> None:
        """Drain, then close the database."""
        self.drain()
        self.contexts.stop()
        self.stage.stop()
        self.pools.stop()
        self.runtime.database.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def read_again(self) -> None:
        """Read threads for what Slack may have given up delivering. Never blocks."""
        (self.read_turns or self.read_back).request()

    def keep_time(self, *, pace_s: float, quiet_s: float) -> None:
        """From now on: seconds between posts in a channel, and until an answer is read."""
        self.outbox_worker.pace_s = pace_s
        self.runtime.set_quiet_s(quiet_s)

    def secret_logged(self, session: str | None, kind: str) -> None:
        """A credential was on its way into the log: it was taken out, and its session is halted.

        Beside the thread that logs, which may hold a transaction.
        """
        if session is None:
            return
        label = LABELS.get(kind, kind)
        damage = DamageFound(self.clock.now(), CREDENTIAL, LOG_LINE, label)
        self.halts.submit(self._halt, SessionId(session), damage)

    def _halt(self, session: SessionId, damage: DamageFound) -> None:
        try:
            self.runtime.apply(session, damage)
        except Exception:  # nobody waits for what comes of it
            log.error("halt.failed", session=session, exc_info=True)

    def http_app(self) -> HttpApp:
        secret = self.settings.signing_secret
        assert secret is not None
        return HttpApp(
            self.bolt,
            signing_secret=secret.get_secret_value(),
            is_healthy=self.runtime.is_healthy,
            threads=self.settings.http_threads,
            delivered=LateDeliveries(self.read_again, self.clock.now).look,
            pages=self.installed.pages if self.installed else NO_PAGE,
        )
