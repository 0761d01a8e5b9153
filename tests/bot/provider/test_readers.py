"""Who reads in a demo: what its options mean, what the bot is told, and what they refuse."""

import subprocess
import sys
from dataclasses import replace

import httpx
import pytest

from bot.devtools.play import process
from bot.devtools.provider.readers import FaultyReadersError, readers, running
from bot.server.configuration.model_names import providers
from core.domain.model_calls import TIERS

URL = "http://127.0.0.1:8080/v1"
TIER_SETTINGS = ("ROUNDTABLE_MODEL_HAIKU", "ROUNDTABLE_MODEL_SONNET", "ROUNDTABLE_MODEL_OPUS")


def test_without_readers_the_bot_is_told_nothing() -> None:
    with running(None) as reading:
        assert (reading.settings, reading.told, reading.provider) == ({}, "", None)


def test_without_an_address_a_stand_in_is_started_and_asked_at_every_tier() -> None:
    with running(readers(None, None)) as reading:
        assert tuple(reading.settings) == TIER_SETTINGS
        asked = {providers(setting)[0].url for setting in reading.settings.values()}
        assert asked == {reading.provider.url}
        assert httpx.get(f"{reading.provider.root_url}/control/requests").json() == []
    assert reading.told == (
        f"The script reads, and a stand-in without a model refines ({reading.provider.url})."
    )
    assert not reading.provider.is_running


def test_a_stand_in_can_have_a_second_model_and_a_limit() -> None:
    with running(replace(readers(None, None), fallback="second", tokens=60_000)) as reading:
        names = [one.model for one in providers(reading.settings[TIER_SETTINGS[0]])]

    assert names == ["stand-in", "second"]
    assert reading.settings["ROUNDTABLE_MODEL_TOKENS"] == "60000"


def test_a_provider_of_ones_own_is_never_asked_for_the_stand_ins_second_model() -> None:
    with running(replace(readers(URL, "qwen3"), fallback="second")) as reading:
        assert len(providers(reading.settings[TIER_SETTINGS[0]])) == 1


def test_one_name_is_asked_at_every_tier_at_the_given_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ROUNDTABLE_PROVIDER_KEY", "key-of-our-own")
    with running(readers(f"{URL}/", "qwen3:8b")) as reading:
        assert reading.settings == {
            **dict.fromkeys(TIER_SETTINGS, f"openai-chat:qwen3:8b@{URL}"),
            "ROUNDTABLE_PROVIDER_KEY": "key-of-our-own",
        }
        assert reading.provider is None
        assert reading.told == f"The script reads, and qwen3:8b refines ({URL})."


def test_the_stand_in_never_gets_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDTABLE_PROVIDER_KEY", "key-of-our-own")
    with running(readers(None, None)) as reading:
        assert "ROUNDTABLE_PROVIDER_KEY" not in reading.settings


def test_each_tier_may_have_a_name_of_its_own() -> None:
    with running(readers(URL, "strong=C, fast=A ,middle=B")) as reading:
        names = [providers(setting)[0].model for setting in reading.settings.values()]

    assert names == ["A", "B", "C"]
    assert (
        reading.told == f"The script reads, and A (fast), B (middle), C (strong) refines ({URL})."
    )
    assert len(names) == len(TIERS)


@pytest.mark.parametrize(
    ("url", "models", "words"),
    [
        (URL, None, "needs the model's name as well"),
        (URL, "fast=A,middle=B", "names no model for each tier"),
        (URL, "fast=A,middle=B,middle=C", "names no model for each tier"),
        (URL, "fast=A,middle=B,large=C", "names no model for each tier"),
        (URL, "A,B", "names no model for each tier"),
        (URL, " ", "names no model for each tier"),
        ("127.0.0.1:8080", "A", "cannot be used: there is no http address"),
        ("http://example.com/v1", "A", "plain http goes to this machine"),
    ],
)
def test_what_names_no_model_is_refused_in_a_line(url: str, models: str | None, words: str) -> None:
    with pytest.raises(FaultyReadersError, match=words):
        readers(url, models)


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--model", "A"], "--model goes with --brain model.\n"),
        (["--brain", "model", "--provider-url", URL],
         "--provider-url needs the model's name as well: "
         "--model NAME, or --model fast=A,middle=B,strong=C.\n"),
    ],
)  # fmt: skip
def test_the_command_refuses_before_anything_starts(options: list[str], line: str) -> None:
    command = [sys.executable, "-m", "bot", "demo", "--no-open", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    assert (done.returncode, done.stderr) == (2, line)


def test_a_play_takes_no_key_and_no_address_out_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ROUNDTABLE_MODEL"):
        monkeypatch.setenv(name, "x")

    assert not {name for name in process._environment() if name.startswith(("OPENAI", "ANTHROPIC"))}
    assert "ROUNDTABLE_MODEL" not in process._environment()
