"""The Bolt app: who a request is for, how it is verified, and nothing of Bolt's that surprises."""

import logging
import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

import structlog
from slack_bolt import App, BoltContext, BoltRequest, BoltResponse
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.authorize import Authorize
from slack_bolt.middleware import Middleware
from slack_sdk import WebClient

from bot.interactions.commands import no_repositories
from bot.interactions.ephemerals import Admins, EphemeralSender
from bot.interactions.forms.modals import Modals, Seal
from bot.interactions.home import Homes
from bot.interactions.interaction_context import (
    Consent,
    InteractionContext,
    installed_by_its_operator,
)
from bot.interactions.listeners import INTERACTION, interaction_of, register
from bot.publish.background import Pool
from bot.server.configuration.model_settings import language_models
from bot.server.configuration.setting_values import DATA
from bot.server.configuration.settings import Settings
from bot.views.private.brain import ModelAt, ReadingModels
from bot.web_api.calls import tls_context
from bot.web_api.channels import Channels
from bot.web_api.client import SlackClient
from bot.web_api.directory import SlackDirectory
from core.domain.ids import ChannelId, TeamId
from core.domain.session.session import Session
from core.ports import Workspace
from core.runtime.commit import Runtime
from core.store.connection.opening import is_postgres
from core.store.queries.reader import Reader
from core.store.repository.home_viewers import HomeViewers

log = structlog.get_logger(__name__)

SCOPES: Final = DATA["scopes"]
"""What the manifest asks for, each with its reason."""

LISTENER_THREADS: Final = 20  # five, Bolt's default, leave a click unanswered when they are busy
EPHEMERAL_THREADS: Final = 4
MODAL_THREADS: Final = 4  # their own: a trigger does not live as long as a slow ephemeral takes
CALL_S_MAX: Final = 10
PAGE_EVERY_S: Final = 62.0  # a minute, and what a call may take longer than the one before

_CHANCE_BYTES: Final = 12  # of an id

# Bolt reads these by itself: some switch a whole flow on, none is needed by it.
_BOLT_READS: Final = (
    "SLACK_BOT_TOKEN",
    "SLACK_CLIENT_ID",
    "SLACK_CLIENT_SECRET",
    "SLACK_SIGNING_SECRET",
    "SLACK_VERIFICATION_TOKEN",
)


def _new_id() -> str:
    """Unguessable; a later one sorts behind, so that rows of a new session fill the last page."""
    return f"{int(time.time()):08x}{secrets.token_hex(_CHANCE_BYTES)}"


ContextMaker = Callable[[Workspace, SlackClient], InteractionContext]


class InteractionContexts(Protocol):
    """What listeners work with, by workspace."""

    def __call__(self, req: BoltRequest) -> InteractionContext | None:
        """That of a request's workspace; None where it is not served."""
        ...

    def of(self, team: TeamId) -> InteractionContext: ...
    def changed(self, session: Session) -> None:
        """Whoever looks at their Home tab in its workspace sees the session change."""
        ...

    def stop(self) -> None:
        """Nothing is published on Home tabs after this returns."""
        ...


class Workspaces(Protocol):
    """The workspaces that are served."""

    def client(self, team: TeamId) -> SlackClient: ...
    def workspace(self, team: TeamId) -> Workspace:
        """Who we are there."""
        ...

    def contexts(self, reader: Reader, context_of: ContextMaker) -> InteractionContexts: ...


Acknowledged = Callable[[Mapping[str, Any], int, float], None]
"""Takes a request's body, the status of its acknowledgement and the seconds that it took."""


def build_bolt(
    settings: Settings, contexts: InteractionContexts, acknowledged: Acknowledged | None = None
) -> App:
    """An app with every listener registered. Building it does not call Slack."""
    app = _app(settings, contexts, acknowledged)
    register(app)
    return app


def context_maker(
    settings: Settings,
    runtime: Runtime,
    names: SlackDirectory,
    *,
    pool: Pool = ThreadPoolExecutor,
    now: Callable[[], float] = time.time,
    new_id: Callable[[], str] = _new_id,
    repositories: Callable[[TeamId, ChannelId], tuple[str, ...]] = no_repositories,
    uninstalled: Callable[[TeamId, int], None] = installed_by_its_operator,
    consent: Consent = Consent(),
) -> ContextMaker:
    """Makes what the listeners of one workspace work with; its pools serve all workspaces."""
    ephemerals, forms = pool(EPHEMERAL_THREADS, "ephemeral"), pool(MODAL_THREADS, "modal")
    home, seal, readers = pool(1, "home"), Seal(_seal_secret(settings)), _readers(settings)
    viewers = HomeViewers(runtime.database) if is_postgres(settings.database_url) else None

    def context_of(workspace: Workspace, slack: SlackClient) -> InteractionContext:
        channels = Channels(slack)
        return InteractionContext(
            runtime=runtime,
            workspace=workspace,
            ephemerals=EphemeralSender(slack, ephemerals),
            admins=Admins(slack),
            names=names,
            modals=Modals(slack, forms, seal),
            channels=channels,
            homes=Homes(
                runtime.reader, slack, names, channels, workspace, home, now, viewers=viewers
            ),
            now=now,
            new_id=new_id,
            repositories=repositories,
            readers=readers,
            uninstalled=uninstalled,
            consent=consent,
        )

    return context_of


def _seal_secret(settings: Settings) -> str:
    secret = settings.signing_secret or settings.bot_token
    assert secret is not None
    return secret.get_secret_value()


def _readers(settings: Settings) -> ReadingModels:
    """The language models of the settings, as members of a channel are shown them."""
    models = language_models(settings)
    tiers = (
        (
            tier,
            tuple(
                ModelAt(provider.model, urlsplit(provider.base_url).netloc) for provider in listed
            ),
        )
        for tier, listed in models.providers.items()
    )
    tokens = models.offer.tokens_a_session
    return ReadingModels(tuple(tiers), tokens, models.tokens_a_day, models.usd_a_session)


def slack_client(settings: Settings) -> SlackClient:
    """The client of the one workspace whose token the bot has."""
    return SlackClient(_token(settings), base_url=settings.api_url, scarce_s=scarce_s(settings))


def scarce_s(settings: Settings) -> float | None:
    """Seconds between two pages of messages that Slack gives an app of this kind; None: plenty."""
    return PAGE_EVERY_S if settings.slack_app == "distributed" else None


def _token(settings: Settings) -> str:
    assert settings.bot_token is not None
    return settings.bot_token.get_secret_value()


def _app(
    settings: Settings, contexts: InteractionContexts, acknowledged: Acknowledged | None
) -> App:
    bare = WebClient(
        base_url=settings.api_url, retry_handlers=[], timeout=CALL_S_MAX, ssl=tls_context()
    )
    secret = settings.signing_secret
    kind = App if acknowledged is None else partial(_MeasuredApp, acknowledged)
    with _hidden_from_bolt():
        return kind(
            name="roundtable",
            logger=_quiet(),
            client=bare,
            authorize=_StoredIdentity(),
            before_authorize=_OnlyServed(contexts),
            signing_secret=secret.get_secret_value() if secret else "",
            process_before_response=True,
            attaching_conversation_kwargs_enabled=False,
            attaching_function_token_enabled=False,
            listener_executor=ThreadPoolExecutor(LISTENER_THREADS, thread_name_prefix="listener"),
        )


class _MeasuredApp(App):
    def __init__(self, acknowledged: Acknowledged, **options: Any) -> None:
        super().__init__(**options)
        self._acknowledged = acknowledged

    def dispatch(self, req: BoltRequest) -> BoltResponse:
        began = time.perf_counter()
        response = super().dispatch(req)
        self._acknowledged(req.body, response.status, time.perf_counter() - began)
        return response


class _StoredIdentity(Authorize):
    """Who we are, from what is stored. Asking Slack here would lose events while it is down.

    An object of Bolt's own kind is called as it is; a function is given arguments by name.
    """

    def __init__(self) -> None:
        """Nothing is kept here: a request brings what is stored of its workspace."""

    def __call__(self, *, context: BoltContext, **_: Any) -> AuthorizeResult:
        workspace = interaction_of(context).workspace
        return AuthorizeResult(
            enterprise_id=None,
            team_id=workspace.team,
            bot_id=workspace.bot_id,
            bot_user_id=workspace.bot_user,
        )


class _OnlyServed(Middleware):
    """What is meant for a workspace that is not served is acknowledged, and goes no further."""

    def __init__(self, contexts: InteractionContexts) -> None:
        self._contexts = contexts

    def process(
        self,
        *,
        req: BoltRequest,
        resp: BoltResponse,
        next: Callable[[], BoltResponse],  # noqa: A002 - Bolt's
    ) -> BoltResponse | None:
        if req.body.get("type") == "url_verification":
            return next()
        if req.body.get("type") == "app_rate_limited":
            log.warning("slack.events-limited", team=req.context.team_id)
            return BoltResponse(status=200)
        interaction = self._contexts(req)
        if interaction is None:
            return BoltResponse(status=200)
        req.context[INTERACTION] = interaction
        return next()


def _quiet() -> logging.Logger:
    """The base of Bolt's loggers. Below a warning they print whole payloads."""
    logging.getLogger("slack_sdk").setLevel(logging.WARNING)
    logger = logging.getLogger("roundtable.bolt")
    logger.setLevel(logging.WARNING)
    return logger


@contextmanager
def _hidden_from_bolt() -> Iterator[None]:
    hidden = {name: os.environ.pop(name) for name in _BOLT_READS if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(hidden)
