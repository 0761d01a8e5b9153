"""Which language models the environment names, with whose key, and what is refused."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.server.configuration import model_settings
from bot.server.configuration.model_settings import language_models
from bot.server.configuration.setting_values import SettingProblem
from bot.server.configuration.settings import EXIT_SETTINGS, SettingsError, load, load_or_exit

ANTHROPIC = {"ANTHROPIC_API_KEY": "sk-ant-api03-verysecret"}
OPENAI = {"OPENAI_API_KEY": "sk-proj-verysecret"}
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("SLACK_", "ROUNDTABLE_", "OPENAI_", "ANTHROPIC_")) or name == "PORT":
            monkeypatch.delenv(name)


def problems_with(monkeypatch: pytest.MonkeyPatch, **values: str) -> dict[str, SettingProblem]:
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load()
    return {problem.name: problem for problem in caught.value.problems}


def test_without_a_name_no_tier_has_a_model() -> None:
    models = language_models(load())
    assert (models.providers, dict(models.offer.models)) == ({}, {})


def test_one_name_fills_the_tiers_that_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (ANTHROPIC | OPENAI).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("ROUNDTABLE_MODEL", "openai:gpt-5-mini")
    monkeypatch.setenv("ROUNDTABLE_MODEL_OPUS", " anthropic:claude-opus-4-1 , openai:gpt-5")
    models = language_models(load())
    assert dict(models.offer.models) == {
        "fast": ("openai:gpt-5-mini",),
        "middle": ("openai:gpt-5-mini",),
        "strong": ("anthropic:claude-opus-4-1", "openai:gpt-5"),
    }
    strong = models.providers["strong"]
    assert [one.key.get_secret_value() for one in strong] == [
        ANTHROPIC["ANTHROPIC_API_KEY"],
        OPENAI["OPENAI_API_KEY"],
    ]
    assert "verysecret" not in repr(models)


def test_an_address_of_ones_own_gets_its_own_key_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in (ANTHROPIC | OPENAI).items():
        monkeypatch.setenv(name, value)
    names = (
        "openai-chat:qwen3:8b@http://127.0.0.1:11434/v1/",
        "openai:gpt-5@https://gateway.example/v1",
        "anthropic:claude@https://gateway.example",
    )
    monkeypatch.setenv("ROUNDTABLE_MODEL", ",".join(names))
    fast = language_models(load()).providers["fast"]
    assert {one.key.get_secret_value() for one in fast} == {"none"}
    assert (fast[0].model, fast[0].url) == ("qwen3:8b", "http://127.0.0.1:11434/v1")
    monkeypatch.setenv("ROUNDTABLE_PROVIDER_KEY", "mine\n")
    fast = language_models(load()).providers["fast"]
    assert {one.key.get_secret_value() for one in fast} == {"mine"}


def test_limits_are_those_of_the_page_unless_they_are_set(monkeypatch: pytest.MonkeyPatch) -> None:
    models = language_models(load())
    assert (models.offer.patience_s, models.deadline_s, models.at_once) == (12, 60, 4)
    assert (models.tokens_a_day, models.usd_a_session) == (0, None)
    assert models.offer.tokens_a_session == 1_700_000
    for name, value in {
        "TOKENS": "0",
        "TOKENS_A_DAY": "9000",
        "USD": "2.50",
        "AT_ONCE": "2",
    }.items():
        monkeypatch.setenv(f"ROUNDTABLE_MODEL_{name}", value)
    monkeypatch.setenv("ROUNDTABLE_MODEL_PATIENCE", "0")
    monkeypatch.setenv("ROUNDTABLE_MODEL_DEADLINE", "900")
    models = language_models(load())
    assert (models.offer.patience_s, models.deadline_s, models.at_once) == (0, 900, 2)
    assert (models.tokens_a_day, models.usd_a_session) == (9000, 2.5)
    assert models.offer.tokens_a_session == 0


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("gpt-5", "it must begin with anthropic:, openai: or openai-chat:"),
        ("google:gemini", "it must begin with anthropic:, openai: or openai-chat:"),
        ("openai:", "there is no name of a model behind the colon"),
        ("openai:gpt 5", "there is no name of a model behind the colon"),
        ("openai-chat:qwen3", "there is no http address behind the @"),
        ("openai-chat:qwen3@ollama:11434", "there is no http address behind the @"),
        ("openai-chat:qwen3@https://", "there is no http address behind the @"),
        (
            "openai-chat:qwen3@https://host.example:http",
            "its address cannot be used: a host, a port and a path may stand in it",
        ),
        (
            "openai-chat:qwen3@https://host.example/v1?key=verysecret",
            "its address cannot be used: a host, a port and a path may stand in it",
        ),
        (
            "openai-chat:qwen3@https://me:verysecret@host.example/v1",
            "its address holds a credential, which belongs into ROUNDTABLE_PROVIDER_KEY",
        ),
        (
            "openai-chat:a@http://127.0.0.1/v1,openai-chat:a@http://127.0.0.1/v1",
            "it names one model twice, or more than 8",
        ),
        (
            "openai:,openai-chat:qwen3@http://127.0.0.1/v1,verysecret",
            "model 1: there is no name of a model behind the colon; "
            "model 3: it must begin with anthropic:, openai: or openai-chat:",
        ),
    ],
)
def test_a_name_that_cannot_be_used_is_refused_and_not_shown(
    monkeypatch: pytest.MonkeyPatch, value: str, fault: str
) -> None:
    (problem,) = problems_with(monkeypatch, ROUNDTABLE_MODEL=value).values()
    assert (problem.name, problem.fault) == ("ROUNDTABLE_MODEL", fault)
    assert problem.remedy.startswith("Use anthropic:MODEL")
    assert "verysecret" not in str(problem)


@pytest.mark.parametrize(
    "host",
    ["localhost", "127.0.0.1", "127.9.9.9:8000", "[::1]", "[fd00::5]:1", "[::ffff:10.0.0.1]",
     "10.1.2.3", "172.31.0.1", "192.168.1.9:11434", "ollama", "host.docker.internal", "box.local"],
)  # fmt: skip
def test_plain_http_goes_to_this_machine_and_to_private_addresses(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("ROUNDTABLE_MODEL", f"openai-chat:m@http://{host}/v1")
    assert language_models(load()).providers


@pytest.mark.parametrize(
    "host",
    ["example.com", "8.8.8.8", "172.32.0.1", "169.254.169.254", "0.0.0.0", "134744072",
     "0x08080808", "[2001:db8::1]", "[::ffff:8.8.8.8]", "localhost.example.com",
     "internal.example.com", "100.64.0.1"],
)  # fmt: skip
def test_plain_http_goes_nowhere_else(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    problems = problems_with(monkeypatch, ROUNDTABLE_MODEL=f"openai-chat:m@http://{host}/v1")
    assert problems["ROUNDTABLE_MODEL"].fault == (
        "plain http goes to this machine and to private addresses alone"
    )
    monkeypatch.setenv("ROUNDTABLE_MODEL", f"openai-chat:m@https://{host}/v1")
    assert language_models(load()).providers


def test_all_that_models_lack_is_said_at_once_and_no_key_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {
        "ROUNDTABLE_MODEL_HAIKU": "openai:gpt-5-mini",
        "ROUNDTABLE_MODEL_OPUS": "verysecret",
        "OPENAI_API_KEY": "sk-ant-api03-verysecret",
        "ROUNDTABLE_MODEL_DEADLINE": "901",
        "OPENAI_BASE_URL": "https://verysecret.example",
        "ANTHROPIC_BASE_URL": "https://verysecret.example",
    }.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as caught:
        load_or_exit()
    assert caught.value.code == EXIT_SETTINGS
    shown = capsys.readouterr().err
    assert [line.split(":")[0].strip() for line in shown.splitlines()[1:]] == [
        "ROUNDTABLE_MODEL",
        "ROUNDTABLE_MODEL_OPUS",
        "OPENAI_API_KEY",
        "ROUNDTABLE_MODEL_DEADLINE",
        "OPENAI_BASE_URL",
        "ANTHROPIC_BASE_URL",
    ]
    assert "it is missing, and so is ROUNDTABLE_MODEL_SONNET. " in shown
    assert "this is a key of Anthropic's. Make one at https://platform.openai.com" in shown
    assert "verysecret" not in shown


@pytest.mark.parametrize(
    ("model", "key", "value", "fault"),
    [
        ("anthropic:claude", "ANTHROPIC_API_KEY", "", "it is missing, and a model needs it"),
        ("anthropic:claude", "ANTHROPIC_API_KEY", "sk-proj-1", "this is a key of OpenAI's"),
        ("openai:gpt-5", "OPENAI_API_KEY", "xoxb-1-a", "this is a bot token"),
        ("openai:gpt-5", "OPENAI_API_KEY", "a b", "it has characters in it that no key has"),
        ("openai-chat:m@https://a.io", "ROUNDTABLE_PROVIDER_KEY", "xoxb-1", "this is a bot token"),
    ],
)  # fmt: skip
def test_a_key_that_cannot_be_the_right_one_is_refused(
    monkeypatch: pytest.MonkeyPatch, model: str, key: str, value: str, fault: str
) -> None:
    problems = problems_with(monkeypatch, **{"ROUNDTABLE_MODEL": model, key: value})
    assert {name: problem.fault for name, problem in problems.items()} == {key: fault}


def test_keys_and_addresses_of_others_are_nobodys_business_without_a_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://elsewhere.example")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not a key")
    assert not language_models(load()).providers


def test_with_a_limit_in_dollars_a_model_without_a_price_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = "openai-chat:gpt-5-mini@http://127.0.0.1:9/v1"
    names = {
        "ROUNDTABLE_MODEL_HAIKU": own,
        "ROUNDTABLE_MODEL_SONNET": "anthropic:claude-of-nobody",
        "ROUNDTABLE_MODEL_OPUS": "openai:gpt-5",
    }
    problems = problems_with(monkeypatch, **names, **ANTHROPIC, **OPENAI, ROUNDTABLE_MODEL_USD="5")
    assert list(problems) == ["ROUNDTABLE_MODEL_HAIKU", "ROUNDTABLE_MODEL_SONNET"]
    assert "price is not known" in problems["ROUNDTABLE_MODEL_HAIKU"].fault
    monkeypatch.delenv("ROUNDTABLE_MODEL_USD")
    assert language_models(load()).providers


def test_a_model_without_the_extra_is_refused_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    missing = lambda name: None if name == "anthropic" else object()  # noqa: E731
    monkeypatch.setattr(model_settings, "find_spec", missing)
    names = {"ROUNDTABLE_MODEL": "openai:gpt-5", "ROUNDTABLE_MODEL_OPUS": "anthropic:claude"}
    problems = problems_with(monkeypatch, **names, **ANTHROPIC, **OPENAI, ROUNDTABLE_MODEL_USD="5")
    assert list(problems) == ["ROUNDTABLE_MODEL_OPUS"]
    assert problems["ROUNDTABLE_MODEL_OPUS"].remedy == "Run: pip install 'roundtable[llm]'."


def test_reading_the_settings_loads_no_library_of_a_provider() -> None:
    module = "bot.server.configuration.settings"
    program = f"import sys; from {module} import load; load(); print(*sys.modules)"
    names = {"ROUNDTABLE_MODEL": "openai:gpt-5", **OPENAI}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, **names},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert "core.brains.model.providers.exchange" in loaded
    assert not loaded & {"pydantic_ai", "openai", "anthropic", "genai_prices", "httpx"}
