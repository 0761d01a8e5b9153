"""What goes to a provider of language models and what comes back. Nothing here sends anything."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from pydantic import SecretStr

from core.domain.model_calls import ProviderFault, Usage

Protocol = Literal["openai", "openai-chat", "anthropic"]
"""Responses, chat completions at any URL, and Anthropic's messages."""
Setting = Literal["", "key", "model", "credit", "url", "extra"]
"""Which setting of the operators' is wrong; `extra`: the libraries are not installed."""
Flaw = Literal["", "empty", "not-json", "wrong-tool", "cut", "cut-thinking", "too-long", "refused"]
"""What is wrong with a reply that came; `cut-thinking`: at max_tokens, before it said anything."""

URLS: Final[Mapping[Protocol, str]] = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
}
TOKENS_MAX: Final = 8_000  # of a reply; Anthropic's client would stream a longer one
BYTES_A_TOKEN: Final = 3


@dataclass(frozen=True, slots=True)
class Provider:
    """One model and where it is asked. Its key shows in no text."""

    protocol: Protocol
    model: str
    url: str = ""
    key: SecretStr = field(default=SecretStr(""), repr=False)

    @property
    def name(self) -> str:
        """As the settings spell it: "anthropic:claude-haiku-5-5", "openai-chat:qwen3@http://…"."""
        return f"{self.protocol}:{self.model}" + (f"@{self.url}" if self.url else "")

    @property
    def base_url(self) -> str:
        return self.url or URLS[self.protocol]


@dataclass(frozen=True, slots=True)
class WireRequest:
    """One request: a system and a user message, and the one tool that the model calls."""

    system: str = field(repr=False)
    user: str = field(repr=False)
    tool: str
    description: str
    schema: Mapping[str, Any] = field(repr=False)
    max_tokens: int
    deadline_s: float
    id: str  # random, of its row: X-Roundtable-Request
    is_cached: bool = False  # worth caching at the provider: another request begins alike soon

    def estimate(self, reply: str = "") -> Usage:
        """The tokens of this request and that reply, where nobody says: bytes by three."""
        schema = json.dumps(dict(self.schema), ensure_ascii=False)
        texts = (self.system, self.user, self.tool, self.description, schema)
        return Usage(sum(map(_tokens, texts)), _tokens(reply), is_estimate=True)


@dataclass(frozen=True, slots=True)
class WireReply:
    """The arguments of the tool's call, whatever they hold, and what they took."""

    arguments: Mapping[str, Any] = field(repr=False)
    usage: Usage


class ProviderError(Exception):
    """A request that brought no arguments. Its text is redacted and without the provider's key."""

    def __init__(
        self,
        kind: ProviderFault,
        text: str,
        *,
        status_code: int | None = None,
        retry_after: float | None = None,
        config: Setting = "",
        flaw: Flaw = "",
        usage: Usage = Usage(),
    ) -> None:
        super().__init__(text)
        self.kind: ProviderFault = kind
        self.status_code = status_code
        self.retry_after = retry_after
        self.config: Setting = config
        self.flaw: Flaw = flaw
        self.usage = usage


def _tokens(text: str) -> int:
    return -(-len(text.encode("utf-8", "replace")) // BYTES_A_TOKEN)
