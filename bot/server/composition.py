"""The composition root: everything that is made once is made here, and handed on by name."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

from bot.interactions.interaction_context import Consent, installed_by_its_operator
from bot.publish.background import Pool, StoppablePools
from bot.publish.rate_limits import read_limits
from bot.publish.render.last_commit import OperatorsChannel
from bot.publish.stage import SlackStage
from bot.server.artifacts import folder_of, teams_of
from bot.server.bolt_app import Workspaces, build_bolt, context_maker, scarce_s
from bot.server.configuration.model_settings import LanguageModels, language_models
from bot.server.configuration.settings import Settings
from bot.server.one_workspace import one_workspace
from bot.server.roundtable import Roundtable
from bot.web_api.calls import unobserved
from bot.web_api.directory import SlackDirectory
from bot.web_api.threads import CUT_MESSAGES, PAGE_MESSAGES, SlackThreads
from core.artifacts.files.folder import Folder
from core.artifacts.files.session_documents import FolderDocuments
from core.artifacts.files.state import Teams
from core.brains.facilitator import Facilitator
from core.brains.model.providers.wire import Wire
from core.brains.running import Brains
from core.brains.script import brain as loading
from core.brains.script.brain import Scripted
from core.brains.tasks import Brain, Contribute, ReadStep, Tier
from core.clock import SystemClock
from core.content.library import Library, default_steps_dir
from core.domain.ids import PersonaKey, TeamId
from core.domain.model_calls import ModelOffer
from core.domain.steps.playbook import FACILITATOR
from core.ports import Clock
from core.repositories.keeper import MirrorKeeper
from core.repositories.search import GitSearch
from core.runtime.brains.brain_runner import BrainRunner
from core.runtime.commit import Checkpoint, Runtime, no_checkpoint
from core.runtime.dispatcher.accepting import AcceptingDispatcher, ProcessDispatcher
from core.runtime.dispatcher.local import LocalDispatcher
from core.runtime.installation_keeper import process_name
from core.runtime.jobs import JobRunner
from core.runtime.outbox_worker import MARGIN_S, OutboxWorker
from core.runtime.pacing import Pacing
from core.runtime.read_back import ReadBack
from core.runtime.read_turns import ReadTurns
from core.runtime.send_results import back_off_s
from core.store.connection.database import Database
from core.store.connection.opening import is_postgres, open_database
from core.store.repository.installations import Installations
from core.store.repository.lanes import LaneQueue
from core.store.repository.presence import Presence

if TYPE_CHECKING:
    from bot.server.installed import InstalledApp
    from bot.server.metrics import Metrics
    from core.runtime.brains.model_runner import ModelRunner

SCRIPTED_TIERS: Final[Mapping[Tier, Brain]] = {"sonnet": Scripted()}
SETTLE_S: Final = 3.0  # Slack may need a moment until a thread shows an answer
READ_BACK_PACE: Final = 1.5  # of the pace of posts: 40 reads a minute, of the 50 Slack allows


def build(
    settings: Settings,
    *,
    clock: Clock | None = None,
    brain: Callable[[Brain], Brain] = lambda scripted: scripted,
    tiers: Mapping[Tier, Brain] = SCRIPTED_TIERS,
    teams: Callable[[Teams], Teams] = lambda real: real,
    folder: Callable[[Folder], Folder] = lambda real: real,
    back_off: Callable[[int], float] = back_off_s,
    settle_s: float = SETTLE_S,
    checkpoint: Checkpoint = no_checkpoint,
    pool: Pool = ThreadPoolExecutor,
    performs: bool = True,
) -> Roundtable:
    """Put a bot together. Asks Slack once who we are, before anything is served.

    `performs`: what commits leave is done here; only of several processes on PostgreSQL may it be
    left to another.

    Raises `NotConnectedError` when Slack does not know the token or is not there, and
    `core.store.connection.database.StoreError` when the database cannot be used.
    """
    assert performs or is_postgres(settings.database_url), "a SQLite file is owned by one process"
    clock = clock or SystemClock()
    pools = StoppablePools(pool)
    workspace = None if settings.serves_installations else one_workspace(settings)
    database = open_database(settings.database_url)
    models = language_models(settings)
    consent = Consent(models.hosts, None if workspace else Installations(database))
    runtime = runtime_of(
        settings,
        database,
        clock,
        tiers=tiers,
        offer=models.offer,
        may_ask=consent.is_given,
        checkpoint=checkpoint,
    )
    artifacts = folder(folder_of(settings, database))
    team_files = teams(teams_of(settings, database))
    metrics = _metrics(runtime, lambda: dispatcher) if settings.metrics_port else None
    observe = metrics.called if metrics else unobserved
    installed: InstalledApp | None = None
    if workspace is None:
        from bot.server.installed import installed_app

        installed = installed_app(settings, runtime, artifacts, team_files, observe)
        workspaces: Workspaces = installed.workspaces
    else:
        workspaces = workspace.opened(settings, runtime, observe)
    clients = workspaces.client
    directory = SlackDirectory(clients)
    read_every_s = scarce_s(settings)
    threads = SlackThreads(
        clients,
        workspaces.workspace,
        clock.now,
        page_messages=PAGE_MESSAGES if read_every_s is None else CUT_MESSAGES,
    )
    scripted_brains: Mapping[PersonaKey | None, Brain] = {
        None: brain(Scripted()),
        FACILITATOR.key: brain(Facilitator()),
    }
    library = Library(settings.steps_dir or default_steps_dir())
    job_runner = JobRunner(
        runtime,
        library,
        artifacts,
        clock,
        directory,
        team_files,
        lambda: loading.name_of(scripted_brains[None]),
        lambda team, channel: clients(team).lookups.channel_name(channel),
    )
    runtime.set_folder(artifacts)
    code = GitSearch(settings.declared, settings.mirrors_dir.absolute())
    context_of = context_maker(
        settings,
        runtime,
        directory,
        pool=pools,
        now=clock.now,
        repositories=code.names,
        consent=consent,
        uninstalled=installed.keeper.uninstalled if installed else installed_by_its_operator,
    )
    contexts = workspaces.contexts(runtime.reader, context_of)
    brains = Brains(scripted_brains, clock, settings.brain_seconds, tiers)
    documents = FolderDocuments(artifacts)
    runner = BrainRunner(runtime.reader, directory, brains, documents, library.terms)
    stage = SlackStage(
        runtime.reader,
        clients,
        directory,
        export_of=job_runner.export_of,
        operators=OperatorsChannel.of(operators)
        if (operators := settings.operators_channel)
        else None,
        painted=contexts.changed,
        with_waiting=runner.with_waiting,
        read_every_s=read_every_s,
    )
    wire = Wire(models.at_once) if models.providers else None
    queue = LaneQueue(database) if is_postgres(settings.database_url) else None
    model_runner = None
    if wire is not None:
        model_runner = _model_runner(
            models,
            wire,
            runtime,
            directory,
            documents,
            clock,
            library,
            brains,
            queue,
            checkpoint=checkpoint,
        )
    code_runner = None
    if code.repositories:
        from core.runtime.brains.code_runner import CodeRunner

        code_runner = CodeRunner(
            runtime.reader,
            directory,
            code,
            clock,
            lambda team, channel: not contexts.of(team).channels.is_shared(channel),
        )
    outbox_worker = OutboxWorker(
        runtime=runtime,
        job_runner=job_runner,
        stage=stage,
        brain_runner=runner,
        model_runner=model_runner,
        clock=clock,
        pace_s=settings.pace_seconds,
        threads=threads,
        code_runner=code_runner,
        back_off=back_off,
    )
    dispatcher = _dispatcher(settings, runtime, outbox_worker, queue, performs=performs)
    runtime.set_dispatcher(dispatcher)
    read_back = ReadBack(
        runtime,
        threads,
        clock,
        pace_s=settings.pace_seconds * READ_BACK_PACE,
        settle_s=settle_s,
    )
    read_turns: ReadTurns | None = None
    if read_every_s is not None:
        read_back.pacing = outbox_worker.pacing
        read_back.limits = lambda team: read_limits(team, "conversations.replies", read_every_s)
        read_turns = ReadTurns(Presence(database), read_back, clock, process_name())
    return Roundtable(
        settings,
        workspaces,
        runtime,
        outbox_worker,
        stage,
        dispatcher,
        performs,
        build_bolt(settings, contexts, metrics.acknowledged if metrics else None),
        clock,
        team_files,
        contexts,
        read_back,
        read_turns,
        pools=pools,
        halts=pools(1, "halts"),
        mirrors=MirrorKeeper(code.mirrors),
        load_brains=loading.load,
        wire=wire,
        installed=installed,
        metrics=metrics,
    )


def _model_runner(
    models: LanguageModels,
    wire: Wire,
    runtime: Runtime,
    directory: SlackDirectory,
    documents: FolderDocuments,
    clock: Clock,
    library: Library,
    brains: Brains,
    queue: LaneQueue | None,
    *,
    checkpoint: Checkpoint,
) -> "ModelRunner":
    """Asks language models. `queue`: where processes share one, their requests share its limits."""
    from core.brains.model.prompts import load as load_prompts
    from core.runtime.brains.model_runner import ModelRunner
    from core.runtime.brains.provider_rests import ProviderRests, ProviderSlots
    from core.store.repository.calls import CallLedger

    slots = None
    if queue is not None:
        slots = ProviderSlots(queue, models.at_once, models.deadline_s + MARGIN_S)
    return ModelRunner(
        runtime.reader,
        directory,
        documents,
        clock,
        CallLedger(runtime.database),
        wire,
        {provider.name: provider for tier in models.providers.values() for provider in tier},
        lambda: load_prompts(library.root),
        lambda request: brains.run(ReadStep(request)),
        lambda request: brains.run(Contribute(request)),
        library.terms,
        deadline_s=models.deadline_s,
        tokens_a_day=models.tokens_a_day,
        checkpoint=checkpoint,
        rests=ProviderRests(queue or Pacing()),
        slots=slots,
    )


def _dispatcher(
    settings: Settings,
    runtime: Runtime,
    worker: OutboxWorker,
    queue: LaneQueue | None,
    *,
    performs: bool,
) -> ProcessDispatcher:
    """Of one process on SQLite, or of any number on PostgreSQL, which share a queue."""
    if queue is None:
        return LocalDispatcher(worker)
    runtime.use_engine()
    worker.pacing, worker.is_shared = queue, True
    if not performs:
        return AcceptingDispatcher()
    from core.runtime.dispatcher.engine import EngineDispatcher  # its library is an extra

    return EngineDispatcher(worker, queue, settings.database_url)


def _metrics(runtime: Runtime, dispatcher: Callable[[], ProcessDispatcher]) -> "Metrics":
    from bot.server.metrics import Metrics  # its library is an extra
    from core.store.queries.figures import figures

    return Metrics(
        lambda: figures(runtime.database, runtime.clock.now()),
        lambda: {
            "worker_threads": dispatcher().threads,
            "worker_lanes_busy": dispatcher().lanes_busy,
            "database_connections_lent": runtime.database.connections_lent,
        },
    )


def runtime_of(
    settings: Settings,
    database: Database,
    clock: Clock,
    *,
    tiers: Mapping[Tier, Brain] = SCRIPTED_TIERS,
    offer: ModelOffer = ModelOffer(),
    may_ask: Callable[[TeamId], bool] = lambda _team: True,
    checkpoint: Checkpoint = no_checkpoint,
) -> Runtime:
    """A runtime on a database, with nothing yet that performs what its commits leave."""
    return Runtime(
        database,
        clock,
        quiet_s=settings.quiet_seconds,
        remind_s=settings.remind_hours * 3600,
        tiers=tuple(tiers),
        deadline_s=settings.brain_seconds,
        offer=offer,
        may_ask=may_ask,
        checkpoint=checkpoint,
    )
