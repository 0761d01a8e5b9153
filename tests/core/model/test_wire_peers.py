"""The wire asks a provider that others wrote: what ours have in common with it is no accident.

`make provider-peers` installs CopilotKit's aimock, where Node is, and runs these.
"""

import json
import os
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pytest

from core.brains.model.providers.wire import ProviderError, Wire
from tests.core.model.provider_server import ARGUMENTS, MODELS, ask, provider_at
from tests.support.ports import free_port
from tests.support.waiting import wait_until

AIMOCK: Final = os.environ.get("AIMOCK", "")
"""The path of its command line."""
CALL: Final = {"name": "read_answers", "arguments": ARGUMENTS}


@dataclass(frozen=True)
class Failure:
    """An error that a provider tells, and what the wire is to make of it."""

    says: str  # words of the user message that bring it about
    status: int
    kind: str
    code: str = ""
    message: str = "It failed."


FAILURES: Final = (
    Failure("busy", 429, "transient", "rate_limit_exceeded"),
    Failure("empty purse", 429, "configuration", "insufficient_quota"),
    Failure("no key", 401, "configuration", "invalid_api_key"),
    Failure("no model", 404, "configuration", "model_not_found"),
    Failure("bad", 400, "permanent", "invalid_request_error"),
    Failure("long", 400, "overflow", "context_length_exceeded"),
    Failure("broken", 500, "transient", "server_error"),
    Failure("overloaded", 529, "transient", "overloaded_error"),
)


def fixtures() -> dict[str, Any]:
    rows: list[dict[str, Any]] = [
        {
            "match": {"userMessage": one.says},
            "response": {
                "error": {"message": one.message, "type": one.code, "code": one.code},
                "status": one.status,
                "retryAfter": 7,
            },
        }
        for one in FAILURES
    ]
    rows += [
        {"match": {"userMessage": "in words"}, "response": {"content": json.dumps(ARGUMENTS)}},
        {"match": {"userMessage": "nothing"}, "response": {"content": " "}},
        {"match": {"userMessage": "ghost"}, "response": {"toolCalls": [CALL]}},
    ]
    return {"fixtures": rows}


@pytest.fixture(scope="module")
def peer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Its address. Tests are skipped where it is not installed."""
    if not AIMOCK:
        pytest.skip("aimock is not installed: make provider-peers")
    file = tmp_path_factory.mktemp("peer") / "fixtures.json"
    file.write_text(json.dumps(fixtures()))
    port = free_port()
    command = ["node", AIMOCK, "--port", str(port), "--fixtures", str(file), "--strict"]
    with subprocess.Popen([*command, "--log-level", "silent"]) as process:
        try:
            wait_until(lambda: process.poll() is not None or _listens(port))
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()


def _listens(port: int) -> bool:
    with socket.socket() as trying:
        return trying.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize("protocol", MODELS)
@pytest.mark.parametrize("user", ["the ghost exports", "in words"])
def test_a_peers_reply_brings_the_arguments(
    wire: Wire, peer: str, protocol: str, user: str
) -> None:
    reply = ask(wire, provider_at(peer, protocol), user=user)
    assert reply.arguments == ARGUMENTS
    assert reply.usage.tokens > 0


@pytest.mark.parametrize("protocol", MODELS)
def test_a_peers_empty_reply_is_told_from_a_failure(wire: Wire, peer: str, protocol: str) -> None:
    with pytest.raises(ProviderError) as caught:
        ask(wire, provider_at(peer, protocol), user="nothing")
    assert (caught.value.kind, caught.value.flaw) == ("unexpected", "empty")


@pytest.mark.parametrize("protocol", MODELS)
@pytest.mark.parametrize("failure", FAILURES, ids=lambda one: one.says)
def test_a_peers_failures_have_the_names_that_ours_have(
    wire: Wire, peer: str, protocol: str, failure: Failure
) -> None:
    with pytest.raises(ProviderError) as caught:
        ask(wire, provider_at(peer, protocol), user=failure.says)
    assert (caught.value.status_code, caught.value.kind) == (failure.status, failure.kind)
    if failure.status == 429:
        assert caught.value.retry_after == 7
