"""What arrives at the workspace's addresses, handed to the team whose it is.

A call belongs to the team of its token, an upload and a response URL to the team that gave them
out. Whatever is nobody's is the first team's, which refuses it.
"""

import json
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from bot.devtools.workspace.delivery.passes import ReplyPermit
from bot.devtools.workspace.delivery.queue import InFlight
from bot.devtools.workspace.values import Json
from bot.devtools.workspace.web_api import files
from bot.devtools.workspace.web_api.endpoint import WebApi, read_call


class ApiRouter:
    """Three endpoints: methods, uploads, response URLs."""

    def __init__(self, apis: Sequence[WebApi], in_flight: InFlight) -> None:
        self._apis = apis
        self._in_flight = in_flight

    async def method(self, request: Request) -> Response:
        with self._in_flight.counted():
            sent = await read_call(request)
            apis = (api for api in self._apis if api.knows(sent.token))
            return await next(apis, self._apis[0]).method(request, sent)

    async def upload(self, request: Request) -> Response:
        with self._in_flight.counted():
            content = await request.body()
            file_id = request.path_params["file_id"]
            states = [api.context.workspace for api in self._apis]
            with states[0].lock:
                uploads = (state.uploads for state in states if file_id in state.uploads)
                error = files.receive(next(uploads, {}), file_id, content)
            if error:
                return PlainTextResponse(error, status_code=400)
            return PlainTextResponse(f"OK - {len(content)}")

    async def respond(self, request: Request) -> Response:
        """A response URL: five uses in thirty minutes.  docs: handling-user-interaction"""
        with self._in_flight.counted():
            body, reply_id = _as_object(await request.body()), request.path_params["reply_id"]
            contexts = [api.context for api in self._apis]
            with contexts[0].workspace.lock:
                owners = (context for context in contexts if context.passes.has_reply(reply_id))
                context = next(owners, contexts[0])
                reply = context.passes.use_reply(reply_id)
                if not isinstance(reply, ReplyPermit):
                    return JSONResponse({"ok": False, "error": reply}, status_code=404)
                if error := context.announcer.answered(reply, body):
                    return JSONResponse({"ok": False, "error": error}, status_code=400)
            return PlainTextResponse("ok")


def _as_object(body: bytes) -> Json:
    """A JSON body of which nothing is asked: what is no object is an empty one."""
    try:
        parsed = json.loads(body or b"{}")
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}
