"""Rows 8, 9 and 14: what ten thousand open sessions cost a process, and what an import costs.

Each is taken in a process of its own, as it is in service.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any, Final

from core.runtime.commit import Runtime
from core.store.connection.sqlite import SqliteDatabase
from tests.bench.arena import Arena
from tests.bench.crowding import crowded
from tests.bench.figures import Figure, Subject
from tests.bench.pairs import medians_ratio
from tests.bench.sessions import REMIND_S, SilentStage, harness_of, opened
from tests.bench.size import Size
from tests.bench.storing import PHASE
from tests.support.rows import run_query
from tests.support.serving import database_in, folders

MEMORY: Final = Subject(8, "memory per open, waiting session", "KB", "≤", 1, 0.1)
START: Final = Subject(
    9, "start to ready with 10,000 open sessions ÷ with an empty database (time)", "×", "≤", 2, 1.2
)
IMPORT: Final = Subject(
    14, "import bot.server.composition ÷ import slack_bolt, sqlmodel (time)", "×", "≤", 1.5, 1.15
)

# Prints the seconds from its first line to a bot that works, its memory, and its threads.
READY: Final = """
import json, os, threading, time
began = time.perf_counter()
from bot.server.composition import build
from bot.server.configuration.settings import load_or_exit
from core.logs import configure
settings = load_or_exit("http")
configure(settings.log_format, settings.log_level)
table = build(settings)
table.start()
while table.runtime.outbox.pending(time.time()):
    time.sleep(0.001)
took = time.perf_counter() - began
with open("/proc/self/statm") as memory:
    pages = int(memory.read().split()[1])
print(json.dumps([took, pages * os.sysconf("SC_PAGESIZE"), threading.active_count()]))
table.stop()
"""
IMPORTED: Final = (
    "import time; began = time.perf_counter(); import {}; print(time.perf_counter() - began)"
)


def started(arena: Arena, size: Size) -> list[Figure]:
    """Memory holds only if no thread stands by for a session."""
    empty, full = arena.folder / "empty-start", arena.folder / "full-start"
    for place, many in ((empty, 0), (full, size.open_sessions)):
        _prepared(place, arena, many)
    ready: dict[Path, list[list[float]]] = {empty: [], full: []}

    def start(place: Path) -> float:
        ready[place].append(_ready(place, arena))
        return ready[place][-1][0]

    ratio = medians_ratio(lambda: start(full), lambda: start(empty), size.starts)
    grown = _median(ready[full], 1) - _median(ready[empty], 1)
    threads = {int(each[2]) for place in (empty, full) for each in ready[place]}
    per_session = max(grown, 0.0) / size.open_sessions / 1000
    return [MEMORY.measured(per_session, sound=len(threads) == 1), START.measured(ratio)]


def imported(arena: Arena, size: Size) -> Figure:
    """After one of each, which compiles the files and puts them where they are found at once.

    An installation holds its bytecode; whoever measures may have told Python to write none.
    """
    compiled = {
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(arena.folder / "bytecode"),
    }

    def import_of(modules: str) -> float:
        return float(_run(IMPORTED.format(modules), compiled))

    return IMPORT.measured(
        medians_ratio(
            lambda: import_of("bot.server.composition"),
            lambda: import_of("slack_bolt, sqlmodel"),
            size.imports,
        )
    )


def _prepared(place: Path, arena: Arena, open_sessions: int) -> None:
    place.mkdir()
    url = database_in(place)
    if not open_sessions:
        return
    stage = SilentStage()
    runtime = Runtime(SqliteDatabase(url), stage.clock, quiet_s=0.0, remind_s=REMIND_S)
    harness = harness_of(place, arena.harness.cast.team, stage=stage, runtime=runtime)
    try:
        (asked,) = opened(harness, 1, PHASE)
        crowded(runtime.database, asked, open_sessions)
        run_query(runtime.database, "PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        harness.close()


def _ready(place: Path, arena: Arena) -> list[float]:
    env = arena.environment | folders(place)
    found: list[float] = json.loads(_run(READY, env).splitlines()[-1])
    return found


def _run(program: str, env: dict[str, str]) -> str:
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, env={**os.environ, **env}, capture_output=True, text=True, check=True
    )
    return done.stdout


def _median(rows: list[list[float]], place: int) -> Any:
    return median(row[place] for row in rows)
