"""What an error is: its category, whether trying again can help, and who is to say so.

The tables stand in `classification.toml`: the decision tree of "Error Classification", what lies
beyond it, and the retrying table. Nothing here waits, sends or stores.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from core.data_tables import DataTable, LazyTable
from core.taxonomy.catalogue import KIND_OF_CATEGORY, Category, Kind
from core.taxonomy.observation import Observation, Tier
from core.taxonomy.rows import Row, data, first, read_row, rows_by

ClassifiedBy = Literal["agent", "orchestrator"]

CLASSIFIED_BY: Final[Mapping[Tier | None, ClassifiedBy]] = {
    "haiku": "orchestrator",  # reports what it saw, raw
    "sonnet": "agent",
    "opus": "agent",
    None: "orchestrator",
}

ASKED: Final[tuple[Category, ...]] = (  # the tree's questions, in its order
    "prerequisite_failure",
    "execution_error",
    "unexpected_result",
    "inter_agent_misalignment",
    "ambiguity_error",
)


def _retryable(key: str, table: DataTable) -> Row[bool]:
    gives = table.word("gives", (True, False))
    return read_row(table, name=f"{'retryable' if gives else 'not-retryable'}/{key}", gives=gives)


@cache
def tree() -> tuple[Row[Category], ...]:
    """The rows of the decision tree, in its order. Raises `DataTableError`."""
    return rows_by(data("classification").table("tree"), ASKED)


@cache
def beyond() -> tuple[Row[Category], ...]:
    """Errors that answer none of the tree's questions. Raises `DataTableError`."""
    return rows_by(data("classification").table("beyond"), ASKED)


RETRYABLE: Final = LazyTable[Category, tuple[Row[bool], ...]](
    lambda: {
        category: tuple(_retryable(key, table) for key, table in rows.tables())
        for category, rows in data("classification").table("retryable").tables_of(ASKED)
    }
)


@dataclass(frozen=True, slots=True)
class Classified:
    """All empty when the observation is no error."""

    category: Category | None
    kind: Kind | None
    retryable: bool
    classified_by: ClassifiedBy
    matched: tuple[str, ...]  # the rows that decided


def classify(observation: Observation) -> Classified:
    """Say what the observation is, by the first row of the tree that holds."""
    by = CLASSIFIED_BY[observation.tier]
    row = first((*tree(), *beyond()), observation)
    if row is None:
        return Classified(None, None, False, by, ())
    again = first(RETRYABLE[row.gives], observation)
    assert again is not None  # the last row of each category always holds
    matched = (str(row), str(again))
    return Classified(row.gives, KIND_OF_CATEGORY[row.gives], again.gives, by, matched)
