"""Signed HTTP delivery: events as JSON, interactions and commands as forms, to one URL.

docs: authentication/verifying-requests-from-slack, apis/events-api/using-http-request-urls
"""

import asyncio
import hashlib
import hmac
import http.client
import io
import json
import socket
import time
from typing import Final, cast
from urllib.parse import urlencode, urlsplit

from bot.devtools.workspace.delivery.queue import DeliveryOutcome, Parcel
from bot.devtools.workspace.values import Json

ANSWER_BYTES_MAX: Final = 4 * 1024 * 1024

REASONS: Final = {"timeout": "http_timeout", "connection_failed": "connection_failed"}
"""What Slack calls a failed attempt in X-Slack-Retry-Reason; any other is `http_error`."""


class HttpCourier:
    def __init__(self, url: str, signing_secret: str, ack_seconds: float) -> None:
        self._url = urlsplit(url)
        if self._url.scheme != "http" or not self._url.hostname:
            raise ValueError(f"events_url must be an http:// address, not {url!r}")
        self._secret = signing_secret
        self._ack_seconds = ack_seconds

    async def carry(self, parcel: Parcel, retry: int, reason: str) -> DeliveryOutcome:
        content_type, body = encoded(parcel)
        headers = {"Content-Type": content_type, **signature(self._secret, body)}
        if retry:
            headers |= {
                "X-Slack-Retry-Num": str(retry),
                "X-Slack-Retry-Reason": REASONS.get(reason, "http_error"),
            }
        try:
            async with asyncio.timeout(self._ack_seconds):
                response = await self._post(headers, body)
        except TimeoutError:
            return DeliveryOutcome(False, "timeout")
        except (OSError, http.client.HTTPException):
            return DeliveryOutcome(False, "connection_failed")
        return DeliveryOutcome(
            acked=200 <= response.status < 300,
            status=str(response.status),
            body=decoded(response.read()),
            retry=response.headers.get("X-Slack-No-Retry") != "1",
        )

    async def _post(self, headers: dict[str, str], body: bytes) -> http.client.HTTPResponse:
        host, port = self._url.hostname, self._url.port or 80
        reader, writer = await asyncio.open_connection(host, port)
        try:
            path = self._url.path or "/"
            target = f"{path}?{self._url.query}" if self._url.query else path
            lines = [f"POST {target} HTTP/1.1", f"Host: {host}:{port}", "Connection: close"]
            lines += [f"Content-Length: {len(body)}", "User-Agent: Slackbot 1.0 (local workspace)"]
            lines += [f"{name}: {value}" for name, value in headers.items()]
            writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
            await writer.drain()
            answer = await reader.read(ANSWER_BYTES_MAX)
            while chunk := await reader.read(ANSWER_BYTES_MAX):
                answer += chunk
        finally:
            writer.close()
        response = http.client.HTTPResponse(cast("socket.socket", _Answer(answer)))
        response.begin()
        return response


class _Answer:
    """Bytes that look like a socket to HTTPResponse, which then does the parsing."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer

    def makefile(self, mode: str) -> io.BytesIO:
        return io.BytesIO(self._answer)


def encoded(parcel: Parcel) -> tuple[str, bytes]:
    if parcel.kind == "events_api":
        return "application/json", json.dumps(parcel.payload).encode()
    form = parcel.payload
    if parcel.kind == "interactive":
        form = {"payload": json.dumps(parcel.payload)}
    return "application/x-www-form-urlencoded", urlencode(form).encode()


def signature(secret: str, body: bytes) -> dict[str, str]:
    sent_at = str(int(time.time()))
    signed = hmac.new(secret.encode(), f"v0:{sent_at}:".encode() + body, hashlib.sha256)
    return {
        "X-Slack-Request-Timestamp": sent_at,
        "X-Slack-Signature": f"v0={signed.hexdigest()}",
    }


def decoded(body: bytes) -> Json:
    """The answer's payload: a JSON object, or plain text as Slack shows it."""
    text = body.decode("utf-8", "replace").strip()
    try:
        payload = json.loads(text)
    except ValueError:
        return {"text": text} if text else {}
    return payload if isinstance(payload, dict) else {}
