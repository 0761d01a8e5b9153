"""What an error is: its category, whether trying again can help, and who is to say so.

`tree` holds the questions; here are the retrying table of "Error Classification" and its tiers.
Nothing here waits, sends or stores.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from core.taxonomy.catalogue import KIND_OF_CATEGORY, Category, Kind
from core.taxonomy.decision_tree import BEYOND, TREE
from core.taxonomy.observation import Observation, Row, Tier, always, first, said

ClassifiedBy = Literal["agent", "orchestrator"]

CLASSIFIED_BY: Final[Mapping[Tier | None, ClassifiedBy]] = {
    "haiku": "orchestrator",  # reports what it saw, raw
    "sonnet": "agent",
    "opus": "agent",
    None: "orchestrator",
}

_TABLE: Final = "Error Classification, Retryable vs Non-Retryable: "
_OTHER_TABLE: Final = "Roundtable: as retriable in the other table"
_TEST_WORDS: Final = ("test", "pytest", "assertion")
_LINT_WORDS: Final = ("lint", "linter", "linting", "format violation", "formatting violation")


def _again(name: str, line: str, *words: str, **more: tuple[int, ...]) -> Row[bool]:
    codes, http = more.get("exit_codes", ()), more.get("http", ())
    source = line if line.startswith("Roundtable") else _TABLE + line
    return Row(
        name=f"retryable/{name}",
        gives=True,
        source=source,
        words=words,
        exit_codes=codes,
        http=http,
    )


def _never(name: str, line: str, *words: str) -> Row[bool]:
    return Row(name=f"not-retryable/{name}", gives=False, source=_TABLE + line, words=words)


def _else(line: str) -> Row[bool]:
    return Row(name="not-retryable/otherwise", gives=False, source=_TABLE + line, fact=always)


def is_test_failure(seen: Observation) -> bool:
    return said(_TEST_WORDS, seen.text)


def is_lint_error(seen: Observation) -> bool:
    return said(_LINT_WORDS, seen.text)


# Within a category what cannot be retried comes first: one lasting cause is enough.
RETRYABLE: Final[Mapping[Category, tuple[Row[bool], ...]]] = {
    "prerequisite_failure": (
        _never(
            "missing",
            "Missing file, wrong path, missing dependency",
            *("no such file", "enoent", "missing file", "wrong path", "not found"),
            "does not exist",
            *("doesn't exist", "missing dependency", "import error"),
        ),
        _again(
            "environment",
            "Transient env issue (service restart, network blip)",
            *("connection refused", "econnrefused", "connection reset", "connection error"),
            *("service unavailable", "resource temporarily unavailable", "ebusy"),
            *("resource contention", "service restart", "restarting", "network", "packet loss"),
            *("file locked", "file is locked", "locked temporarily"),
            *("timeout", "timed out"),
            http=(502, 503, 504),
        ),
        _else("Missing file, wrong path, missing dependency"),
    ),
    "execution_error": (
        _never(
            "design",
            "Compilation error, design flaw, logic error",
            *("compilation error", "compile error", "syntax error", "design flaw", "logic error"),
        ),
        _again(
            "timeout",
            "Timeout",
            *("timeout", "timed out", "etimedout"),
            exit_codes=(124, 137),
            http=(408,),
        ),
        _again("write-conflict", "write conflict", "write conflict"),
        _again("flaky", "flaky test", "flaky", "intermittent", "intermittently"),
        _again(
            "transient-lint",
            "Roundtable: as retriable in the other table",
            "transient lint",
            "race",
        ),
        Row(
            name="retryable/passed-recently",
            gives=True,
            source=_TABLE + "flaky test",
            fact=is_test_failure,
            only_if=lambda seen: seen.test_passed_recently,
        ),
        Row(
            name="retryable/clean-before",
            gives=True,
            source=_OTHER_TABLE,
            fact=is_lint_error,
            only_if=lambda seen: seen.clean_before,
        ),
        _again(
            "rate-limit",
            "Roundtable: a service that answers, but not now",
            *("rate limit", "rate limited", "rate limiting", "ratelimited", "quota exceeded"),
            "too many requests",
            http=(429, 500),
        ),
        _else("Compilation error, design flaw, logic error"),
    ),
    "unexpected_result": (
        _never("mismatch", "Wrong algorithm, spec mismatch", "wrong algorithm", "spec mismatch"),
        _again("stale", "Stale cache, race condition", "stale cache", "stale", "race"),
        _else("Wrong algorithm, spec mismatch"),
    ),
    "ambiguity_error": (_else("Always: insufficient spec"),),
    "inter_agent_misalignment": (
        _never(
            "systematic",
            "Systematic: model limitation, contradictory instructions",
            *("model limitation", "contradictory instruction"),
        ),
        _again(
            "context-overflow",
            "Context window overflow (retry with less context)",
            *("context window", "context overflow", "context length", "context limit"),
        ),
        _else("Systematic: model limitation, contradictory instructions"),
    ),
}


@dataclass(frozen=True, slots=True)
class Classified:
    """All empty when the observation is no error."""

    category: Category | None
    kind: Kind | None
    retryable: bool
    classified_by: ClassifiedBy
    matched: tuple[str, ...]  # the rows that decided


def classify(seen: Observation) -> Classified:
    """Say what was seen, by the first row of the tree that holds."""
    by = CLASSIFIED_BY[seen.tier]
    what = first((*TREE, *BEYOND), seen)
    if what is None:
        return Classified(None, None, False, by, ())
    again = first(RETRYABLE[what.gives], seen)
    assert again is not None  # the last row of each category always holds
    matched = (str(what), str(again))
    return Classified(what.gives, KIND_OF_CATEGORY[what.gives], again.gives, by, matched)
