"""Requests to the stand-in as the bot sends them, by the unpatched SDKs of both companies."""

import json
from typing import Any

from anthropic import Anthropic
from openai import OpenAI

from bot.devtools.provider import ProviderRequest, StandIn
from bot.devtools.provider.exchange import data_of

QUOTE = {
    "type": "object",
    "properties": {"answer": {"type": "string"}, "text": {"type": "string"}},
    "required": ["answer", "text"],
    "additionalProperties": False,
}
QUOTES = {"type": "array", "items": QUOTE}
KINDS = ["requirement", "check", "exclusion", "decision", "risk", "quality", "story", "fact"]


def an_object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


TEXT = {"type": "string"}
LINE = an_object(kind={"enum": KINDS}, text=TEXT, quotes=QUOTES, of=or_null(QUOTE))
CRITERION = an_object(id=TEXT, met={"type": "boolean"}, quotes=QUOTES)
SCHEMAS = {
    "read_answers": an_object(
        lines={"type": "array", "items": LINE},
        criteria={"type": "array", "items": CRITERION},
        cannot_tell=or_null(TEXT),
    ),
    "ask_and_propose": an_object(
        question=or_null(an_object(text=TEXT, kind=TEXT, line=or_null(QUOTE))),
        proposals={
            "type": "array",
            "items": an_object(kind={"enum": ["check", "risk"]}, text=TEXT, reason=TEXT, of=QUOTE),
        },
    ),
    "take_turn": an_object(text=or_null(TEXT)),
}
ANSWERS = (
    "Users must export a dashboard as PDF. It opens in any reader.",
    "1. The export has to be fast.\n2. Print layouts are out of scope.\n"
    "3. About 12 files, I think; it is large.",
)
VALIDATION = (
    "Somebody says who has the problem.",
    "What is out of scope is named.",
    "A risk is named.",
)


def data(*answers: str, task: str = "read_answers", **more: Any) -> dict[str, Any]:
    """The data of a request, with the answers of as many people."""
    return {
        "task": task,
        "persona": {"name": "Alex Rivera", "role": "Business analyst"},
        "step": {
            "id": "01-06",
            "title": "Feature definition",
            "section": "What shall it do?",
            "validation": [
                {"id": f"V{number}", "text": text} for number, text in enumerate(VALIDATION, 1)
            ],
        },
        "item": {"title": "Export dashboard as PDF", "text": ""},
        "documents": [],
        "earlier": [],
        "asked": [],
        "answers": [
            {"id": f"A{number}", "person": f"P{number}", "revision": 1, "text": text}
            for number, text in enumerate(answers or ANSWERS, 1)
        ],
        **more,
    }


def user_message(content: dict[str, Any]) -> str:
    return f"----- 5f1c -----\n{json.dumps(content, indent=1)}\n----- 5f1c -----"


def asked(content: dict[str, Any]) -> ProviderRequest:
    user, task = user_message(content), content["task"]
    return ProviderRequest("chat", "m", "Rules", user, task, SCHEMAS[task], 1_000, data_of(user))


class Clients:
    """Both SDKs, pointed at a stand-in: they repeat nothing by themselves."""

    def __init__(self, provider: StandIn, key: str = "none", timeout: float = 20.0) -> None:
        self.openai: Any = OpenAI(
            base_url=provider.url, api_key=key, max_retries=0, timeout=timeout
        )
        self.anthropic: Any = Anthropic(
            base_url=provider.root_url, api_key=key, max_retries=0, timeout=timeout
        )

    def chat(self, content: dict[str, Any], model: str = "small") -> Any:
        task = content["task"]
        tool = {"type": "function", "function": {"name": task, "parameters": SCHEMAS[task]}}
        return self.openai.chat.completions.create(
            model=model,
            messages=[
                {"role": "system", "content": "Rules"},
                {"role": "user", "content": user_message(content)},
            ],
            tools=[tool],
            tool_choice={"type": "function", "function": {"name": task}},
            max_tokens=1_000,
            extra_headers={"X-Roundtable-Request": "r-1"},
        )

    def responses(self, content: dict[str, Any], model: str = "small") -> Any:
        task = content["task"]
        return self.openai.responses.create(
            model=model,
            instructions="Rules",
            input=[{"role": "user", "content": user_message(content)}],
            tools=[{"type": "function", "name": task, "parameters": SCHEMAS[task], "strict": True}],
            max_output_tokens=1_000,
            store=False,
        )

    def messages(self, content: dict[str, Any], model: str = "small") -> Any:
        task = content["task"]
        return self.anthropic.messages.create(
            model=model,
            system="Rules",
            messages=[{"role": "user", "content": user_message(content)}],
            tools=[{"name": task, "input_schema": SCHEMAS[task]}],
            tool_choice={"type": "tool", "name": task},
            max_tokens=1_000,
        )

    def close(self) -> None:
        self.openai.close()
        self.anthropic.close()


def arguments(reply: Any) -> dict[str, Any]:
    """What the tool is called with, in the reply of any of the three."""
    match reply.object if hasattr(reply, "object") else reply.type:
        case "chat.completion":
            return json.loads(reply.choices[0].message.tool_calls[0].function.arguments)
        case "response":
            return json.loads(reply.output[0].arguments)
    return reply.content[0].input
