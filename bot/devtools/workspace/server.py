"""The local workspace's front: life cycle, identity, faults and reading. See `acts` for people.

It is not Slack. It listens on 127.0.0.1 only, keeps everything in memory (if asked, in a folder as
well) and knows one team, one app and one bot. docs/reference/local-workspace.md says what it does
and does not do.
"""

import asyncio
import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, Self

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import Scope
from starlette.websockets import WebSocket

from bot.devtools.workspace.blocks.table import BLOCKS
from bot.devtools.workspace.delivery.announce import Announcer
from bot.devtools.workspace.delivery.host import LOOPBACK, Host
from bot.devtools.workspace.delivery.http_events import HttpCourier
from bot.devtools.workspace.delivery.passes import Passes
from bot.devtools.workspace.delivery.queue import (
    ACK_S_MAX,
    DELAYED_EVERY_S,
    DELAYED_TIMES,
    Courier,
    InFlight,
    PostOffice,
)
from bot.devtools.workspace.delivery.socket_mode import CONNECTIONS_MAX, SocketCourier
from bot.devtools.workspace.page.guard import OwnOrigin
from bot.devtools.workspace.page.routes import PageRoutes
from bot.devtools.workspace.people.view_acts import ViewActs
from bot.devtools.workspace.persistence import Keeper
from bot.devtools.workspace.state import APP_ID, BOT_ID, BOT_USER_ID, TEAM_ID, WorkspaceState
from bot.devtools.workspace.values import (
    SCOPES_ALL,
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

TOKEN_BYTES: Final = 16
POLL_S: Final = 0.005
SCALED_DELAYS_S: Final = (
    0.0,
    0.2,
    0.5,
)  # `bot.devtools.workspace.delivery.queue.RETRY_DELAYS_S` in little


class LocalWorkspace(ViewActs):
    """A Slack-compatible workspace on 127.0.0.1, in a thread of its own; state in memory."""

    team_id: str = TEAM_ID
    bot_user_id: str = BOT_USER_ID
    bot_id: str = BOT_ID
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
    ) -> None:
        """`rate_limits`: apply Slack's, by method and by channel; `distributed`: those of an app
        that is distributed outside the Marketplace, which may read next to nothing.

        `retry_delays`: seconds before each further attempt at an event; Slack's own are
        `RETRY_DELAYS_S` in `delivery.queue`. `delayed_events`: afterwards as often as Slack tries
        with that switch on. `keep_in`: a folder in which the state outlives this process; what it
        holds is taken up, and raises `persistence.DamagedError` when it cannot be.
        Tokens and signing secret are new, and at random, for each workspace.
        `command_notes`: what each usage of a slash command does, by its first word.
        `unknown_blocks`: see the property.
        """
        self.bot_token = f"xoxb-local-{secrets.token_hex(TOKEN_BYTES)}"
        self.app_token = f"xapp-local-{secrets.token_hex(TOKEN_BYTES)}"
        self.signing_secret = secrets.token_hex(TOKEN_BYTES)
        self._world = WorkspaceState(people, channels, bot_in, admins)
        self.unknown_blocks = unknown_blocks
        self._keeper = Keeper(self._world, keep_in) if keep_in else None
        self.faults = Faults(self._world.changes.count)
        self.inject, self.refuse = self.faults.inject, self.faults.refuse
        self.unrevoke, self.clear_faults = self.faults.unrevoke, self.faults.clear
        self._in_flight = InFlight()
        self.idle, self.wait_idle = self._in_flight.idle, self._in_flight.wait_idle
        self._port = port
        self._ack_seconds = ack_seconds
        self._first_seconds = first_seconds
        self._sockets = self._courier_of_sockets()
        self._http: HttpCourier | None = None
        self.events_url = events_url
        delayed = (delayed_every_s,) * DELAYED_TIMES if delayed_events else ()
        self._office = PostOffice(
            self._courier, self.faults, self._in_flight, (*retry_delays, *delayed)
        )
        self._context = MethodContext(
            workspace=self._world,
            announcer=Announcer(self._world, self._office, scopes),
            passes=Passes(),
            scopes=frozenset(scopes),
            address=lambda: f"{LOOPBACK}:{self._port}",
            read_max=DISTRIBUTED_OBJECTS_MAX if distributed else 1_000,
        )
        self._host: Host | None = None
        self._api = WebApi(
            self._context,
            {self.bot_token: "bot", self.app_token: "app"},
            self.faults,
            self._in_flight,
            self._abort,
            _limits(rate_limits=rate_limits, distributed=distributed),
        )
        self._page_token = page_token
        self._page = (
            PageRoutes(self, self._world, page_token, command_notes) if page_token else None
        )

    # life

    def start(self) -> None:
        """Listen and serve; a stopped workspace may be started again on the same port."""
        if self._host is not None:
            raise RuntimeError("the local workspace is running already")
        self._sockets = self._courier_of_sockets()
        self._api.stopping = asyncio.Event()
        host = Host(self._app(), self._office.open, self._closing)
        self._port = host.start(self._port)
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

    @property
    def workspace_url(self) -> str:
        return self._context.workspace_url

    @property
    def port(self) -> int:
        return self._port

    @property
    def stopping(self) -> asyncio.Event:
        """Set on the server's loop when it ends: what is streamed ends with it."""
        return self._api.stopping

    @property
    def page_url(self) -> str:
        """Where a browser finds the page; who has this address may do all that people do here."""
        if self._page_token is None:
            raise RuntimeError("this workspace has no page: give it a page_token")
        return f"{self.workspace_url}{self._page_token}/"

    @property
    def api_url(self) -> str:
        return f"{self.workspace_url}api/"

    @property
    def events_url(self) -> str | None:
        """Where signed HTTP goes; None is Socket Mode."""
        return self._events_url

    @events_url.setter
    def events_url(self, url: str | None) -> None:
        courier = HttpCourier(url, self.signing_secret, self._ack_seconds) if url else None
        self._events_url, self._http = url, courier

    @property
    def unknown_blocks(self) -> Collection[str]:
        """The types of blocks that are refused as unknown from now on; what is there stays.

        `NEWER_BLOCKS` makes it a Slack of old.
        """
        return self._world.unknown_blocks

    @unknown_blocks.setter
    def unknown_blocks(self, types: Collection[str]) -> None:
        """Raises `ValueError` for what is no type of a block."""
        if others := set(types) - BLOCKS.keys():
            raise ValueError(f"no types of blocks: {', '.join(sorted(others))}")
        with self._world.lock:
            self._world.unknown_blocks = frozenset(types)

    def user_id(self, person: str) -> str:
        return self._world.person(person).id

    def channel_id(self, name: str) -> str:
        return self._world.channel(name).id

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
        until = time.monotonic() + timeout
        while self._sockets.count < count and time.monotonic() < until:
            time.sleep(POLL_S)
        return self._sockets.count >= count

    def messages(
        self, channel: str, *, thread_ts: str | None = None, deleted: bool = False
    ) -> list[WorkspaceMessage]:
        """A channel's messages, threads included, or one thread with its root; oldest first."""
        with self._world.lock:
            posts = [
                post
                for post in self._world.in_channel(self._world.channel(channel))
                if (thread_ts is None or post.root_ts == thread_ts)
                and (deleted or not post.deleted)
            ]
            return [self._world.message(post) for post in posts]

    def top_level(self, channel: str) -> list[WorkspaceMessage]:
        return [message for message in self.messages(channel) if message.thread_ts is None]

    @property
    def ephemerals(self) -> list[Ephemeral]:
        with self._world.lock:
            return [self._world.ephemeral(whisper) for whisper in self._world.whispers]

    @property
    def pings(self) -> list[Ping]:
        with self._world.lock:
            return list(self._world.pings)

    @property
    def calls(self) -> list[Call]:
        return list(self._api.calls)

    @property
    def deliveries(self) -> list[Delivery]:
        return list(self._office.deliveries)

    @property
    def files(self) -> list[WorkspaceFile]:
        with self._world.lock:
            return list(self._world.files)

    def status(self, channel: str, thread_ts: str) -> str:
        """Who is at what, as the line under a thread says it; empty where there is none."""
        with self._world.lock:
            status = self._world.status(self._world.channel(channel), thread_ts)
            return f"{status.author} {status.text}" if status else ""

    def home(self, person: str) -> Json | None:
        """The App Home last published for `person`."""
        with self._world.lock:
            return self._world.homes.get(self._world.person(person).id)

    @property
    def modals(self) -> list[Modal]:
        """Every modal that is open, in the order of opening."""
        with self._world.lock:
            return [self._world.modal(modal) for modal in self._world.modals.values()]

    # inside

    def _app(self) -> Starlette:
        routes: list[BaseRoute] = [
            Route("/api/{method}", self._api.method, methods=["GET", "POST"]),
            Route("/upload/v1/{file_id}", self._api.upload, methods=["POST"]),
            Route("/response/{reply_id}", self._api.respond, methods=["POST"]),
            WebSocketRoute("/link/", self._link),
        ]
        if self._page:
            return self._page.beside(routes)
        own = Middleware(OwnOrigin, port=lambda: self._port)
        return Starlette(routes=routes, middleware=[own])

    async def _link(self, websocket: WebSocket) -> None:
        with self._world.lock:
            admitted = self._context.passes.use_ticket(websocket.query_params.get("ticket", ""))
        if not admitted or self._sockets.count >= CONNECTIONS_MAX:
            await websocket.close()
            return
        await self._sockets.serve(websocket)

    async def _closing(self) -> None:
        self._api.stopping.set()
        await self._office.close()
        await self._sockets.end_all("link_disabled")

    def _abort(self, scope: Scope, *, reset: bool = False) -> None:
        if self._host is not None:
            self._host.abort(scope, reset=reset)

    def _courier_of_sockets(self) -> SocketCourier:
        return SocketCourier(self._ack_seconds, self._world.changes.count, self._first_seconds)

    def _courier(self) -> Courier:
        return self._http or self._sockets

    def _loop(self) -> asyncio.AbstractEventLoop:
        if self._host is None or self._host.loop is None:
            raise RuntimeError("the local workspace is not running: call start() first")
        return self._host.loop


def _limits(*, rate_limits: bool, distributed: bool) -> RateLimits | None:
    calls_of = (CALLS_OF if rate_limits else {}) | (DISTRIBUTED if distributed else {})
    return RateLimits(calls_of=calls_of) if calls_of else None
