"""Finds the arguments of the tool's call in what a model said. Others judge what they hold."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from core.brains.model.providers.exchange import Flaw
from core.domain.model_calls import ProviderFault

FLAWS: Final[Mapping[Flaw, str]] = {
    "empty": "the reply is empty",
    "not-json": "the reply is no JSON object",
    "wrong-tool": "the reply calls another tool",
    "cut": "the reply was cut at max_tokens",
    "cut-thinking": "the reply was cut at max_tokens while the model was thinking",
    "too-long": "the reply is too long, or compressed",
    "refused": "the model refused",
}


@dataclass(frozen=True, slots=True)
class Said:
    """A model's reply without its wrapping: its calls, its text, and why it ended."""

    calls: tuple[tuple[str, str | Mapping[str, Any] | None], ...]
    text: str
    end: str  # "stop", "length", "content_filter", …

    @property
    def everything(self) -> str:
        """Calls and text, to estimate their tokens."""
        return self.text + "".join(
            arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
            for _, arguments in self.calls
        )


class UnusableReplyError(Exception):
    """A reply of status 200 that holds no arguments."""

    def __init__(self, flaw: Flaw) -> None:
        super().__init__(FLAWS[flaw])
        self.flaw: Flaw = flaw

    @property
    def kind(self) -> ProviderFault:
        return "misaligned" if self.flaw == "refused" else "unexpected"


def arguments_of(said: Said, tool: str) -> Mapping[str, Any]:
    """The arguments of the call of `tool`, or of the JSON in the text, which counts as one.

    Raises UnusableReplyError for a reply that has neither, was cut, or is a refusal.
    """
    if said.end == "content_filter":
        raise UnusableReplyError("refused")
    if said.end == "length":
        raise UnusableReplyError("cut" if said.calls or said.text else "cut-thinking")
    for name, arguments in said.calls:
        if name == tool:
            return _object(arguments)
    if said.calls:
        raise UnusableReplyError("wrong-tool")
    if not said.text.strip():
        raise UnusableReplyError("empty")
    return _object(_without_fence(said.text))


def _object(arguments: str | Mapping[str, Any] | None) -> Mapping[str, Any]:
    if not isinstance(arguments, str):
        return arguments or {}
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise UnusableReplyError("not-json")
    return value


def _without_fence(text: str) -> str:
    """What stands between the first brace and the last: models put JSON into fences."""
    return text[text.find("{") : text.rfind("}") + 1]
