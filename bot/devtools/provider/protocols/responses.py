"""`POST /v1/responses`."""

import time
from typing import Any

from bot.devtools.provider.exchange import Json, ProviderRequest, StandInAnswer
from bot.devtools.provider.protocols.shape import (
    Shape,
    model_name,
    new_id,
    request_of,
    text_of,
    wanted,
    written,
)


class Responses(Shape):
    def read(self, body: Json) -> ProviderRequest:
        """Raises `LookupError`, `TypeError` or `ValueError` for what is no such request."""
        items = (
            [{"role": "user", "content": given}]
            if isinstance(given := body["input"], str)
            else given
        )
        by_role = {item["role"]: text_of(item["content"]) for item in items if "role" in item}
        if instructions := body.get("instructions"):
            by_role["system"] = instructions
        tool = wanted(body, "parameters", "text", "format", "schema")
        return request_of("responses", body, by_role, tool, body.get("max_output_tokens"))

    def reply(
        self, request: ProviderRequest, answer: StandInAnswer, counts: tuple[int, int]
    ) -> dict[str, Any]:
        is_cut = answer.stop == "cut"
        status = "incomplete" if is_cut else "completed"
        return {
            "id": new_id("resp_"),
            "object": "response",
            "created_at": int(time.time()),
            "status": status,
            "error": None,
            "incomplete_details": {"reason": "max_output_tokens"} if is_cut else None,
            "instructions": None,
            "max_output_tokens": request.max_tokens,
            "metadata": {},
            "model": model_name(request),
            "output": _output(request, answer, status),
            "parallel_tool_calls": True,
            "temperature": 1.0,
            "tool_choice": "auto",
            "tools": [],
            "top_p": 1.0,
            "usage": _usage(counts) if answer.has_usage else None,
        }


def _output(request: ProviderRequest, answer: StandInAnswer, status: str) -> list[dict[str, Any]]:
    if answer.stop == "refused":
        return [_message({"type": "refusal", "refusal": answer.text}, status)]
    text = answer.text
    if answer.arguments is not None:
        arguments = written(answer.arguments, answer.stop)
        if request.tool:
            return [
                {
                    "type": "function_call",
                    "id": new_id("fc_"),
                    "call_id": new_id("call_"),
                    "name": request.tool,
                    "arguments": arguments,
                    "status": status,
                }
            ]
        text = arguments
    if text is None:
        return []
    return [_message({"type": "output_text", "text": text, "annotations": []}, status)]


def _message(part: Json, status: str) -> dict[str, Any]:
    return {
        "type": "message",
        "id": new_id("msg_"),
        "role": "assistant",
        "status": status,
        "content": [part],
    }


def _usage(counts: tuple[int, int]) -> dict[str, Any]:
    asked_tokens, answered = counts
    return {
        "input_tokens": asked_tokens,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": answered,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": asked_tokens + answered,
    }
