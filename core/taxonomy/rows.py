"""Rows that recognise an observation. They stand in `classification.toml` and `handling.toml`.

A row names the place it comes from, and the first row of a table that holds decides. The sources:
"Error Classification" (categories, retrying by category, tiers), "Error Taxonomy" (the four ways of
handling), and "Roundtable" for what neither of them names, with the page that it goes by.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from core import patterns
from core.data_tables import DataTable, LazyTable, read_table
from core.taxonomy.observation import Observation

Value = TypeVar("Value")

ATTEMPTS_MAX: Final = 5
RETRIES_MAX: Final = 3
SAME_SIGNATURE_MAX: Final = 2  # the second time, now included: the same error twice is not flaky
GAP_WORDS_MAX: Final = 5
_GAP: Final = "…"  # in a phrase: up to `GAP_WORDS_MAX` words that may be any


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(Generic[Value]):
    """One line of a table. It holds when any of its evidence is there and `only_if` agrees."""

    name: str
    gives: Value
    source: str
    words: tuple[str, ...] = ()  # in the error type or the message, whole words only
    exit_codes: tuple[int, ...] = ()
    http: tuple[int, ...] = ()
    violations: tuple[str, ...] = ()  # words in the violation
    fact: str | None = None  # a key of `FACTS`
    only_if: str | None = None

    def holds(self, observation: Observation) -> bool:
        evidence = (
            observation.exit_code in self.exit_codes
            or observation.http_status in self.http
            or (self.fact is not None and FACTS[self.fact](observation))
            or said(self.words, observation.text)
            or (
                observation.violation is not None
                and said(self.violations, observation.violation.lower())
            )
        )
        return evidence and (self.only_if is None or FACTS[self.only_if](observation))

    def __str__(self) -> str:
        return f"{self.name}: {self.source}"


@cache
def data(name: str) -> DataTable:
    """The tables of a file of this package, read once. Raises `DataTableError`."""
    return read_table(Path(__file__).with_name(f"{name}.toml"))


def first(rows: Iterable[Row[Value]], observation: Observation) -> Row[Value] | None:
    """The row that decides: the tables are in order of precedence."""
    return next((row for row in rows if row.holds(observation)), None)


def said(words: tuple[str, ...], text: str) -> bool:
    """True if any of `words` is in `text` as whole words: "race" is not in "traceback".

    A "…" in a phrase stands for up to `GAP_WORDS_MAX` words: "environment variable … not set".
    """
    return bool(words) and _pattern(words).search(text) is not None


@cache
def _pattern(words: tuple[str, ...]) -> patterns.Pattern:
    phrases = "|".join(map(_phrase, words))
    return patterns.compile(rf"(?<![a-z0-9])(?:{phrases})s?(?![a-z0-9])")


def _phrase(words: str) -> str:
    """The pattern of a phrase. Its parts exclude each other, so that it is linear in the text."""
    gap = rf"[\s_-]+(?:\S+\s+){{0,{GAP_WORDS_MAX}}}"
    parts = (r"[\s_-]+".join(map(patterns.escape, part.split())) for part in words.split(_GAP))
    return gap.join(parts)


def speaks_of_error(observation: Observation) -> bool:
    """True if something went wrong that no row knows. Beside a success, words alone say nothing."""
    strange = observation.http_status is not None and observation.http_status < 0
    return strange or (bool((observation.message or "").strip()) and not observation.says_success)


def _has_retries_left(observation: Observation) -> bool:
    is_repeated = 1 + observation.history.count(observation.signature) >= SAME_SIGNATURE_MAX
    return observation.attempts < RETRIES_MAX and not is_repeated


FACTS: Final[Mapping[str, Callable[[Observation], bool]]] = {
    "always": lambda _: True,
    "alternative_path": lambda observation: bool(observation.alternative_path),
    "attempts_left": lambda observation: observation.attempts < ATTEMPTS_MAX,
    "clean_before": lambda observation: observation.clean_before,
    "config": lambda observation: bool(observation.config),
    "critical_path": lambda observation: observation.critical_path,
    "failed_exit": lambda observation: bool(observation.exit_code),
    "fixable": lambda observation: bool(observation.fixable),
    "known_fix": lambda observation: bool(observation.known_fix),
    "lacks_input": lambda observation: bool(observation.missing_input or observation.config),
    "lint_error": lambda observation: _EVIDENCE["lint_error"].holds(observation),
    "missing_input": lambda observation: bool(observation.missing_input),
    "reports_failure": lambda observation: (
        bool(observation.error_type) or (observation.http_status or 0) >= 400
    ),
    "retries_left": _has_retries_left,
    "says_no_success": lambda observation: not observation.says_success,  # "packet loss 0%"
    "speaks_of_error": speaks_of_error,
    "test_failure": lambda observation: _EVIDENCE["test_failure"].holds(observation),
    "test_passed_recently": lambda observation: observation.test_passed_recently,
    "validation_errors": lambda observation: bool(observation.validation_errors),
    "violation": lambda observation: bool(observation.violation),
    "wrong_settings": lambda observation: _EVIDENCE["wrong_settings"].holds(observation),
}


def read_row(table: DataTable, **more: object) -> Row[Any]:
    """The row that a table describes. Raises `DataTableError`, also for an unknown fact."""
    facts = {key: table.word(key, (None, *FACTS)) for key in ("fact", "only_if")}
    return table.row(Row, **more, **facts)


def rows_by(table: DataTable, gives: Collection[Value]) -> tuple[Row[Value], ...]:
    """The rows of a table whose rows stand below what they give, in the order of `gives`.

    Raises `DataTableError`.
    """
    return tuple(
        read_row(row, name=f"{value}/{key}", gives=value)
        for value, rows in table.tables_of(gives)
        for key, row in rows.tables()
    )


_EVIDENCE: Final[Mapping[str, Row[None]]] = LazyTable(
    lambda: {
        name: read_row(table, name=name, gives=None) for name, table in data("evidence").tables()
    }
)
