"""HTTP mode as a WSGI application: Slack's events at /slack/events, and /healthz.

A request is verified before anything in it is parsed, and no body is ever logged.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import IO, TYPE_CHECKING, Final, NamedTuple, TypeAlias

import structlog
from slack_bolt import App, BoltRequest
from slack_sdk.signature import SignatureVerifier

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

EVENTS_PATH: Final = "/slack/events"
HEALTH_PATH: Final = "/healthz"
BODY_BYTES_MAX: Final = 1_000_000
TIMESTAMP_CHARS_MAX: Final = 12
JSON: Final = "application/json; charset=utf-8"
PLAIN: Final = "text/plain; charset=utf-8"

log = structlog.get_logger(__name__)


class Answer(NamedTuple):
    status: int
    body: str = ""
    content_type: str = PLAIN
    headers: tuple[tuple[str, str], ...] = ()


class _RefusedError(Exception):
    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


Endpoint: TypeAlias = "Callable[[WSGIEnvironment], Answer]"
Application: TypeAlias = "Callable[[WSGIEnvironment, StartResponse], Iterable[bytes]]"


def wsgi_app(bolt: App, *, signing_secret: str, healthy: Callable[[], bool]) -> Application:
    """`healthy` says whether the database answers; what it raises counts as no."""
    verifier = SignatureVerifier(signing_secret)

    def events(environ: "WSGIEnvironment") -> Answer:
        return _to_slack(bolt, verifier, environ)

    def health(_environ: "WSGIEnvironment") -> Answer:
        return _health(healthy)

    routes: Mapping[str, Mapping[str, Endpoint]] = {
        EVENTS_PATH: {"POST": events},
        HEALTH_PATH: {"GET": health, "HEAD": health},
    }

    def application(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        method = environ["REQUEST_METHOD"]
        answer = _routed(routes.get(environ.get("PATH_INFO", "")), method, environ)
        body = answer.body.encode()
        length = ("Content-Length", str(len(body)))
        start_response(
            f"{answer.status} {HTTPStatus(answer.status).phrase}",
            [("Content-Type", answer.content_type), length, *answer.headers],
        )
        return [] if method == "HEAD" else [body]

    return application


def _routed(
    endpoints: Mapping[str, Endpoint] | None, method: str, environ: "WSGIEnvironment"
) -> Answer:
    if endpoints is None:
        return _bare(404)
    if method not in endpoints:
        return _bare(405)._replace(headers=(("Allow", ", ".join(endpoints)),))
    try:
        return endpoints[method](environ)
    except _RefusedError as refused:
        log.warning("request.refused", status=refused.status)
        return _bare(refused.status)


def _bare(status: int) -> Answer:
    return Answer(status, HTTPStatus(status).phrase)


# ── /slack/events ──────────────────────────────────────────────────────────────────────────────


def _to_slack(bolt: App, verifier: SignatureVerifier, environ: "WSGIEnvironment") -> Answer:
    body, headers = _body(environ), _headers(environ)
    if not _signed(verifier, body, headers):
        raise _RefusedError(401)
    try:
        request = BoltRequest(body=body, headers=dict(headers))
    except ValueError:
        raise _RefusedError(400) from None
    response = bolt.dispatch(request)
    content_type = response.first_headers().get("content-type", PLAIN)
    return Answer(response.status, response.body or "", content_type)


def _body(environ: "WSGIEnvironment") -> str:
    stated = environ.get("CONTENT_LENGTH") or "0"
    if not (stated.isascii() and stated.isdigit()):
        raise _RefusedError(400)
    if int(stated) > BODY_BYTES_MAX:
        raise _RefusedError(413)
    raw = _read(environ, int(stated))
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise _RefusedError(401) from None  # Slack signs UTF-8 and nothing else


def _read(environ: "WSGIEnvironment", stated: int) -> bytes:
    stream: IO[bytes] = environ["wsgi.input"]
    # Without a length only a server that marks the end itself may be read to the end.
    if not stated and environ.get("wsgi.input_terminated"):
        raw = stream.read(BODY_BYTES_MAX + 1)
        if len(raw) > BODY_BYTES_MAX:
            raise _RefusedError(413)
        return raw
    return stream.read(stated)


def _headers(environ: "WSGIEnvironment") -> dict[str, str]:
    named = {key[5:]: value for key, value in environ.items() if key.startswith("HTTP_")}
    named |= {"CONTENT_TYPE": environ.get("CONTENT_TYPE", "")}
    return {key.lower().replace("_", "-"): str(value) for key, value in named.items()}


def _signed(verifier: SignatureVerifier, body: str, headers: Mapping[str, str]) -> bool:
    """Whether Slack sent this, within the last five minutes. Malformed headers are a plain no."""
    timestamp = headers.get("x-slack-request-timestamp", "")
    signature = headers.get("x-slack-signature", "")
    is_number = timestamp.isascii() and timestamp.isdigit()
    if not is_number or len(timestamp) > TIMESTAMP_CHARS_MAX or not signature.isascii():
        return False
    return verifier.is_valid(body, timestamp, signature)


# ── /healthz ───────────────────────────────────────────────────────────────────────────────────


def _health(healthy: Callable[[], bool]) -> Answer:
    try:
        ok = healthy()
    except Exception:
        log.exception("health.failed")
        ok = False
    return Answer(200 if ok else 503, json.dumps({"ok": ok}), JSON)
