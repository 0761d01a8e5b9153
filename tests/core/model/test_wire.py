"""One request in three protocols, sent by the unpatched libraries to a server on loopback."""

import json

import pytest
from pydantic import SecretStr

from core.brains.model.providers.wire import Provider, Wire, is_priced
from tests.core.model.provider_server import (
    ARGUMENTS,
    KEY,
    MODELS,
    SCHEMA,
    Answer,
    Asked,
    ProviderServer,
    ask,
    called,
    json_answer,
    provider_at,
    reply_of,
    started_wire,
    wire_request,
)


@pytest.fixture(params=list(MODELS))
def protocol(request: pytest.FixtureRequest) -> str:
    return request.param


def test_the_arguments_of_the_call_and_its_tokens_come_back(
    wire: Wire, server: ProviderServer, protocol: str
) -> None:
    reply = ask(wire, provider_at(server.url, protocol))
    assert reply.arguments == ARGUMENTS
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (100, 20)
    assert not reply.usage.is_estimate


def test_a_request_carries_its_id_the_key_and_nothing_of_this_machine(
    wire: Wire, server: ProviderServer, protocol: str
) -> None:
    ask(wire, provider_at(server.url, protocol))
    (asked,) = server.asked
    assert asked.headers["x-roundtable-request"] == "row-7f3a"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["user-agent"] == "roundtable"
    assert not [name for name in asked.headers if name.startswith("x-stainless")]


def test_the_request_is_bounded_forced_and_not_stored(
    wire: Wire, server: ProviderServer, protocol: str
) -> None:
    ask(wire, provider_at(server.url, protocol), max_tokens=50_000)
    (asked,) = server.asked
    body = asked.body
    limits = [body[name] for name in ("max_tokens", "max_output_tokens") if name in body]
    assert limits == [8_000]
    assert body["stream"] is False
    assert body["tool_choice"] in ("required", {"type": "any"})
    (tool,) = body["tools"]
    assert "read_answers" in (tool.get("name"), tool.get("function", {}).get("name"))
    assert '"additionalProperties": false' in json.dumps(tool)
    assert "You are Maya." in json.dumps(body)
    assert body.get("store", False) is False
    assert ("store" in body) == (protocol != "anthropic")


def test_chat_completions_are_one_system_and_one_user_message(
    wire: Wire, server: ProviderServer
) -> None:
    ask(wire, provider_at(server.url))
    assert server.asked[0].body["messages"] == [
        {"role": "system", "content": "You are Maya."},
        {"role": "user", "content": "What was said: the ghost exports."},
    ]


def test_a_server_without_a_key_gets_none(wire: Wire, server: ProviderServer) -> None:
    ask(wire, provider_at(server.url, key=SecretStr("")))
    assert server.asked[0].headers["authorization"] == "Bearer none"


def test_a_model_that_thinks_thinks_as_little_as_it_can(wire: Wire, server: ProviderServer) -> None:
    ask(wire, provider_at(server.url, "openai", model="gpt-5-mini"))
    ask(wire, provider_at(server.url, "openai", model="gpt-5.5"))
    assert [asked.body["reasoning"]["effort"] for asked in server.asked] == ["minimal", "none"]


def test_a_thinking_model_behind_a_url_gets_the_limit_that_it_knows(
    wire: Wire, server: ProviderServer
) -> None:
    ask(wire, provider_at(server.url, model="o3"))
    assert server.asked[0].body["max_completion_tokens"] == 2_000


def test_a_model_that_cannot_be_made_to_call_gets_the_schema_of_its_text(
    wire: Wire, server: ProviderServer
) -> None:
    server.script = lambda asked: json_answer(reply_of(asked, text=json.dumps(ARGUMENTS)))
    reply = ask(wire, provider_at(server.url, "anthropic", model="claude-opus-5-5"))
    assert reply.arguments == ARGUMENTS
    body = server.asked[0].body
    assert body["output_config"]["format"]["type"] == "json_schema"
    assert "tools" not in body


@pytest.mark.parametrize("text", ["{}", "```json\n{}\n```", "Here it is:\n\n{}\n\nThat is all."])
def test_json_in_the_text_counts_as_the_call(
    wire: Wire, server: ProviderServer, protocol: str, text: str
) -> None:
    said = text.replace("{}", json.dumps(ARGUMENTS))
    server.script = lambda asked: json_answer(reply_of(asked, text=said))
    assert ask(wire, provider_at(server.url, protocol)).arguments == ARGUMENTS


def test_the_call_counts_whatever_is_said_beside_it(
    wire: Wire, server: ProviderServer, protocol: str
) -> None:
    calls = [("think_aloud", "{}"), ("read_answers", json.dumps(ARGUMENTS))]
    server.script = lambda asked: json_answer(reply_of(asked, calls, text="I read {them}."))
    assert ask(wire, provider_at(server.url, protocol)).arguments == ARGUMENTS


@pytest.mark.filterwarnings("ignore:Failed to extract usage")
def test_tokens_that_nobody_counts_are_estimated(
    wire: Wire, server: ProviderServer, protocol: str
) -> None:
    server.script = called(usage=False)
    usage = ask(wire, provider_at(server.url, protocol)).usage
    assert usage.is_estimate
    request = wire_request()
    sent = request.system + request.user + request.tool + request.description
    assert usage.input_tokens >= len((sent + json.dumps(SCHEMA)).encode()) // 3
    assert usage.output_tokens >= len(json.dumps(ARGUMENTS, ensure_ascii=False).encode()) // 3


def test_a_price_is_given_where_it_is_known_and_never_made_up(
    wire: Wire, server: ProviderServer
) -> None:
    assert ask(wire, provider_at(server.url, "anthropic")).usage.usd == pytest.approx(0.0002)
    assert ask(wire, provider_at(server.url, "openai")).usage.usd > 0
    assert ask(wire, provider_at(server.url, "openai", model="gpt-unheard-of")).usage.usd is None
    # The name of a priced model on a server of one's own says nothing of its price.
    assert ask(wire, provider_at(server.url, model="gpt-5-mini")).usage.usd is None
    assert is_priced(Provider("anthropic", "claude-haiku-4-5"))
    assert is_priced(Provider("openai-chat", "gpt-5-mini", "https://api.openai.com/v1"))
    assert not is_priced(Provider("openai-chat", "qwen3", server.url))


def test_what_the_provider_had_in_its_cache_costs_less(wire: Wire, server: ProviderServer) -> None:
    def cached(asked: Asked) -> Answer:
        reply = reply_of(asked, [("read_answers", json.dumps(ARGUMENTS))])
        reply["usage"]["input_tokens_details"] = {"cached_tokens": 90}
        return json_answer(reply)

    whole = ask(wire, provider_at(server.url, "openai")).usage
    server.script = cached
    partly = ask(wire, provider_at(server.url, "openai")).usage
    assert partly.tokens == whole.tokens
    assert partly.usd < whole.usd


def test_what_will_be_asked_again_soon_is_marked_for_the_providers_cache(
    wire: Wire, server: ProviderServer
) -> None:
    ask(wire, provider_at(server.url, "anthropic"))
    ask(wire, provider_at(server.url, "anthropic"), is_cached=True)
    marked = ["cache_control" in json.dumps(asked.body) for asked in server.asked]
    assert marked == [False, True]


def test_half_a_character_in_what_people_wrote_harms_no_request(
    wire: Wire, server: ProviderServer, protocol: str
) -> None:
    ask(wire, provider_at(server.url, protocol), user="an emoji cut in two: \ud83d")
    assert "cut in two: ?" in json.dumps(server.asked[0].body)


def test_settings_of_the_libraries_in_the_environment_count_for_nothing(
    server: ProviderServer, monkeypatch: pytest.MonkeyPatch, protocol: str
) -> None:
    for name, value in {
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
        "OPENAI_API_KEY": "key-of-the-environment",
        "ANTHROPIC_API_KEY": "key-of-the-environment",
        "ANTHROPIC_AUTH_TOKEN": "key-of-the-environment",
        "OPENAI_ORG_ID": "org-of-the-environment",
        "OPENAI_PROJECT_ID": "project-of-the-environment",
        "OPENAI_CUSTOM_HEADERS": "X-Own: of-the-environment",
        "ANTHROPIC_CUSTOM_HEADERS": "X-Own: of-the-environment",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "ALL_PROXY": "http://127.0.0.1:9",
    }.items():
        monkeypatch.setenv(name, value)
    with started_wire() as wire:
        ask(wire, provider_at(server.url, protocol))
        ask(wire, provider_at(server.url, protocol, key=SecretStr("")))
    assert [asked.headers["authorization"] for asked in server.asked] == [
        f"Bearer {KEY}",
        "Bearer none",
    ]
    assert "of-the-environment" not in repr(server.asked)


def test_a_providers_key_shows_in_no_text_of_it() -> None:
    provider = provider_at("http://127.0.0.1:9/v1")
    assert KEY not in f"{provider} {provider!r} {provider.name}"
    assert provider.name == "openai-chat:qwen3@http://127.0.0.1:9/v1"
    assert Provider("anthropic", "claude-haiku-4-5").name == "anthropic:claude-haiku-4-5"
