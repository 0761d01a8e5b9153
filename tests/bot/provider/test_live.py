"""`make live` without a real key: it refuses, or asks the provider that is set."""

import json
from pathlib import Path

import pytest

from bot.devtools.provider import StandIn, StandInFault
from core.brains.model.replies import REPLIES
from tests import live

NAMED = ("ROUNDTABLE_MODEL", "ROUNDTABLE_MODEL_HAIKU", "ROUNDTABLE_MODEL_SONNET")


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*NAMED, "ROUNDTABLE_MODEL_OPUS", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def test_without_a_model_it_refuses_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert live.main(tmp_path) == 2
    assert capsys.readouterr().err == live.NO_MODEL
    assert list(tmp_path.iterdir()) == []


def test_without_the_key_it_names_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROUNDTABLE_MODEL", "anthropic:claude-haiku-4-5")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)

    assert live.main(tmp_path) == 2
    assert "ANTHROPIC_API_KEY: it is missing" in capsys.readouterr().err


def test_each_task_is_asked_once_and_kept_with_its_tokens(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    provider: StandIn,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ROUNDTABLE_MODEL", f"openai-chat:small@{provider.url}")

    assert live.main(tmp_path) == 0
    assert {path.stem for path in tmp_path.iterdir()} == set(REPLIES)
    assert [request.asked.task for request in provider.requests] == list(REPLIES)
    kept = json.loads((tmp_path / "read_answers.json").read_text())
    assert kept["usage"]["output_tokens"] > 0
    assert set(kept["arguments"]) == {"lines", "criteria", "cannot_tell"}
    assert "tokens, price not known; a reply" in capsys.readouterr().out


def test_a_reply_that_is_none_and_a_fault_are_told(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    provider: StandIn,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ROUNDTABLE_MODEL", f"openai-chat:small@{provider.url}")
    provider.faults.add(StandInFault("503", task="read_answers"))
    provider.faults.add(StandInFault("wrong-schema", task="ask_and_propose"))

    assert live.main(tmp_path) == 1
    told = capsys.readouterr().out.splitlines()
    assert "transient" in told[0]
    assert "no reply: " in told[1]
