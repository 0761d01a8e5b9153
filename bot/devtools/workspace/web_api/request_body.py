"""What came with a call: its token and its arguments, or why its body cannot be read.

docs: apis/web-api (Basic overview, POST bodies), and the warnings and errors at the end of every
method's page
"""

import json
from dataclasses import dataclass
from email.message import Message
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

from bot.devtools.workspace.values import Json

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
    """A token is a bearer's or stands in a form: never in the query, never in JSON."""
    query, body = dict(request.query_params), await request.body()
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    token = bearer.strip() if scheme.casefold() == "bearer" else ""
    query.pop("token", None)
    if not body:
        return ApiRequest(token, query)
    kind, charset = _content_type(request.headers.get("content-type", ""))
    if error := _type_error(kind, charset):
        return ApiRequest(token, query, error=error)
    if kind == JSON:
        return _read_json(token, query, body, "" if charset else "missing_charset")
    form = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
    given = form.pop("token", "")
    warning = "superfluous_charset" if kind == FORM and charset else ""
    return ApiRequest(token or given, query | form, warning=warning)


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


def as_object(body: bytes) -> Json:
    """A JSON body of which nothing is asked: what is no object is an empty one."""
    try:
        parsed = json.loads(body or b"{}")
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}
