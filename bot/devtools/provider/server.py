"""The stand-in's front: life cycle, the three protocols, and a control that plans faults.

It listens on 127.0.0.1 only and keeps what it was asked in memory, without anybody's key.
docs/reference/model-protocol.md says what a provider is asked.
"""

import asyncio
import json
import threading
from collections.abc import Mapping
from dataclasses import asdict
from typing import Final, Self

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Scope

from bot.devtools.provider.answer_faults import changed
from bot.devtools.provider.connections import BrokenResponse
from bot.devtools.provider.entries import FaultyEntryError, fault_of
from bot.devtools.provider.exchange import (
    Json,
    ProviderRequest,
    RecordedRequest,
    StandInAnswer,
    tokens_of,
)
from bot.devtools.provider.failures import UNREADABLE, WRONG_KEY, failure_of
from bot.devtools.provider.faults import WIRE_KINDS, FaultPlan, StandInFault
from bot.devtools.provider.personalities.table import PERSONALITIES, Personality
from bot.devtools.provider.protocols.chat import ChatCompletions
from bot.devtools.provider.protocols.messages import Messages
from bot.devtools.provider.protocols.responses import Responses
from bot.devtools.provider.protocols.shape import ProviderFailure, Shape
from bot.devtools.workspace.delivery.host import LOOPBACK, Host
from bot.devtools.workspace.page.guard import OwnOrigin

SHAPES: Final[Mapping[str, Shape]] = {
    "/v1/chat/completions": ChatCompletions(),
    "/v1/responses": Responses(),
    "/v1/messages": Messages(),
}
SECRET_HEADERS: Final = frozenset({"authorization", "x-api-key"})
NAME: Final = "stand-in provider"
TOLD: Final = ("number", "path", "headers", "body")  # of each request, by the control


class StandIn:
    """A provider on 127.0.0.1, in a thread of its own."""

    def __init__(
        self,
        personality: Personality | None = None,
        *,
        port: int = 0,
        key: str = "",
    ) -> None:
        """`personality`: thoughtful without one. `key`: the only one that is taken; empty: any."""
        self.personality = personality or PERSONALITIES["thoughtful"]
        self.faults = FaultPlan()
        self._key = key
        self._port = port
        self._lock = threading.Lock()
        self._requests: list[RecordedRequest] = []
        self._host: Host | None = None
        self._stopping = asyncio.Event()

    # life

    def start(self) -> None:
        """Listen and serve; a stopped one may be started again on the same port."""
        if self._host is not None:
            raise RuntimeError("the stand-in is running already")
        self._stopping = asyncio.Event()
        host = Host(self._app(), lambda _: None, self._closing, name=NAME)
        self._port = host.start(self._port)
        self._host = host

    def stop(self) -> None:
        if self._host is not None:
            self._host.stop()
            self._host = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def root_url(self) -> str:
        """The base URL of Anthropic's client, which adds `/v1/messages` itself."""
        return f"http://{LOOPBACK}:{self._port}"

    @property
    def url(self) -> str:
        """The base URL of OpenAI's client."""
        return f"{self.root_url}/v1"

    @property
    def requests(self) -> tuple[RecordedRequest, ...]:
        with self._lock:
            return tuple(self._requests)

    @property
    def is_running(self) -> bool:
        return self._host is not None

    def forget(self) -> None:
        """What was asked; numbers begin with 1 again."""
        with self._lock:
            self._requests.clear()

    # inside

    def _app(self) -> Starlette:
        routes = [Route(path, self._answer, methods=["POST"]) for path in SHAPES]
        routes += [
            Route("/control/faults", self._plan, methods=["POST"]),
            Route("/control/faults", self._forget, methods=["DELETE"]),
            Route("/control/requests", self._tell, methods=["GET"]),
            Route("/elsewhere", self._redirected, methods=["GET", "POST"]),
        ]
        return Starlette(routes=routes, middleware=[Middleware(OwnOrigin, port=lambda: self._port)])

    async def _closing(self) -> None:
        self._stopping.set()

    async def _answer(self, request: Request) -> Response | BrokenResponse:
        body, shape = await request.body(), SHAPES[request.url.path]
        parsed = _asked(shape, body)
        number = self._record(request, body, parsed)
        if not self._admits(request):
            return _failed(shape, ProviderFailure(401, WRONG_KEY))
        if parsed is None:
            return _failed(shape, ProviderFailure(400, UNREADABLE))
        fault = self.faults.take(parsed, number)
        answer = self.personality(parsed, number) if fault is None else None
        if isinstance(answer, StandInFault):
            fault, answer = answer, None
        if fault is None:
            assert answer is not None
            return JSONResponse(_reply(shape, parsed, answer, body))
        return self._troubled(shape, parsed, fault, body, number)

    def _troubled(
        self, shape: Shape, parsed: ProviderRequest, fault: StandInFault, body: bytes, number: int
    ) -> Response | BrokenResponse:
        if failure := failure_of(fault, parsed):
            return _failed(shape, failure, fault.retry_after)
        answer = PERSONALITIES["thoughtful"](parsed, number)
        assert isinstance(answer, StandInAnswer)
        reply = _reply(shape, parsed, changed(answer, fault.kind), body)
        if fault.kind not in WIRE_KINDS:
            return JSONResponse(reply)
        if fault.kind == "refused":
            self._refuse_for(fault.seconds)
        content = json.dumps(reply).encode()
        return BrokenResponse(fault.kind, content, fault.seconds, self._abort, self._stopping)

    def _refuse_for(self, seconds: float) -> None:
        """This connection ends with a reset; those that would come next are refused."""
        assert self._host is not None
        self._refusing = asyncio.ensure_future(self._host.refuse_for(seconds))

    def _record(self, request: Request, body: bytes, parsed: ProviderRequest | None) -> int:
        headers = {
            name: text for name, text in request.headers.items() if name not in SECRET_HEADERS
        }
        with self._lock:
            number = len(self._requests) + 1
            self._requests.append(
                RecordedRequest(number, request.url.path, headers, _json(body), parsed)
            )
        return number

    def _admits(self, request: Request) -> bool:
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        return not self._key or self._key in (bearer, request.headers.get("x-api-key"))

    def _abort(self, scope: Scope, reset: bool) -> None:
        if self._host is not None:
            self._host.abort(scope, reset=reset)

    # control

    async def _plan(self, request: Request) -> Response:
        """One fault, or a list; all of what is wrong with them is said, and nothing is planned."""
        data = _json(await request.body())
        try:
            faults = [fault_of(entry) for entry in (data if isinstance(data, list) else [data])]
        except FaultyEntryError as error:
            return PlainTextResponse("".join(f"{line}\n" for line in error.faults), 400)
        for fault in faults:
            self.faults.add(fault)
        return JSONResponse([asdict(fault) for fault in self.faults.planned])

    async def _forget(self, _: Request) -> Response:
        self.faults.clear()
        return JSONResponse([])

    async def _tell(self, _: Request) -> Response:
        return JSONResponse([{name: getattr(row, name) for name in TOLD} for row in self.requests])

    async def _redirected(self, request: Request) -> Response:
        """Where a 3xx leads to: a client that comes here followed it, and is recorded."""
        self._record(request, await request.body(), None)
        return JSONResponse({})


def _json(body: bytes) -> Json:
    try:
        data: Json = json.loads(body)
    except ValueError:
        return {}
    return data


def _asked(shape: Shape, body: bytes) -> ProviderRequest | None:
    try:
        return shape.read(_json(body))
    except (LookupError, TypeError, ValueError, AttributeError, AssertionError):
        return None


def _reply(
    shape: Shape, parsed: ProviderRequest, answer: StandInAnswer, body: bytes
) -> dict[str, object]:
    answered = json.dumps(answer.arguments) if answer.arguments is not None else answer.text or ""
    return shape.reply(
        parsed, answer, (tokens_of(body.decode(errors="replace")), tokens_of(answered))
    )


def _failed(
    shape: Shape, failure: ProviderFailure, retry_after: float | None = None
) -> JSONResponse:
    headers = {} if retry_after is None else {"Retry-After": f"{retry_after:g}"}
    if 300 <= failure.status < 400:
        headers["Location"] = "/elsewhere"
    return JSONResponse(shape.failure(failure), failure.status, headers)
