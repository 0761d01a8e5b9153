"""Faults on demand: each as it is on the wire, for as many requests as were planned."""

import contextlib
import json
import time
from typing import Any

import anthropic
import httpx
import openai
import pytest

from bot.devtools.provider import StandIn, StandInFault
from bot.devtools.provider.answer_faults import LONG_CHARS
from bot.devtools.provider.faults import STATUSES, UnknownFaultError
from tests.bot.provider.requests import Clients, arguments, data
from tests.support.waiting import wait_until

ERRORS = [status for status in STATUSES if status >= 400]
REDIRECTS = [status for status in STATUSES if status < 400]


def content_of(protocol: str, reply: Any) -> list[Any]:
    """What a reply holds, whichever protocol: a call, a text, nothing."""
    match protocol:
        case "chat":
            message = reply.choices[0].message
            return [*(message.tool_calls or ()), *([message.content] if message.content else ())]
        case "responses":
            return list(reply.output)
    return list(reply.content)


@pytest.mark.parametrize("status", ERRORS)
def test_a_status_arrives_as_the_sdks_take_it(
    provider: StandIn, clients: Clients, status: int
) -> None:
    provider.faults.add(StandInFault(str(status), times=3, retry_after=7))

    with pytest.raises(openai.APIStatusError) as by_chat:
        clients.chat(data())
    with pytest.raises(openai.APIStatusError) as by_responses:
        clients.responses(data())
    with pytest.raises(anthropic.APIStatusError) as by_messages:
        clients.messages(data())

    for error in (by_chat.value, by_responses.value, by_messages.value):
        assert error.status_code == status
        assert error.response.headers["retry-after"] == "7"
    assert by_messages.value.body["type"] == "error"


@pytest.mark.parametrize("status", REDIRECTS)
def test_a_redirect_leads_to_a_place_that_records_who_follows(
    provider: StandIn, status: int
) -> None:
    provider.faults.add(StandInFault(str(status), times=2))
    body = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
    with httpx.Client(base_url=provider.root_url) as client:
        stays = client.post("/v1/chat/completions", json=body)
        follows = client.post("/v1/chat/completions", json=body, follow_redirects=True)

    assert (stays.status_code, stays.headers["location"]) == (status, "/elsewhere")
    assert follows.status_code == 200
    assert [request.path for request in provider.requests].count("/elsewhere") == 1


def test_a_used_up_account_and_a_used_up_minute_differ_in_their_code(
    provider: StandIn, clients: Clients
) -> None:
    provider.faults.add(StandInFault("insufficient-quota", times=2))
    with pytest.raises(openai.RateLimitError) as account:
        clients.chat(data())
    with pytest.raises(anthropic.APIStatusError) as credit:
        clients.messages(data())
    provider.faults.add(StandInFault("quota-exceeded"))
    with pytest.raises(openai.RateLimitError) as minute:
        clients.chat(data())

    assert (account.value.code, minute.value.code) == ("insufficient_quota", "quota_exceeded")
    assert (credit.value.status_code, credit.value.body["error"]["type"]) == (402, "billing_error")


def test_a_context_that_is_too_long_is_a_400_that_says_so(
    provider: StandIn, clients: Clients
) -> None:
    provider.faults.add(StandInFault("context-too-long", times=2))
    with pytest.raises(openai.BadRequestError) as by_chat:
        clients.chat(data())
    with pytest.raises(anthropic.BadRequestError, match="prompt is too long"):
        clients.messages(data())

    assert by_chat.value.code == "context_length_exceeded"


@pytest.mark.parametrize("kind", ["cut-body", "reset"])
def test_a_connection_breaks_in_the_middle(provider: StandIn, clients: Clients, kind: str) -> None:
    provider.faults.add(StandInFault(kind))
    with pytest.raises(openai.APIConnectionError) as broken:
        clients.chat(data())

    cause = type(broken.value.__cause__).__name__  # of a copy of httpx that the SDK brings
    assert cause == ("RemoteProtocolError" if kind == "cut-body" else "ReadError")
    assert arguments(clients.chat(data())), "the next request is well again"


def test_connections_are_refused_for_a_while(provider: StandIn, clients: Clients) -> None:
    provider.faults.add(StandInFault("refused", seconds=0.2))
    with pytest.raises(openai.APIConnectionError):
        clients.chat(data())

    def answers() -> dict[str, Any] | None:
        with contextlib.suppress(openai.APIConnectionError):
            return arguments(clients.chat(data()))
        return None

    wait_until(answers)


def test_a_stand_in_that_refuses_can_be_stopped(provider: StandIn, clients: Clients) -> None:
    provider.faults.add(StandInFault("refused", seconds=60))
    with pytest.raises(openai.APIConnectionError):
        clients.chat(data())
    with pytest.raises(openai.APIConnectionError) as refused:
        clients.chat(data())
    assert type(refused.value.__cause__).__name__ == "ConnectError"
    started = time.monotonic()
    provider.stop()

    assert time.monotonic() - started < 3
    provider.start()  # at its own address, which nobody took meanwhile


def test_a_slow_body_takes_its_time(provider: StandIn, clients: Clients) -> None:
    provider.faults.add(StandInFault("slow-body", seconds=0.4))
    started = time.monotonic()

    assert arguments(clients.chat(data()))
    assert time.monotonic() - started >= 0.35


def test_a_client_that_gives_up_on_a_hang_gets_its_time_out(provider: StandIn) -> None:
    provider.faults.add(StandInFault("hang", seconds=60))
    clients = Clients(provider, timeout=0.2)
    with pytest.raises(openai.APITimeoutError):
        clients.chat(data())
    clients.close()
    started = time.monotonic()
    provider.stop()

    assert time.monotonic() - started < 3, "nobody waits for what hangs"


@pytest.mark.parametrize("kind", ["not-json", "huge"])
def test_a_body_may_be_something_else(provider: StandIn, kind: str) -> None:
    provider.faults.add(StandInFault(kind))
    body = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
    reply = httpx.post(f"{provider.url}/chat/completions", json=body)

    assert reply.status_code == 200
    assert len(reply.content) > 1_000_000 if kind == "huge" else b"<html>" in reply.content


@pytest.mark.parametrize("protocol", ["chat", "responses", "messages"])
def test_a_reply_can_be_empty(provider: StandIn, clients: Clients, protocol: str) -> None:
    provider.faults.add(StandInFault("empty"))
    parts = content_of(protocol, getattr(clients, protocol)(data()))

    assert "read_answers" not in repr(parts)


@pytest.mark.parametrize("protocol", ["chat", "responses", "messages"])
def test_arguments_can_miss_the_schema(provider: StandIn, clients: Clients, protocol: str) -> None:
    provider.faults.add(StandInFault("wrong-schema"))

    assert arguments(getattr(clients, protocol)(data())) == {"not": "what was asked for"}


def test_a_reply_is_cut_at_max_tokens_in_each_protocols_words(
    provider: StandIn, clients: Clients
) -> None:
    provider.faults.add(StandInFault("cut-at-max-tokens", times=3))
    chat, response, message = (
        clients.chat(data()),
        clients.responses(data()),
        clients.messages(data()),
    )

    assert chat.choices[0].finish_reason == "length"
    with pytest.raises(json.JSONDecodeError):
        arguments(chat)
    assert response.status == "incomplete"
    assert response.incomplete_details.reason == "max_output_tokens"
    assert message.stop_reason == "max_tokens"


def test_a_model_refuses_in_each_protocols_words(provider: StandIn, clients: Clients) -> None:
    provider.faults.add(StandInFault("refusal", times=3))

    assert clients.chat(data()).choices[0].message.refusal
    assert clients.responses(data()).output[0].content[0].type == "refusal"
    assert clients.messages(data()).stop_reason == "refusal"


def test_a_reply_can_be_200_kb_long_and_fits_all_the_same(
    provider: StandIn, clients: Clients
) -> None:
    provider.faults.add(StandInFault("200-kB"))
    reply = arguments(clients.chat(data()))

    assert len(json.dumps(reply)) > LONG_CHARS
    assert set(reply) == {"lines", "criteria", "cannot_tell"}


def test_arguments_can_stand_in_the_content(provider: StandIn, clients: Clients) -> None:
    provider.faults.add(StandInFault("in-content"))
    message = clients.chat(data()).choices[0].message

    assert message.tool_calls is None
    assert json.loads(message.content) == arguments(clients.chat(data()))


def test_usage_can_be_missing(provider: StandIn, clients: Clients) -> None:
    provider.faults.add(StandInFault("no-usage", times=2))

    assert clients.chat(data()).usage is None
    assert clients.responses(data()).usage is None


def test_a_model_can_say_that_it_cannot_tell(provider: StandIn, clients: Clients) -> None:
    provider.faults.add(StandInFault("cannot-tell"))

    reply = arguments(clients.chat(data()))
    assert reply["cannot_tell"]
    assert reply["lines"] == []


def statuses(provider: StandIn, clients: Clients, *asked: tuple[str, str]) -> list[int]:
    """What comes of requests, each by its task and model."""
    result = []
    for task, model in asked:
        try:
            clients.chat(data(task=task), model=model)
            result.append(200)
        except openai.APIStatusError as error:
            result.append(error.status_code)
    return result


READ = ("read_answers", "small")


def test_a_fault_befalls_as_many_requests_as_planned(provider: StandIn, clients: Clients) -> None:
    provider.faults.add(StandInFault("503", times=2))

    assert statuses(provider, clients, READ, READ, READ) == [503, 503, 200]
    assert provider.faults.planned == ()


def test_a_fault_begins_with_a_request_and_lasts(provider: StandIn, clients: Clients) -> None:
    provider.faults.add(StandInFault("529", start=2, times=None))

    assert statuses(provider, clients, READ, READ, READ) == [200, 529, 529]


def test_a_fault_is_meant_for_a_task_or_a_model(provider: StandIn, clients: Clients) -> None:
    provider.faults.add(StandInFault("500", task="ask_and_propose", times=None))
    provider.faults.add(StandInFault("401", model="large", times=None))
    ask, large = ("ask_and_propose", "small"), ("read_answers", "large")

    assert statuses(provider, clients, READ, ask, large) == [200, 500, 401]


def test_there_is_no_fault_of_another_name() -> None:
    with pytest.raises(UnknownFaultError, match="'418' is no fault"):
        StandInFault("418")


def test_a_control_plans_faults_and_forgets_them(provider: StandIn, clients: Clients) -> None:
    with httpx.Client(base_url=provider.root_url) as control:
        planned = control.post("/control/faults", json={"fault": 429, "times": "always"})
        assert planned.json()[0]["kind"] == "429"
        assert statuses(provider, clients, READ, READ) == [429, 429]

        control.delete("/control/faults")
        assert statuses(provider, clients, READ) == [200]
        requests = control.get("/control/requests").json()

    assert [request["number"] for request in requests] == [1, 2, 3]
    assert "authorization" not in requests[0]["headers"]


def test_a_control_says_all_that_is_wrong_and_plans_nothing(provider: StandIn) -> None:
    faults = [{"fault": 429}, {"fault": 418, "times": 0, "often": 1}]
    reply = httpx.post(f"{provider.root_url}/control/faults", json=faults)

    assert reply.status_code == 400
    assert [line.partition(":")[0] for line in reply.text.splitlines()] == [
        "fault",
        "times",
        "often",
    ]
    assert provider.faults.planned == ()


def test_a_page_of_another_site_is_refused(provider: StandIn) -> None:
    reply = httpx.post(
        f"{provider.root_url}/control/faults",
        json={"fault": 429},
        headers={"Origin": "https://example.com"},
    )

    assert reply.status_code == 403
    assert provider.faults.planned == ()
