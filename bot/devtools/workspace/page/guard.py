"""Who may ask at all: this machine's own browser, at this address, with the page's token.

Every refusal is one plain line. It looks at headers and the path only, never at a body.
"""

import hashlib
import hmac
from collections.abc import Callable
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'self'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
NO_CACHE: Final = "no-store"

OWN_SITES: Final = ("same-origin", "none", None)
"""What `Sec-Fetch-Site` says of a request by the page itself, by its user, or by no browser."""


def session_of(token: str) -> str:
    """What the cookie holds: it shows that the token was known, and does not tell it."""
    return hmac.new(token.encode(), b"roundtable local page", hashlib.sha256).hexdigest()


class Guard:
    """Stands before everything of the workspace: the page and Slack's own addresses."""

    def __init__(self, app: ASGIApp, token: str, port: Callable[[], int]) -> None:
        self._app = app
        self._page = f"/{token}"
        self._port = port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        app = self._app if refusal is None else refusal

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", NO_CACHE)
            await send(message)

        await app(scope, receive, sent)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        own = (f"127.0.0.1:{self._port()}", f"localhost:{self._port()}")
        host, site = headers.get("host", ""), headers.get("sec-fetch-site")
        if host not in own:
            return _line(421, "This address is not the local workspace's. Open the printed one.")
        if site not in OWN_SITES and not _follows_a_link(scope, headers):
            return _line(403, "Another site cannot act in the local workspace.")
        if scope["method"] != "POST" or not scope["path"].startswith(f"{self._page}/"):
            return None
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _line(415, "The page sends JSON; this was something else.")
        return None


def _line(status: int, text: str) -> PlainTextResponse:
    return PlainTextResponse(f"{text}\n", status_code=status)


def _follows_a_link(scope: Scope, headers: Headers) -> bool:
    """A link from elsewhere may lead here; it may not call a method of Slack."""
    looks = scope["method"] == "GET" and headers.get("sec-fetch-mode") == "navigate"
    return looks and not scope["path"].startswith("/api/")


FOREIGN: Final = "Another site cannot act in the local workspace.\n"


class OwnOrigin:
    """Refuses a request, or a WebSocket, whose `Origin` is not this workspace's own.

    A browser names the page a request comes from in `Origin`; a program names none. Which method,
    path or token it is makes no difference.
    """

    def __init__(self, app: ASGIApp, port: Callable[[], int]) -> None:
        self._app = app
        self._port = port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = scope["type"] != "lifespan" and self._is_foreign(scope)
        if not refused:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await PlainTextResponse(FOREIGN, status_code=403)(scope, receive, send)

    def _is_foreign(self, scope: Scope) -> bool:
        own = {f"http://{host}:{self._port()}" for host in ("127.0.0.1", "localhost")}
        return not set(Headers(scope=scope).getlist("origin")) <= own
