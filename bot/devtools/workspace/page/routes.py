"""The addresses of the page: what is asked, by whom, and what is sent back.

GET changes nothing; every act is a POST of JSON (see `acting`). What is seen is gathered under the
workspace's lock (`views`); handlers run in a thread, so that no rendering stands before an ack.
"""

import asyncio
import hmac
import json
import string
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route

from bot.devtools.waiting import first_of
from bot.devtools.workspace.page import acting, rendering
from bot.devtools.workspace.page.acting import ActContext, RefusedError
from bot.devtools.workspace.page.guard import Guard, OwnOrigin, session_of
from bot.devtools.workspace.page.manifest import offers
from bot.devtools.workspace.page.reading import Marks
from bot.devtools.workspace.page.views import PageQuery, PageViews

if TYPE_CHECKING:
    from bot.devtools.workspace.team import LocalTeam

BODY_BYTES_MAX: Final = 2_000_000
BEAT_S: Final = 15.0
"""So often a silent stream says that it is still there."""
FOREVER: Final = "private, max-age=31536000, immutable"
STATIC: Final = {
    "page.css": "text/css",
    "blocks.css": "text/css",
    "page.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
READABLE: Final = frozenset(["txt", "md", "csv", "json", "yaml", "yml", "log"])
TOKEN_CHARS_MIN: Final = 16
TOKEN_CHARS: Final = frozenset(string.ascii_letters + string.digits + "-_")
STRANGER: Final = (
    "This link leads into a local workspace. Open the address that the demo printed first, "
    "then follow the link again."
)


class PageRoutes:
    """The page of one team. `token` is the secret part of its address.

    It has letters, digits, `-` and `_`, at least 16 of them: whoever knows it is let in.
    `notes`: what each usage of a command does, by its first word.
    Raises `ValueError` for any other token.
    """

    def __init__(
        self, slack: "LocalTeam", token: str, notes: Mapping[str, str] | None = None
    ) -> None:
        if len(token) < TOKEN_CHARS_MIN or not set(token) <= TOKEN_CHARS:
            raise ValueError(f"a page token has {TOKEN_CHARS_MIN} or more letters, digits, - and _")
        self._token = token
        self._slack = slack
        self._world = world = slack.world
        self._base = f"/{token}{slack.world.team.path}"
        with world.lock:
            marks = Marks(since=world.next_ts())
        offered = offers(notes=notes)
        self._context = ActContext(slack, world, marks, offered)
        self._views = PageViews(slack, marks, offered, token)

    @property
    def routes(self) -> list[BaseRoute]:
        """Its own addresses, and those that Slack gives its messages and files."""
        inside = [
            Route("/", self.page),
            Route("/c/{channel}", self.page),
            Route("/home", self.page),
            Route("/state", self.state),
            Route("/events", self.events),
            Route("/act/{name}", self.act, methods=["POST"]),
            Route("/static/{name}", self.static),
            Route("/files/{file_id}/{name:path}", self.file),
        ]
        return [
            Mount(self._base, routes=inside, middleware=[Middleware(GZipMiddleware)]),
            Route(
                f"{self._slack.world.team.path}/archives/{{channel}}/p{{stamp:int}}", self.permalink
            ),
            Route(
                f"{self._slack.world.team.path}/files/{{user}}/{{file_id}}/{{name:path}}",
                self.outer_file,
            ),
        ]

    # looking

    def page(self, request: Request) -> Response:
        query = self._asked(request)
        html = self._views.page(query)
        response = Response(html.encode("utf-8", "replace"), media_type="text/html; charset=utf-8")
        for name, value in ((self._cookie, session_of(self._token)), (self._as, query.who.id)):
            response.set_cookie(name, value, path="/", httponly=True, samesite="lax")
        return response

    def state(self, request: Request) -> Response:
        return _json(self._views.state(self._asked(request)))

    def _asked(self, request: Request) -> PageQuery:
        query = request.query_params
        person_id = query.get("as") or request.cookies.get(self._as) or ""
        if not any(person.id == person_id for person in self._world.people):
            if "as" in query:
                raise RefusedError(404, "Nobody here has that name.")
            person_id = self._world.people[0].id
        channel_id = request.path_params.get("channel") or query.get("c", "")
        home = request.url.path.endswith("/home") or query.get("home") == "1"
        return PageQuery(
            who=acting.person(self._world, person_id),
            channel=acting.channel(self._world, channel_id) if channel_id else None,
            home=home,
            thread=query.get("thread", ""),
            begin=query.get("begin", ""),
            thread_begin=query.get("tbegin", ""),
            at=query.get("at", ""),
            since=int(query["since"]) if query.get("since", "").isdigit() else 0,
        )

    async def events(self, request: Request) -> Response:
        """The number of the last change, at once and after every change."""
        headers = {"X-Accel-Buffering": "no"}
        return StreamingResponse(self._beats(), media_type="text/event-stream", headers=headers)

    async def _beats(self) -> AsyncIterator[str]:
        stopping = self._slack.front.stopping
        with self._world.changes.watched() as changed:
            while not stopping.is_set():
                changed.clear()
                yield f"retry: 500\ndata: {self._world.changes.version}\n\n"
                await first_of(changed.wait(), stopping.wait(), asyncio.sleep(BEAT_S))

    # acting

    async def act(self, request: Request) -> Response:
        fields, name = await _fields(request), request.path_params["name"]
        return _json(await run_in_threadpool(acting.perform, self._context, name, fields))

    # files and links

    async def static(self, request: Request) -> Response:
        """A file of the page. Raises `RefusedError` for any other."""
        name = request.path_params["name"]
        if name not in STATIC:
            raise RefusedError(404, "There is no such file.")
        content = rendering.static(name)
        return Response(content, media_type=STATIC[name], headers={"Cache-Control": FOREVER})

    def file(self, request: Request) -> Response:
        """Text is shown as text, anything else is only ever saved. Nothing is run.

        Raises `RefusedError` for a file that is gone.
        """
        with self._world.lock:
            files = [
                file
                for state in (self._world, *self._world.partners)
                for file in state.files
                if file.id == request.path_params["file_id"]
            ]
        if not files:
            raise RefusedError(404, "That file is not there any more.")
        name = files[0].name
        readable = name.rpartition(".")[2].casefold() in READABLE
        is_inline = readable and "save" not in request.query_params
        way = "inline" if is_inline else "attachment"
        return Response(
            files[0].content,
            media_type="text/plain; charset=utf-8" if readable else "application/octet-stream",
            headers={
                "Content-Disposition": f"{way}; filename*=UTF-8''{quote(name, safe='')}",
                "Content-Security-Policy": "sandbox; default-src 'none'",
            },
        )

    def permalink(self, request: Request) -> Response:
        self.refuse_strangers(request)
        digits = f"{request.path_params['stamp']:016d}"
        where = {"at": f"{digits[:-6]}.{digits[-6:]}"}
        for ours, slacks in (("thread", "thread_ts"), ("as", "as")):
            if slacks in request.query_params:
                where[ours] = request.query_params[slacks]
        channel = quote(request.path_params["channel"], safe="")
        return RedirectResponse(f"{self._base}/c/{channel}?{urlencode(where)}", status_code=303)

    def outer_file(self, request: Request) -> Response:
        self.refuse_strangers(request)
        path = "/".join(quote(request.path_params[part], safe="") for part in ("file_id", "name"))
        return RedirectResponse(f"{self._base}/files/{path}", status_code=303)

    def refuse_strangers(self, request: Request) -> None:
        """Raises `RefusedError` for a browser that has not opened the page's address."""
        cookie = request.cookies.get(self._cookie, "")
        if not hmac.compare_digest(cookie.encode(), session_of(self._token).encode()):
            raise RefusedError(403, STRANGER)

    @property
    def _cookie(self) -> str:
        """Cookies know no ports: two workspaces must not share one."""
        return f"roundtable-page-{self._slack.front.port}"

    @property
    def _as(self) -> str:
        return f"roundtable-as-{self._slack.front.port}-{self._world.team.number}"


def guarded(
    pages: Sequence[PageRoutes], routes: Sequence[BaseRoute], token: str, port: Callable[[], int]
) -> Starlette:
    """The teams' pages beside Slack's own addresses, behind the guard."""
    of_pages = [route for page in reversed(pages) for route in page.routes]
    return Starlette(
        routes=[*routes, *of_pages],  # the first team's address is the beginning of all others'
        middleware=[
            Middleware(Guard, token=token, port=port),
            Middleware(OwnOrigin, port=port),
        ],
        exception_handlers={RefusedError: _refused},
    )


async def _fields(request: Request) -> dict[str, Any]:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_BYTES_MAX:
            raise RefusedError(413, "That is too much for one message.")
    try:
        fields = json.loads(body)
    except ValueError:
        raise RefusedError(400, "The page sent something odd. Please reload it.") from None
    if not isinstance(fields, dict):
        raise RefusedError(400, "The page sent something odd. Please reload it.")
    return fields


def _json(answer: Any) -> Response:
    """ASCII only: half a character in a message must not take the page down."""
    return Response(json.dumps(answer), media_type="application/json")


def _refused(_: Request, refusal: Exception) -> Response:
    assert isinstance(refusal, RefusedError)
    return PlainTextResponse(f"{refusal.line}\n", status_code=refusal.status)
