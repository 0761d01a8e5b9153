"""What Slack's errors mean to the outbox: `api_errors.toml` says it, this reads it.

Where nobody knows whether a call was carried out, it depends on what doing it twice would mean:
a post may be there already (unclear: look first), an edit or a reaction is simply repeated (later),
an ephemeral is let go rather than said twice (no failure).
"""

import json
import socket
import ssl
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException
from math import isfinite
from pathlib import Path
from typing import Any, Final, Literal
from urllib.error import URLError

from core import patterns
from core.ports import Later, Refused, Unclear
from core.taxonomy.post_refusals import RefusalReason

Twice = Literal["post", "repeat", "once"]
Failure = Refused | Later | Unclear
Disposition = Literal["done", "again", "look"] | RefusalReason
"""done: it is so already; again: not done, try again; look: it may have been done."""

DATA: Final = Path(__file__).with_name("api_errors.toml")
MISSING_SCOPE: Final = "missing_scope"
THROTTLED: Final = frozenset({"ratelimited", "rate_limited", "message_limit_exceeded"})
NAME_ERRORS: Final = frozenset({"invalid_username", "invalid_icon_emoji", "as_user_not_supported"})
UNSUPPORTED: Final = "unsupported_"  # what the name of a refused block's error begins with
_BLOCKS: Final = patterns.compile(r"\[json-pointer:(?:/view)?/blocks(?:/(\d+))?")
NOT_SENT: Final = (ConnectionRefusedError, socket.gaierror, ssl.SSLCertVerificationError)
NOT_JSON: Final = "Received a response in a non-JSON format"  # how the SDK puts it

_MAY_HAVE_HAPPENED: Final[Mapping[Twice, type[Later] | type[Unclear]]] = {
    "post": Unclear,
    "repeat": Later,
    "once": Unclear,
}


@dataclass(frozen=True, slots=True)
class BlocksRefused(Refused):
    """Slack does not take some of the blocks. `places`: their numbers; none where it names none."""

    places: tuple[int, ...] = ()


@cache
def answers() -> Mapping[str, Disposition]:
    """What each error comes to: the data file, read once, when Slack first refuses something."""
    rows = tomllib.loads(DATA.read_text())["answers"]
    return {error: answer for answer, errors in rows.items() for error in errors}


def disposition(error: str) -> Disposition:
    """What an error comes to. One that the file does not have is final: it was not done."""
    otherwise: Disposition = "bad_blocks" if error.startswith(UNSUPPORTED) else "unknown"
    return answers().get(error, otherwise)


def translated(twice: Twice, response: Any) -> Failure:
    """An answer of Slack's that says no, as the outbox needs it."""
    status, error = int(response.status_code), str(response.get("error") or "unknown")
    if status == 429:
        return Later("ratelimited", retry_after(response.headers), status)
    if status >= 500:
        return _MAY_HAVE_HAPPENED[twice](f"http {status}", http_status=status)
    if error.startswith(NOT_JSON):
        return _MAY_HAVE_HAPPENED[twice](error, http_status=status)
    match disposition(error):
        case "again":
            return Later(error, retry_after(response.headers), status)
        case "look":
            return _MAY_HAVE_HAPPENED[twice](error, http_status=status)
        case "done":
            return Refused(error, "already_so")
        case reason:
            return _refused(error, reason, response.get("response_metadata") or {})


def _refused(error: str, reason: RefusalReason, metadata: Mapping[str, Any]) -> Refused:
    """A view's blocks are refused as an argument: only the messages beside say that it is them.

    docs: https://docs.slack.dev/block-kit/designing-with-blocks; an answer of chat.postMessage is
    quoted in https://github.com/slackapi/bolt-python/issues/1016 (2026-11-23)
    """
    messages = "\n".join(map(str, metadata.get("messages") or ()))
    block_numbers = [match[1] for match in _BLOCKS.finditer(messages)]
    if reason == "bad_blocks" or block_numbers:
        places = (int(place) for place in block_numbers if place)
        return BlocksRefused(error, reason, tuple(dict.fromkeys(places)))
    return Refused(error, reason)


def reply_refused(status: int, body: str) -> Refused:
    """What a reply address says no with: the error alone, or an object that names it.

    A refusal of blocks is quoted in https://github.com/louislam/uptime-kuma/issues/941 (2026-11-23)
    """
    try:
        answer = json.loads(body)
    except ValueError:
        answer = None
    error = str(answer.get("error")) if isinstance(answer, dict) else body.strip()
    if disposition(error) == "bad_blocks":
        return BlocksRefused(error, "bad_blocks")
    return Refused(f"http {status}")


def after_no_answer(twice: Twice, error: OSError | HTTPException) -> Failure:
    """The connection failed, was dropped, or nothing came in time."""
    cause = error.reason if isinstance(error, URLError) else error
    if isinstance(cause, NOT_SENT):
        return Later(type(cause).__name__)
    return _MAY_HAVE_HAPPENED[twice](type(cause).__name__)


def retry_after(headers: Mapping[str, Any]) -> float | None:
    """The seconds Slack asks us to wait, if it says so, however many they are."""
    try:
        wait_s = float(said_in(headers, "retry-after") or "")
    except ValueError:
        return None
    return max(wait_s, 0.0) if isfinite(wait_s) else None


def said_in(headers: Mapping[str, Any], name: str) -> str | None:
    """A header whatever its case. Some clients give a list per header."""
    for key, value in headers.items():
        if key.lower() == name:
            return str(value[0] if isinstance(value, list) else value)
    return None
