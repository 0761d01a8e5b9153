"""One team of the local workspace, as its people and tests see it: acts, installation, readings.

What all teams have in common (the app, the server, the ways of payloads) is `server`'s.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from starlette.types import Scope

from bot.devtools.workspace import readers
from bot.devtools.workspace.blocks.table import BLOCKS
from bot.devtools.workspace.delivery.announce import FAREWELLS, Announcer, Farewell
from bot.devtools.workspace.delivery.passes import Passes
from bot.devtools.workspace.delivery.queue import Courier, InFlight, PostOffice
from bot.devtools.workspace.installation import TeamInstallation
from bot.devtools.workspace.people.view_acts import ViewActs
from bot.devtools.workspace.slack_app import GrantedConsent, SlackApp
from bot.devtools.workspace.state import StoredPerson, WorkspaceState
from bot.devtools.workspace.values import (
    Call,
    Delivery,
    Ephemeral,
    Json,
    Modal,
    Ping,
    WorkspaceFile,
    WorkspaceMessage,
)
from bot.devtools.workspace.web_api.endpoint import CALLS_OF, WebApi
from bot.devtools.workspace.web_api.injected_faults import Faults
from bot.devtools.workspace.web_api.method import MethodContext
from bot.devtools.workspace.web_api.rate_limits import (
    DISTRIBUTED,
    DISTRIBUTED_OBJECTS_MAX,
    RateLimits,
)

if TYPE_CHECKING:
    from bot.devtools.workspace.server import LocalWorkspace

READ_MAX: Final = 1_000


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What every team of one local workspace has in common."""

    app: SlackApp
    app_token: str
    scopes: Sequence[str]
    in_flight: InFlight
    courier: Callable[[], Courier]
    retry_delays: Sequence[float]
    address: Callable[[], str]
    abort: Callable[[Scope], None]
    rate_limits: bool
    distributed: bool

    def limits(self) -> RateLimits | None:
        """Those of one team: Slack counts each by itself."""
        calls_of = (CALLS_OF if self.rate_limits else {}) | (
            DISTRIBUTED if self.distributed else {}
        )
        return RateLimits(calls_of=calls_of) if calls_of else None


class LocalTeam(ViewActs):
    """A team with its people, channels and trouble, and the app if it is installed."""

    front: "LocalWorkspace"

    def __init__(self, world: WorkspaceState, around: Surroundings, *, installed: bool) -> None:
        self.world = world
        self._scopes = around.scopes
        self._installation = TeamInstallation()
        self.faults = Faults(world.changes.count)
        self.inject, self.refuse = self.faults.inject, self.faults.refuse
        self.unrevoke, self.clear_faults = self.faults.unrevoke, self.faults.clear
        self._office = PostOffice(
            around.courier, self.faults, around.in_flight, around.retry_delays
        )
        self._context = MethodContext(
            workspace=world,
            announcer=Announcer(world, self._office, self._installation),
            passes=Passes(),
            installation=self._installation,
            address=around.address,
            read_max=DISTRIBUTED_OBJECTS_MAX if around.distributed else READ_MAX,
            app=around.app,
        )
        self._api = WebApi(
            self._context, around.app_token, self.faults, around.abort, around.limits()
        )
        if installed:
            self._installation.issue(around.scopes)

    # identity

    @property
    def team_id(self) -> str:
        return self.world.team.id

    @property
    def team_name(self) -> str:
        return self.world.team.name

    @property
    def installed(self) -> bool:
        return self._installation.is_active

    @property
    def bot_user_id(self) -> str:
        return self.world.team.bot_user_id

    @property
    def bot_id(self) -> str:
        return self.world.team.bot_id

    @property
    def bot_token(self) -> str:
        """The app's token here; empty while it is not installed."""
        return self._installation.token

    @property
    def workspace_url(self) -> str:
        return self._context.workspace_url

    @property
    def unknown_blocks(self) -> Collection[str]:
        """The types of blocks that are refused as unknown from now on; what is there stays.

        `NEWER_BLOCKS` makes it a Slack of old.
        """
        return self.world.unknown_blocks

    @unknown_blocks.setter
    def unknown_blocks(self, types: Collection[str]) -> None:
        """Raises `ValueError` for what is no type of a block."""
        if others := set(types) - BLOCKS.keys():
            raise ValueError(f"no types of blocks: {', '.join(sorted(others))}")
        with self.world.lock:
            self.world.unknown_blocks = frozenset(types)

    @property
    def people(self) -> Sequence[StoredPerson]:
        return list(self.world.people)

    def user_id(self, person: str) -> str:
        return self.world.person(person).id

    def channel_id(self, name: str) -> str:
        return self.world.channel(name).id

    # the app comes and goes

    def consent(self, person: str, url: str, *, allow: bool = True) -> str:
        """Press Allow, or Cancel, on the install page that `url` leads to; where that sends one.

        Raises `slack_app.ConsentError` where that page only says what is wrong.
        """
        with self.world.lock:
            actor, app = self.world.person(person), self._context.app
            request = app.request(url)
            if not allow:
                return request.answer(error="access_denied")
            return app.allow(GrantedConsent(self._installation, actor, request))

    def install(self) -> str:
        """Install the app without asking anybody; its token."""
        with self.world.lock:
            return self._installation.issue(self._scopes)

    def uninstall(self, order: Sequence[Farewell] = tuple(FAREWELLS)) -> None:
        """Remove the app; `order`: of the two events that tell it so.

        Raises `people.acts.NotInstalledError` where it is not installed.
        """
        with self.world.lock:
            self._need_app()
            self._context.announcer.left("account_inactive", order)

    def tell_late(self, farewell: Farewell, happened_at: int) -> None:
        """Send one of these events by itself, as Slack may long after it happened."""
        with self.world.lock:
            self._context.announcer.farewell(farewell, happened_at)

    def rate_limited(self) -> None:
        """Tell the app that its events from here are more than it may have."""
        with self.world.lock:
            self._context.announcer.rate_limited()

    # reading

    def messages(
        self, channel: str, *, thread_ts: str | None = None, deleted: bool = False
    ) -> list[WorkspaceMessage]:
        """A channel's messages, threads included, or one thread with its root; oldest first."""
        with self.world.lock:
            posts = [
                post
                for post in self.world.in_channel(self.world.channel(channel))
                if (thread_ts is None or post.root_ts == thread_ts)
                and (deleted or not post.deleted)
            ]
            return [readers.message(self.world, post) for post in posts]

    def top_level(self, channel: str) -> list[WorkspaceMessage]:
        return [message for message in self.messages(channel) if message.thread_ts is None]

    @property
    def ephemerals(self) -> list[Ephemeral]:
        with self.world.lock:
            return [readers.ephemeral(self.world, ephemeral) for ephemeral in self.world.ephemerals]

    @property
    def pings(self) -> list[Ping]:
        with self.world.lock:
            return list(self.world.pings)

    @property
    def calls(self) -> list[Call]:
        return list(self._api.calls)

    @property
    def deliveries(self) -> list[Delivery]:
        return list(self._office.deliveries)

    @property
    def files(self) -> list[WorkspaceFile]:
        with self.world.lock:
            return list(self.world.files)

    def status(self, channel: str, thread_ts: str) -> str:
        """Who is at what, as the line under a thread says it; empty where there is none."""
        with self.world.lock:
            status = self.world.status(self.world.channel(channel), thread_ts)
            return f"{status.author} {status.text}" if status else ""

    def home(self, person: str) -> Json | None:
        """The App Home last published for `person`."""
        with self.world.lock:
            return self.world.homes.get(self.world.person(person).id)

    @property
    def modals(self) -> list[Modal]:
        """Every modal that is open, in the order of opening."""
        with self.world.lock:
            return [readers.modal(self.world, modal) for modal in self.world.modals.values()]
