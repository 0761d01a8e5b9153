"""Nothing of the local workspace answers a page of another site.

A browser names the page a request comes from in `Origin`; a program names none. Which method, path
or token it is, and which other headers there are, makes no difference.
"""

from collections.abc import Callable
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

FOREIGN: Final = "Another site cannot act in the local workspace.\n"


class OwnOrigin:
    """Refuses a request, or a WebSocket, whose `Origin` is not this workspace's own."""

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
