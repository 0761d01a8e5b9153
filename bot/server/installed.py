"""The workspaces that installed the app: each with its client and with what its listeners need.

What is kept here follows the rows: whatever another process installs, rotates or removes counts
from the next request on.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import structlog
from slack_bolt import BoltRequest

from bot.interactions.interaction_context import InteractionContext
from bot.server.bolt_app import ContextMaker, scarce_s
from bot.server.configuration.settings import Settings
from bot.server.http_app import Page
from bot.server.install_flow import INSTALL_PATH, REDIRECT_PATH, InstallFlow, install_flow
from bot.server.one_workspace import renderings
from bot.web_api.calls import Observe
from bot.web_api.client import SlackClient
from bot.web_api.lookups import Identity
from core.artifacts.files.folder import Folder
from core.artifacts.files.state import Teams
from core.domain.ids import AnswerId, ChannelId, MenuId, SessionId, TeamId, Ts
from core.domain.session.session import Session
from core.ports import Gone, Workspace
from core.runtime.commit import Runtime
from core.runtime.installation_keeper import DAY_S, InstallationKeeper
from core.secrets.token_keys import TokenKeys, UnreadableTokenError
from core.store.queries.reader import Reader
from core.store.repository.installations import Installations

log = structlog.get_logger(__name__)

Body = Mapping[str, Any]
ClientMaker = Callable[[str | None, Workspace], SlackClient]


@dataclass(frozen=True, slots=True)
class _Served:
    """`sealed`: the token of its client, as its row had it; None while it is uninstalled."""

    workspace: Workspace
    sealed: str | None
    slack: SlackClient


class InstalledWorkspaces:
    def __init__(
        self,
        reader: Reader,
        installations: Installations,
        keys: TokenKeys,
        client_of: ClientMaker,
    ) -> None:
        self._reader = reader
        self._installations = installations
        self._keys = keys
        self._client_of = client_of
        self._served: dict[TeamId, _Served] = {}

    def find(self, team: TeamId) -> Workspace | None:
        """A workspace where the app is installed now; None for any other."""
        served = self._now(team)
        return served.workspace if served is not None and served.sealed is not None else None

    def workspace(self, team: TeamId) -> Workspace:
        """Who we are there, whether it is installed or not. Raises `Gone`."""
        return self._reader.workspace(team)

    def client(self, team: TeamId) -> SlackClient:
        """Its client; one that calls nothing where the app is not installed. Raises `Gone`."""
        served = self._now(team)
        if served is None:
            raise Gone(team)
        return served.slack

    def contexts(self, reader: Reader, context_of: ContextMaker) -> "InstalledContexts":
        return InstalledContexts(self, reader, context_of)

    def unreadable(self) -> Iterator[TeamId]:
        """The workspaces whose tokens no key opens."""
        for installation in self._installations.all():
            if installation.sealed is not None and not self._opened(
                installation.team, installation.sealed
            ):
                yield installation.team

    def _now(self, team: TeamId) -> _Served | None:
        row = self._installations.find(team)
        if row is None:
            return None
        served = self._served.get(team)
        if served is None or served.sealed != row.sealed:
            workspace = self._reader.workspace(team)
            token = self._opened(team, row.sealed) if row.sealed is not None else None
            served = _Served(workspace, row.sealed, self._client_of(token, workspace))
            self._served[team] = served
        return served

    def _opened(self, team: TeamId, sealed: str) -> str | None:
        try:
            return self._keys.open(team, sealed)
        except UnreadableTokenError as error:
            log.error("token.unreadable", team=team, why=str(error))
            return None


class InstalledContexts:
    """What the listeners of each of these workspaces work with, made when it is first needed."""

    def __init__(
        self, workspaces: InstalledWorkspaces, reader: Reader, context_of: ContextMaker
    ) -> None:
        self._workspaces = workspaces
        self._reader = reader
        self._context_of = context_of
        self._lock = threading.Lock()
        self._contexts: dict[TeamId, tuple[SlackClient, InteractionContext]] = {}

    def __call__(self, req: BoltRequest) -> InteractionContext | None:
        team = self._team_of(req)
        if team is None or self._workspaces.find(team) is None:
            return None
        return self.of(team)

    def of(self, team: TeamId) -> InteractionContext:
        slack = self._workspaces.client(team)
        with self._lock:
            made_with, interaction = self._contexts.get(team, (None, None))
            if interaction is None or made_with is not slack:
                interaction = self._context_of(self._workspaces.workspace(team), slack)
                self._contexts[team] = slack, interaction
            return interaction

    def changed(self, session: Session) -> None:
        """Whoever looks at their Home tab in its workspace sees the session change."""
        if self._workspaces.find(session.team) is not None:
            self.of(session.team).homes.changed(session)

    def stop(self) -> None:
        with self._lock:
            contexts = [interaction for _, interaction in self._contexts.values()]
        for interaction in contexts:
            interaction.homes.stop()

    # ── whose a request is ──

    def _team_of(self, req: BoltRequest) -> TeamId | None:
        """The workspace of a request; in a channel that workspaces share, its author's."""
        team_id, body = req.context.team_id, req.body
        if body.get("is_ext_shared_channel") is True and isinstance(body.get("event"), dict):
            return self._of_shared(TeamId(team_id or ""), body["event"])
        if body.get("type") == "block_actions" and team_id == req.context.enterprise_id:
            return self._of_control(body["actions"][0])
        return TeamId(team_id) if team_id else None

    def _of_shared(self, team: TeamId, event: Body) -> TeamId:
        """Slack delivers once what is said there, and names any of those who share the channel."""
        author = author_team(event)
        if author is not None:
            return author if self._workspaces.find(author) is not None else team
        where = message_of(event)
        teams = self._reader.teams_of_answer(where) if where else ()
        return team if team in teams or not teams else teams[0]

    def _of_control(self, action: Body) -> TeamId | None:
        """An Enterprise Grid's click names the organization alone: what is stored says the rest."""
        value, block = str(action.get("value") or ""), str(action.get("block_id") or "")
        for reference in (value, block.partition("|")[0]):
            menu = self._reader.menu(MenuId(reference))
            session = self._reader.session(menu.session if menu else SessionId(reference))
            if session is not None:
                return session.team
        return None


WITH_AUTHOR: Final = ("message", "previous_message")


def author_team(event: Body) -> TeamId | None:
    """The workspace of whoever wrote a message, as far as its event says it."""
    inner = (event.get(name) for name in WITH_AUTHOR)
    for message in (event, *(part for part in inner if isinstance(part, dict))):
        teams = (message.get("user_team"), message.get("team"))
        team = next((name for name in teams if isinstance(name, str) and name), None)
        if team is not None:
            return TeamId(team)
    return None


def message_of(event: Body) -> AnswerId | None:
    """The message that was deleted, or that somebody reacted to."""
    item = event.get("item")
    place = item if isinstance(item, dict) else event
    channel, ts = place.get("channel"), place.get("ts" if place is item else "deleted_ts")
    if not isinstance(channel, str) or not isinstance(ts, str):
        return None
    return AnswerId(f"{ChannelId(channel)}:{Ts(ts)}")


@dataclass(frozen=True, slots=True)
class InstalledApp:
    """All that an app needs which workspaces install."""

    workspaces: InstalledWorkspaces
    keeper: InstallationKeeper
    flow: InstallFlow

    def start(self) -> None:
        """Name the workspaces whose tokens no key opens, and begin to keep the rest."""
        lost = tuple(self.workspaces.unreadable())
        log.info("workspaces.served", tokens_unreadable=list(lost))
        self.keeper.start()

    @property
    def pages(self) -> Mapping[str, Page]:
        """What browsers may ask for."""
        return dict.fromkeys((INSTALL_PATH, REDIRECT_PATH), self.flow.answer)


def installed_app(
    settings: Settings, runtime: Runtime, folder: Folder, teams: Teams, observe: Observe
) -> InstalledApp:
    """The app as it is on the runtime's database."""

    def client_of(token: str | None, workspace: Workspace) -> SlackClient:
        drawn = renderings(settings, workspace, runtime)
        slack = SlackClient(
            token,
            base_url=settings.api_url,
            renderings=drawn,
            installs=True,
            scarce_s=scarce_s(settings),
        )
        slack.set_observer(observe)
        return slack

    installations, keys = Installations(runtime.database), TokenKeys(settings.token_keys)
    clock, kept_s = runtime.clock, settings.uninstall_days * DAY_S
    workspaces = InstalledWorkspaces(runtime.reader, installations, keys, client_of)
    return InstalledApp(
        workspaces,
        InstallationKeeper(
            installations,
            folder,
            teams,
            clock,
            kept_s,
            keys.names,
            lambda team: isinstance(workspaces.client(team).lookups.auth_test(), Identity),
            runtime.wake,
        ),
        install_flow(settings, installations, keys, clock, runtime.wake),
    )
