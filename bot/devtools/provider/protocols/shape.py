"""What a protocol has to say, and the errors that both companies write."""

import json
import secrets
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.devtools.provider.exchange import Json, Protocol, ProviderRequest, StandInAnswer, data_of

NO_MODEL: Final = "stand-in; no model"
OPENAI_TYPES: Final[Mapping[int, str]] = {401: "invalid_request_error", 429: "requests"}
OPENAI_CODES: Final[Mapping[int, str]] = {
    401: "invalid_api_key",
    404: "model_not_found",
    429: "rate_limit_exceeded",
}


@dataclass(frozen=True, slots=True)
class ProviderFailure:
    """An error that a provider tells. `kind` is the word for its cause, or empty."""

    status: int
    message: str
    kind: str = ""


class Shape(ABC):
    """How a protocol is spoken. Errors are told as OpenAI does, unless it is said otherwise."""

    @abstractmethod
    def read(self, body: Json) -> ProviderRequest:
        """Raises `LookupError`, `TypeError` or `ValueError` for what is no such request."""

    @abstractmethod
    def reply(
        self, request: ProviderRequest, answer: StandInAnswer, counts: tuple[int, int]
    ) -> dict[str, Any]:
        """The body of an answer. `counts`: the tokens of the request and of the answer."""

    def failure(self, failure: ProviderFailure) -> dict[str, Any]:
        by_status = "server_error" if failure.status >= 500 else "invalid_request_error"
        kind = failure.kind or OPENAI_TYPES.get(failure.status, by_status)
        code = failure.kind or OPENAI_CODES.get(failure.status)
        return {"error": {"message": failure.message, "type": kind, "param": None, "code": code}}


def request_of(
    protocol: Protocol, body: Json, by_role: Mapping[str, str], tool: tuple[str, Json], tokens: Any
) -> ProviderRequest:
    """The request that a body is. Raises `KeyError` where nobody asks anything."""
    system = by_role.get("system") or by_role.get("developer", "")
    user, (name, schema) = by_role["user"], tool
    model = str(body["model"])
    return ProviderRequest(protocol, model, system, user, name, schema, tokens, data_of(user))


def new_id(prefix: str) -> str:
    return f"{prefix}{secrets.token_hex(12)}"


def written(arguments: Json, stop: str) -> str:
    """The arguments as text; half of them where the reply was cut."""
    text = json.dumps(arguments, ensure_ascii=False)
    return text[: len(text) // 2] if stop == "cut" else text


def model_name(request: ProviderRequest) -> str:
    """The name that was asked for, with the word that nothing of the kind answered."""
    return f"{request.model} ({NO_MODEL})"


def text_of(content: object) -> str:
    """The words of a message: a string, or a list of parts with a text each."""
    if isinstance(content, str):
        return content
    assert isinstance(content, list), "the content is neither text nor a list"
    return "\n".join(part["text"] for part in content if "text" in part)


def wanted(body: Json, parameters: str, *place: str) -> tuple[str, Json]:
    """The name of the tool and its schema; no name, and the schema of that place, without one."""
    if tools := body.get("tools"):
        tool = tools[0].get("function", tools[0])
        return tool["name"], tool[parameters]
    schema = body
    for key in place:
        schema = schema.get(key) or {}
    return "", schema
