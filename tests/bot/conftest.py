"""The bot before a Slack that listens: one server a file, nothing left of the test before."""

from collections.abc import Iterator

import pytest

from tests.support.bolt_front import Front, ListeningSlack, front, listening_slack


@pytest.fixture(scope="module")
def server() -> Iterator[ListeningSlack]:
    with listening_slack() as slack:
        yield slack


@pytest.fixture
def bot(server: ListeningSlack) -> Front:
    server.calls.clear()
    server.admins.clear()
    return front(server)
