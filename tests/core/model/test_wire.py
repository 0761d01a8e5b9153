"""One request in three protocols, sent by the unpatched libraries to a server on loopback."""

import pytest

from core.brains.model.wire import Wire
from tests.core.model.provider_server import (
    ARGUMENTS,
    KEY,
    MODELS,
    ProviderServer,
    ask,
    provider_at,
)


@pytest.fixture(params=list(MODELS))
def protocol(request: pytest.FixtureRequest) -> str:
    return request.param


def test_the_arguments_of_the_call_and_its_tokens_come_back(
    wire: Wire, server: ProviderServer, protocol: str
) -> None:
    reply = ask(wire, provider_at(server.url, protocol))
    assert reply.arguments == ARGUMENTS
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (100, 20)
    assert not reply.usage.is_estimate


def test_a_request_carries_its_id_the_key_and_nothing_of_this_machine(
    wire: Wire, server: ProviderServer, protocol: str
) -> None:
    ask(wire, provider_at(server.url, protocol))
    (asked,) = server.asked
    assert asked.headers["x-roundtable-request"] == "row-7f3a"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["user-agent"] == "roundtable"
    assert not [name for name in asked.headers if name.startswith("x-stainless")]
