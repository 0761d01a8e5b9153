"""`POST /v1/chat/completions`."""

import time
from typing import Any

from bot.devtools.provider.exchange import Json, ProviderRequest, StandInAnswer
from bot.devtools.provider.protocols.shape import (
    NO_MODEL,
    Shape,
    model_name,
    new_id,
    request_of,
    text_of,
    wanted,
    written,
)


class ChatCompletions(Shape):
    def read(self, body: Json) -> ProviderRequest:
        """Raises `LookupError`, `TypeError` or `ValueError` for what is no such request."""
        by_role = {message["role"]: text_of(message["content"]) for message in body["messages"]}
        tokens = body.get("max_completion_tokens") or body.get("max_tokens")
        tool = wanted(body, "parameters", "response_format", "json_schema", "schema")
        return request_of("chat", body, by_role, tool, tokens)

    def reply(
        self, request: ProviderRequest, answer: StandInAnswer, counts: tuple[int, int]
    ) -> dict[str, Any]:
        reply = {
            "id": new_id("chatcmpl-"),
            "object": "chat.completion",
            "created": int(time.time()),
            "model": model_name(request),
            "system_fingerprint": NO_MODEL,
            "choices": [
                {
                    "index": 0,
                    "message": _message(request, answer),
                    "logprobs": None,
                    "finish_reason": _finish(request, answer),
                }
            ],
        }
        if answer.has_usage:
            asked_tokens, answered = counts
            reply["usage"] = {
                "prompt_tokens": asked_tokens,
                "completion_tokens": answered,
                "total_tokens": asked_tokens + answered,
            }
        return reply


def _message(request: ProviderRequest, answer: StandInAnswer) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text, "refusal": None}
    if answer.stop == "refused":
        return message | {"content": None, "refusal": answer.text}
    if answer.arguments is None:
        return message
    arguments = written(answer.arguments, answer.stop)
    if not request.tool:
        return message | {"content": arguments}
    call = {"name": request.tool, "arguments": arguments}
    return message | {"tool_calls": [{"id": new_id("call_"), "type": "function", "function": call}]}


def _finish(request: ProviderRequest, answer: StandInAnswer) -> str:
    if answer.stop == "cut":
        return "length"
    return "tool_calls" if answer.arguments is not None and request.tool else "stop"
