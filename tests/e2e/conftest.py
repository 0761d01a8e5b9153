"""A machine that is busy is no Slack that gives up: triggers live as long as a test waits."""

import pytest

from tests.support.waiting import WAIT_S_MAX


@pytest.fixture(autouse=True)
def _patient_triggers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three seconds are Slack's; `tests/bot/test_local_views.py` holds that they pass."""
    monkeypatch.setattr("bot.devtools.workspace.delivery.passes.TRIGGER_S_MAX", WAIT_S_MAX)
