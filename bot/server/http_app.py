"""What is served over HTTP, as an ASGI application: Slack's requests at /slack/events, and health.

Where workspaces install the app, also the pages for that: anybody may ask for them, so they have
threads of their own, and few of them.

Everything that a stranger can cause happens on the event loop and is bounded: the body's length is
checked before the body is read, and the signature before anything in it is parsed. Only a signed
request takes a worker thread. No body is ever logged.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs

import structlog
from slack_bolt import App, BoltRequest, BoltResponse
from slack_sdk.signature import SignatureVerifier

from bot.payloads.bolt_heads import is_malformed

EVENTS_PATH: Final = "/slack/events"
LIVE_PATH: Final = "/livez"
READY_PATHS: Final = ("/readyz", "/healthz")
READY_S_MAX: Final = 1.0
BODY_BYTES_MAX: Final = 1_000_000
TIMESTAMP_CHARS_MAX: Final = 12
SSL_CHECK_BYTES_MAX: Final = 256  # "ssl_check=1&token=" and a token
SIGNATURE_AGE_S_MAX: Final = 300  # docs: authentication/verifying-requests-from-slack
JSON: Final = "application/json; charset=utf-8"
PLAIN: Final = "text/plain; charset=utf-8"
CLOSE: Final = (("Connection", "close"),)

# What Bolt raises for a body that is no JSON, or JSON of a form that no payload has.
MALFORMED: Final = (ValueError, TypeError, AttributeError, LookupError, RecursionError)

log = structlog.get_logger(__name__)

Headers = Mapping[str, str]
Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Response(NamedTuple):
    status: int
    body: str = ""
    content_type: str = PLAIN
    headers: tuple[tuple[str, str], ...] = ()


Endpoint = Callable[[Headers, Receive], Awaitable[Response]]
Page = Callable[[str, str, Headers], BoltResponse]
"""Answers a browser, by path, query and headers; in a worker thread."""
PAGE_THREADS: Final = 2
PAGES_WAITING_MAX: Final = 20
NO_PAGE: Final[Mapping[str, Page]] = {}


class _RefusedError(Exception):
    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class _DisconnectedError(Exception):
    """The client hung up, or was hung up on, before its request was whole."""


class HealthApp:
    """`/livez`, `/readyz` and `/healthz` behind ASGI, as whoever routes to the process asks.

    Ready means: the database responds with its tables within a second, and nobody told the process
    to end. `is_healthy` is True if the database responds; what it raises is a no.
    """

    def __init__(self, is_healthy: Callable[[], bool]) -> None:
        self._is_healthy = is_healthy
        self._is_ending = False  # True once the process was told to end
        # Anybody may ask for it, so it never waits in line with Slack, nor Slack behind it.
        self._health_worker = ThreadPoolExecutor(1, thread_name_prefix="health")
        self._routes: dict[str, Mapping[str, Endpoint]] = {
            LIVE_PATH: {"GET": self._live, "HEAD": self._live},
            **{path: {"GET": self._ready, "HEAD": self._ready} for path in READY_PATHS},
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http", scope["type"]
        try:
            response = await self._respond(scope, receive)
        except _DisconnectedError:
            return
        body = response.body.encode()
        headers = (
            ("Content-Type", response.content_type),
            ("Content-Length", str(len(body))),
            *response.headers,
        )
        encoded = [(name.lower().encode(), value.encode()) for name, value in headers]
        await send({"type": "http.response.start", "status": response.status, "headers": encoded})
        body = b"" if scope["method"] == "HEAD" else body
        await send({"type": "http.response.body", "body": body})

    def end(self) -> None:
        """Take nothing new: Slack is asked to come again, and whoever routes to go elsewhere."""
        self._is_ending = True

    def close(self) -> None:
        """Take no further question. One that the database has not answered is not waited for."""
        self._health_worker.shutdown(wait=False, cancel_futures=True)

    async def _respond(self, scope: Scope, receive: Receive) -> Response:
        endpoints, method = self._routes.get(scope["path"]), scope["method"]
        if endpoints is None:
            return _bare(404, CLOSE)
        if method not in endpoints:
            return _bare(405, (("Allow", ", ".join(endpoints)), *CLOSE))
        try:
            return await endpoints[method](_decoded(scope["headers"]), receive)
        except _RefusedError as refusal:
            log.warning("request.refused", status=refusal.status)
            return _bare(refusal.status, CLOSE)

    async def _live(self, _headers: Headers, _receive: Receive) -> Response:
        return _state(True)

    async def _ready(self, _headers: Headers, _receive: Receive) -> Response:
        return _state(not self._is_ending and await self._responds())

    async def _responds(self) -> bool:
        """True if the database does. Takes a second at most."""
        check = asyncio.get_running_loop().run_in_executor(self._health_worker, self._is_healthy)
        try:
            return await asyncio.wait_for(check, READY_S_MAX)
        except TimeoutError:
            log.warning("health.slow", waited_s=READY_S_MAX)
        except Exception:
            log.exception("health.failed")
        return False


class HttpApp(HealthApp):
    """Bolt behind ASGI, with its health and the pages for browsers."""

    def __init__(
        self,
        bolt: App,
        *,
        signing_secret: str,
        is_healthy: Callable[[], bool],
        threads: int,
        delivered: Callable[[str], None] = lambda _retry_number: None,
        pages: Mapping[str, Page] = NO_PAGE,
    ) -> None:
        """`delivered` hears of each signed request, by its X-Slack-Retry-Num or an empty text.

        `pages`: what browsers may ask for, by path.
        """
        super().__init__(is_healthy)
        self._bolt = bolt
        self._verifier = SignatureVerifier(signing_secret)
        self._delivered = delivered
        self._workers = ThreadPoolExecutor(threads, thread_name_prefix="http")
        self._pages = pages
        self._page_workers = ThreadPoolExecutor(PAGE_THREADS, thread_name_prefix="page")
        self._pages_waiting = 0
        self._routes[EVENTS_PATH] = {"POST": self._events}

    def close(self) -> None:
        """Finish the requests that are being handled. The server accepts none any more."""
        self._workers.shutdown()
        self._page_workers.shutdown()
        super().close()

    async def _respond(self, scope: Scope, receive: Receive) -> Response:
        path, method = scope["path"], scope["method"]
        if path == EVENTS_PATH and method == "GET" and _asks(scope["query_string"]):
            return Response(200)
        if path in self._pages:
            return await self._page(scope)
        return await super()._respond(scope, receive)

    async def _events(self, headers: Headers, receive: Receive) -> Response:
        if self._is_ending:
            raise _RefusedError(503)
        if not _may_be_signed(headers, time.time()):
            if await _is_ssl_check(headers, receive):
                return Response(200)
            raise _RefusedError(401)
        body = _text(await _read_body(headers, receive))
        if not self._is_signed(body, headers):
            raise _RefusedError(401)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._workers, self._dispatch, body, headers)

    def _is_signed(self, body: str, headers: Headers) -> bool:
        """True if Slack sent this, within the last five minutes."""
        timestamp = headers["x-slack-request-timestamp"]
        return self._verifier.is_valid(body, timestamp, headers["x-slack-signature"])

    def _dispatch(self, body: str, headers: Headers) -> Response:
        """Parse a signed body and let Bolt handle it; in a worker thread."""
        try:
            request = BoltRequest(body=body, headers=dict(headers))
        except MALFORMED:
            raise _RefusedError(400) from None
        if is_malformed(request.body):
            raise _RefusedError(400)
        response = self._bolt.dispatch(request)
        self._delivered(headers.get("x-slack-retry-num", ""))
        content_type = response.first_headers().get("content-type", PLAIN)
        return Response(response.status, response.body or "", content_type)

    async def _page(self, scope: Scope) -> Response:
        if scope["method"] != "GET":
            return _bare(405, (("Allow", "GET"), *CLOSE))
        if self._pages_waiting >= PAGES_WAITING_MAX:
            return _bare(503, CLOSE)
        query, headers = scope["query_string"].decode("latin-1"), _decoded(scope["headers"])
        page, loop = self._pages[scope["path"]], asyncio.get_running_loop()
        self._pages_waiting += 1
        try:
            answer = await loop.run_in_executor(
                self._page_workers, page, scope["path"], query, headers
            )
        finally:
            self._pages_waiting -= 1
        more = ((name, value) for name, values in answer.headers.items() for value in values)
        return Response(
            answer.status,
            answer.body,
            answer.first_headers()["content-type"],
            tuple((name, value) for name, value in more if name != "content-type"),
        )


def _state(is_well: bool) -> Response:
    return Response(200 if is_well else 503, json.dumps({"ok": is_well}), JSON)


def _bare(status: int, headers: tuple[tuple[str, str], ...]) -> Response:
    return Response(status, HTTPStatus(status).phrase, headers=headers)


def _decoded(headers: list[tuple[bytes, bytes]]) -> Headers:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in headers}


def _may_be_signed(headers: Headers, now: float) -> bool:
    """True unless the headers alone show that Slack did not sign this: nothing is read of it."""
    timestamp = headers.get("x-slack-request-timestamp", "")
    signature = headers.get("x-slack-signature", "")
    is_number = timestamp.isascii() and timestamp.isdigit()
    if not is_number or len(timestamp) > TIMESTAMP_CHARS_MAX or not signature.isascii():
        return False
    return bool(signature) and abs(now - int(timestamp)) <= SIGNATURE_AGE_S_MAX


def _asks(fields: bytes) -> bool:
    """True if these fields ask whether the certificate is good (`ssl_check=1`, and a token).

    Slack does not sign this. It is answered and nothing is done, so that nobody learns anything.
    docs: https://docs.slack.dev/interactivity/implementing-slash-commands (ssl_check)
    """
    return parse_qs(fields.decode("ascii", "replace")).get("ssl_check") == ["1"]


async def _is_ssl_check(headers: Headers, receive: Receive) -> bool:
    """True if a request without a signature is a short form that asks for the certificate."""
    form = headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
    length = headers.get("content-length", "")
    if not form or not length.isdigit() or int(length) > SSL_CHECK_BYTES_MAX:
        return False
    return _asks(await _read_body(headers, receive))


async def _read_body(headers: Headers, receive: Receive) -> bytes:
    """The whole body. Raises `_RefusedError` 413 as soon as it is known to be too long."""
    if int(headers.get("content-length", "0")) > BODY_BYTES_MAX:
        raise _RefusedError(413)
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _DisconnectedError
        body += message.get("body", b"")
        if len(body) > BODY_BYTES_MAX:
            raise _RefusedError(413)
        if not message.get("more_body", False):
            return bytes(body)


def _text(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise _RefusedError(401) from None  # Slack signs UTF-8 and nothing else
