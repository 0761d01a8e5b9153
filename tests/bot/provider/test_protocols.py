"""Three protocols, as the SDKs of both companies take them."""

import anthropic
import openai
import pytest
from anthropic.types import Message
from openai.types.chat import ChatCompletion
from openai.types.responses import Response

from bot.devtools.provider import StandIn
from tests.bot.provider.requests import SCHEMAS, Clients, arguments, data

PROTOCOLS = ("chat", "responses", "messages")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_calls_the_tool_with_the_same_arguments(
    clients: Clients, protocol: str
) -> None:
    reply = arguments(getattr(clients, protocol)(data()))

    assert set(reply) == set(SCHEMAS["read_answers"]["properties"])
    assert "Print layouts are out of scope." in [line["text"] for line in reply["lines"]]
    assert reply == arguments(clients.chat(data()))


@pytest.mark.parametrize(
    ("protocol", "model"),
    [("chat", ChatCompletion), ("responses", Response), ("messages", Message)],
)
def test_a_reply_has_every_field_that_the_sdk_declares(
    clients: Clients, protocol: str, model: type[ChatCompletion]
) -> None:
    reply = getattr(clients, protocol)(data())

    assert model.model_validate(reply.model_dump(exclude_unset=True), strict=True)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_reply_says_that_no_model_is_behind_it(clients: Clients, protocol: str) -> None:
    reply = getattr(clients, protocol)(data(), model="fast")

    assert reply.model == "fast (stand-in; no model)"


def test_a_chat_completion_names_it_in_its_fingerprint_as_well(clients: Clients) -> None:
    assert clients.chat(data()).system_fingerprint == "stand-in; no model"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_tokens_are_counted(clients: Clients, protocol: str) -> None:
    usage = getattr(clients, protocol)(data()).usage

    counts = (
        (usage.prompt_tokens, usage.completion_tokens)
        if protocol == "chat"
        else (usage.input_tokens, usage.output_tokens)
    )
    assert min(counts) > 50


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_was_asked_is_recorded_without_the_key(provider: StandIn, protocol: str) -> None:
    clients = Clients(provider, key="sk-very-secret")
    getattr(clients, protocol)(data())
    clients.close()

    (request,) = provider.requests
    assert request.asked is not None
    assert (request.asked.task, request.asked.max_tokens) == ("read_answers", 1_000)
    assert request.asked.data == data()
    assert request.asked.system == "Rules"
    assert "sk-very-secret" not in repr(request)


def test_the_header_of_a_request_is_recorded(provider: StandIn, clients: Clients) -> None:
    clients.chat(data())

    assert provider.requests[0].headers["x-roundtable-request"] == "r-1"


def test_a_wrong_key_is_refused_where_one_is_asked_for() -> None:
    with StandIn(key="right") as provider:
        wrong, right = Clients(provider, key="wrong"), Clients(provider, key="right")
        with pytest.raises(openai.AuthenticationError):
            wrong.chat(data())
        with pytest.raises(anthropic.AuthenticationError):
            wrong.messages(data())
        assert arguments(right.chat(data())) == arguments(right.messages(data()))
        wrong.close()
        right.close()


def test_an_address_without_v1_leads_nowhere(provider: StandIn) -> None:
    with (
        openai.OpenAI(base_url=provider.root_url, api_key="none", max_retries=0) as client,
        pytest.raises(openai.NotFoundError),
    ):
        client.chat.completions.create(model="small", messages=[])


def test_where_json_in_text_is_wanted_there_is_no_call(clients: Clients) -> None:
    wanted = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMAS["take_turn"]}}
    reply = clients.openai.chat.completions.create(
        model="small",
        messages=[{"role": "user", "content": "No data at all."}],
        response_format=wanted,
    )

    assert reply.choices[0].message.tool_calls is None
    assert reply.choices[0].message.content == (
        '{"text": "So far nothing was said that I could take up."}'
    )


def test_what_is_no_request_is_a_400(clients: Clients) -> None:
    with pytest.raises(openai.BadRequestError, match="no request that the stand-in can read"):
        clients.openai.chat.completions.create(model="small", messages=[])


def test_a_stopped_stand_in_starts_again_at_the_same_address(
    provider: StandIn, clients: Clients
) -> None:
    provider.stop()
    with pytest.raises(openai.APIConnectionError):
        clients.chat(data())
    provider.start()

    assert arguments(clients.chat(data()))
