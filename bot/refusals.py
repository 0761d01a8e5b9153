"""What Slack's errors mean to the outbox: tables, and what to make of no answer at all.

Where nobody knows whether a call was carried out, it depends on what doing it twice would mean:
a post may be there already (unclear: look first), an edit or a reaction is simply repeated (later),
an ephemeral is let go rather than said twice (no failure).
"""

import socket
import ssl
from collections.abc import Callable, Mapping
from http.client import HTTPException
from typing import Any, Final, Literal
from urllib.error import URLError

from core.ports import Later, Refused, Unclear

Twice = Literal["post", "repeat", "once"]
Failure = Refused | Later | Unclear

MISSING_SCOPE: Final = "missing_scope"
THROTTLED: Final = frozenset({"ratelimited", "rate_limited", "message_limit_exceeded"})
PASSING: Final = frozenset(
    {"service_unavailable", "team_added_to_org", "external_channel_migrating"}
)
# Slack's own words: "it's possible some aspect of the operation succeeded before the error".
IN_DOUBT: Final = frozenset({"internal_error", "fatal_error", "request_timeout"})
ALREADY_SO: Final = frozenset({"message_not_found", "already_reacted", "no_reaction"})
NAME_ERRORS: Final = frozenset({"invalid_username", "invalid_icon_emoji", "as_user_not_supported"})
TOKEN_ERRORS: Final = frozenset(
    {"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired"}
)
NOT_SENT: Final = (ConnectionRefusedError, socket.gaierror, ssl.SSLCertVerificationError)
NOT_JSON: Final = "Received a response in a non-JSON format"  # how the SDK puts it

_MAY_HAVE_HAPPENED: Final[Mapping[Twice, Callable[[str], Failure]]] = {
    "post": Unclear,
    "repeat": Later,
    "once": Unclear,
}


def translated(twice: Twice, response: Any) -> Failure:
    """An answer that says no. Whatever the tables do not know is final: it was not done."""
    status, error = int(response.status_code), str(response.get("error") or "unknown")
    if status == 429 or error in THROTTLED:
        return Later("ratelimited", retry_after(response.headers))
    if status >= 500:
        return _MAY_HAVE_HAPPENED[twice](f"http {status}")
    if error in IN_DOUBT or error.startswith(NOT_JSON):
        return _MAY_HAVE_HAPPENED[twice](error)
    return Later(error) if error in PASSING else Refused(error)


def after_no_answer(twice: Twice, error: OSError | HTTPException) -> Failure:
    """The connection failed, was dropped, or nothing came in time."""
    cause = error.reason if isinstance(error, URLError) else error
    if isinstance(cause, NOT_SENT):
        return Later(type(cause).__name__)
    return _MAY_HAVE_HAPPENED[twice](type(cause).__name__)


def retry_after(headers: Mapping[str, Any]) -> float | None:
    """The seconds Slack asks us to wait, if it says so."""
    try:
        return max(float(said_in(headers, "retry-after") or ""), 0.0)
    except ValueError:
        return None


def said_in(headers: Mapping[str, Any], name: str) -> str | None:
    """A header whatever its case. Some clients give a list per header."""
    for key, value in headers.items():
        if key.lower() == name:
            return str(value[0] if isinstance(value, list) else value)
    return None
