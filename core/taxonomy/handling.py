"""What to do about an error: the four ways of "Error Taxonomy" and where each of them leads.

The tables stand in `handling.toml`. `detection()` is in the order of precedence: fatal, permanent,
retriable, transient. Being seen fewer than three times is a bound on retrying, not a sign of
anything. An error without any sign is taken as permanent and goes on with its concern written down.
Nothing here waits, sends or stores.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, get_args

from core.data_tables import DataTable, LazyTable
from core.taxonomy.catalogue import Handling, Routing
from core.taxonomy.classification import classify, tree
from core.taxonomy.observation import Observation
from core.taxonomy.rows import FACTS, Row, data, first, read_row, rows_by

DELAY_MAX_SECONDS: Final = 60

PRECEDENCE: Final[tuple[Handling, ...]] = ("fatal", "permanent", "retriable", "transient")

_ROUTINGS: Final[tuple[Routing, ...]] = get_args(Routing)


def _route(key: str, table: DataTable) -> Row[Routing]:
    routing = table.word("gives", _ROUTINGS)
    return read_row(table, name=f"{routing}/{key}", gives=routing)


@cache
def detection() -> tuple[Row[Handling], ...]:
    """The signs of the four ways, in the order of precedence. Raises `DataTableError`."""
    return rows_by(data("handling").table("detection"), PRECEDENCE)


@cache
def in_doubt() -> Row[Handling]:
    """The row for an error without any sign. Raises `DataTableError`."""
    (row,) = rows_by(data("handling").table("in_doubt"), PRECEDENCE)
    return row


ROUTES: Final = LazyTable[Handling, tuple[Row[Routing], ...]](
    lambda: {
        way: tuple(_route(key, table) for key, table in rows.tables())
        for way, rows in data("handling").table("routes").tables_of(PRECEDENCE)
    }
)


def needs_settings(observation: Observation) -> bool:
    """True if a setting or a permission is wrong, which nobody but a human can set right."""
    return FACTS["wrong_settings"](observation)


def has_sign(observation: Observation) -> bool:
    """True if a row of either table speaks of it; else it is only known that it failed."""
    return first(tree(), observation) is not None or first(detection(), observation) is not None


@dataclass(frozen=True, slots=True)
class HandledError:
    """`delay_s` is before jitter: 0 for trying again at once, None where no try comes."""

    handling: Handling | None
    routing: Routing
    delay_s: float | None
    matched: tuple[str, ...]  # the rows that decided


def handle(observation: Observation) -> HandledError:
    """Say what to do about `observation`; where no error is, to go on."""
    way = first((*detection(), in_doubt()), observation)
    if way is None or classify(observation).category is None:
        return HandledError(None, "CONTINUE", None, ())
    route = first(ROUTES[way.gives], observation)
    assert route is not None  # the last row of each way always holds
    delay = _delay(way.gives, observation) if route.gives == "RETRY" else None
    return HandledError(way.gives, route.gives, delay, (str(way), str(route)))


def _delay(way: Handling, observation: Observation) -> float:
    """Seconds before the next try. Only load-based failures wait, and Retry-After wins."""
    if way == "retriable":
        return 0
    if observation.retry_after is not None:
        return observation.retry_after
    return float(min(DELAY_MAX_SECONDS, 2**observation.attempts))
