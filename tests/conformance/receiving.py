"""An app's address over HTTP: takes what the workspace delivers, and answers as it is told."""

import json
import queue
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl

from slack_sdk.signature import SignatureVerifier

from tests.support.handlers import served_by


class Receiver:
    """`answers`: the statuses of the first answers; after them it is 200."""

    def __init__(self, signing_secret: str, answers: tuple[int, ...]) -> None:
        self._verifier = SignatureVerifier(signing_secret)
        self._answers = list(answers)
        self._got: queue.Queue[dict[str, Any]] = queue.Queue()
        self.url = ""

    def next(self, timeout: float) -> dict[str, Any]:
        """The next request: `headers` in lower case, `body`, and whether it is `signed`."""
        return self._got.get(timeout=timeout)

    def take(self, headers: dict[str, str], body: bytes) -> int:
        signed = self._verifier.is_valid_request(body, headers)
        self._got.put({"headers": headers, "body": _read(headers, body), "signed": signed})
        return self._answers.pop(0) if self._answers else 200


@contextmanager
def receiving(signing_secret: str, answers: tuple[int, ...]) -> Iterator[Receiver]:
    receiver = Receiver(signing_secret, answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.casefold(): value for name, value in self.headers.items()}
            self.send_response(receiver.take(headers, body))
            self.send_header("Content-Length", "0")
            self.end_headers()

    with served_by(Handler, "/slack/events") as receiver.url:
        yield receiver


def _read(headers: dict[str, str], body: bytes) -> Any:
    """JSON, or a form in which `payload` is JSON."""
    if headers["content-type"].startswith("application/json"):
        return json.loads(body)
    form: dict[str, Any] = dict(parse_qsl(body.decode(), keep_blank_values=True))
    return form | {"payload": json.loads(form["payload"])} if "payload" in form else form
