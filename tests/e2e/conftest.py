"""The bot as people meet it, alone and in an inception.

A machine that is busy is no Slack that gives up: triggers live as long as a test waits.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.served_bot import ServedBot, served_bot
from tests.support.served_party import Party, party
from tests.support.waiting import WAIT_S_MAX


@pytest.fixture(autouse=True)
def _patient_triggers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three seconds are Slack's; `tests/bot/test_local_views.py` holds that they pass."""
    monkeypatch.setattr("bot.devtools.workspace.delivery.passes.TRIGGER_S_MAX", WAIT_S_MAX)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedBot]:
    with served_bot(tmp_path) as found:
        yield found


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Party]:
    with party(tmp_path) as found:
        yield found
