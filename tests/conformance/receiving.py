"""An app's address over HTTP: takes what the workspace delivers, and answers as it is told."""

import json
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qsl

from slack_sdk.signature import SignatureVerifier


class Receiver:
    """`answers`: the statuses of the first answers; after them it is 200."""

    def __init__(self, signing_secret: str, answers: tuple[int, ...]) -> None:
        self._verifier = SignatureVerifier(signing_secret)
        self._answers = list(answers)
        self._got: queue.Queue[dict[str, Any]] = queue.Queue()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/slack/events"

    def next(self, timeout: float) -> dict[str, Any]:
        """The next request: `headers` in lower case, `body`, and whether it is `signed`."""
        return self._got.get(timeout=timeout)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _take(self, headers: dict[str, str], body: bytes) -> int:
        signed = self._verifier.is_valid_request(body, headers)
        self._got.put({"headers": headers, "body": _read(headers, body), "signed": signed})
        return self._answers.pop(0) if self._answers else 200

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        take = self._take

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.casefold(): value for name, value in self.headers.items()}
                self.send_response(take(headers, body))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None: ...

        return Handler


def _read(headers: dict[str, str], body: bytes) -> Any:
    """JSON, or a form in which `payload` is JSON."""
    if headers["content-type"].startswith("application/json"):
        return json.loads(body)
    form: dict[str, Any] = dict(parse_qsl(body.decode(), keep_blank_values=True))
    return form | {"payload": json.loads(form["payload"])} if "payload" in form else form
