"""What was seen when something went wrong, and how it is read from JSON.

An observation says nothing about its meaning: `classify` says what it is, `handle` what to do.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any, Final, Literal, get_args

from core import patterns

Tier = Literal["haiku", "sonnet", "opus"]
Said = bool | str  # a plain yes, or the thing by its name

KEY_SHOWN_MAX_CHARS: Final = 60
PART_MAX_CHARS: Final = 60
DIGEST_CHARS: Final = 12
RETRY_AFTER_S_MAX: Final = 999_999_999

_NAMED: Final = patterns.compile(
    r"(?<!\w)[A-Z][A-Za-z]*(?:Error|Exception|Exceeded|Unavailable)(?!\w)"
)
_ENDS_WORD: Final = frozenset(ascii_lowercase + digits)  # before a capital letter
_VARYING: Final = patterns.compile(
    r"0x[0-9a-f]+|(?<!\w)[a-f]*[0-9][0-9a-f]*(?!\w)|\d+"
)  # counts, ids, addresses
_PLAIN: Final = patterns.compile(r"[^A-Za-z0-9_.-]+")
_SECONDS: Final = patterns.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*s?")


@dataclass(frozen=True, kw_only=True)
class Observation:
    """Everything is optional. `attempts` counts those already made, `history` their signatures."""

    error_type: str | None = None
    message: str | None = None
    exit_code: int | None = None
    http_status: int | None = None
    validation_errors: tuple[str, ...] = ()
    violation: str | None = None
    tier: Tier | None = None
    step_phase: str | None = None
    attempts: int = 0
    history: tuple[str, ...] = ()
    retry_after: float | None = None  # seconds
    alternative_path: Said = False
    known_fix: Said = False
    missing_input: Said = False
    config: Said = False
    fixable: Said = False
    critical_path: bool = False
    test_passed_recently: bool = False
    clean_before: bool = False

    @cached_property
    def text(self) -> str:
        """Error type and message in lower case, with `TimeoutError` also as "timeout error"."""
        spelled = [_words_of(name) for name in _NAMED.findall(self.message or "")]
        parts = (_words_of(self.error_type or ""), self.message or "", *spelled)
        return " ".join(" | ".join(parts).lower().split())

    @cached_property
    def signature(self) -> str:
        """The same for the same failure, whatever its counts and ids; no word of the message."""
        sign = self.error_type or _status(self)
        digest = sha256(_VARYING.sub("#", self.text).encode(errors="backslashreplace"))
        parts = [_PLAIN.sub("-", part)[:PART_MAX_CHARS] for part in (self.step_phase, sign) if part]
        return "::".join([*parts, digest.hexdigest()[:DIGEST_CHARS]])

    @cached_property
    def says_success(self) -> bool:
        return self.exit_code == 0 or 0 < (self.http_status or 0) < 400


def _words_of(name: str) -> str:
    signs = (
        f" {sign}" if before in _ENDS_WORD and sign in ascii_uppercase else sign
        for before, sign in pairwise(f" {name}")
    )
    return "".join(signs)


def _status(observed: Observation) -> str:
    if observed.http_status is not None:
        return f"http-{observed.http_status}"
    return "" if observed.exit_code is None else f"exit-{observed.exit_code}"


class FaultyObservationError(ValueError):
    """The data is no observation. `faults` has one sentence each, and no value of it."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(self.faults))


def observation(data: object) -> Observation:
    """Read an observation from parsed JSON. Null stands for a field that is not there.

    Raises `FaultyObservationError`.
    """
    if not isinstance(data, dict):
        raise FaultyObservationError(["not a JSON object"])
    faults: list[str] = []
    fields_read: dict[str, Any] = {}  # the readers see to the types
    for key, value in data.items():
        if key not in _READERS:
            faults.append(f"unknown key {str(key)[:KEY_SHOWN_MAX_CHARS]!a}")
        elif value is not None:
            wanted, read = _READERS[key]
            fields_read[key] = read(value)
            if fields_read[key] is None:
                faults.append(f"{key} must be {wanted}")
    if faults:
        raise FaultyObservationError(faults)
    return Observation(**fields_read)


def _of(*kinds: type) -> Callable[[object], object | None]:
    """A reader of values of these types and of no others: true is no number."""
    return lambda value: value if type(value) in kinds else None


def _list_of(*kinds: type) -> Callable[[object], object | None]:
    """A reader of lists, each item in words."""

    def read(value: object) -> object | None:
        if not isinstance(value, list) or not all(isinstance(item, kinds) for item in value):
            return None
        return tuple(map(str, value))

    return read


def _violation(value: object) -> object | None:
    return value.strip() if isinstance(value, str) else None


def _count(value: object) -> object | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _tier(value: object) -> object | None:
    return value if value in get_args(Tier) else None


def _seconds(value: object) -> object | None:
    if isinstance(value, str):
        match = _SECONDS.fullmatch(value.strip())
        return _seconds(float(match[1])) if match else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # Compared as it is: a whole number of hundreds of digits is no float, nor is NaN in any order.
    return value if 0 <= value <= RETRY_AFTER_S_MAX else None


_Reader = tuple[str, Callable[[object], object | None]]
_TEXT: Final[_Reader] = ("text", _of(str))
_WHOLE: Final[_Reader] = ("a whole number", _of(int))
_YES: Final[_Reader] = ("true or false", _of(bool))
_SAID: Final[_Reader] = ("true, false or a name", _of(bool, str))
_READERS: Final[Mapping[str, _Reader]] = {
    "error_type": _TEXT,
    "message": _TEXT,
    "exit_code": _WHOLE,
    "http_status": _WHOLE,
    "validation_errors": ("a list of texts or objects", _list_of(str, dict)),
    "violation": ("text", _violation),
    "tier": ("haiku, sonnet or opus", _tier),
    "step_phase": _TEXT,
    "attempts": ("a whole number, 0 or more", _count),
    "history": ("a list of signatures", _list_of(str)),
    "retry_after": (f"a number of seconds from 0 to {RETRY_AFTER_S_MAX}", _seconds),
    "alternative_path": _SAID,
    "known_fix": _SAID,
    "missing_input": _SAID,
    "config": _SAID,
    "fixable": _SAID,
    "critical_path": _YES,
    "test_passed_recently": _YES,
    "clean_before": _YES,
}
assert list(_READERS) == [reader.name for reader in fields(Observation)]
