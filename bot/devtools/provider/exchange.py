"""One request to the stand-in, as its personalities see it, and what they answer: values alone."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Json = Mapping[str, Any]
Protocol = Literal["chat", "responses", "messages"]
Stop = Literal["done", "cut", "refused"]
BYTES_A_TOKEN: Final = 4  # as people count English text
OPENS: Final = "{"


@dataclass(frozen=True, slots=True)
class ProviderRequest:
    """What every protocol asks in its own words. `tool` is empty where JSON in text is wanted."""

    protocol: Protocol
    model: str
    system: str
    user: str
    tool: str
    schema: Json
    max_tokens: int | None
    data: Json = field(default_factory=dict)  # the JSON between the boundary lines

    @property
    def task(self) -> str:
        return str(self.data.get("task") or self.tool)

    @property
    def answers(self) -> tuple[Json, ...]:
        """People's answers, those that have an id and a text."""
        answers = self.data.get("answers")
        return tuple(answer for answer in _mappings(answers) if isinstance(answer.get("text"), str))


@dataclass(frozen=True, slots=True)
class StandInAnswer:
    """What is sent back. `arguments` None: no call of the tool; `text` None: no words either."""

    arguments: Json | None
    text: str | None = None
    stop: Stop = "done"
    has_usage: bool = True


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """A request that came: its headers are kept without the key."""

    number: int  # from 1
    path: str
    headers: Mapping[str, str]
    body: Json
    asked: ProviderRequest | None  # None: nothing that could be answered


def data_of(user: str) -> Json:
    """The JSON that stands between the boundary lines; empty if there is none.

    People's text is inside of it: nothing that they write begins a line of its own.
    """
    for start in _line_starts(user):
        if not user.startswith(OPENS, start):
            continue
        try:
            data, _ = json.JSONDecoder().raw_decode(user, start)
        except ValueError:
            continue
        return data if isinstance(data, dict) else {}
    return {}


def tokens_of(text: str) -> int:
    return max(1, len(text.encode()) // BYTES_A_TOKEN)


def _line_starts(text: str) -> Iterator[int]:
    start = 0
    while start >= 0:
        yield start
        end = text.find("\n", start)
        start = end + 1 if end >= 0 else -1


def _mappings(values: object) -> Iterator[Json]:
    if isinstance(values, list):
        yield from (value for value in values if isinstance(value, Mapping))
