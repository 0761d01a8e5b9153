"""The Bolt app: who a request is for, how it is verified, and nothing of Bolt's that surprises."""

import logging
import os
import secrets
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

from slack_bolt import App, BoltRequest, BoltResponse
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.authorize import Authorize
from slack_bolt.middleware import Middleware
from slack_sdk import WebClient

from bot.interactions.commands import no_repositories
from bot.interactions.ephemerals import Admins, EphemeralSender
from bot.interactions.forms.modals import Modals, Seal
from bot.interactions.home import Homes
from bot.interactions.interaction_context import InteractionContext
from bot.interactions.listeners import register
from bot.server.model_settings import language_models
from bot.server.setting_values import DATA
from bot.server.settings import Settings
from bot.views.private.brain import ModelAt, ReadingModels
from bot.web_api.calls import tls_context
from bot.web_api.channels import Channels
from bot.web_api.client import SlackClient
from bot.web_api.directory import SlackDirectory
from core.domain.ids import ChannelId, TeamId
from core.ports import SessionReader, Workspace
from core.runtime.commit import Runtime

SCOPES: Final = DATA["scopes"]
"""What the manifest asks for, each with its reason."""

LISTENER_THREADS: Final = 20  # five, Bolt's default, leave a click unanswered when they are busy
WHISPER_THREADS: Final = 4
MODAL_THREADS: Final = 4  # their own: a trigger does not live as long as a slow whisper takes
CALL_S_MAX: Final = 10

Pool = Callable[[int, str], Executor]
"""Makes a thread pool: how many threads, and the prefix of their names."""

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


def build_bolt(
    settings: Settings,
    runtime: Runtime,
    workspace: Workspace,
    *,
    slack: SlackClient | None = None,
    names: SlackDirectory | None = None,
    channels: Channels | None = None,
    homes: Homes | None = None,
    modals: Modals | None = None,
    pool: Pool = ThreadPoolExecutor,
    now: Callable[[], float] = time.time,
    new_id: Callable[[], str] = _new_id,
    repositories: Callable[[TeamId, ChannelId], tuple[str, ...]] = no_repositories,
) -> App:
    """An app with every listener registered. Building it does not call Slack."""
    speaker = slack or slack_client(settings)
    app = _app(settings, workspace)
    people = names or SlackDirectory(lambda _team: speaker)
    shared = channels or Channels(speaker)
    forms = pool(MODAL_THREADS, "modal")
    desk = InteractionContext(
        runtime=runtime,
        workspace=workspace,
        whisper=EphemeralSender(speaker, pool(WHISPER_THREADS, "whisper")),
        admins=Admins(speaker),
        names=people,
        modals=modals or Modals(speaker, forms, Seal(_token(settings))),
        channels=shared,
        homes=homes or home_tabs(runtime.reader, speaker, people, shared, workspace, now, pool),
        now=now,
        new_id=new_id,
        repositories=repositories,
        readers=_readers(settings),
    )
    register(app, desk)
    return app


def home_tabs(
    reader: SessionReader,
    slack: SlackClient,
    names: SlackDirectory,
    channels: Channels,
    workspace: Workspace,
    now: Callable[[], float],
    pool: Pool = ThreadPoolExecutor,
) -> Homes:
    """One worker: what is published last is what was committed last."""
    return Homes(reader, slack, names, channels, workspace, pool(1, "home"), now)


def _readers(settings: Settings) -> ReadingModels:
    """The language models of the settings, as members of a channel are shown them."""
    models = language_models(settings)
    shown = (
        (tier, tuple(ModelAt(one.model, urlsplit(one.base_url).netloc) for one in listed))
        for tier, listed in models.providers.items()
    )
    tokens = models.offer.tokens_a_session
    return ReadingModels(tuple(shown), tokens, models.tokens_a_day, models.usd_a_session)


def slack_client(settings: Settings) -> SlackClient:
    return SlackClient(_token(settings), base_url=settings.api_url)


def _token(settings: Settings) -> str:
    assert settings.bot_token is not None
    return settings.bot_token.get_secret_value()


def _app(settings: Settings, workspace: Workspace) -> App:
    bare = WebClient(
        base_url=settings.api_url, retry_handlers=[], timeout=CALL_S_MAX, ssl=tls_context()
    )
    secret = settings.signing_secret
    with _hidden_from_bolt():
        return App(
            name="roundtable",
            logger=_quiet(),
            client=bare,
            authorize=_identity(settings, workspace),  # type: ignore[arg-type] # it takes both
            before_authorize=_OnlyOurs(workspace),
            signing_secret=secret.get_secret_value() if secret else "",
            process_before_response=True,
            attaching_conversation_kwargs_enabled=False,
            attaching_function_token_enabled=False,
            listener_executor=ThreadPoolExecutor(LISTENER_THREADS, thread_name_prefix="listener"),
        )


def _identity(settings: Settings, workspace: Workspace) -> Authorize:
    """Who we are, from what is stored. Asking Slack here would lose events while it is down."""
    identity = AuthorizeResult(
        enterprise_id=None,
        team_id=workspace.team,
        bot_id=workspace.bot_id,
        bot_user_id=workspace.bot_user,
        bot_token=settings.bot_token.get_secret_value() if settings.bot_token else None,
    )

    return _Known(identity)


class _Known(Authorize):
    """An object of Bolt's own kind is called as it is; a function is given arguments by name."""

    def __init__(self, identity: AuthorizeResult) -> None:
        self._known = identity

    def __call__(self, **_: Any) -> AuthorizeResult:
        return self._known


class _OnlyOurs(Middleware):
    """What is meant for another workspace is acknowledged, and goes no further."""

    def __init__(self, workspace: Workspace) -> None:
        self._team = workspace.team

    def process(
        self,
        *,
        req: BoltRequest,
        resp: BoltResponse,
        next: Callable[[], BoltResponse],  # noqa: A002 - Bolt's
    ) -> BoltResponse | None:
        named = req.context.team_id
        if named == self._team or req.body.get("type") == "url_verification":
            return next()
        organization = req.context.enterprise_id
        if req.body.get("type") == "block_actions" and organization and named == organization:
            return next()  # it names nobody's workspace: what is stored says whether it is ours
        return BoltResponse(status=200)


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
