"""A stand-in that is thoughtful, and the SDKs that ask it: one of each, fresh in each test."""

from collections.abc import Iterator

import pytest

from bot.devtools.provider import PERSONALITIES, StandIn
from tests.bot.provider.requests import Clients


@pytest.fixture(scope="package")
def running() -> Iterator[StandIn]:
    with StandIn() as provider:
        yield provider


@pytest.fixture(scope="package")
def clients(running: StandIn) -> Iterator[Clients]:
    both = Clients(running)
    yield both
    both.close()


@pytest.fixture(autouse=True)
def provider(running: StandIn) -> Iterator[StandIn]:
    yield running
    running.personality = PERSONALITIES["thoughtful"]
    running.faults.clear()
    running.forget()
    if not running.is_running:
        running.start()
