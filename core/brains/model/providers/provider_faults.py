"""What a provider's refusal means, by its own words and then by its status. It knows no library.

A quota can be a busy minute or an empty account and both come as 429, so words are asked first.
"""

from dataclasses import dataclass
from typing import Final

from pydantic import SecretStr

from core import secrets
from core.brains.model.providers.exchange import Setting
from core.domain.model_calls import ProviderFault

OVERFLOW_CODES: Final = frozenset(
    {"context_length_exceeded", "exceed_context_size_error", "model_context_window_exceeded"}
)
OVERFLOW_WORDS: Final = (
    "prompt is too long",  # Anthropic
    "input is too long",
    "exceed context limit",  # Anthropic: input length and `max_tokens` exceed context limit
    "context length",  # OpenAI, vLLM, Mistral, Ollama
    "context window",  # OpenAI's Responses
    "context size",  # llama.cpp
    "reduce the length of the messages",  # Groq
    "maximum number of tokens allowed",  # Gemini
    "context the overflows",  # LM Studio's own spelling
)
NOT_OVERFLOW: Final = frozenset({401, 402, 403, 404, 408, 429})
QUOTA_CODES: Final = frozenset(
    {
        "insufficient_quota",
        "billing_error",
        "billing_hard_limit_reached",
        "credit_balance_exhausted",
        "exceeded_current_quota_error",
        "organization_spend_limit_exceeded",
        "project_spend_limit_exceeded",
    }
)
QUOTA_WORDS: Final = ("credit balance is too low",)  # Anthropic's 400 of an empty account
BUSY_CODES: Final = frozenset(
    {"rate_limit_exceeded", "rate_limit_error", "server_error", "api_error", "overloaded_error"}
)
MESSAGE_CHARS_MAX: Final = 500
TRANSIENT: Final = frozenset({408, 429})
CONFIGURATION: Final = range(401, 405)
SERVER: Final = range(500, 600)  # 529 with them: overloaded


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a provider said in place of a reply."""

    status_code: int | None
    codes: frozenset[str]  # its `code` and `type`
    message: str
    model: str


def kind_of(refusal: Refusal) -> ProviderFault:
    """Whether to wait, to tell the operators, to send less, or to ask somebody else."""
    if _is_overflow(refusal):
        return "overflow"
    if "quota_exceeded" in refusal.codes:
        return "transient"
    if setting_of(refusal):
        return "configuration"
    return _by_status(refusal)


def setting_of(refusal: Refusal) -> Setting:
    """The setting that is wrong, if one is."""
    status, words = refusal.status_code, refusal.message.casefold()
    if status == 402 or refusal.codes & QUOTA_CODES or _has(words, QUOTA_WORDS):
        return "credit"
    if "model_not_found" in refusal.codes:
        return "model"
    if status == 404:
        return "model" if "model" in words or refusal.model.casefold() in words else "url"
    return "key" if status in CONFIGURATION or "invalid_api_key" in refusal.codes else ""


def message_of(body: object) -> str:
    """What an error's body says, however deep; empty if it is."""
    while isinstance(body, dict) and body.get("error"):
        body = body["error"]
    if isinstance(body, dict):
        body = body.get("message") or body
    return str(body or "")


def shown(message: str, key: SecretStr) -> str:
    """What people and the log see of it: no key, no other credential, and not all of a long one."""
    secret = key.get_secret_value()
    text = message.replace(secret, "[redacted]") if secret else message
    return secrets.redact(text)[:MESSAGE_CHARS_MAX]


def _is_overflow(refusal: Refusal) -> bool:
    if refusal.status_code in NOT_OVERFLOW:  # a minute's tokens are counted in the same words
        return False
    words = refusal.message.casefold()
    return bool(refusal.codes & OVERFLOW_CODES) or _has(words, OVERFLOW_WORDS)


def _by_status(refusal: Refusal) -> ProviderFault:
    status = refusal.status_code
    if status is None:  # said in a reply of status 200
        return "transient" if refusal.codes & BUSY_CODES else "unexpected"
    return "transient" if status in TRANSIENT or status in SERVER else "permanent"


def _has(text: str, phrases: tuple[str, ...]) -> bool:
    return any(phrase in text for phrase in phrases)
