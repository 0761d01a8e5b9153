"""The page on the protocol says what is really asked, and what it shows as a reply is one."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from pydantic import SecretStr

from bot.devtools.provider import KINDS, PERSONALITIES, StandIn
from bot.devtools.provider.personalities.scripted import ScriptedReplies
from bot.devtools.provider.personalities.scripted import parse as parse_script
from bot.devtools.provider.protocols.chat import ChatCompletions
from core.brains.model.providers.exchange import Provider
from core.brains.model.providers.wire import Wire, WireRequest
from core.brains.model.replies import parse, schema_of
from core.domain.model_calls import ModelTask
from tests.core.model.requests import data_of, prepared

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "reference" / "model-protocol.md").read_text()
TASKS = get_args(ModelTask)


def blocks(language: str, after: str) -> list[str]:
    """The blocks of that language behind the words, in order."""
    _, _, rest = PAGE.partition(after)
    assert rest, after
    return re.findall(rf"^```{language}\n(.*?)^```$", rest, re.M | re.S)


def shown(after: str) -> dict[str, Any]:
    return json.loads(blocks("json", after)[0])


REQUEST, DATA, REPLY = shown("The body, shortened"), shown("## The data"), shown("## The reply")


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with_thread = Wire()
    with_thread.start()
    yield with_thread
    with_thread.close()


def sent(wire: Wire, url: str, request: WireRequest, key: str = "none") -> Any:
    return wire.send(Provider("openai-chat", "my-model", url, SecretStr(key)), request).result(60)


def wire_request(task: ModelTask) -> WireRequest:
    return prepared()[task].wire


def keys_of(value: Any) -> Any:
    """The keys of JSON at every depth; of a list those of its first item."""
    if isinstance(value, dict):
        return {key: keys_of(inner) for key, inner in value.items()}
    return keys_of(value[0]) if isinstance(value, list) and value else None


# ── the request ──


def test_the_body_has_the_keys_that_the_page_shows(provider: StandIn, wire: Wire) -> None:
    sent(wire, provider.url, wire_request("read_answers"))
    body = dict(provider.requests[0].body)
    (tool,) = body["tools"]
    schema = tool["function"].pop("parameters")
    shown_body = json.loads(json.dumps(REQUEST))
    shown_schema = shown_body["tools"][0]["function"].pop("parameters")

    assert keys_of(body) == keys_of(shown_body)
    assert (schema, set(schema)) == (schema_of("read_answers"), set(shown_schema))
    assert tool["function"]["description"] == REQUEST["tools"][0]["function"]["description"]
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert {
        key: body[key] for key in ("model", "stream", "store", "tool_choice", "max_tokens")
    } == {key: REQUEST[key] for key in ("model", "stream", "store", "tool_choice", "max_tokens")}


def test_its_system_message_begins_as_the_page_shows() -> None:
    shown_start = REQUEST["messages"][0]["content"].removesuffix("…")

    assert wire_request("read_answers").system.startswith(shown_start)


def test_the_headers_are_those_of_the_page(wire: Wire) -> None:
    with StandIn(key="of-our-own") as provider:
        sent(wire, provider.url, wire_request("take_turn"), "of-our-own")
        (request,) = provider.requests
    own = {"host", "connection", "accept", "accept-encoding", "user-agent", "content-length"}

    named = {name.lower() for name in re.findall(r"^\| `([A-Z][A-Za-z-]+)` \|", PAGE, re.M)}
    assert set(request.headers) - own | {"authorization"} == named
    assert request.headers["x-roundtable-request"] == wire_request("take_turn").id


def test_the_tasks_and_tiers_are_those_of_the_prompts() -> None:
    from tests.core.model.requests import PROMPTS

    rows = dict(re.findall(r"^\| `([a-z_]+)` \| (fast|middle|strong) \|", PAGE, re.M))
    assert rows == {task: prompt.tier for task, prompt in PROMPTS.items()}


def test_a_request_as_the_page_shows_it_is_answered(provider: StandIn) -> None:
    mark = "ROUNDTABLE-9f2c61d8"
    body = json.loads(json.dumps(REQUEST))
    body["messages"][1]["content"] = f"{mark}\n{json.dumps(DATA)}\n{mark}"
    body["tools"][0]["function"]["parameters"] = schema_of("read_answers")
    reply = httpx.post(f"{provider.url}/chat/completions", json=body).json()

    (call,) = reply["choices"][0]["message"]["tool_calls"]
    arguments = json.loads(call["function"]["arguments"])
    assert {line.text for line in parse("read_answers", arguments).lines} == {
        "The dashboard must give one PDF.",
        "It should be fast.",
    }


# ── the data ──


@pytest.mark.parametrize("task", TASKS)
def test_the_data_of_every_task_has_the_keys_of_the_page(task: ModelTask) -> None:
    rows = set(re.findall(r"^\| `([a-z]+)` \| ", PAGE.partition("## The data")[2], re.M))
    data = data_of(prepared()[task])

    assert set(data) == set(DATA) == rows - {"flaws"} - set(PERSONALITIES)


def test_the_parts_of_the_data_have_the_keys_that_the_page_shows() -> None:
    data = data_of(prepared()["ask_and_propose"])
    lines = [line for step in data["earlier"] for line in step["lines"]]

    for key in ("persona", "step", "item", "asked", "answers"):
        assert keys_of(data[key]).keys() == keys_of(DATA[key]).keys(), key
    assert keys_of(data["earlier"]).keys() == DATA["earlier"][0].keys()
    assert lines[0].keys() == DATA["earlier"][0]["lines"][0].keys()


# ── replies ──


@pytest.mark.parametrize("task", TASKS)
def test_the_arguments_that_the_page_shows_are_a_reply_to_the_task(task: ModelTask) -> None:
    arguments = shown(f"\n`{task}`:")

    assert parse(task, arguments)
    assert set(arguments) == set(schema_of(task)["properties"])


def test_every_quote_that_the_page_shows_stands_in_its_answers() -> None:
    texts = {answer["id"]: answer["text"] for answer in DATA["answers"]}
    shown_quotes = [
        (quote["answer"], quote["text"])
        for block in blocks("json", "\n`read_answers`:")
        for quote in quotes_of(json.loads(block))
    ]

    assert len(shown_quotes) > 5
    assert all(text in texts[answer] for answer, text in shown_quotes)


def quotes_of(part: Any) -> list[dict[str, str]]:
    if isinstance(part, dict) and set(part) == {"answer", "text"}:
        return [part]
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return [quote for one in inner for quote in quotes_of(one)]


def test_the_reply_that_the_page_shows_is_taken(
    wire: Wire, provider: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ChatCompletions, "reply", lambda *_: REPLY)
    reply = sent(wire, provider.url, wire_request("read_answers"))

    assert parse("read_answers", reply.arguments).lines == ()
    assert (reply.usage.tokens, reply.usage.is_estimate) == (2_236, False)


@pytest.mark.parametrize("task", ["read_answers", "ask_and_propose", "take_turn"])
def test_the_provider_of_the_page_serves(wire: Wire, own_provider: str, task: ModelTask) -> None:
    reply = sent(wire, own_provider, wire_request(task))

    assert parse(task, reply.arguments)
    assert reply.usage.is_estimate


@pytest.fixture(scope="module")
def own_provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page's own program, on a port of its own."""
    code = blocks("python", "## A provider in a few lines")[0]
    program = tmp_path_factory.mktemp("provider") / "provider.py"
    program.write_text(
        code.replace('ThreadingHTTPServer(("127.0.0.1", 8080), Provider).serve_forever()',
                     'server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)\n'
                     "    print(server.server_port, flush=True)\n"
                     "    server.serve_forever()")
    )  # fmt: skip
    with subprocess.Popen(
        [sys.executable, str(program)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        process.kill()


# ── the stand-in ──


def test_the_page_names_every_fault_and_every_personality() -> None:
    _, _, faults = PAGE.partition("### Faults")
    cells = re.findall(r"^\| (`[^|]+`) \|", faults, re.M)

    assert {kind for cell in cells for kind in re.findall(r"`([^`]+)`", cell)} == set(KINDS)
    assert set(re.findall(r"^\| `(thoughtful|lazy|malicious)` \|", PAGE, re.M)) == set(
        PERSONALITIES
    )


def test_the_script_of_the_page_is_one() -> None:
    assert isinstance(parse_script(blocks("yaml", "## The stand-in")[0]), ScriptedReplies)


def test_the_lines_of_the_page_start_a_stand_in(capsys: pytest.CaptureFixture[str]) -> None:
    exec(blocks("python", "## The stand-in")[0], {})

    url, asked = capsys.readouterr().out.splitlines()
    assert url.startswith("http://127.0.0.1:")
    assert asked == "[]"


@pytest.mark.parametrize("task", TASKS)
def test_the_command_prints_the_schema_of_a_task(task: ModelTask) -> None:
    command = [sys.executable, "-m", "bot", "brain", "schema", task]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)

    assert json.loads(done.stdout) == schema_of(task)


def test_another_task_is_refused_with_the_names_of_all() -> None:
    command = [sys.executable, "-m", "bot", "brain", "schema", "think"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 2
    assert all(task in done.stderr for task in TASKS)
