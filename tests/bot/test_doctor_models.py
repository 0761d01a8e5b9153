"""What `roundtable doctor` says of language models, and that it asks none unless it is told to."""

import json
import os
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from bot.cli.doctor.check import Check
from bot.cli.doctor.models import checks
from bot.cli.doctor.settings import read_setup
from tests.support.handlers import running

CALL = {"name": "say_ready", "arguments": '{"ready": true}'}
REPLY = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "message": {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c", "type": "function", "function": CALL}],
            },
        }
    ],
    "usage": {"prompt_tokens": 30, "completion_tokens": 5, "total_tokens": 35},
}


class Provider(ThreadingHTTPServer):
    """Speaks chat completions: always `reply`, with `status`."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.status, self.reply = 200, dict[str, Any](REPLY)
        self.asked: list[tuple[str, str, dict[str, Any]]] = []

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers["Authorization"], body))
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(self.server.reply).encode())

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def provider() -> Iterator[Provider]:
    server = Provider()
    with running(server):
        yield server


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("SLACK_", "ROUNDTABLE_", "OPENAI_", "ANTHROPIC_")):
            monkeypatch.delenv(name)


def look(
    monkeypatch: pytest.MonkeyPatch, model: str, *, is_asked: bool = False, **values: str
) -> dict[str, Check]:
    for name, value in {"ROUNDTABLE_MODEL": model, **values}.items():
        monkeypatch.setenv(name, value)
    return {check.name: check for check in checks(read_setup(), is_asked=is_asked)}


def test_without_a_model_there_is_nothing_to_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    assert look(monkeypatch, "") == {}


def test_each_tier_and_each_model_has_a_line_and_nobody_is_asked(
    monkeypatch: pytest.MonkeyPatch, provider: Provider
) -> None:
    own = f"openai-chat:qwen3@http://{provider.address}/v1"
    key = "sk-ant-api03-verysecret"
    found = look(monkeypatch, f"anthropic:claude-haiku-4-5,{own}", ANTHROPIC_API_KEY=key)
    assert list(found) == [
        "fast model",
        "middle model",
        "strong model",
        "model anthropic:claude-haiku-4-5",
        f"model {own}",
    ]
    assert found["fast model"].found == f"anthropic:claude-haiku-4-5, then {own}"
    of_anthropic = found["model anthropic:claude-haiku-4-5"].found
    assert of_anthropic.startswith("api.anthropic.com, ANTHROPIC_API_KEY is set; not asked;")
    assert "which costs a little" in of_anthropic
    assert found[f"model {own}"].found.startswith(f"{provider.address}, no key; not asked;")
    assert {check.state for check in found.values()} == {"ok"}
    assert (provider.asked, "verysecret" in str(found)) == ([], False)


def test_a_model_is_asked_once_where_somebody_says_so(
    monkeypatch: pytest.MonkeyPatch, provider: Provider
) -> None:
    own = f"openai-chat:qwen3@http://{provider.address}/v1"
    found = look(monkeypatch, own, is_asked=True, ROUNDTABLE_PROVIDER_KEY="verysecret")
    check = found[f"model {own}"]
    assert check.state == "ok", check
    assert check.found == (
        f"{provider.address}, ROUNDTABLE_PROVIDER_KEY is set; "
        "it answered, 35 tokens, at an unknown price"
    )
    ((path, authorization, body),) = provider.asked
    assert (path, authorization) == ("/v1/chat/completions", "Bearer verysecret")
    assert [message["role"] for message in body["messages"]] == ["system", "user"]


@pytest.mark.parametrize(
    ("status", "error", "state", "remedy"),
    [
        (401, {"message": "wrong key verysecret"}, "fail", "Use the key of the provider at your"),
        (404, {"message": "model qwen3 not found"}, "fail", "Name another model"),
        (404, {"message": "Not Found"}, "fail", "Look at its address"),
        (402, {"message": "no money"}, "fail", "Add credit"),
        (429, {"message": "slow down"}, "warn", "Run this again in a minute."),
        (400, {"message": "no tools here"}, "warn", "Name another model"),
    ],
)
def test_what_a_provider_refuses_is_told_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
    provider: Provider,
    status: int,
    error: dict[str, str],
    state: str,
    remedy: str,
) -> None:
    provider.status, provider.reply = status, {"error": error}
    own = f"openai-chat:qwen3@http://{provider.address}/v1"
    found = look(monkeypatch, own, is_asked=True, ROUNDTABLE_PROVIDER_KEY="verysecret")
    check = found[f"model {own}"]
    assert (check.state, len(provider.asked)) == (state, 1)
    assert check.remedy is not None
    assert check.remedy.startswith(remedy)
    assert "verysecret" not in str(check)


def test_an_address_without_a_path_is_looked_at_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    found = look(monkeypatch, "openai-chat:qwen3@http://127.0.0.1:11434")
    check = found["model openai-chat:qwen3@http://127.0.0.1:11434"]
    assert (check.state, "its address has no path" in check.found) == ("warn", True)
    assert check.remedy is not None
    assert "/v1" in check.remedy


def test_a_model_whose_key_is_of_no_use_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    found = look(monkeypatch, "openai:gpt-5", is_asked=True, OPENAI_API_KEY="xoxb-verysecret")
    check = found["model openai:gpt-5"]
    assert (check.state, check.found) == (
        "warn",
        "not checked, because OPENAI_API_KEY cannot be used",
    )


def test_names_that_cannot_be_used_are_told_among_the_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert look(monkeypatch, "gpt-5") == {}
