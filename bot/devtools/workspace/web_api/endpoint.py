"""The Web API of one team: token, scope, faults on demand, then the method's own row.

Which team a call is for is the router's affair. Refusals are HTTP 200 with ok:false, as Slack
answers; only a rate limit is a 429.
docs: apis/web-api, authentication/tokens, apis/web-api/rate-limits
"""

import asyncio
import base64
import binascii
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from email.utils import formatdate
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from bot.devtools.waiting import first_of
from bot.devtools.workspace.values import Call, Json
from bot.devtools.workspace.web_api import chat, files, oauth, reads, validation, views
from bot.devtools.workspace.web_api.injected_faults import Faults, PlannedFault
from bot.devtools.workspace.web_api.method import ApiError, Args, Method, MethodContext, TokenKind
from bot.devtools.workspace.web_api.rate_limits import TIERS, RateLimits

FORM: Final = "application/x-www-form-urlencoded"
JSON: Final = "application/json"
POST_TYPES: Final = (JSON, FORM, "multipart/form-data", "text/plain")
CHARSETS: Final = ("utf-8", "iso-8859-1")


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """A call as it arrived. `error`: Slack's code for a body that cannot be read, or ""."""

    token: str
    arguments: Json
    as_json: bool = False
    error: str = ""
    warning: str = ""


async def read_call(request: Request) -> ApiRequest:
    """A token is a bearer's or stands in a form: never in the query, never in JSON.

    A client's id and secret may stand where the bearer's token does.
    """
    query, body = dict(request.query_params), await request.body()
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    token = bearer.strip() if scheme.casefold() == "bearer" else ""
    query.pop("token", None)
    if scheme.casefold() == "basic":
        query |= _client(bearer)
    if not body:
        return ApiRequest(token, query)
    kind, charset = _content_type(request.headers.get("content-type", ""))
    if error := _type_error(kind, charset):
        return ApiRequest(token, query, error=error)
    if kind == JSON:
        return _read_json(token, query, body, "" if charset else "missing_charset")
    form = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
    form_token = form.pop("token", "")
    warning = "superfluous_charset" if kind == FORM and charset else ""
    return ApiRequest(token or form_token, query | form, warning=warning)


def _client(credentials: str) -> Json:
    """The id and secret of HTTP's basic authentication; nothing for what cannot be read."""
    try:
        client_id, _, secret = base64.b64decode(credentials).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return {}
    return {"client_id": client_id, "client_secret": secret}


def _content_type(header: str) -> tuple[str, str]:
    message = Message()
    message["content-type"] = header
    kind = message.get_content_type() if header else ""
    return kind, (message.get_content_charset("") if header else "")


def _type_error(kind: str, charset: str) -> str:
    if not kind:
        return "missing_post_type"
    if kind not in POST_TYPES:
        return "invalid_post_type"
    return "invalid_charset" if charset and charset not in CHARSETS else ""


def _read_json(token: str, query: Json, body: bytes, warning: str) -> ApiRequest:
    try:
        parsed = json.loads(body)
    except ValueError:
        return ApiRequest(token, query, as_json=True, error="invalid_json", warning=warning)
    if not isinstance(parsed, dict):
        return ApiRequest(token, query, as_json=True, error="json_not_object", warning=warning)
    parsed.pop("token", None)
    return ApiRequest(token, query | parsed, as_json=True, warning=warning)


METHODS: Final = (
    chat.METHODS
    | reads.METHODS
    | files.METHODS
    | views.METHODS
    | validation.METHODS
    | oauth.METHODS
)
CALLS_OF: Final = {name: TIERS[method.tier] for name, method in METHODS.items() if method.tier}
"""Calls a minute that Slack takes, by method."""


class NoAnswer(Response):
    """Ends the TCP connection instead of answering."""

    def __init__(self, abort: Callable[[Scope], None]) -> None:
        super().__init__()
        self._abort = abort

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._abort(scope)
        await asyncio.sleep(0)  # the server notices the loss before this call returns


class ApiAnswer(JSONResponse):
    """ASCII only: half a character in a message must not turn its answer into a 500."""

    def render(self, content: Json) -> bytes:
        return json.dumps(content).encode()


class WebApi:
    """The methods, and the list of every call."""

    def __init__(
        self,
        context: MethodContext,
        app_token: str,
        faults: Faults,
        abort: Callable[[Scope], None],
        limits: RateLimits | None = None,
    ) -> None:
        """`limits`: Slack's rate limits, if they are to be applied."""
        self.context = context
        self._app_token = app_token
        self._faults = faults
        self._abort = abort
        self._limits = limits
        self.calls: list[Call] = []
        self.stopping = asyncio.Event()

    async def method(self, request: Request, sent: ApiRequest) -> Response:
        name, args = request.path_params["method"], Args(sent.arguments)
        fault = self._faults.for_call(name, args.raw)
        if fault is not None and fault.kind != "accept-then-drop":
            return await self._faulty(request, name, args, fault)
        if (wait_s := self._limited(name, args)) is not None:
            return self._throttled(name, args, wait_s)
        answer = self._answer(name, sent, args)
        dropped = fault is not None
        self._write_down(name, args, 0 if dropped else 200, answer.get("error", ""))
        if dropped:
            return NoAnswer(self._abort)
        scopes = ",".join(sorted(self.context.scopes))
        headers = {"X-OAuth-Scopes": scopes, "Date": formatdate(usegmt=True)}
        return ApiAnswer(answer, headers=headers)

    def _answer(self, name: str, sent: ApiRequest, args: Args) -> Json:
        try:
            method = self._admitted(name, sent)
            with self.context.workspace.lock:
                unread = method.form_only and sent.as_json
                answer = {"ok": True, **method.run(self.context, Args({}) if unread else args)}
        except ApiError as refusal:
            answer = {"ok": False, "error": refusal.code, **refusal.extra}
        return warned(answer, sent.warning)

    def _admitted(self, name: str, sent: ApiRequest) -> Method:
        method = METHODS.get(name)
        if method is None:
            raise ApiError("unknown_method", req_method=name)
        if sent.error:
            raise ApiError(sent.error)
        if method.token == "client":  # noqa: S105 - a kind
            return method
        if not sent.token:
            raise ApiError("not_authed")
        kind = self._kind_of(sent.token)
        if self._faults.revoked:
            raise ApiError("token_revoked")
        if kind != method.token:
            raise ApiError("not_allowed_token_type")
        if method.scope:
            self.context.need_scope(method.scope)
        return method

    def knows(self, token: str) -> bool:
        """True if the token is, or was, this team's."""
        installation = self.context.installation
        return bool(token) and (token == installation.token or token in installation.ended)

    def _kind_of(self, token: str) -> TokenKind:
        """Raises `ApiError` for a token that is good for nothing."""
        if token == self._app_token:
            return "app"
        installation = self.context.installation
        if token != installation.token:
            raise ApiError(installation.ended.get(token, "invalid_auth"))
        return "bot"

    async def _faulty(
        self, request: Request, name: str, args: Args, fault: PlannedFault
    ) -> Response:
        if fault.kind == "429":
            return self._throttled(name, args, math.ceil(fault.retry_after))
        if fault.kind == "500":
            self._write_down(name, args, 500, "internal_error")
            return PlainTextResponse("Internal Server Error", status_code=500)
        if fault.kind == "refuse":
            self._write_down(name, args, 200, fault.error)
            return ApiAnswer({"ok": False, "error": fault.error})
        self._write_down(name, args, 0, fault.kind)
        if fault.kind == "timeout":
            # the client gives up, or the workspace stops
            await first_of(request.receive(), self.stopping.wait())
        return NoAnswer(self._abort)

    def _limited(self, name: str, args: Args) -> int | None:
        if self._limits is None:
            return None
        return self._limits.retry_after_s(name, str(args.raw.get("channel") or ""))

    def _throttled(self, name: str, args: Args, wait_s: int) -> Response:
        self._write_down(name, args, 429, "ratelimited")
        body = {"ok": False, "error": "ratelimited"}
        return JSONResponse(body, status_code=429, headers={"Retry-After": str(wait_s)})

    def _write_down(self, name: str, args: Args, status: int, error: str) -> None:
        self.calls.append(Call(name, args.raw, status, error, time.monotonic()))


def warned(answer: Json, of_the_body: str) -> Json:
    """The answer with its warnings, in both places in which Slack puts them."""
    warnings = [warning for warning in (answer.pop("warning", ""), of_the_body) if warning]
    if not warnings:
        return answer
    metadata = {**answer.get("response_metadata", {}), "warnings": warnings}
    return answer | {"warning": ",".join(warnings), "response_metadata": metadata}
