"""The decision tree of "Error Classification" as a table.

It asks five questions in order: is something missing, did a command fail, is the output not as
wanted, did an agent deviate, is it unclear what to do. `TREE` holds the answers in that order;
within a question a row above wins over a row below. `BEYOND` is for errors that answer none of the
five.
"""

from typing import Final

from core.taxonomy.catalogue import Category
from core.taxonomy.observation import Row, always, speaks_of_error

ASKED: Final[tuple[Category, ...]] = (  # the tree's questions, in its order
    "prerequisite_failure",
    "execution_error",
    "unexpected_result",
    "inter_agent_misalignment",
    "ambiguity_error",
)


def _sign(
    category: Category,
    name: str,
    source: str,
    *words: str,
    exit_codes: tuple[int, ...] = (),
    http: tuple[int, ...] = (),
    violations: tuple[str, ...] = (),
) -> Row[Category]:
    return Row(
        name=f"{category}/{name}",
        gives=category,
        source=source,
        words=words,
        exit_codes=exit_codes,
        http=http,
        violations=violations,
    )


_PATTERNS: Final = "Error Classification, Common Patterns by Category: "
_TAXONOMY: Final = "Error Classification, Error Category Taxonomy: "
_RETRYABLE: Final = "Error Classification, Retryable vs Non-Retryable: "


def _missing(name: str, line: str, *words: str, **more: tuple[int, ...]) -> Row[Category]:
    codes, http = more.get("exit_codes", ()), more.get("http", ())
    return _sign(
        "prerequisite_failure", name, _PATTERNS + line, *words, exit_codes=codes, http=http
    )


def _failed(name: str, source: str, *words: str, **more: tuple[int, ...]) -> Row[Category]:
    codes, http = more.get("exit_codes", ()), more.get("http", ())
    return _sign("execution_error", name, source, *words, exit_codes=codes, http=http)


def _unlike(name: str, source: str, *words: str, violations: tuple[str, ...] = ()) -> Row[Category]:
    return _sign("unexpected_result", name, source, *words, violations=violations)


def _astray(name: str, line: str, *words: str) -> Row[Category]:
    return _sign("inter_agent_misalignment", name, _PATTERNS + line, *words)


def _unclear(name: str, line: str, *words: str) -> Row[Category]:
    return _sign("ambiguity_error", name, _PATTERNS + line, *words)


TREE: Final[tuple[Row[Category], ...]] = (
    # 1. Does the error indicate a missing resource?
    _missing(
        "no-such-file",
        "No such file or directory",
        "no such file", "enoent", "missing file", "wrong path",
    ),
    _missing(
        "permission-denied",
        "Permission denied (insufficient access)",
        "permission denied", "eacces", "unauthorized", "forbidden", "access denied",
        http=(401, 403),
    ),
    _missing(
        "connection-refused",
        "Connection refused (external service unavailable)",
        "connection refused", "econnrefused", "connection reset", "connection error",
        "service unavailable", "dependency unavailable", "resource temporarily unavailable",
        "ebusy", "resource contention", "network failure", "network blip", "network glitch",
        "service restart",
        http=(502, 503, 504),
    ),
    Row(
        name="prerequisite_failure/contention",
        gives="prerequisite_failure",
        source="Error Taxonomy: Classification and Handling, Retriable: "
        "Single packet loss, File locked temporarily",
        words=("packet loss", "file locked", "file is locked", "locked temporarily"),
        only_if=lambda seen: not seen.says_success,  # "packet loss 0%"
    ),
    _missing(
        "module-not-found", "Module not found or ImportError", "module not found", "import error"
    ),
    _missing(
        "command-not-found",
        "Tool/command not found in PATH",
        "command not found", "not found in path",
        exit_codes=(127,),
    ),
    _missing(
        "environment-variable",
        "Environment variable not set",
        "environment variable … not set", "environment variable … missing",
        "environment variable … unset", "missing environment variable",
    ),
    _sign(
        "prerequisite_failure",
        "directory-structure",
        _TAXONOMY + "Directory structure different than expected",
        "structure different than expected", "is a directory", "eisdir", "not a directory",
        "enotdir",
    ),
    _sign(
        "prerequisite_failure",
        "does-not-exist",
        _TAXONOMY + "File I/O fails with “not found”",
        "not found", "does not exist", "doesn't exist", "missing dependency",
        http=(404,),
    ),
    # 2. Did a command run and fail?
    _failed(
        "timeout",
        _RETRYABLE + "Timeout",
        "timeout", "timed out", "etimedout",
        exit_codes=(124, 137), http=(408,),
    ),
    _failed("write-conflict", _RETRYABLE + "write conflict", "write conflict"),
    _failed("flaky", _RETRYABLE + "flaky test", "flaky", "intermittent", "intermittently"),
    _failed(
        "tests",
        _PATTERNS + "Test assertions fail",
        "assertion failed", "assertions failed", "assertion error", "assertions fail",
        "test failed", "tests failed", "test failure", "test fail", "test suite failure",
    ),
    _failed(
        "build",
        _PATTERNS + "Build compilation error",
        "compilation error", "compile error", "compilation failed", "build failed", "syntax error",
    ),
    _failed(
        "git",
        _PATTERNS + "Git operations fail (merge conflict, push rejected)",
        "merge conflict", "push rejected", "rejected push",
    ),
    _failed(
        "lint",
        _PATTERNS + "Lint/format violations",
        "lint", "linter", "linting", "lint error", "format violation", "formatting violation",
    ),
    _failed("script", _TAXONOMY + "Logic error in script", "logic error", "design flaw"),
    _failed("stderr", _PATTERNS + "Script error output on stderr", "stderr", "script error"),
    _failed(
        "rate-limit",
        "Roundtable: a service that answers, but not now",
        "rate limit", "rate limited", "rate limiting", "ratelimited", "quota exceeded",
        "too many requests",
        http=(429, 500),
    ),
    _sign(
        "execution_error",
        "invariant",
        "Roundtable: as ERR-DATA-002",
        "invariant violated", "invariant violation", "core assumption broken",
        violations=("invariant", "state machine", "assumption"),
    ),
    Row(
        name="execution_error/exit-status",
        gives="execution_error",
        source=_PATTERNS + "Command exits with non-zero status",
        words=("non-zero exit", "non-zero status", "nonzero exit"),
        fact=lambda seen: bool(seen.exit_code),
    ),
    # 3. Is the output not what was asked for?
    Row(
        name="unexpected_result/validation",
        gives="unexpected_result",
        source=_PATTERNS + "Content validation check fails (format, encoding)",
        words=(
            "validation error", "validation failed", "validation fails", "validation check fails",
            "validation check failed", "criteria not met", "invalid", "malformed",
            "encoding error", "decode error", "spec mismatch", "wrong algorithm",
        ),
        fact=lambda seen: bool(seen.validation_errors),
    ),
    _unlike(
        "format",
        _PATTERNS + "File created but wrong format/structure",
        "wrong format", "wrong structure", "unexpected format",
    ),
    _unlike(
        "sections",
        _PATTERNS + "Output present but missing expected sections",
        "missing section", "missing expected section", "missing required section",
        "missing required field", "missing data",
    ),
    _unlike(
        "counts",
        _PATTERNS + "Counts don't match (expected 5 items, got 3)",
        "counts don't match", "count mismatch", "counts do not match", "expected … got",
    ),
    _unlike(
        "size",
        _PATTERNS + "File size out of expected range",
        "out of expected range", "match expected range",
    ),
    _unlike("stale", _RETRYABLE + "Stale cache, race condition", "stale cache", "stale", "race"),
    _unlike(
        "secret-or-corruption",
        "Roundtable: as ERR-SEC-001 and ERR-DATA-001",
        "secret detected", "secrets detected", "secrets exposure", "secret exposed",
        "secret exposure", "secrets in commit", "api key in diff", "password in log",
        "data corruption", "corrupted file", "incomplete transaction",
        violations=("secret", "credential", "password", "api key", "token", "secrets exposure",
                    "data", "corruption", "corrupted", "corrupt", "integrity"),
    ),
    # 4. Did an agent deviate?
    _astray(
        "contradiction",
        "Agent output contradicts explicit instruction in prompt",
        "contradicts", "contradict", "contradictory instruction",
    ),
    _astray("drift", "Verification reveals drift from design spec", "drift", "drifted"),
    _astray(
        "fabrication",
        "Vet report contains fabricated fix claims",
        "fabricated", "fabricates", "fabrication",
    ),
    _astray(
        "skipping",
        "Agent skips steps or terminates before completing scope",
        "skipped step", "skips step", "skipping step", "skipped a step", "premature termination",
        "terminated prematurely", "terminates before", "terminated before",
        "incomplete verification",
    ),
    _astray(
        "divergence",
        "Reasoning traces show correct analysis but action diverges",
        "diverges", "diverged", "reasoning-action mismatch", "over-escalation", "model limitation",
    ),
    _astray(
        "confabulation",
        "Review catches issues not present in source material (confabulation)",
        "confabulation", "confabulated", "not present in source", "not in the source material",
    ),
    _sign(
        "inter_agent_misalignment",
        "context-overflow",
        _RETRYABLE + "Context window overflow (retry with less context)",
        "context window", "context overflow", "context length", "context limit",
    ),
    Row(
        name="inter_agent_misalignment/boundary",
        gives="inter_agent_misalignment",
        source="Roundtable: as ERR-SEC-002",
        words=("boundary violation", "injection detected", "unauthorized access attempt"),
        fact=lambda seen: bool(seen.violation),
    ),
    # 5. Is it unclear what to do?
    _unclear(
        "interpretations",
        "Multiple valid interpretations of instructions",
        "multiple valid interpretation", "multiple interpretation", "multiple valid approaches",
        "ambiguous", "ambiguity",
    ),
    _unclear(
        "conflict",
        "Conflicting requirements in plan",
        "conflicting requirement", "conflicting instruction", "mutually exclusive",
    ),
    _unclear("criteria", "Unclear success criteria", "unclear", "insufficient spec"),
    _unclear("recovery", "Unknown recovery protocol", "unknown recovery protocol"),
    _unclear(
        "silent-plan",
        "Plan silent on error handling for this condition",
        "plan silent", "plan is silent", "plan doesn't specify", "plan does not specify",
    ),
)  # fmt: skip

# An error that answers none of the five questions.
BEYOND: Final[tuple[Row[Category], ...]] = (
    Row(
        name="prerequisite_failure/input",
        gives="prerequisite_failure",
        source=_TAXONOMY + "Resources or assumptions referenced in plan don't exist",
        fact=lambda seen: bool(seen.missing_input or seen.config),
    ),
    Row(
        name="execution_error/exception",
        gives="execution_error",
        source=_TAXONOMY + "Script or command fails during normal operation",
        fact=lambda seen: bool(seen.error_type) or (seen.http_status or 0) >= 400,
    ),
    Row(
        name="ambiguity_error/in-doubt",
        gives="ambiguity_error",
        source=_PATTERNS + "Plan silent on error handling for this condition",
        fact=always,
        only_if=speaks_of_error,
    ),
)
