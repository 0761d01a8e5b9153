"""From an exception to an observation: what can be said of a failure without judging it."""

import errno
import traceback
from itertools import pairwise
from typing import Any, Final, cast, get_args

from core.secrets import redact
from core.taxonomy.observation import Observation, Tier

MESSAGE_CHARS_MAX: Final = 500
TRACE_CHARS_MAX: Final = 4_000
CHAIN_MAX: Final = 5


def observed(error: BaseException, tier: str | None) -> Observation:
    """What an exception and its causes say: type, words, status, exit code, how long to wait."""
    chain = tuple(_chain(error))
    status = next((value for value in map(_status, chain) if value is not None), None)
    code = next((value for value in map(_exit_code, chain) if value is not None), None)
    words = [_words(error), *(_words_below(*pair) for pair in pairwise(chain))]
    return Observation(
        error_type=type(error).__name__,
        message=redact("; ".join(filter(None, words)))[:MESSAGE_CHARS_MAX] or None,
        exit_code=code,
        http_status=status,
        tier=cast("Tier", tier) if tier in get_args(Tier) else None,
        retry_after=next((value for value in map(_retry_after, chain) if value is not None), None),
        missing_input=missing_in(error) or False,
        violation=getattr(error, "violation", None),
    )


def missing_in(error: BaseException) -> str:
    """The name of the file that was not there, or in whose place a folder stands; else empty."""
    for link in _chain(error):
        if isinstance(link, FileNotFoundError | IsADirectoryError) and link.filename:
            return str(link.filename).rsplit("/", 1)[-1]
    return ""


def trace_of(error: BaseException) -> str:
    """The stack trace for the record: its end, without credentials."""
    return redact("".join(traceback.format_exception(error)))[-TRACE_CHARS_MAX:]


def _chain(error: BaseException) -> list[BaseException]:
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in chain and len(chain) < CHAIN_MAX:
        chain.append(current)
        current = current.__cause__ or (
            None if current.__suppress_context__ else current.__context__
        )
    return chain


def _words(error: BaseException) -> str:
    """The message, with the system's word for an error that has a number."""
    number = error.errno if isinstance(error, OSError) else None
    name = errno.errorcode.get(number, "") if number is not None else ""
    return " ".join(filter(None, (name, str(error))))


def _words_below(error: BaseException, cause: BaseException) -> str:
    """The words of what is below an error, with its type where the error was raised from it."""
    prefix = f"{type(cause).__name__}: " if error.__cause__ is cause else ""
    return f"{prefix}{_words(cause)}".rstrip(" :")


def _status(error: Any) -> int | None:
    for holder in (error, getattr(error, "response", None)):
        for name in ("status_code", "status"):
            value = getattr(holder, name, None)
            if isinstance(value, int) and not isinstance(value, bool):
                return value
    return None


def _exit_code(error: Any) -> int | None:
    value = getattr(error, "returncode", None)
    return value if isinstance(value, int) else None


def _retry_after(error: Any) -> float | None:
    value = getattr(error, "retry_after", None)
    if value is None:
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
        value = headers.get("Retry-After") if hasattr(headers, "get") else None
    try:
        return max(0.0, float(value)) if value is not None else None
    except (TypeError, ValueError):
        return None
