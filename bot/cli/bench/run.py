"""Every figure in the order of its row."""

from collections.abc import Callable

from bot.cli.bench.acknowledging import CLICK, EVENT, click, event
from bot.cli.bench.analysis import analyses
from bot.cli.bench.arena import arena, scratch
from bot.cli.bench.browsing import browsed
from bot.cli.bench.crowding import CROWD, GROWTH, LONG, crowd, growth, long_session
from bot.cli.bench.debating import DEBATE, debating
from bot.cli.bench.figures import Figure
from bot.cli.bench.limits import limited
from bot.cli.bench.loading import CHECKING, checking
from bot.cli.bench.opening import HOME, home_opened
from bot.cli.bench.scanning import SCAN, scan
from bot.cli.bench.size import Size
from bot.cli.bench.starting import IMPORT, MEMORY, START, imported, started
from bot.cli.bench.storing import CONCURRENCY, TRANSITION, concurrency, transition

COMPARED = (
    (TRANSITION, transition),
    (EVENT, event),
    (CLICK, click),
    (CHECKING, checking),
    (SCAN, scan),
    (CONCURRENCY, concurrency),
    (DEBATE, debating),
    (CROWD, crowd),
    (LONG, long_session),
    (GROWTH, growth),
    (IMPORT, imported),
    (HOME, home_opened),
)


def measured(size: Size, told: Callable[[str], None]) -> list[Figure]:
    found = []
    with scratch() as folder:
        with arena(folder) as place:
            for subject, measure in COMPARED:
                told(f"row {subject.row}: {subject.name}")
                found.append(measure(place, size))
            told(f"rows {MEMORY.row} and {START.row}: {START.name}")
            found += started(place, size)
        found += analyses(folder, size, told)
        found += browsed(folder, size, told)
        found += limited(folder, size, told)
    return found
