"""Logging: structlog and the standard library through one pipe, as JSON lines or for a terminal.

Fixed keys come first and in a fixed order. Credentials, and what stands under a name that promises
one, are redacted on the way out. What people said is never logged on purpose; a key named `text` is
redacted all the same. Never pass a keyword named `event`: structlog calls its first argument that.
"""

import json
import logging
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from typing import Any, Final, Literal, TextIO

import re2
import structlog
from structlog.types import EventDict, Processor, WrappedLogger

from core import patterns, secrets
from core.characters import readable

Format = Literal["json", "console"]
OnSecret = Callable[[str | None, str], None]
"""Told of a secret in a log value: the entry's session, if it names one, and the kind."""

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

CHATTY: Final = ("alembic",)
"""Libraries whose `info` is about themselves: nine lines for each `roundtable db upgrade`."""

REDACTED: Final = "[redacted]"
DEPTH_MAX: Final = 6
VALUE_CHARS_MAX: Final = 20_000
KNOWN_MAX: Final = 4096  # values that were found harmless, remembered by a process
KNOWN_CHARS_MAX: Final = 64

_SECRET_NAMES: Final = patterns.compile(
    r"(?:^|_)(?:token|secret|password|authorization|cookie|api_?key|text|body|payload)s?$",
    patterns.IGNORECASE,
)
# What only a log must be without: whatever begins like a token, however short, all passwords in
# addresses, and all reply addresses, which work without any token.
_LOOSE_SIGNS: Final = re2.compile(
    rb"(?i)xox[a-z][.-]|xapp-|bearer |://[^\s/]*@|hooks\.slack\.com/|\[parameters: "
)
_LOOSE: Final = patterns.compile(
    r"xox[a-z](?:\.[a-z]+)?-[\w.%-]{6,}|xapp-[\w-]{6,}"
    r"|(bearer )[\w.~+/=-]{8,}"
    r"|(://)[^\s/:@]+:[^\s/@]+(?=@)"
    r"|(hooks\.slack\.com/)[\w/-]+",
    patterns.IGNORECASE,
)
# A driver's message repeats the row that was to be written.
_PARAMETERS: Final = patterns.compile(r"\[parameters: .*?\](?=\n|$)", patterns.DOTALL)


def configure(
    format: Format = "json",  # noqa: A002 - it reads best at the call
    level: str = "info",
    stream: TextIO | None = None,
    *,
    on_secret: OnSecret | None = None,
) -> None:
    """Set up logging for this process. Calling it again replaces what was set up before.

    `on_secret` is called in the thread that logs, once for each kind in an entry, and not for what
    it logs itself. What it raises is logged and goes no further.
    """
    out = stream or sys.stderr
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            _named,
            structlog.processors.add_log_level,
            *_shared(),
            *_written(format, on_secret),
        ],
        # Our own lines are written straight away: through the standard library they cost twice.
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        logger_factory=lru_cache(partial(LineLogger, out)),  # one for each name
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
                *_written(format, on_secret),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    if level != "debug":
        for name in CHATTY:
            logging.getLogger(name).setLevel(logging.WARNING)


class LineLogger(structlog.WriteLogger):
    """A logger that knows its name and writes whole lines."""

    def __init__(self, stream: TextIO, name: str = "") -> None:
        super().__init__(stream)
        self.name = name


class BoundLog:
    """The logger of a module whose lines lie on the way of an answer.

    It is bound once for each configuration. structlog binds a logger for each line, which takes
    longer than writing the line.
    """

    def __init__(self, name: str) -> None:
        self._log = structlog.get_logger(name)
        self._configured: object = None
        self._bound: Any = None

    def info(self, what: str, **values: object) -> None:
        """Write a line of this level."""
        configured = structlog.get_config()["processors"]
        if configured is not self._configured:
            self._configured, self._bound = configured, self._log.bind()
        self._bound.info(what, **values)


def _named(logger: WrappedLogger, _method: str, entry: EventDict) -> EventDict:
    if logger.name:
        entry["logger"] = logger.name
    return entry


def _shared() -> list[Processor]:
    return [
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
    ]


def _written(format: Format, on_secret: OnSecret | None) -> list[Processor]:  # noqa: A002
    last: Mapping[Format, Processor] = {
        "json": structlog.processors.JSONRenderer(_as_json),
        "console": structlog.dev.ConsoleRenderer(
            sort_keys=False, exception_formatter=structlog.dev.plain_traceback
        ),
    }
    timed = structlog.processors.TimeStamper(fmt="iso", utc=True)  # each is new: nothing to look at
    return [partial(redact, on_secret=on_secret), timed, in_order, last[format]]


# Made once: `json.dumps` makes one for every line that is not written its own way.
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, default=str)


def _as_json(entry: EventDict, **_: Any) -> str:
    return _ENCODER.encode(entry)


def redact(
    _logger: WrappedLogger,
    _method: str,
    entry: EventDict,
    *,
    on_secret: OnSecret | None = None,
) -> EventDict:
    """Take out of an entry what must not be read in a log."""
    if _is_known(entry):
        return entry
    strings: list[str] = []
    plain: EventDict = {}
    for name, value in entry.items():
        if value.__class__ is str and not _promises_secret(name):  # nearly all of them
            plain[name] = _noted(value, strings)
        else:
            plain[name] = _plain(name, value, 0, strings)
    if not _suspicious("\n".join(strings)):  # one look at all of it: nearly always the last
        _keep(strings)
        return plain
    safe = {name: _safe(value) for name, value in plain.items()}
    if on_secret is not None:
        session = safe.get("session")
        kinds = dict.fromkeys(match.kind for text in strings for match in secrets.find(text))
        _tell(on_secret, None if session is None else str(session), kinds)
    return safe


# Lines of one kind say little that is new: who moved, from where, to where. What was looked at and
# found harmless is not looked at again.
_NO_TEXT: Final = (None, True, False)
_known: Final[set[object]] = set(_NO_TEXT)


def _is_known(entry: EventDict) -> bool:
    try:
        return _known.issuperset(entry.values()) and _harmless(tuple(entry))
    except TypeError:  # there is something in it that has parts
        return False


def _keep(strings: Iterable[str]) -> None:
    if len(_known) >= KNOWN_MAX:
        _known.clear()
        _known.update(_NO_TEXT)
    _known.update(text for text in strings if len(text) <= KNOWN_CHARS_MAX)


@lru_cache(maxsize=1024)
def _harmless(names: tuple[str, ...]) -> bool:
    return not any(map(_promises_secret, names))


def in_order(_logger: WrappedLogger, _method: str, entry: EventDict) -> EventDict:
    """The entry in the order of its keys, without what would steer a terminal or turn a line."""
    return {key: _readable(entry[key]) for key in _order(tuple(entry))}


def _readable(value: object) -> object:
    return readable(value) if isinstance(value, str) else value


@lru_cache(maxsize=1024)
def _order(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Lines of one kind have the same keys."""
    others = sorted(set(keys) - set(KEYS) - {"exception"})
    return tuple(key for key in (*KEYS, *others, "exception") if key in keys)


def redacted(text: str) -> str:
    """`text` without credentials, and without the values a database driver repeats."""
    return _redacted(text) if _suspicious(text) else text


def _redacted(text: str) -> str:
    return _LOOSE.sub(
        _loose_redacted, secrets.redact(_PARAMETERS.sub(f"[parameters: {REDACTED}]", text))
    )


def _loose_redacted(match: patterns.Match) -> str:
    """What stands before the secret stays: `bearer`, `://`, the host."""
    return f"{match[1] or match[2] or match[3] or ''}{REDACTED}"


def _suspicious(text: str) -> bool:
    data = text.encode("utf-8", "replace")
    return _LOOSE_SIGNS.search(data) is not None or secrets.has_secret(text)


# Entries as plain values


@lru_cache(maxsize=1024)
def _promises_secret(name: str) -> bool:
    return _SECRET_NAMES.search(name) is not None


def _plain(name: str, value: object, depth: int, strings: list[str]) -> object:
    """`value` of what JSON knows, cut where it goes on; its strings are also put into `strings`."""
    if _promises_secret(name):
        return REDACTED
    if isinstance(value, str):
        return _noted(value, strings)
    if value is None or isinstance(value, bool | int | float):
        return value
    if depth >= DEPTH_MAX:
        return REDACTED
    if isinstance(value, Mapping):
        return {
            _noted(str(key), strings): _plain(str(key), inner, depth + 1, strings)
            for key, inner in value.items()
        }
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain("", inner, depth + 1, strings) for inner in value]
    return _noted(str(value), strings)


def _noted(text: str, strings: list[str]) -> str:
    beginning = text[:VALUE_CHARS_MAX]
    strings.append(beginning)
    return beginning


def _safe(value: object) -> object:
    """A plain value without what must not be read."""
    if isinstance(value, str):
        return redacted(value)
    if isinstance(value, dict):
        return {redacted(key): _safe(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_safe(inner) for inner in value]
    return value


# Who wants to know


_telling: Final = threading.local()


def _tell(on_secret: OnSecret, session: str | None, kinds: Iterable[str]) -> None:
    if getattr(_telling, "now", False):
        return
    _telling.now = True
    try:
        for kind in kinds:
            on_secret(session, kind)
    except Exception:  # noqa: BLE001 - a log line must never fail for what it sets off
        structlog.get_logger(__name__).warning("secret.untold", exc_info=True)
    finally:
        _telling.now = False
