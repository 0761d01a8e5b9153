"""Rows 6 and 7: a step among many open sessions and late in a long one; what a step leaves behind.

The crowd is one session that waits for an answer, copied row by row: ten thousand people who have
not answered yet.
"""

import time
from collections.abc import Callable
from concurrent.futures import Future
from itertools import cycle
from random import Random
from statistics import median
from typing import Final

from core.brains.model.providers.exchange import Provider, WireReply, WireRequest
from core.domain.ids import SessionId
from core.domain.model_calls import TIERS, ModelOffer
from core.store.connection.database import Database
from core.store.repository.erase import tables_of_a_session
from core.store.statements.statement import Connection
from tests.bench.arena import Arena
from tests.bench.figures import Figure, Subject
from tests.bench.loading import planted
from tests.bench.pairs import medians_ratio
from tests.bench.said import ANSWERS
from tests.bench.sessions import go_on, harness_in, opened, to_menu
from tests.bench.size import Size
from tests.bench.storing import PHASE
from tests.chaos.models import PROVIDERS, StormyWire, runner_of
from tests.support.harness import Harness
from tests.support.rows import execute, run_query

FEW: Final = 10
LONG_PHASES: Final = 10
SUMMARY: Final = "design-summary.md"
FLAT: Final = 1.3  # what the second half of a session may leave behind, of what the first does

STEPS: Final = 24
REQUESTS_A_STEP: Final = 2  # one at least to read, and one to ask

CROWD: Final = Subject(6, "a step with 10,000 open sessions ÷ with 10 (time)", "×", "≤", 1.3, 1.15)
LONG: Final = Subject(6, "step 240 of a session ÷ step 1 (time)", "×", "≤", 1.3, 1.15)
GROWTH: Final = Subject(7, "database growth per step, everything included", "KB", "≤", 9, 6)

GROWTH_READ: Final = Subject(  # issue 18 asks for it beside row 7
    7, "the same read by a language model (a stand-in), replies gone: beyond it", "KB", "≤", 1.5, 1
)


def crowd(arena: Arena, size: Size) -> Figure:
    """From an answer to the next prompt, everything done: read, written, menu, click."""
    team = arena.harness.cast.team
    with (
        harness_in(arena.folder / "few", team) as few,
        harness_in(arena.folder / "many", team) as many,
    ):
        (asked,), (sought,) = opened(few, 1, PHASE), opened(many, 1, PHASE)
        crowded(few.runtime.database, asked, FEW)
        crowded(many.runtime.database, sought, size.open_sessions)
        walks = _Walk(few), _Walk(many)
        return CROWD.measured(medians_ratio(walks[1].step, walks[0].step, size.steps))


def long_session(arena: Arena, size: Size) -> Figure:
    """The last phase of one session beside the first of another, step by step in turn.

    The step that leads out of a phase is not timed: what opens a phase is another matter. Nor has
    the session ten summaries of everything: a session has one.
    """
    tree, steps = arena.folder / "long", LONG_PHASES * size.long_phase
    planted(tree / "analysis", steps, LONG_PHASES, leaving_out=SUMMARY)
    with harness_in(arena.folder / "long-bench", arena.harness.cast.team, steps=tree) as harness:
        (late,) = opened(harness, 1, f"{LONG_PHASES - 1:02}-bench")
        (early,) = opened(harness, 1, "00-bench")
        pairs = [_step(harness, late) / _step(harness, early) for _ in range(size.long_phase - 1)]
        done = len(harness.runtime.reader.load(late).course.done)
        return LONG.measured(median(pairs), sound=done == steps - 1)


def _step(harness: Harness, session: SessionId) -> float:
    """Seconds of one, from its answer to the next prompt."""
    began = time.perf_counter()
    to_menu(harness, session)
    go_on(harness, session)
    return time.perf_counter() - began


def growth(arena: Arena, size: Size) -> list[Figure]:
    """Pages in use, of whole analyses of 24 steps from their start to their end, after a first one.

    What all sessions share is there by then: the texts of the steps, the personas. Then the same
    with the thoughtful stand-in, which reads every step.
    """
    folder, team = arena.folder, arena.harness.cast.team
    with harness_in(folder / "growth", team) as harness:
        each, first, second = _grown(harness, size)
    offer = ModelOffer(tuple((tier, tuple(PROVIDERS)) for tier in TIERS))
    with harness_in(folder / "growth-read", team, offer=offer) as harness:
        wire = WireAtOnce(Random(0), harness.clock, trouble=0.0, is_over=lambda: True)
        harness.outbox_worker.model_runner = runner_of(harness, wire)
        read, *_ = _grown(harness, size)
        query = "SELECT count(*) FROM calls WHERE reply IS NULL"
        ((requests,),) = run_query(harness.runtime.database, query)
    is_read = requests >= REQUESTS_A_STEP * STEPS * (1 + size.grown)
    return [
        GROWTH.measured(each / 1000, sound=second <= FLAT * first),
        GROWTH_READ.measured((read - each) / 1000, sound=is_read),
    ]


class WireAtOnce(StormyWire):
    """Replies are there before anybody waits for them."""

    def send(self, provider: Provider, request: WireRequest) -> "Future[WireReply]":
        future = super().send(provider, request)
        self.deliver()
        return future

    def take_in(self, take: Callable[[], None]) -> None:
        take()


def _grown(harness: Harness, size: Size) -> tuple[float, ...]:
    _whole(harness)
    grown = [_whole(harness) for _ in range(size.grown)]
    return tuple(sum(part) / len(part) for part in zip(*grown, strict=True))


def _whole(harness: Harness) -> tuple[float, float, float]:
    """Bytes per step of an analysis; of its first half, once it is open, and of its second."""
    before = _bytes_used(harness.runtime.database)
    (session,) = opened(harness, 1, "00-quick-scan")
    marks = [_bytes_used(harness.runtime.database)]
    said = cycle(ANSWERS)
    while harness.runtime.reader.load(session).status != "completed":
        to_menu(harness, session, next(said))
        go_on(harness, session)
        marks.append(_bytes_used(harness.runtime.database))
    half, steps = len(marks) // 2, len(marks) - 1
    first, second = (marks[half] - marks[0]) / half, (marks[-1] - marks[half]) / (steps - half)
    return (marks[-1] - before) / steps, first, second


class _Walk:
    """One step after another; a session that ended is followed by the next one."""

    def __init__(self, harness: Harness) -> None:
        self._harness = harness
        self._session: SessionId | None = None

    def step(self) -> float:
        reader = self._harness.runtime.reader
        if self._session is None or reader.load(self._session).course.phase != PHASE:
            (self._session,) = opened(self._harness, 1, PHASE)
        return _step(self._harness, self._session)


def crowded(database: Database, session: SessionId, many: int) -> None:
    """So many copies of everything that is known of a session."""
    with database.write() as db:
        _copy(db, "sessions", "id", session, many)
        for table in tables_of_a_session():
            if table != "outbox":  # nothing is under way
                _copy(db, table, "session", session, many)


def _copy(db: Connection, table: str, key: str, session: SessionId, many: int) -> None:
    """Rows of the session so many times more, under names that nobody else has."""
    none = execute(db, f"SELECT * FROM {table} WHERE 1 = 0")
    none.fetchall()
    columns = [one[0] for one in none.description]
    own = {"sessions": ("id", "slug"), "runs": ("id", "session"), "menus": ("id", "session"),
           "faults": ("id", "session"), "posts": ("session", "ts"),
           "threads": ("session", "ts"), "answers": ("session", "id")}  # fmt: skip
    changed = own.get(table, ("session",))
    chosen = [f"{name} || '-' || nth" if name in changed else name for name in columns]
    if table == "sessions":
        chosen[columns.index("doc")] = (
            "json_set(json_set(doc, '$.id', id || '-' || nth), '$.slug', slug || '-' || nth)"
        )
    execute(
        db,
        f"INSERT INTO {table} ({', '.join(columns)})"
        f" WITH RECURSIVE copies(nth) AS"
        f" (SELECT 0 UNION ALL SELECT nth + 1 FROM copies WHERE nth < {many - 1})"
        f" SELECT {', '.join(chosen)} FROM {table}, copies WHERE {key} = ? ORDER BY nth",
        (session,),
    )


def _bytes_used(database: Database) -> int:
    pages, free, page = (
        int(run_query(database, f"PRAGMA {name}")[0][0])
        for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * page
