"""Every figure in the order of its row."""

from collections.abc import Callable

from tests.bench.acknowledging import (
    CLICK,
    CLICK_BESIDE_READINGS,
    EVENT,
    click,
    click_beside_readings,
    event,
)
from tests.bench.analysis import analyses
from tests.bench.arena import arena, scratch
from tests.bench.asking import ASKING, asking
from tests.bench.browsing import browsed
from tests.bench.crowding import CROWD, GROWTH, LONG, crowd, growth, long_session
from tests.bench.debating import DEBATE, debating
from tests.bench.figures import Figure
from tests.bench.fleets import beside
from tests.bench.limits import limited
from tests.bench.loading import CHECKING, checking
from tests.bench.opening import HOME, home_opened
from tests.bench.scanning import SCAN, scan
from tests.bench.searching import searched
from tests.bench.several import several
from tests.bench.size import Size
from tests.bench.starting import IMPORT, MEMORY, START, imported, started
from tests.bench.storing import CONCURRENCY, TRANSITION, concurrency, transition

COMPARED = (
    (TRANSITION, transition),
    (EVENT, event),
    (CLICK, click),
    (CLICK_BESIDE_READINGS, click_beside_readings),
    (CHECKING, checking),
    (SCAN, scan),
    (CONCURRENCY, concurrency),
    (DEBATE, debating),
    (CROWD, crowd),
    (LONG, long_session),
    (IMPORT, imported),
    (HOME, home_opened),
    (ASKING, asking),
)


def measured(size: Size, told: Callable[[str], None]) -> list[Figure]:
    found = []
    with scratch() as folder:
        with arena(folder) as place:
            for subject, measure in COMPARED:
                told(f"row {subject.row}: {subject.name}")
                found.append(measure(place, size))
            told(f"row {GROWTH.row}: {GROWTH.name}")
            found += growth(place, size)
            told(f"rows {MEMORY.row} and {START.row}: {START.name}")
            found += started(place, size)
        found += analyses(folder, size, told)
        found += browsed(folder, size, told)
        found += limited(folder, size, told)
        found += searched(folder, size, told)
        found += several(folder, size, told)
        found += beside(folder, size, told)
    return found
