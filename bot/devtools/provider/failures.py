"""What providers tell when they fail, in their words, by the name of the fault."""

from collections.abc import Mapping
from typing import Final

from bot.devtools.provider.exchange import ProviderRequest
from bot.devtools.provider.faults import StandInFault
from bot.devtools.provider.protocols.shape import ProviderFailure

NO_CREDIT: Final = "You exceeded your current quota, please check your plan and billing details."
NO_CREDIT_MESSAGES: Final = (
    "Your credit balance is too low to access the Anthropic API. "
    "Please go to Plans & Billing to upgrade or purchase credits."
)
QUOTA: Final = "The quota of this minute is exceeded. Please try again later."
TOO_LONG: Final = (
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 "
    "tokens. Please reduce the length of the messages."
)
TOO_LONG_MESSAGES: Final = "prompt is too long: 210000 tokens > 200000 maximum"
WRONG_KEY: Final = "Incorrect API key provided. It is not repeated here."
UNREADABLE: Final = "This is no request that the stand-in can read."

WORDS: Final[Mapping[int, str]] = {
    301: "Moved permanently.",
    302: "Found elsewhere.",
    307: "Moved for now.",
    308: "Moved for good.",
    400: "A parameter of the request is wrong.",
    401: WRONG_KEY,
    402: NO_CREDIT_MESSAGES,
    403: "Your account may not use this model.",
    404: "The model does not exist or you do not have access to it.",
    408: "The request took too long to arrive.",
    409: "The request is in conflict with another one.",
    413: "Request exceeds the maximum size.",
    422: "The request cannot be processed.",
    429: "Rate limit reached for requests.",
    500: "The server had an error while processing your request.",
    502: "Bad gateway.",
    503: "The engine is currently overloaded, please try again later.",
    504: "The gateway timed out.",
    529: "Overloaded",
}


def failure_of(fault: StandInFault, request: ProviderRequest) -> ProviderFailure | None:
    """The error that the provider tells; None for faults that tell none."""
    is_messages = request.protocol == "messages"
    match fault.kind:
        case "insufficient-quota" if is_messages:
            return ProviderFailure(402, NO_CREDIT_MESSAGES)
        case "insufficient-quota":
            return ProviderFailure(429, NO_CREDIT, "insufficient_quota")
        case "quota-exceeded":
            return ProviderFailure(429, QUOTA, "quota_exceeded")
        case "context-too-long" if is_messages:
            return ProviderFailure(400, TOO_LONG_MESSAGES)
        case "context-too-long":
            return ProviderFailure(400, TOO_LONG, "context_length_exceeded")
    return None if fault.status is None else ProviderFailure(fault.status, WORDS[fault.status])
