"""`POST /v1/messages`."""

from collections.abc import Mapping
from typing import Any, Final

from bot.devtools.provider.exchange import Json, ProviderRequest, StandInAnswer, Stop
from bot.devtools.provider.protocols.shape import (
    ProviderFailure,
    Shape,
    model_name,
    new_id,
    request_of,
    text_of,
    wanted,
    written,
)

TYPES: Final[Mapping[int, str]] = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
STOPS: Final[Mapping[Stop, str]] = {"done": "end_turn", "cut": "max_tokens", "refused": "refusal"}


class Messages(Shape):
    def read(self, body: Json) -> ProviderRequest:
        """Raises `LookupError`, `TypeError` or `ValueError` for what is no such request."""
        by_role = {message["role"]: text_of(message["content"]) for message in body["messages"]}
        by_role["system"] = text_of(body.get("system", ""))
        tool = wanted(body, "input_schema", "output_config", "format", "schema")
        return request_of("messages", body, by_role, tool, int(body["max_tokens"]))

    def reply(
        self, request: ProviderRequest, answer: StandInAnswer, counts: tuple[int, int]
    ) -> dict[str, Any]:
        asked_tokens, answered = counts if answer.has_usage else (0, 0)
        content = _content(request, answer)
        calls = any(part["type"] == "tool_use" for part in content)
        return {
            "id": new_id("msg_"),
            "type": "message",
            "role": "assistant",
            "model": model_name(request),
            "content": content,
            "stop_reason": "tool_use" if calls and answer.stop == "done" else STOPS[answer.stop],
            "stop_sequence": None,
            "usage": {"input_tokens": asked_tokens, "output_tokens": answered},
        }

    def failure(self, failure: ProviderFailure) -> dict[str, Any]:
        kind = "api_error" if failure.status >= 500 else "invalid_request_error"
        error = {"type": TYPES.get(failure.status, kind), "message": failure.message}
        return {"type": "error", "error": error, "request_id": new_id("req_")}


def _content(request: ProviderRequest, answer: StandInAnswer) -> list[dict[str, Any]]:
    if answer.stop == "refused":
        return []
    if answer.arguments is not None and request.tool:
        call = {} if answer.stop == "cut" else answer.arguments
        return [{"type": "tool_use", "id": new_id("toolu_"), "name": request.tool, "input": call}]
    text = answer.text if answer.arguments is None else written(answer.arguments, answer.stop)
    return [] if text is None else [{"type": "text", "text": text}]
