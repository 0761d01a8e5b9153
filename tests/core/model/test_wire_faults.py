"""What a provider's trouble is called: each is brought about over a real socket."""

import json
import socket
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from pydantic import SecretStr

from core.brains.model.providers.wire import ProviderError, Wire
from tests.core.model.provider_server import (
    KEY,
    MODELS,
    Answer,
    Asked,
    ProviderServer,
    Script,
    ask,
    called,
    json_answer,
    provider_at,
    reply_of,
)


@pytest.fixture(params=list(MODELS))
def protocol(request: pytest.FixtureRequest) -> str:
    return request.param


def fault(
    wire: Wire, server: ProviderServer, protocol: str, script: Script, **changes: Any
) -> ProviderError:
    """What asking that server raises."""
    server.script = script
    with pytest.raises(ProviderError) as caught:
        ask(wire, provider_at(server.url, protocol), **changes)
    return caught.value


def refused(status: int, message: str = "no", code: str = "", **headers: str) -> Script:
    """A script that refuses as that protocol words it."""

    def script(asked: Asked) -> Answer:
        if asked.path.startswith("/v1/messages"):
            error = {"type": "error", "error": {"type": code or "some_error", "message": message}}
        else:
            error = {"error": {"message": message, "type": "some_error", "code": code or None}}
        return json_answer(error, status, **headers)

    return script


@pytest.mark.parametrize(
    ("status", "kind", "config"),
    [
        (302, "permanent", ""),
        (400, "permanent", ""),
        (401, "configuration", "key"),
        (402, "configuration", "credit"),
        (403, "configuration", "key"),
        (404, "configuration", "url"),
        (408, "transient", ""),
        (413, "permanent", ""),
        (422, "permanent", ""),
        (429, "transient", ""),
        (500, "transient", ""),
        (502, "transient", ""),
        (503, "transient", ""),
        (529, "transient", ""),
    ],
)
def test_a_status_says_who_has_to_act_and_is_met_once(
    wire: Wire, server: ProviderServer, protocol: str, status: int, kind: str, config: str
) -> None:
    error = fault(wire, server, protocol, refused(status, location=server.url))
    assert (error.kind, error.status_code, error.config) == (kind, status, config)
    assert len(server.asked) == 1, "nothing below retries or follows a redirect"


@pytest.mark.parametrize(
    ("status", "code", "message", "kind", "config"),
    [
        (429, "insufficient_quota", "You exceeded your current quota", "configuration", "credit"),
        (429, "quota_exceeded", "Quota exceeded for this minute", "transient", ""),
        (403, "quota_exceeded", "Quota exceeded for this minute", "transient", ""),
        (400, "", "Your credit balance is too low to access the API", "configuration", "credit"),
        (404, "model_not_found", "The model `x` does not exist", "configuration", "model"),
        (404, "not_found_error", "model: claude-haiku-4-5", "configuration", "model"),
        (400, "model_not_found", "no such thing", "configuration", "model"),
    ],
)
def test_a_providers_words_are_matched_before_its_status(
    wire: Wire,
    server: ProviderServer,
    protocol: str,
    status: int,
    code: str,
    message: str,
    kind: str,
    config: str,
) -> None:
    error = fault(wire, server, protocol, refused(status, message, code))
    assert (error.kind, error.config) == (kind, config)


@pytest.mark.parametrize(
    ("status", "code", "message"),
    [
        (400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
        (400, "invalid_request_error", "input length and `max_tokens` exceed context limit: 1"),
        (400, "context_length_exceeded", "This model's maximum context length is 8192 tokens."),
        (400, "context_length_exceeded", "Your input exceeds the context window of this model."),
        (400, "exceed_context_size_error", "the request exceeds the available context size"),
        (
            400,
            "",
            "40000 tokens is too large for a model with 32768 maximum context length",
        ),
        (400, "", "Please reduce the length of the messages or completion."),
        (400, "", "The input token count (9) exceeds the maximum number of tokens allowed (8)."),
        (500, "", "the request exceeds the available context size"),
    ],
)
def test_a_context_that_is_too_long_is_known_by_each_providers_words(
    wire: Wire, server: ProviderServer, protocol: str, status: int, code: str, message: str
) -> None:
    assert fault(wire, server, protocol, refused(status, message, code)).kind == "overflow"


def test_a_minutes_tokens_are_no_context(wire: Wire, server: ProviderServer, protocol: str) -> None:
    words = "Rate limit: reduce the length of the messages or wait"
    assert fault(wire, server, protocol, refused(429, words)).kind == "transient"


def test_how_long_to_wait_comes_as_seconds_and_as_a_date(
    wire: Wire, server: ProviderServer, protocol: str
) -> None:
    error = fault(wire, server, protocol, refused(429, retry_after="17"))
    assert error.retry_after == 17
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    error = fault(wire, server, protocol, refused(503, retry_after=date))
    assert 80 < error.retry_after <= 90
    assert fault(wire, server, protocol, refused(429)).retry_after is None
    assert fault(wire, server, protocol, refused(429, retry_after="soon")).retry_after is None


@pytest.mark.parametrize("way", ["cut", "reset"])
def test_a_connection_that_breaks_is_transient_and_counted(
    wire: Wire, server: ProviderServer, protocol: str, way: Any
) -> None:
    def script(asked: Asked) -> Answer:
        return Answer(json.dumps(reply_of(asked, text="{}")).encode(), way=way)

    error = fault(wire, server, protocol, script)
    assert (error.kind, error.status_code) == ("transient", None)
    assert error.usage.is_estimate
    assert error.usage.input_tokens > 100, "the provider may have read it, and charge it"
    assert len(server.asked) == 1


@pytest.mark.parametrize("way", ["hang", "drip"])
def test_the_whole_call_ends_at_its_deadline(
    wire: Wire, server: ProviderServer, protocol: str, way: Any
) -> None:
    answer = Answer(b'{"a": 1}', way=way)
    for deadline_s in (0.3, 1.2, 4.8):  # on a busy machine the first may end before it connects
        error = fault(wire, server, protocol, lambda asked: answer, deadline_s=deadline_s)
        if server.asked:
            break
    assert (error.kind, error.usage.is_estimate) == ("transient", True)
    assert server.hung_up.acquire(timeout=10), "the connection is closed with the call"


def test_a_provider_that_is_not_there_is_transient_and_costs_nothing(
    wire: Wire, protocol: str
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
        with pytest.raises(ProviderError) as caught:
            ask(wire, provider_at(url, protocol))
    assert (caught.value.kind, caught.value.usage.tokens) == ("transient", 0)


@pytest.mark.parametrize("url", ["nowhere", "ftp://127.0.0.1/v1"])
def test_an_address_that_is_none_is_a_setting(wire: Wire, protocol: str, url: str) -> None:
    with pytest.raises(ProviderError) as caught:
        ask(wire, provider_at(url, protocol))
    assert (caught.value.kind, caught.value.config) == ("configuration", "url")


@pytest.mark.parametrize("key", ["kéy", "two\nlines"])
def test_a_key_that_no_header_can_hold_is_a_setting(
    wire: Wire, server: ProviderServer, protocol: str, key: str
) -> None:
    with pytest.raises(ProviderError) as caught:
        ask(wire, provider_at(server.url, protocol, key=SecretStr(key)))
    assert (caught.value.kind, caught.value.config) == ("configuration", "key")
    assert key not in str(caught.value)


# ── a reply of status 200 that is of no use ─────────────────────────────────────────────────────


def test_a_reply_that_is_no_json_is_unexpected(
    wire: Wire, server: ProviderServer, protocol: str
) -> None:
    page = Answer(b"<html>Sign in</html>", headers={"Content-Type": "text/html"})
    assert fault(wire, server, protocol, lambda asked: page).kind == "unexpected"
    broken = Answer(b'{"id": "r1", "choi')
    assert fault(wire, server, protocol, lambda asked: broken).kind == "unexpected"
    other = Answer(b'{"object": "something else"}')
    assert fault(wire, server, protocol, lambda asked: other).kind == "unexpected"


def test_a_reply_of_200_kb_is_read(wire: Wire, server: ProviderServer, protocol: str) -> None:
    server.script = called({"lines": [], "cannot_tell": "x" * 200_000})
    reply = ask(wire, provider_at(server.url, protocol))
    assert len(reply.arguments["cannot_tell"]) == 200_000


def test_a_reply_of_2_mb_is_refused(wire: Wire, server: ProviderServer, protocol: str) -> None:
    error = fault(wire, server, protocol, called({"cannot_tell": "x" * 2_000_000}))
    assert (error.kind, error.flaw) == ("unexpected", "too-long")


def test_a_compressed_reply_is_refused(wire: Wire, server: ProviderServer, protocol: str) -> None:
    zipped = Answer(b"\x1f\x8b", headers={"Content-Encoding": "gzip"})
    error = fault(wire, server, protocol, lambda asked: zipped)
    assert (error.kind, error.flaw) == ("unexpected", "too-long")


REPLIES: list[tuple[Callable[[str], dict[str, Any]], str, str]] = [
    (lambda _: {}, "unexpected", "empty"),
    (lambda _: {"text": "   "}, "unexpected", "empty"),
    (lambda _: {"text": "I would say that it is fine."}, "unexpected", "not-json"),
    (lambda _: {"text": "[1, 2]"}, "unexpected", "not-json"),
    (lambda _: {"calls": [("drop_table", "{}")]}, "unexpected", "wrong-tool"),
    (lambda path: {"text": '{"lines": [', "end": CUT[path]}, "unexpected", "cut"),
    (lambda path: {"end": CUT[path]}, "unexpected", "cut-thinking"),
    (lambda path: {"text": "No.", "end": REFUSED[path]}, "misaligned", "refused"),
]
CUT = {
    "/v1/chat/completions": "length",
    "/v1/responses": "max_output_tokens",
    "/v1/messages": "max_tokens",
}
REFUSED = {
    "/v1/chat/completions": "content_filter",
    "/v1/responses": "content_filter",
    "/v1/messages": "refusal",
}


@pytest.mark.parametrize(("shape", "kind", "flaw"), REPLIES)
def test_a_reply_of_no_use_names_its_flaw_and_what_it_took(
    wire: Wire, server: ProviderServer, protocol: str, shape: Any, kind: str, flaw: str
) -> None:
    error = fault(
        wire,
        server,
        protocol,
        lambda asked: json_answer(reply_of(asked, **shape(asked.path.partition("?")[0]))),
    )
    assert (error.kind, error.flaw) == (kind, flaw)
    assert error.usage.tokens == 120


@pytest.mark.parametrize("protocol", ["openai-chat", "openai"])
@pytest.mark.parametrize("raw", ['{"lines": [', "[]", '"text"', "", "[" * 100_000])
def test_arguments_that_are_no_object_are_unexpected(
    wire: Wire, server: ProviderServer, protocol: str, raw: str
) -> None:
    error = fault(wire, server, protocol, called(raw))
    assert (error.kind, error.flaw) == ("unexpected", "not-json")


def test_a_refusal_in_a_field_of_its_own_is_one(wire: Wire, server: ProviderServer) -> None:
    def chat(asked: Asked) -> Answer:
        reply = reply_of(asked)
        reply["choices"][0]["message"]["refusal"] = "I cannot help with that."
        return json_answer(reply)

    assert fault(wire, server, "openai-chat", chat).flaw == "refused"

    def responses(asked: Asked) -> Answer:
        reply = reply_of(asked, text="x")
        reply["output"][0]["content"] = [{"type": "refusal", "refusal": "I cannot."}]
        return json_answer(reply)

    assert fault(wire, server, "openai", responses).flaw == "refused"


def test_a_failure_in_a_reply_of_status_200_keeps_its_meaning(
    wire: Wire, server: ProviderServer
) -> None:
    def failed(code: str) -> Script:
        def script(asked: Asked) -> Answer:
            error = {"code": code, "message": "it failed"}
            return json_answer({**reply_of(asked), "status": "failed", "error": error})

        return script

    assert fault(wire, server, "openai", failed("server_error")).kind == "transient"
    assert fault(wire, server, "openai", failed("rate_limit_exceeded")).kind == "transient"
    assert fault(wire, server, "openai", failed("invalid_prompt")).kind == "unexpected"


# ── what shows ──────────────────────────────────────────────────────────────────────────────────


def test_what_a_provider_sends_back_shows_no_key_and_no_credential(
    wire: Wire, server: ProviderServer, protocol: str
) -> None:
    token = "xoxb-1234567890-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx"
    words = f"Incorrect key {KEY}, and {token} " + "x" * 3_000
    error = fault(wire, server, protocol, refused(401, words))
    assert "Incorrect key [redacted]" in str(error)
    assert token not in str(error)
    assert len(str(error)) <= 500
    assert error.__cause__ is None
    assert error.__context__ is None, "the library's error holds all that the provider said"
