"""The bot before a Slack that listens: one server a file, nothing left of the test before."""

from collections.abc import Iterator

import pytest

from tests.support.bolt_front import Front, ListeningSlack, front, listening_slack
from tests.support.waiting import WAIT_S_MAX


@pytest.fixture(scope="module")
def server() -> Iterator[ListeningSlack]:
    with listening_slack() as slack:
        yield slack


@pytest.fixture
def bot(server: ListeningSlack) -> Front:
    server.calls.clear()
    server.admins.clear()
    return front(server)


@pytest.fixture
def patient_triggers(monkeypatch: pytest.MonkeyPatch) -> None:
    """They live as long as a test waits: a slow machine is no fault."""
    monkeypatch.setattr("bot.devtools.workspace.delivery.passes.TRIGGER_S_MAX", WAIT_S_MAX)
