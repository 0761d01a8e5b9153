"""Row 22: what asking a model costs beside the call itself; and readings that hang, for row 5."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from statistics import median
from time import perf_counter, sleep
from typing import Final

from bot.devtools.provider import PERSONALITIES, StandIn, StandInFault
from core.brains.model.providers.wire import Provider, Wire, WireRequest
from tests.bench.arena import Arena
from tests.bench.figures import Figure, Subject
from tests.bench.size import Size

ASKING: Final = Subject(22, "a request to a model beyond the bare SDK call (p50)", "ms", "≤", 15, 8)

MODEL: Final = "stand-in"
TEXT: Final = "The report exports as PDF. " * 300  # about what one reading sends
SCHEMA: Final[dict[str, object]] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
REQUEST: Final = WireRequest(TEXT, TEXT, "read_answers", "Reads.", SCHEMA, 2_000, 60.0, "row")
HANG_S: Final = 3_600.0
LONG_REQUEST: Final = replace(REQUEST, deadline_s=HANG_S)


def asking(_arena: Arena, size: Size) -> Figure:
    """The same request, by the wire and by the library alone, turn by turn."""
    with StandIn(PERSONALITIES["lazy"]) as stand_in:
        provider, wire, bare = Provider("openai-chat", MODEL, stand_in.url), Wire(), _bare(stand_in)
        wire.start()
        try:
            wire.send(provider, REQUEST).result(), bare()  # both are loaded and connected
            beyond = median(
                _seconds(lambda: wire.send(provider, REQUEST).result()) - _seconds(bare)
                for _ in range(size.scans)
            )
        finally:
            wire.close()
    return ASKING.measured(beyond * 1000)


@contextmanager
def hanging(many: int) -> Iterator[None]:
    """So many requests are at a provider that does not answer."""
    with StandIn(PERSONALITIES["lazy"]) as stand_in:
        stand_in.faults.add(StandInFault("hang", times=None, seconds=HANG_S))
        provider, wire = Provider("openai-chat", MODEL, stand_in.url), Wire(at_once=many)
        wire.start()
        try:
            calls = [wire.send(provider, LONG_REQUEST) for _ in range(many)]
            while len(stand_in.requests) < many:
                assert not any(call.done() for call in calls)
                sleep(0.01)
            yield
            assert not any(call.done() for call in calls)
        finally:
            wire.close()


def _bare(stand_in: StandIn) -> Callable[[], object]:
    from openai import OpenAI  # two seconds, for this row alone
    from openai.types.chat import ChatCompletionToolParam

    client = OpenAI(api_key="none", base_url=stand_in.url, max_retries=0)
    tool: ChatCompletionToolParam = {
        "type": "function",
        "function": {
            "name": REQUEST.tool,
            "description": REQUEST.description,
            "parameters": SCHEMA,
        },
    }
    return lambda: client.chat.completions.create(
        model=MODEL,
        max_tokens=REQUEST.max_tokens,
        messages=[{"role": "system", "content": TEXT}, {"role": "user", "content": TEXT}],
        tools=[tool],
        tool_choice="required",
    )


def _seconds(act: Callable[[], object]) -> float:
    began = perf_counter()
    act()
    return perf_counter() - began
