"""What to do about an error: the four ways of "Error Taxonomy" and where each of them leads.

`DETECTION` is in the order of precedence: fatal, permanent, retriable, transient. Being seen fewer
than three times is a bound on retrying, not a sign of anything. An error without any sign is taken
as permanent and goes on with its concern written down. Nothing here waits, sends or stores.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from core.taxonomy.catalogue import Handling, Routing
from core.taxonomy.classification import classify, is_lint_error, is_test_failure
from core.taxonomy.decision_tree import TREE
from core.taxonomy.observation import Observation, Row, always, first

ATTEMPTS_MAX: Final = 5
DELAY_MAX_SECONDS: Final = 60
RETRIES_MAX: Final = 3
SAME_SIGNATURE_MAX: Final = 2  # the second time, now included: the same error twice is not flaky

PRECEDENCE: Final[tuple[Handling, ...]] = ("fatal", "permanent", "retriable", "transient")

_TAXONOMY: Final = "Error Taxonomy: Classification and Handling, "


def _fatal(name: str, line: str, *words: str, violations: tuple[str, ...]) -> Row[Handling]:
    return Row(
        name=f"fatal/{name}",
        gives="fatal",
        source=f"{_TAXONOMY}Fatal: {line}",
        words=words,
        violations=violations,
    )


def _signs(way: Handling, name: str, line: str, *words: str) -> Row[Handling]:
    source = f"{_TAXONOMY}{way.capitalize()}: {line}"
    return Row(name=f"{way}/{name}", gives=way, source=source, words=words)


DETECTION: Final[tuple[Row[Handling], ...]] = (
    _fatal(
        "secrets",
        "secrets_detected in diff or output",
        *("secret detected", "secrets detected", "secrets exposure", "secret exposed"),
        *("secret exposure", "secrets in commit", "api key in diff", "password in log"),
        violations=("secret", "secrets exposure", "credential", "password", "api key", "token"),
    ),
    _fatal(
        "integrity",
        "data_integrity_check failed",
        *("data corruption", "corrupted file", "incomplete transaction"),
        *("data integrity check failed", "integrity check failed"),
        violations=("data", "integrity", "corruption", "corrupted", "corrupt"),
    ),
    _fatal(
        "security",
        "security_scan.critical > 0",
        *("security breach", "unauthorized access attempt", "injection detected"),
        violations=("security", "breach", "injection", "unauthorized"),
    ),
    _fatal(
        "invariant",
        "invariant_violated",
        *("invariant violated", "invariant violation", "state machine invalid"),
        "core assumption broken",
        violations=("invariant", "state machine", "assumption"),
    ),
    Row(
        name="fatal/boundary",
        gives="fatal",
        source=_TAXONOMY + "Fatal: boundary_violation_type is not null",
        words=("boundary violation", "force push to protected"),
        fact=lambda seen: bool(seen.violation),
    ),
    Row(
        name="permanent/status",
        gives="permanent",
        source=_TAXONOMY + "Permanent: http_status in [400, 401, 403, 404, 422]",
        http=(400, 401, 403, 404, 422),
    ),
    _signs(
        "permanent",
        "message",
        "error_message matches /invalid|not found|permission denied|unauthorized/i",
        *("invalid", "not found", "permission denied", "unauthorized"),
    ),
    Row(
        name="permanent/validation",
        gives="permanent",
        source=_TAXONOMY + "Permanent: validation_errors is not empty",
        fact=lambda seen: bool(seen.validation_errors),
    ),
    _signs(
        "permanent",
        "signature",
        "ValidationError, malformed JSON, missing required field, EACCES, KeyError, …",
        *("validation error", "malformed", "missing required field", "missing dependency"),
        *("no such file", "enoent", "eacces", "forbidden", "key error", "configuration error"),
    ),
    Row(
        name="retriable/test",
        gives="retriable",
        source=_TAXONOMY + "Retriable: test_failure AND same_test_passed_recently",
        fact=is_test_failure,
        only_if=lambda seen: seen.test_passed_recently,
    ),
    Row(
        name="retriable/lint",
        gives="retriable",
        source=_TAXONOMY + "Retriable: lint_error AND previous_run_clean",
        fact=is_lint_error,
        only_if=lambda seen: seen.clean_before,
    ),
    _signs(
        "retriable",
        "message",
        "error_message matches /flaky|intermittent|race/i",
        *("flaky", "intermittent", "intermittently", "race"),
    ),
    _signs(
        "retriable",
        "signature",
        "Single packet loss, File locked temporarily",
        *("packet loss", "file locked", "file is locked", "locked temporarily"),
        *("network glitch", "network blip", "transient lint"),
    ),
    Row(
        name="retriable/retryable",
        gives="retriable",
        source="Error Classification, Retryable vs Non-Retryable: Retryable",
        words=(
            "write conflict",
            "stale cache",
            "stale",
            "context window",
            "context overflow",
            "context length",
            "context limit",
        ),
    ),
    Row(
        name="transient/exit-code",
        gives="transient",
        source=_TAXONOMY + "Transient: exit_code in [124, 137]",
        exit_codes=(124, 137),
    ),
    Row(
        name="transient/status",
        gives="transient",
        source=_TAXONOMY + "Transient: http_status in [408, 429, 500, 502, 503, 504]",
        http=(408, 429, 500, 502, 503, 504),
    ),
    _signs(
        "transient",
        "message",
        "error_message matches /timeout|timed out|connection refused|rate limit/i",
        *("timeout", "timed out", "connection refused", "rate limit", "rate limited"),
        "rate limiting",
    ),
    _signs(
        "transient",
        "signature",
        "ConnectionError, ETIMEDOUT, quota_exceeded, ServiceUnavailable, EBUSY, …",
        *("connection error", "connection reset", "econnrefused", "etimedout", "ratelimited"),
        *("quota exceeded", "service unavailable", "ebusy", "resource temporarily unavailable"),
        *("resource contention", "network failure", "service restart", "restarting"),
    ),
)

IN_DOUBT: Final[Row[Handling]] = Row(
    name="permanent/in-doubt",
    gives="permanent",
    source=_TAXONOMY + "The Rule: When in doubt, advance with documented concerns",
    fact=always,
)


def _repeated(seen: Observation) -> bool:
    return 1 + seen.history.count(seen.signature) >= SAME_SIGNATURE_MAX


# What only a human can set right: a setting, or a right that was not given.
_SETTINGS: Final = (
    *("configuration error", "configuration issue", "invalid configuration", "required config"),
    *("invalid api key", "api key format", "malformed yaml", "permission denied", "eacces"),
    *("unauthorized", "forbidden", "access denied", "environment variable … not set"),
    *("environment variable … missing", "environment variable … unset"),
    "missing environment variable",
)
_SETTINGS_HTTP: Final = (401, 403)


def _of_settings(
    routing: Routing, name: str, line: str, only_if: Callable[[Observation], bool] = always
) -> Row[Routing]:
    return Row(
        name=f"{routing}/{name}",
        gives=routing,
        source=f"{_TAXONOMY}{line}",
        words=_SETTINGS,
        http=_SETTINGS_HTTP,
        fact=lambda seen: bool(seen.config),
        only_if=only_if,
    )


_BY_A_HUMAN: Final = _of_settings(
    "ESCALATE",
    "configuration",
    "Routing Integration: Permanent, human decision needed (configuration issue)",
)


def needs_settings(seen: Observation) -> bool:
    """True if a setting or a permission is wrong, which nobody but a human can set right."""
    return _BY_A_HUMAN.holds(seen)


def _to(
    routing: Routing, name: str, line: str, fact: Callable[[Observation], bool] = always
) -> Row[Routing]:
    source = f"{_TAXONOMY}Routing Integration: {line}"
    return Row(name=f"{routing}/{name}", gives=routing, source=source, fact=fact)


ROUTES: Final[Mapping[Handling, tuple[Row[Routing], ...]]] = {
    "fatal": (_to("TERMINATE", "fatal", "Fatal, always"),),
    "permanent": (
        _to(
            "BLOCKED",
            "missing-input",
            "Permanent, missing input",
            lambda seen: bool(seen.missing_input),
        ),
        _of_settings(
            "DETOUR",
            "another-way",
            "Permanent: ESCALATE if configuration issue, unless another way exists",
            lambda seen: bool(seen.alternative_path),
        ),
        _BY_A_HUMAN,
        _to("DETOUR", "fixable", "Permanent, fixable by agent", lambda seen: bool(seen.fixable)),
        _to("UNVERIFIED", "permanent", "Permanent, otherwise with its concern documented"),
    ),
    "retriable": (
        _to(
            "RETRY",
            "retriable",
            "Retriable, attempts < 3 and not the same signature twice",
            lambda seen: seen.attempts < RETRIES_MAX and not _repeated(seen),
        ),
        _to(
            "DETOUR",
            "known-fix",
            "Retriable, signature matches known fix",
            lambda seen: bool(seen.known_fix),
        ),
        _to(
            "ESCALATE",
            "critical-path",
            "Retriable, if critical path",
            lambda seen: seen.critical_path,
        ),
        _to("CONTINUE", "warning", "Retriable, advance with warning"),
    ),
    "transient": (
        _to(
            "RETRY",
            "transient",
            "Transient, attempts < max",
            lambda seen: seen.attempts < ATTEMPTS_MAX,
        ),
        _to(
            "DETOUR",
            "alternative",
            "Transient, alternative path exists",
            lambda seen: bool(seen.alternative_path),
        ),
        _to("ESCALATE", "exhausted", "Transient, retries exhausted"),
    ),
}


def has_sign(seen: Observation) -> bool:
    """Whether any row of either table speaks of it; else it is only known that it failed."""
    return first(TREE, seen) is not None or first(DETECTION, seen) is not None


@dataclass(frozen=True, slots=True)
class HandledError:
    """`delay_s` is before jitter: 0 for trying again at once, None where no try comes."""

    handling: Handling | None
    routing: Routing
    delay_s: float | None
    matched: tuple[str, ...]  # the rows that decided


def handle(seen: Observation) -> HandledError:
    """Say what to do about `seen`; where no error is, to go on."""
    way = first((*DETECTION, IN_DOUBT), seen)
    if way is None or classify(seen).category is None:
        return HandledError(None, "CONTINUE", None, ())
    route = first(ROUTES[way.gives], seen)
    assert route is not None  # the last row of each way always holds
    delay = _delay(way.gives, seen) if route.gives == "RETRY" else None
    return HandledError(way.gives, route.gives, delay, (str(way), str(route)))


def _delay(way: Handling, seen: Observation) -> float:
    """Seconds before the next try. Only load-based failures wait, and Retry-After wins."""
    if way == "retriable":
        return 0
    if seen.retry_after is not None:
        return seen.retry_after
    return float(min(DELAY_MAX_SECONDS, 2**seen.attempts))
