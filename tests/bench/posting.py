"""Signed events over loopback HTTP, as Slack sends them, to a server of our own."""

import hashlib
import hmac
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final

from bot.server.http_app import EVENTS_PATH, LIVE_PATH
from tests.bench.service import LOOPBACK
from tests.support.ports import free_port

START_S_MAX: Final = 20.0
POLL_S: Final = 0.02


class SilentServerError(Exception):
    """A server did not come up."""


@contextmanager
def served(kind: str, env: Mapping[str, str], log: Path) -> Iterator[HTTPConnection]:
    """A server of that kind in a process of its own, and a connection that stays open."""
    port = free_port()
    command = [sys.executable, "-m", "tests.bench.service", kind, str(port)]
    with log.open("wb") as said:
        process = subprocess.Popen(command, env={**os.environ, **env}, stdout=said, stderr=said)
        try:
            _wait(port)
            connection = HTTPConnection(LOOPBACK, port, timeout=START_S_MAX)
            yield connection
            connection.close()
        finally:
            process.terminate()
            process.wait()


def signed(secret: str, body: Mapping[str, Any]) -> tuple[bytes, dict[str, str]]:
    """A request's body and headers; made before it is timed, as Slack makes them."""
    raw, now = json.dumps(body).encode(), str(int(time.time()))
    mac = hmac.new(secret.encode(), b"v0:" + now.encode() + b":" + raw, hashlib.sha256)
    return raw, {
        "Content-Type": "application/json",
        "X-Slack-Request-Timestamp": now,
        "X-Slack-Signature": f"v0={mac.hexdigest()}",
    }


def send(connection: HTTPConnection, request: tuple[bytes, dict[str, str]]) -> None:
    raw, headers = request
    connection.request("POST", EVENTS_PATH, raw, headers)
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 200, answer.status


def _wait(port: int) -> None:
    until = time.monotonic() + START_S_MAX
    while time.monotonic() < until:
        probe = HTTPConnection(LOOPBACK, port, timeout=1)
        try:
            probe.request("GET", LIVE_PATH)
            if probe.getresponse().status == 200:
                return
        except OSError:
            time.sleep(POLL_S)
        finally:
            probe.close()
    raise SilentServerError(f"nothing answers on port {port}")
