"""Logging: structlog and the standard library through one pipe, as JSON lines or for a terminal.

Fixed keys come first and in a fixed order. What looks like a token, and what stands under a name
that promises one, is redacted on the way out. What people said is never logged on purpose; a key
named `text` is redacted all the same. Never pass a keyword named `event`: structlog calls its first
argument that.
"""

import logging
import re
import sys
from collections.abc import Mapping
from typing import Final, Literal, TextIO

import structlog
from structlog.types import EventDict, Processor, WrappedLogger

Format = Literal["json", "console"]

KEYS: Final = (
    "timestamp",
    "level",
    "event",
    "logger",
    "team",
    "session",
    "run",
    "on",
    "was",
    "now",
    "code",
    "ref",
    "action",
    "error",
)
"""The keys that have a place. All others follow by name; an exception stands last."""

REDACTED: Final = "[redacted]"
DEPTH_MAX: Final = 6
VALUE_CHARS_MAX: Final = 20_000

_SECRET_NAMES: Final = re.compile(
    r"(?:^|_)(?:token|secret|password|authorization|cookie|api_?key|text|body|payload)s?$", re.I
)
_TOKENS: Final = re.compile(
    r"xox[a-z](?:\.[a-z]+)?-[\w.%-]{6,}"  # bot, user, refresh and rotated tokens
    r"|xapp-[\w-]{6,}"
    r"|(?<=bearer )[\w.~+/=-]{8,}"
    r"|(?<=://)[^\s/:@]+:[^\s/@]+(?=@)"  # user and password of an address
    r"|(?<=hooks\.slack\.com/)[\w/-]+"  # reply addresses work without any token
    r"|\bsk-[\w-]{16,}",
    re.I,
)
# A driver's message repeats the row that was to be written.
_PARAMETERS: Final = re.compile(r"\[parameters: .*?\](?=\n|$)", re.S)


def configure(
    format: Format = "json",  # noqa: A002 - it reads best at the call
    level: str = "info",
    stream: TextIO | None = None,
) -> None:
    """Set up logging for this process. Calling it again replaces what was set up before."""
    out = stream or sys.stderr
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            _named,
            structlog.processors.add_log_level,
            *_shared(),
            *_written(format),
        ],
        # Our own lines are written straight away: through the standard library they cost twice.
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        logger_factory=lambda *names: Line(out, *names),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                structlog.contextvars.merge_contextvars,
                structlog.stdlib.add_logger_name,
                structlog.stdlib.add_log_level,
                structlog.stdlib.PositionalArgumentsFormatter(),
                *_shared(),
            ],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *_written(format),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())


class Line(structlog.WriteLogger):
    """A logger that knows its name and writes whole lines."""

    def __init__(self, stream: TextIO, name: str = "") -> None:
        super().__init__(stream)
        self.name = name


def _named(logger: WrappedLogger, _method: str, entry: EventDict) -> EventDict:
    if logger.name:
        entry["logger"] = logger.name
    return entry


def _shared() -> list[Processor]:
    return [
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
    ]


def _written(format: Format) -> list[Processor]:  # noqa: A002
    last: Mapping[Format, Processor] = {
        "json": structlog.processors.JSONRenderer(ensure_ascii=False, default=str),
        "console": structlog.dev.ConsoleRenderer(
            sort_keys=False, exception_formatter=structlog.dev.plain_traceback
        ),
    }
    return [redact, in_order, last[format]]


def redact(_logger: WrappedLogger, _method: str, entry: EventDict) -> EventDict:
    """Take out of an entry what must not be read in a log."""
    return {name: _safe(name, value, 0) for name, value in entry.items()}


def in_order(_logger: WrappedLogger, _method: str, entry: EventDict) -> EventDict:
    rest = sorted(entry.keys() - set(KEYS) - {"exception"})
    order = [*(key for key in KEYS if key in entry), *rest, "exception"]
    return {key: entry[key] for key in order if key in entry}


def redacted(text: str) -> str:
    """`text` without tokens, and without the values a database driver repeats."""
    return _TOKENS.sub(REDACTED, _PARAMETERS.sub(f"[parameters: {REDACTED}]", text))


def _safe(name: str, value: object, depth: int) -> object:
    if _SECRET_NAMES.search(name):
        return REDACTED
    if isinstance(value, str):
        return redacted(value[:VALUE_CHARS_MAX])
    if value is None or isinstance(value, bool | int | float):
        return value
    if depth >= DEPTH_MAX:
        return REDACTED
    return _safe_inside(value, depth + 1)


def _safe_inside(value: object, depth: int) -> object:
    if isinstance(value, Mapping):
        return {str(key): _safe(str(key), inner, depth) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_safe("", inner, depth) for inner in value]
    return redacted(str(value)[:VALUE_CHARS_MAX])
