"""The local workspace's front: life cycle, the app, the server, and the teams. See `team` for one.

It is not Slack. It listens on 127.0.0.1 only, keeps everything in memory (if asked, in a folder as
well) and knows one app. docs/reference/local-workspace.md says what it does and does not do.
"""

import asyncio
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, Self

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import Scope
from starlette.websockets import WebSocket

from bot.devtools.waiting import wait_until
from bot.devtools.workspace.delivery.host import LOOPBACK, Host
from bot.devtools.workspace.delivery.http_events import HttpCourier
from bot.devtools.workspace.delivery.queue import (
    ACK_S_MAX,
    DELAYED_EVERY_S,
    DELAYED_TIMES,
    Courier,
    InFlight,
)
from bot.devtools.workspace.delivery.socket_mode import CONNECTIONS_MAX, SocketCourier
from bot.devtools.workspace.page.consent import ConsentRoutes
from bot.devtools.workspace.page.guard import OwnOrigin
from bot.devtools.workspace.page.routes import PageRoutes, guarded
from bot.devtools.workspace.persistence import Keeper
from bot.devtools.workspace.slack_app import SlackApp
from bot.devtools.workspace.slack_team import further_team
from bot.devtools.workspace.state import APP_ID, WorkspaceState
from bot.devtools.workspace.team import LocalTeam, Surroundings
from bot.devtools.workspace.values import SCOPES_ALL
from bot.devtools.workspace.web_api.router import ApiRouter

TOKEN_BYTES: Final = 16
SCALED_DELAYS_S: Final = (
    0.0,
    0.2,
    0.5,
)  # `bot.devtools.workspace.delivery.queue.RETRY_DELAYS_S` in little


@dataclass(frozen=True, slots=True)
class OtherTeam:
    """A team beside the first; the words are those of `LocalWorkspace`."""

    name: str
    people: Sequence[str]
    channels: Sequence[str] = ("general",)
    bot_in: Sequence[str] | None = None
    admins: Sequence[str] = ()
    installed: bool = False


class LocalWorkspace(LocalTeam):
    """A Slack-compatible workspace on 127.0.0.1, in a thread of its own; state in memory.

    It is its first team; `team` leads to the others.
    """

    app_id: str = APP_ID

    def __init__(
        self,
        *,
        people: Sequence[str],
        channels: Sequence[str] = ("general",),
        bot_in: Sequence[str] | None = None,
        scopes: Sequence[str] = SCOPES_ALL,
        port: int = 0,
        events_url: str | None = None,
        retry_delays: Sequence[float] = SCALED_DELAYS_S,
        delayed_events: bool = False,
        delayed_every_s: float = DELAYED_EVERY_S,
        admins: Sequence[str] = (),
        ack_seconds: float = ACK_S_MAX,
        first_seconds: float = 0.0,
        keep_in: Path | None = None,
        page_token: str | None = None,
        rate_limits: bool = False,
        distributed: bool = False,
        command_notes: Mapping[str, str] | None = None,
        unknown_blocks: Collection[str] = (),
        installed: bool = True,
        teams: Sequence[OtherTeam] = (),
        shared: Sequence[str] = (),
        redirect_urls: Collection[str] = (),
    ) -> None:
        """`rate_limits`: apply Slack's, by method and by channel; `distributed`: those of an app
        that is distributed outside the Marketplace, which may read next to nothing.

        `retry_delays`: seconds before each further attempt at an event; Slack's own are
        `RETRY_DELAYS_S` in `delivery.queue`. `delayed_events`: afterwards as often as Slack tries
        with that switch on. `keep_in`: a folder in which the state outlives this process; what it
        holds is taken up, and raises `persistence.DamagedError` when it cannot be.
        Tokens and signing secret are new, and at random, for each workspace.
        `command_notes`: what each usage of a slash command does, by its first word.
        `unknown_blocks`: see the property. `installed`: the first team has the app from the start.
        `teams`: those beside the first; `shared`: channels that all of them are in.
        `redirect_urls`: see `SlackApp`. Raises `ValueError` for several teams to be kept.
        """
        if keep_in and teams:
            raise ValueError("only a workspace of one team can be kept: leave out keep_in or teams")
        self.app = SlackApp(scopes, redirect_urls)
        self.app_token = f"xapp-local-{secrets.token_hex(TOKEN_BYTES)}"
        self.signing_secret = secrets.token_hex(TOKEN_BYTES)
        self._in_flight = InFlight()
        self.idle, self.wait_idle = self._in_flight.idle, self._in_flight.wait_idle
        self.port = port
        self._ack_seconds = ack_seconds
        self._first_seconds = first_seconds
        delayed = (delayed_every_s,) * DELAYED_TIMES if delayed_events else ()
        around = Surroundings(
            app=self.app,
            app_token=self.app_token,
            scopes=scopes,
            in_flight=self._in_flight,
            courier=self._courier,
            retry_delays=(*retry_delays, *delayed),
            address=lambda: f"{LOOPBACK}:{self.port}",
            abort=self._abort,
            rate_limits=rate_limits,
            distributed=distributed,
        )
        world = WorkspaceState(people, channels, bot_in, admins, shared=shared)
        super().__init__(world, around, installed=installed)
        self.teams: Sequence[LocalTeam] = (self, *self._further(teams, shared, around))
        self._introduce()
        for team in self.teams:
            team.unknown_blocks = unknown_blocks
        self._keeper = Keeper(self.world, keep_in) if keep_in else None
        self._sockets = self._courier_of_sockets()
        self._http: HttpCourier | None = None
        self.events_url = events_url
        self._host: Host | None = None
        self.stopping = asyncio.Event()
        self._router = ApiRouter([team._api for team in self.teams], self._in_flight)
        self._page_token = page_token
        self._pages = [
            PageRoutes(team, page_token, command_notes) for team in self.teams if page_token
        ]

    def _further(
        self, teams: Sequence[OtherTeam], shared: Sequence[str], around: Surroundings
    ) -> list[LocalTeam]:
        made = []
        for number, team in enumerate(teams, 2):
            world = WorkspaceState(
                team.people,
                team.channels,
                team.bot_in,
                team.admins,
                shared=shared,
                team=further_team(team.name, number),
                host=self.world,
            )
            made.append(LocalTeam(world, around, installed=team.installed))
        return made

    def _introduce(self) -> None:
        """Every team knows the others: in a shared channel they meet."""
        announcers = {team.team_id: team._context.announcer for team in self.teams}
        for team in self.teams:
            team.front = self
            team._others = {partner.team_id: partner for partner in self.teams}
            team._context.announcer.peers = announcers

    # life

    def start(self) -> None:
        """Listen and serve; a stopped workspace may be started again on the same port."""
        if self._host is not None:
            raise RuntimeError("the local workspace is running already")
        self._sockets = self._courier_of_sockets()
        self.stopping = asyncio.Event()
        for team in self.teams:
            team._api.stopping = self.stopping
        host = Host(self._app(), self._open, self._closing)
        self.port = host.start(self.port)
        self._host = host
        if self._keeper is not None:
            self._keeper.start(self.workspace_url)

    def stop(self) -> None:
        if self._host is not None:
            self._host.stop()
            self._host = None
            self._in_flight.reset()
            if self._keeper is not None:
                self._keeper.stop()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    # identity

    def team(self, name_or_id: str) -> LocalTeam:
        """A team by name or id. Raises `KeyError` for any other."""
        for team in self.teams:
            if name_or_id in (team.team_name, team.team_id):
                return team
        names = ", ".join(team.team_name for team in self.teams)
        raise KeyError(f"no team is called {name_or_id!r}; teams: {names}")

    @property
    def page_url(self) -> str:
        """Where a browser finds the page; who has this address may do all that people do here."""
        if self._page_token is None:
            raise RuntimeError("this workspace has no page: give it a page_token")
        return f"{self.workspace_url}{self._page_token}/"

    @property
    def api_url(self) -> str:
        return f"{self._context.host_url}api/"

    @property
    def authorize_url(self) -> str:
        """Where a person is asked whether the app may be installed."""
        return f"{self._context.host_url}oauth/v2/authorize"

    @property
    def events_url(self) -> str | None:
        """Where signed HTTP goes; None is Socket Mode."""
        return self._events_url

    @events_url.setter
    def events_url(self, url: str | None) -> None:
        courier = HttpCourier(url, self.signing_secret, self._ack_seconds) if url else None
        self._events_url, self._http = url, courier

    # faults on demand

    def disconnect(
        self, how: Literal["gone", "reset", "close", "refresh", "warning"] = "gone"
    ) -> None:
        """End every Socket Mode connection.

        `gone`: the stream ends without a close frame; `reset`: a TCP reset; `close`: a close
        frame; `refresh`: Slack's `disconnect` message, then a close frame; `warning`: the message
        that comes before it, and nothing ends.
        """
        asyncio.run_coroutine_threadsafe(self._disconnect(how), self._loop()).result()

    async def _disconnect(self, how: str) -> None:
        match how:
            case "warning":
                await self._sockets.end_all("warning", close=False)
            case "refresh":
                await self._sockets.end_all("refresh_requested")
            case "close":
                await self._sockets.end_all()
            case _:
                reset = how == "reset"
                self._sockets.drop_all(lambda socket: self._abort(socket.scope, reset=reset))

    # reading

    @property
    def connections(self) -> int:
        """Open Socket Mode connections."""
        return self._sockets.count

    def wait_connected(self, timeout: float, count: int = 1) -> bool:
        return wait_until(lambda: self._sockets.count >= count, timeout)

    # inside

    def _app(self) -> Starlette:
        routes: list[BaseRoute] = [
            Route("/api/{method}", self._router.method, methods=["GET", "POST"]),
            Route("/upload/v1/{file_id}", self._router.upload, methods=["POST"]),
            Route("/response/{reply_id}", self._router.respond, methods=["POST"]),
            WebSocketRoute("/link/", self._link),
        ]
        consent = ConsentRoutes(self, self._pages[0].refuse_strangers if self._pages else _admit)
        routes += consent.routes()
        if self._page_token is not None:
            return guarded(self._pages, routes, self._page_token, lambda: self.port)
        own = Middleware(OwnOrigin, port=lambda: self.port)
        return Starlette(routes=routes, middleware=[own])

    async def _link(self, websocket: WebSocket) -> None:
        with self.world.lock:
            admitted = self._context.passes.use_ticket(websocket.query_params.get("ticket", ""))
        if not admitted or self._sockets.count >= CONNECTIONS_MAX:
            await websocket.close()
            return
        await self._sockets.serve(websocket)

    def _open(self, loop: asyncio.AbstractEventLoop) -> None:
        for team in self.teams:
            team._office.open(loop)

    async def _closing(self) -> None:
        self.stopping.set()
        for team in self.teams:
            await team._office.close()
        await self._sockets.end_all("link_disabled")

    def _abort(self, scope: Scope, *, reset: bool = False) -> None:
        if self._host is not None:
            self._host.abort(scope, reset=reset)

    def _courier_of_sockets(self) -> SocketCourier:
        return SocketCourier(self._ack_seconds, self.world.changes.count, self._first_seconds)

    def _courier(self) -> Courier:
        return self._http or self._sockets

    def _loop(self) -> asyncio.AbstractEventLoop:
        if self._host is None or self._host.loop is None:
            raise RuntimeError("the local workspace is not running: call start() first")
        return self._host.loop


def _admit(_request: Request) -> None:
    """Let everybody in: without a page nobody has opened it."""
