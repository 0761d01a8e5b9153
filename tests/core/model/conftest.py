"""A wire, and providers for the tests of the wire and of those who speak over it."""

from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from bot.devtools.provider.server import StandIn
from core.brains.model.providers.wire import Wire
from tests.core.model.provider_server import ProviderServer, called, provider_server, started_wire
from tests.support.spoken_by_model import Cast

# `make lowest` installs no extra [llm].
collect_ignore_glob = (
    [] if find_spec("pydantic_ai") else ["test_model_runner*", "test_spoken*", "test_wire*"]
)


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with started_wire() as wire:
        yield wire


@pytest.fixture
def server() -> Iterator[ProviderServer]:
    """One that answers as it should; set its `script` for another."""
    with provider_server(called()) as server:
        yield server


@pytest.fixture
def cast() -> Cast:
    return Cast()


@pytest.fixture
def provider(cast: Cast) -> Iterator[StandIn]:
    with StandIn(cast) as standing_in:
        yield standing_in
