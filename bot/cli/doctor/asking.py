"""One call of Slack's Web API: what it said, be it yes or no, or that it said nothing."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, Final
from urllib.error import URLError

from pydantic import SecretStr
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.web_api.api_errors import NOT_JSON, THROTTLED
from bot.web_api.calls import tls_context

WAIT_S_MAX: Final = 10
SERVER_ERROR: Final = 500

_quiet = logging.getLogger("bot.doctor.sdk")  # the SDK writes errors of its own
_quiet.setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class SlackAnswer:
    """An answer of Slack's. `error` is None when it said yes; times are seconds of our clock."""

    data: Mapping[str, Any]
    headers: Mapping[str, Any]
    error: str | None
    sent_at: float
    received_at: float


@dataclass(frozen=True, slots=True)
class Silence:
    """No answer, or none of Slack's. `why` is a few words without a secret."""

    why: str
    passes: bool = False  # it is there, and will answer later


def ask(
    url: str, token: SecretStr, method: str, now: Callable[[], float], **arguments: str | int
) -> SlackAnswer | Silence:
    web = WebClient(
        token.get_secret_value(),
        base_url=url,
        timeout=WAIT_S_MAX,
        ssl=tls_context(),
        retry_handlers=[],
        logger=_quiet,
    )
    sent_at = now()
    try:
        response = web.api_call(method, params=arguments)
    except SlackApiError as error:
        return _refused(error.response, sent_at, now())
    except (OSError, HTTPException) as error:
        cause = error.reason if isinstance(error, URLError) else error
        return Silence(type(cause).__name__ if isinstance(cause, Exception) else "no connection")
    except (ValueError, AttributeError):  # the SDK's own, where an answer is no JSON object
        return Silence("an answer that is not Slack's")
    data = response.data if isinstance(response.data, dict) else {}
    return SlackAnswer(data, response.headers, None, sent_at, now())


def _refused(response: Any, sent_at: float, received_at: float) -> SlackAnswer | Silence:
    error = str(response.get("error") or "unknown")
    if response.status_code >= SERVER_ERROR:
        return Silence(f"http {response.status_code}", passes=True)
    if error in THROTTLED:
        return Silence("asked too often", passes=True)
    if error.startswith(NOT_JSON):
        return Silence("an answer that is not Slack's")
    return SlackAnswer(response.data, response.headers, error, sent_at, received_at)
